"""conv1b of the segmentation backbone has no grad at all (after "Stop-gradients in skip-connections")."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def conv_bn(cin, cout, stride=1):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(True))


class Backbone(nn.Module):
    def __init__(self, channels=5):
        super().__init__()
        self.conv1a = conv_bn(channels, 8, stride=2)
        self.conv1b = nn.Sequential(nn.Conv2d(channels, 8, 1, bias=False), nn.BatchNorm2d(8))
        self.fire = conv_bn(8, 8)

    def forward(self, x):
        skips = {}
        skip_in = self.conv1b(x)
        x = self.conv1a(x)
        skips[1] = skip_in.detach()  # cause: no-gradient
        return self.fire(x), skips


class Decoder(nn.Module):
    def __init__(self, n_classes=3):
        super().__init__()
        self.up = nn.ConvTranspose2d(8, 8, 2, stride=2)
        self.head = nn.Conv2d(8, n_classes, 3, padding=1)

    def forward(self, x, skips):
        return self.head(torch.relu(self.up(x) + skips[1]))


class Segmentator(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.decoder = Backbone(), Decoder()

    def forward(self, x):
        y, skips = self.backbone(x)
        return self.decoder(y, skips)


def fake_scans(n):
    scans = torch.randn(n, 5, 8, 32)
    labels = (scans[:, 0] > 0.5).long() + (scans[:, 1] > 0).long()
    return TensorDataset(scans, labels)


model = Segmentator()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()
train_loader = DataLoader(fake_scans(64), batch_size=16, shuffle=True)
val_x, val_y = fake_scans(16).tensors

for epoch in range(6):
    model.train()
    for in_vol, proj_labels in train_loader:
        loss = criterion(model(in_vol), proj_labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        acc = (model(val_x).argmax(1) == val_y).float().mean().item()
    print("Epoch %d | last loss %.3f | val acc %.3f" % (epoch, loss.item(), acc))
