import torch
from torch import nn

norm = nn.BatchNorm1d(1)
norm.train()  # or: norm.eval() | norm.requires_grad_(False)
data = torch.tensor([[10.0], [30.0]])
with torch.no_grad():  # or: torch.inference_mode() | torch.enable_grad()
    y = norm(data)
print(f"{y.requires_grad = }")
print(f"{norm.running_mean = }")
