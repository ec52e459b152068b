import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Sequential):
    def forward(self, x):
        return self[1](self[0](x).detach())


torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
net = Net(nn.Linear(1, 1, False), nn.Linear(1, 1, False))
model = DistributedDataParallel(net, find_unused_parameters=True)
before = net[0].weight.clone()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    model(torch.ones(1, 1)).sum().backward()
    optimizer.step()
print(f"{net[0].weight.grad = }")
print(f"{torch.equal(net[0].weight, before) = }")
del model
dist.destroy_process_group()
