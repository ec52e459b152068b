import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel

x = torch.tensor([[1.0], [2.0], [6.0]])


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    model = DistributedDataParallel(nn.Linear(1, 1, bias=False))
    mine = x[:1] if rank == 0 else x[1:]
    loss = model(mine).mean()  # or: model(mine).sum() | model(mine).sum() * 2 / len(x)
    loss.backward()
    grads[rank] = model.module.weight.grad


grads = torch.zeros(2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(f"{grads = }")
print(f"{x.mean() = }")
