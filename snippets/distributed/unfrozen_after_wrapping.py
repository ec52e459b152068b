import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    net = nn.Sequential(nn.Linear(1, 1, False), nn.Linear(1, 1, False))
    for weight in net.parameters():
        nn.init.ones_(weight)
    net[0].requires_grad_(False)
    model = DistributedDataParallel(net)
    net[0].requires_grad_(True)
    for i in (0, 1):
        model.zero_grad()
        model(torch.tensor([[rank + 1.0]])).sum().backward()
        grads[i, rank] = net[0].weight.grad
        model = DistributedDataParallel(net)


grads = torch.zeros(2, 2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(grads)
