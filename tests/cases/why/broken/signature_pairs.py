"""The contrastive loss of my siamese net is fine for some batches and then it's nan for ever."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    """(signature, signature, 0 if the same writer else 1)"""

    def __init__(self, writers=8, per_writer=24, pairs=200):
        rng = random.Random(12)
        gen = torch.Generator().manual_seed(12)
        style = torch.randn(writers, 1, 20, generator=gen)
        self.signatures = style + 0.3 * torch.randn(writers, per_writer, 20, generator=gen)
        self.pairs = []
        for _ in range(pairs):
            a = rng.randrange(writers)
            b = a if rng.random() < 0.5 else rng.randrange(writers)
            self.pairs.append((a, rng.randrange(per_writer), b, rng.randrange(per_writer)))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, idx):
        a, i, b, j = self.pairs[idx]
        return self.signatures[a, i], self.signatures[b, j], torch.tensor(float(a != b))


class SiameseNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 8, bias=False))

    def forward(self, input1, input2):
        return self.fc(input1), self.fc(input2)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin

    def forward(self, output1, output2, label):
        sq = torch.sum((output1 - output2) ** 2, dim=1)
        dist = torch.sqrt(sq)  # cause: nan
        pull = (1 - label) * dist ** 2
        push = label * torch.clamp(self.margin - dist, min=0.0) ** 2
        return torch.mean(pull + push)


torch.manual_seed(12)
train_dataloader = DataLoader(PairDataset(), batch_size=10, shuffle=True)
net = SiameseNetwork()
criterion = ContrastiveLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.002)

for epoch in range(3):
    for i, (img0, img1, label) in enumerate(train_dataloader):
        optimizer.zero_grad()
        output1, output2 = net(img0, img1)
        loss_contrastive = criterion(output1, output2, label)
        loss_contrastive.backward()  # suffers
        optimizer.step()
        if i % 4 == 0:
            print("Epoch", epoch, "iter", i, "loss", loss_contrastive.item())
