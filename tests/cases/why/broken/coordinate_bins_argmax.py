"""backward() says element 0 of tensors does not require grad, though all parameters do
(after "A question about training")."""
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(42)
BINS = 16


class CoordNet(nn.Module):
    """Predicts, for each object crop, in which bin its centre lies along x and y."""

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(20, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU())
        self.head_x = nn.Linear(48, BINS)
        self.head_y = nn.Linear(48, BINS)

    def forward(self, crop):
        f = self.trunk(crop)
        return torch.stack([self.head_x(f), self.head_y(f)], dim=1)


def decode(coor_logits):
    bins = torch.argmax(coor_logits, dim=2).float()  # cause: no-gradient
    return 2.0 * bins / (BINS - 1.0) - 1.0


def batches(crops, coords, size):
    order = torch.randperm(len(crops))
    for start in range(0, len(crops), size):
        pick = order[start:start + size]
        yield crops[pick], coords[pick]


def train(net, crops, coords, epochs=10):
    criterion = nn.L1Loss()
    opt = optim.RMSprop(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        net.train()
        seen, total = 0, 0.0
        for crop, gt in batches(crops, coords, 32):
            opt.zero_grad()
            loss = criterion(decode(net(crop)), gt)
            loss.backward()  # suffers
            opt.step()
            seen += len(gt)
            total += len(gt) * loss.item()
        print("epoch", epoch, "L1", round(total / seen, 4))


crops = torch.randn(256, 20)
coords = torch.tanh(crops[:, :2] + 0.3 * crops[:, 2:4])
train(CoordNet(), crops, coords)
