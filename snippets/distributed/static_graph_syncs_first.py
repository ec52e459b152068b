from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(first):
    net = nn.Linear(1, 1, bias=False)
    model = DistributedDataParallel(net, static_graph=True)
    for context in (first, model.no_sync, nullcontext):
        with (context or model.no_sync)():
            model(torch.ones(1, 1)).sum().backward()
    return net.weight.grad.item()


torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
for first in (None, nullcontext):
    try:
        print("gradient", train(first))
    except RuntimeError as error:
        message = str(error)
        print(message.split(" at ")[0])
dist.destroy_process_group()
