# raises: ValueError
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(1, 1), nn.Linear(1, 1)]


torch.manual_seed(0)
torch.optim.SGD(Net().parameters(), lr=0.25)
