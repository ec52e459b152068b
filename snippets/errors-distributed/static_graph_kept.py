import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.ModuleList):
    def forward(self, x, branch):
        return self[branch](x)


torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
net = Net([nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)])
model = DistributedDataParallel(net, static_graph=True)
for step in range(3):
    model(torch.ones(1, 1), branch=0).sum().backward()
print([weight.grad for weight in net.parameters()])
del model
dist.destroy_process_group()
