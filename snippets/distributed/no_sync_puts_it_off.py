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
    for case, wait in enumerate((nullcontext, model.no_sync)):
        model.zero_grad()
        for part, context in enumerate((wait, nullcontext)):
            x = torch.tensor([[(rank + 1.0) * 10**part]])
            with context():
                model(x).sum().backward()
            grads[case, part, rank] = model.module.weight.grad


grads = torch.zeros(2, 2, 2).share_memory_()
with tempfile.TemporaryDirectory() as folder:
    store = f"file://{folder}/store"
    start_processes(train, (store,), nprocs=2, start_method="fork")
for name, (first, second) in zip(("usual", "no_sync"), grads.tolist()):
    print(f"{name:8}{first = }  {second = }")
