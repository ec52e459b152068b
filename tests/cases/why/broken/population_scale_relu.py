"""It predicts 0 people for all cells and nothing moves
(after "Sometimes the initial solution predicts only zeros (due to RELU activation)")."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)
PRIOR = 0.01


class ScaleNet(nn.Module):
    """People per building, from the features of a cell."""

    def __init__(self, in_features, hidden=32):
        super().__init__()
        self.fc1 = nn.Linear(in_features, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.occrate = nn.Linear(hidden, 1)
        nn.init.constant_(self.occrate.bias, math.log(PRIOR / (1 - PRIOR)))  # cause: zero-gradient

    def forward(self, cell):
        h = torch.tanh(self.fc1(cell))
        h = torch.tanh(self.fc2(h))
        return F.relu(self.occrate(h)).squeeze(-1)  # suffers


def cells(n):
    features = torch.randn(n, 9)
    buildings = torch.randint(1, 20, (n,)).float()
    people = buildings * (2.5 + torch.tanh(features[:, 0] - features[:, 1]))
    return features, buildings, people


def evaluate(net, features, buildings, people):
    net.eval()
    with torch.no_grad():
        return (net(features) * buildings - people).abs().mean().item()


train_loader = DataLoader(TensorDataset(*cells(320)), batch_size=40, shuffle=True)
held_out = cells(80)
scale_net = ScaleNet(9)
opt = torch.optim.Adam(scale_net.parameters(), lr=4e-3)

for epoch in range(10):
    scale_net.train()
    for features, buildings, people in train_loader:
        opt.zero_grad()
        estimate = scale_net(features) * buildings
        loss = F.l1_loss(torch.log1p(estimate), torch.log1p(people))
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch}  log-l1 {loss.item():.4f}  MAE {evaluate(scale_net, *held_out):.3f}")
