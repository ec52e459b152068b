# raises: ValueError
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
DistributedDataParallel(nn.Linear(1, 1))
