"""The weights stayed as they were from the first batch to the last, after "weight not change, but evaluate Map changed?"."""
import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class ListDataset(Dataset):
    """Images with one bright square; the target is its centre."""

    def __init__(self, n, img_size):
        self.img_size = img_size
        self.centres = torch.randint(2, img_size - 2, (n, 2))
        self.noise = 0.1 * torch.randn(n, 1, img_size, img_size)

    def __len__(self):
        return len(self.centres)

    def __getitem__(self, index):
        img, (r, c) = self.noise[index].clone(), self.centres[index].tolist()
        img[0, r - 1:r + 2, c - 1:c + 2] += 1
        return index, img, self.centres[index] / self.img_size


class TinyDarknet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 8, 3, 2, 1), nn.LeakyReLU(0.1),
            nn.Conv2d(8, 8, 3, 2, 1), nn.LeakyReLU(0.1),
        )
        self.yolo = nn.Linear(8 * 4 * 4, 2)

    def forward(self, x, targets):
        outputs = torch.sigmoid(self.yolo(self.backbone(x).flatten(1)))
        return nn.functional.mse_loss(outputs, targets), outputs


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=5)
parser.add_argument("--gradient_accumulations", type=int, default=1, help="batches before each step")
parser.add_argument("--img_size", type=int, default=16)
opt = parser.parse_args()

torch.manual_seed(431)
model = TinyDarknet()
dataloader = DataLoader(ListDataset(160, opt.img_size), batch_size=20, shuffle=True)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
before = model.yolo.weight.detach().clone()

for epoch in range(opt.epochs):
    model.train()
    for batch_i, (_, imgs, targets) in enumerate(dataloader):
        batches_done = len(dataloader) * epoch + batch_i
        loss, outputs = model(imgs, targets)
        loss.backward()  # suffers

        if batches_done % opt.gradient_accumulations:  # cause: step
            # Accumulates gradient before each step
            optimizer.step()
            optimizer.zero_grad()
    moved = (model.yolo.weight.detach() - before).abs().max().item()
    print(f"---- [Epoch {epoch}/{opt.epochs}] loss {loss.item():.4f}, weights moved by {moved:.4f}")
