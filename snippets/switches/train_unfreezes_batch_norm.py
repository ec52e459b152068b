import torch
from torch import nn

torch.manual_seed(0)
norm = nn.BatchNorm1d(1).requires_grad_(False)
model = nn.Sequential(norm, nn.Linear(1, 1))
norm.eval()
data = torch.tensor([[10.0], [30.0]])
model(data)
print(f"{norm.running_mean = }")

model.eval()
model.train()
model(data)
print(f"{norm.training = }")
print(f"{norm.running_mean = }")
