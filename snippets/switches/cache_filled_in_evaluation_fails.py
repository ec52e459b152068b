# raises: RuntimeError
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(2.0))
        self.table = None

    def forward(self, x):
        if self.table is None:
            self.table = torch.arange(3.0)
        return (self.weight * self.table * x).sum()


net = Net()
with torch.inference_mode():
    print(f"{net(1.0).item() = }")
print(f"{net.table.is_inference() = }")
net(1.0).backward()
