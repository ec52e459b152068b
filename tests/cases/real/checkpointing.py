import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)

    def forward(self, x):
        h = self.lin(x)
        return x + torch.tanh(h)


class Deep(nn.Module):
    def __init__(self, n=4, depth=3):
        super().__init__()
        self.layers = nn.ModuleList(Layer(n) for _ in range(depth))
        self.head = nn.Linear(n, 1)

    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False)
        return self.head(x)


torch.manual_seed(0)
model = Deep()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(3, 4), torch.randn(3, 1)
for step in range(2):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    print(f"{loss.item():.3f} {norm:.3f}")
