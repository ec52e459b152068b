import tempfile

import torch
import torch.distributed as dist
from torch.distributed.nn.functional import gather
from torch.multiprocessing import start_processes


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    w = torch.tensor(3.0, requires_grad=True)
    parts = gather(w * (rank + 1), dst=0)
    if rank == 0:
        loss = parts[0] * parts[1]
    else:
        loss = 0 * sum(parts)
    loss.backward()
    grads[rank] = w.grad


grads = torch.zeros(2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(f"{grads = }")
print(f"{grads.sum() = }")
