# raises: ValueError
import torch
from torch import nn

torch.manual_seed(0)
nn.LSTM(1, 2)(torch.ones(3, 1, 1, dtype=torch.float64))
