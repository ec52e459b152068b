import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import start_processes
from torch.nn.parallel import DistributedDataParallel


def train(rank, store):
    dist.init_process_group("gloo", store, rank=rank, world_size=2)
    model = DistributedDataParallel(nn.Linear(1, 1, bias=False))
    out = model(torch.full((1, 1), 2.0 * rank))
    out.sum().backward(retain_graph=True)
    first = model.module.weight.grad.item()
    out.sum().backward()
    grads[rank] = torch.tensor([first, model.module.weight.grad.item()])


grads = torch.zeros(2, 2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
for rank in range(2):
    print(f"{rank = }, {grads[rank] = }")
