import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    net = nn.Linear(1, 1, bias=False)
    nn.init.constant_(net.weight, rank + 1)
    weights[0, rank] = net.weight.detach()
    model = DistributedDataParallel(net)
    weights[1, rank] = net.weight.detach()
    if rank == 0:
        nn.init.constant_(net.weight, 7)
    model(torch.ones(1, 1)).sum().backward()
    weights[2, rank] = net.weight.detach()


weights = torch.zeros(3, 2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(weights)
