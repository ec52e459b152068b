import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel


class Branches(nn.ModuleList):
    def forward(self, x):
        return self[dist.get_rank()](x)


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    net = Branches(nn.Linear(1, 1, bias=False) for _ in range(3))
    model = DistributedDataParallel(net, find_unused_parameters=True)
    model(torch.tensor([[8.0]])).sum().backward()
    for i, weight in enumerate(net.parameters()):
        if weight.grad is not None:
            grads[rank, i] = weight.grad


grads = torch.full((2, 3), torch.nan).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(grads)
