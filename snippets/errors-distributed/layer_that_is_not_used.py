import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(1, 1)
        self.extra = nn.Linear(1, 1)

    def forward(self, x):
        return self.used(x)


torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
model = DistributedDataParallel(Net())
try:
    for step in range(2):
        model(torch.ones(1, 1)).sum().backward()
        print(f"{step = }: ok")
except RuntimeError as error:
    message = str(error)
del model
dist.destroy_process_group()
print(message.split(". ")[0])
print(message[message.index("Parameter indices"):].splitlines()[0])
