"""The keypoint loss is the same number in each epoch (after "Unexpected spatial_soft_argmax2d output")."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

SIZE = 10


class BlobDataset(Dataset):
    def __init__(self, length):
        self.xy = torch.randint(1, SIZE - 1, (length, 2))
        self.images = 0.2 * torch.rand(length, 1, SIZE, SIZE)
        for img, (x, y) in zip(self.images, self.xy.tolist()):
            img[0, y - 1:y + 2, x - 1:x + 2] += 0.4
            img[0, y, x] += 0.4

    def __len__(self):
        return len(self.xy)

    def __getitem__(self, i):
        return self.images[i], self.xy[i].float() / (SIZE - 1)


def spatial_soft_argmax(heatmap):
    n, c, h, w = heatmap.shape
    prob = F.softmax(heatmap.view(n, c, -1) * 1e10, dim=-1).view(n, c, h, w)  # cause: zero-gradient
    xs = (prob.sum(2) * torch.linspace(0, 1, w)).sum(-1)
    ys = (prob.sum(3) * torch.linspace(0, 1, h)).sum(-1)
    return torch.stack([xs, ys], dim=-1)


class KeypointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 8, 3, padding=1)
        self.heat = nn.Conv2d(8, 1, 3, padding=1, bias=False)

    def forward(self, img):
        return spatial_soft_argmax(self.heat(torch.tanh(self.down(img)))).squeeze(1)


def train_one_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for img, xy in loader:
        loss = F.mse_loss(model(img), xy)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def pixel_error(model, dataset):
    model.eval()
    pred = model(dataset.images) * (SIZE - 1)
    return (pred - dataset.xy).norm(dim=1).mean().item()


if __name__ == "__main__":
    torch.manual_seed(9)
    train_ds, test_ds = BlobDataset(160), BlobDataset(40)
    model = KeypointNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    loader = DataLoader(train_ds, batch_size=20, shuffle=False)
    for epoch in range(6):
        train_loss = train_one_epoch(model, loader, optimizer)
        print(f"{epoch}: loss {train_loss:.5f}, error {pixel_error(model, test_ds):.2f} px")
