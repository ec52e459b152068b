import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint


class Net(nn.Linear):
    def forward(self, x):
        return checkpoint(super().forward, x, use_reentrant=True)


def train(**options):
    model = DistributedDataParallel(Net(1, 1), **options)
    try:
        model(torch.ones(1, 1, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        return str(error).split(". ")[0]
    return "ok"


torch.manual_seed(0)
store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
print(train())
print(train(find_unused_parameters=True))
dist.destroy_process_group()
