import torch
from torch import nn


class FrozenNorm(nn.BatchNorm1d):
    def train(self, mode=True):
        return super().train(False)


torch.manual_seed(0)
norm = FrozenNorm(1).requires_grad_(False)
model = nn.Sequential(norm, nn.Linear(1, 1))
data = torch.tensor([[10.0], [30.0]])
model.train()
model(data)
print(f"{model.training = }, {norm.training = }")
print(f"{norm.running_mean = }")
