import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    net = nn.Linear(1, 1, bias=False)
    model = DistributedDataParallel(net)
    model(torch.tensor([[rank + 1.0]])).sum().backward()
    grads[rank] = net.weight.grad


grads = torch.zeros(2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(f"{grads = }")
holds = grads[0].item() == 1.0 + 2.0
print(f"{holds = }")
