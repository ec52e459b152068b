"""Each iteration my segmentation script needs a bit more memory and gets slower, and after hours it's killed."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.ReLU(),
        nn.Conv2d(cout, cout, 3, padding=1), nn.ReLU(),
    )


class UNet(nn.Module):
    def __init__(self, base=4):
        super().__init__()
        self.down1 = double_conv(1, base)
        self.down2 = double_conv(base, 2 * base)
        self.up = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.merge = double_conv(2 * base, base)
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        d1 = self.down1(x)
        d2 = self.down2(nn.functional.max_pool2d(d1, 2))
        return self.out(self.merge(torch.cat([self.up(d2), d1], dim=1)))


def fake_vessels(n=64, size=16):
    img = 0.5 * torch.randn(n, 1, size, size)
    mask = torch.zeros(n, 1, size, size)
    for k in range(n):
        row = torch.randint(2, size - 2, (1,)).item()
        mask[k, :, row - 1:row + 1] = 1.0
    return TensorDataset(img + 1.5 * mask, mask)


class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.criterion = nn.BCEWithLogitsLoss()
        self.smooth = None
        self.iteration = 0

    def update_progress(self, loss):
        if self.smooth is None:
            self.smooth = loss.item()
        self.smooth = 0.95 * self.smooth + 0.05 * loss.item()
        self.iteration += 1
        if self.iteration % 8 == 0:
            print(f"it {self.iteration:3d} | smoothed loss {float(self.smooth):.4f}")

    def fit(self, epochs):
        for _ in range(epochs):
            for images, masks in self.loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(images), masks)
                loss.backward()
                self.optimizer.step()
                self.update_progress(loss)


torch.manual_seed(1)
loader = DataLoader(fake_vessels(), batch_size=8, shuffle=True)
Trainer(UNet(), loader).fit(epochs=6)
