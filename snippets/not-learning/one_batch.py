import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, cut):
        super().__init__()
        self.first = nn.Linear(2, 8)
        self.last = nn.Linear(8, 1)
        self.cut = cut

    def forward(self, x):
        h = self.first(x).tanh()
        return self.last(h.detach() if self.cut else h)


for cut in (False, True):
    torch.manual_seed(0)
    x, y = torch.randn(16, 2), torch.randn(16, 1)
    net = Net(cut)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    losses = []
    for _ in range(100):
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"{cut = }, {losses[0]:.2f} -> {losses[-1]:.2f}")
