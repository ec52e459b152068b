import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
teacher = nn.Linear(1, 1).requires_grad_(False)
student = nn.Linear(1, 1)
model = DistributedDataParallel(student)

x = torch.ones(4, 1)
loss = (model(x) - teacher(x)).square().mean()
loss.backward()
print([weight.grad is not None for weight in student.parameters()])
print([weight.grad is not None for weight in teacher.parameters()])
del model
dist.destroy_process_group()
