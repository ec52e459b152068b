import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Linear):
    def forward(self, x, switch):
        return x @ self.weight.T + switch * self.bias


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    model = DistributedDataParallel(Net(1, 1))
    model(torch.ones(1, 1), switch=(1, 0)[rank]).sum().backward()
    grads[rank] = model.module.bias.grad


grads = torch.zeros(2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(f"{grads = }")
