"""The loss runs through backward() without an error, but the PSNR never changes (after "About Loss")."""
import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1234)


class CharbonnierLoss(nn.Module):
    def __init__(self, eps=1e-3):
        super().__init__()
        self.eps = eps

    def forward(self, x, y):
        return torch.mean(torch.sqrt((x - y) ** 2 + self.eps ** 2))


class Stage(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.r = nn.Parameter(torch.tensor(0.5))
        self.body = nn.Sequential(nn.Conv2d(1, w, 3, padding=1), nn.PReLU(), nn.Conv2d(w, 1, 3, padding=1))

    def forward(self, x, degraded):
        x = x - self.r * (x - degraded)
        return x + self.body(x)


class DGUNet(nn.Module):
    def __init__(self, n_stages=3):
        super().__init__()
        self.stages = nn.ModuleList(Stage() for _ in range(n_stages))

    def forward(self, degraded):
        x, restored = torch.zeros_like(degraded), []
        for stage in self.stages:
            x = stage(x, degraded)
            restored.append(x)
        return restored[::-1]


def psnr(a, b):
    return -10 * math.log10(torch.mean((a - b) ** 2).item())


clean = torch.rand(48, 1, 12, 12)
noisy = (clean * 0.6 + 0.1 * torch.randn_like(clean)).clamp(0, 1)
train_loader = DataLoader(TensorDataset(clean[:40], noisy[:40]), batch_size=8, shuffle=True)

model_restoration = DGUNet()
optimizer = torch.optim.Adam(model_restoration.parameters(), lr=2e-3)
criterion_char = CharbonnierLoss()

for epoch in range(1, 7):
    epoch_loss = 0
    model_restoration.train()
    for target, input_ in train_loader:
        optimizer.zero_grad()
        restored = model_restoration(input_)
        stage_losses = [criterion_char(restored[j], target) for j in range(len(restored))]
        loss = torch.stack(stage_losses).sum()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
    model_restoration.eval()
    with torch.no_grad():
        val_psnr = psnr(model_restoration(noisy[40:])[0], clean[40:])
    print(f"Epoch: {epoch}\tLoss: {epoch_loss:.4f}\tPSNR: {val_psnr:.2f}")
