import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(wrap_first):
    net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    if wrap_first:
        model = DistributedDataParallel(net)
    net[1].requires_grad_(False)
    if not wrap_first:
        model = DistributedDataParallel(net)
    for step in range(2):
        model(torch.ones(1, 1)).sum().backward()
        print(f"{wrap_first = }, {step = }: ok")


torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
train(wrap_first=False)
try:
    train(wrap_first=True)
except RuntimeError as error:
    print(str(error).split(". ")[0])
dist.destroy_process_group()
