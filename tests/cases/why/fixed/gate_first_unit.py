"""The same gate written with exp() trained, with sigmoid() backward() raised, after "backward pass different behaviors with inplace operation"."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class GatedLayer(nn.Module):
    """A gated linear layer. Its first unit is always open, so that it works as a bias."""

    def __init__(self, width_in, width_out):
        super().__init__()
        self.value = nn.Linear(width_in, width_out)
        self.gate = nn.Linear(width_in, width_out)

    def forward(self, x):
        g = torch.sigmoid(self.gate(x)).clone()
        g[:, 0] = 1.0
        return self.value(x) * g


class GatedNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([GatedLayer(6, 20), GatedLayer(20, 20)])
        self.out = nn.Linear(20, 3)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.out(x)


def run_epoch(net, loader, loss_fn, opt):
    seen, total = 0, 0.0
    for features, label in loader:
        opt.zero_grad()
        loss = loss_fn(net(features), label)
        loss.backward()
        opt.step()
        seen += len(label)
        total += loss.item() * len(label)
    return total / seen


if __name__ == "__main__":
    torch.manual_seed(3)
    X = torch.randn(200, 6)
    Y = X[:, :3].argmax(dim=1)
    loader = DataLoader(TensorDataset(X, Y), batch_size=25, shuffle=True)
    net = GatedNet()
    opt = optim.AdamW(net.parameters(), lr=4e-3)
    for epoch in range(5):
        print(f"epoch {epoch}: loss {run_epoch(net, loader, nn.CrossEntropyLoss(), opt):.4f}")
