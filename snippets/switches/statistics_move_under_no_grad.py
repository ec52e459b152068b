import torch
from torch import nn

norm = nn.BatchNorm1d(1)
data = torch.tensor([[10.0], [30.0]])
with torch.no_grad():
    norm(data)
print(f"{norm.running_mean = }")

norm.eval()
y = norm(data)
print(f"{norm.running_mean = }")
print(f"{y.requires_grad = }")
