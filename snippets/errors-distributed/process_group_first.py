import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
model = DistributedDataParallel(nn.Linear(1, 1))
print(f"{dist.get_world_size() = }")
model(torch.ones(1, 1)).sum().backward()
print(f"{model.module.weight.grad = }")
del model
dist.destroy_process_group()
