import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return x + torch.relu(self.fc(self.norm(x)))


torch.manual_seed(0)
model = nn.Sequential(*[Block(3) for _ in range(60)], nn.Linear(3, 1))
x, y = torch.randn(4, 3), torch.randn(4, 1)
momentum = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
for step in range(2):
    loss = nn.functional.mse_loss(model(x), y)
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for name, p in list(model.named_parameters())[-3:]:
            momentum[name].mul_(0.9).add_(p.grad)
            p -= 0.1 * momentum[name]
    print(f"{loss.item():.3f}")
last = list(model.parameters())[-1]
print(last.grad is not None)
