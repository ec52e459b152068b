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
    x = torch.tensor([[rank + 1.0]])
    net(x).sum().backward()
    grads[0, rank] = net.weight.grad
    grads[1, rank], = torch.autograd.grad(model(x).sum(), net.weight)
    loss = model(x).sum()
    for call in (2, 3):
        model.zero_grad()
        loss.backward(retain_graph=True)
        grads[call, rank] = net.weight.grad


grads = torch.zeros(4, 2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
print(grads)
