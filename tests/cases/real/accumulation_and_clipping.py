import math

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
accumulation_steps, max_norm, warmup = 2, 1.0, 2

dataset = TensorDataset(torch.randn(8, 5), torch.randn(8, 1))
loader = DataLoader(dataset, batch_size=2, shuffle=True)
model = nn.Sequential(nn.Linear(5, 6), nn.LayerNorm(6), nn.SiLU(), nn.Linear(6, 1))
decay = [p for p in model.parameters() if p.dim() >= 2]
no_decay = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": no_decay, "weight_decay": 0.0}], lr=1e-2)
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda step: min(1.0, (step + 1) / warmup) * 0.5 * (1 + math.cos(math.pi * step / 10))
)
running = 0.0
optimizer.zero_grad()
for i, (inputs, labels) in enumerate(loader):
    predictions = model(inputs)
    loss = nn.functional.smooth_l1_loss(predictions, labels)
    loss = loss / accumulation_steps
    loss.backward()
    running += loss.item()
    if (i + 1) % accumulation_steps == 0:
        total_norm = clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        print(f"{running:.4f} {total_norm:.4f} {scheduler.get_last_lr()[0]:.5f}")
        running = 0.0
