# raises: RuntimeError
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
try:
    DistributedDataParallel(nn.ReLU())
finally:
    dist.destroy_process_group()
