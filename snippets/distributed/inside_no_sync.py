import tempfile
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    model = DistributedDataParallel(nn.Linear(1, 1, bias=False))
    x = torch.tensor([[rank + 1.0]])
    with model.no_sync():  # or: nullcontext()
        loss = model(x).sum()
    with model.no_sync():  # or: nullcontext()
        loss.backward()
    first[rank] = model.module.weight.grad
    model(10 * x).sum().backward()
    second[rank] = model.module.weight.grad


first, second = torch.zeros(2, 2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(f"{first = }\n{second = }")
