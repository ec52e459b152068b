# raises: TypeError
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(1, 1)
net.weight = net.weight * 0.5
