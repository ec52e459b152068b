import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint


class Net(nn.Sequential):
    def forward(self, x):
        x = self[0](x)
        for _ in range(2):
            x = checkpoint(self[1], x, use_reentrant=False)
        return x


torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
net = Net(nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False))
model = DistributedDataParallel(net)
for weight in net.parameters():
    nn.init.constant_(weight, 3)
model(torch.ones(1, 1)).sum().backward()
print([weight.grad.item() for weight in net.parameters()])
del model
dist.destroy_process_group()
