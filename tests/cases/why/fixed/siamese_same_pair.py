"""The first loss is fine, then all weights are nan (after "Siamese loss problem")."""
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    """Half of the pairs are of one class. A sample may meet itself."""

    def __init__(self, samples_per_class=6, n_classes=4, seed=0):
        g = torch.Generator().manual_seed(seed)
        centres = torch.randn(n_classes, 15, generator=g)
        self.labels = torch.arange(n_classes).repeat_interleave(samples_per_class)
        self.data = centres[self.labels] + 0.4 * torch.randn(len(self.labels), 15, generator=g)
        self.rng = random.Random(seed)

    def __len__(self):
        return 4 * len(self.labels)

    def __getitem__(self, index):
        i = index % len(self.labels)
        target = self.rng.randint(0, 1)
        same = self.labels == self.labels[i]
        candidates = torch.nonzero(same if target else ~same).flatten().tolist()
        j = self.rng.choice(candidates)
        return self.data[i], self.data[j], target


class EmbeddingNet(nn.Module):
    def __init__(self):
        super(EmbeddingNet, self).__init__()
        self.fc = nn.Sequential(nn.Linear(15, 32), nn.PReLU(), nn.Linear(32, 2, bias=False))

    def forward(self, x):
        return self.fc(x)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin):
        super(ContrastiveLoss, self).__init__()
        self.margin = margin

    def forward(self, output1, output2, target):
        distances = (output2 - output1).pow(2).sum(1).add(1e-9).sqrt()
        losses = target * distances.pow(2) + (1 - target) * torch.relu(self.margin - distances).pow(2)
        return 0.5 * losses.mean()


def fit(embedding_net, loader, loss_fn, optimizer, n_epochs):
    for epoch in range(n_epochs):
        embedding_net.train()
        losses = []
        for x1, x2, target in loader:
            optimizer.zero_grad()
            loss = loss_fn(embedding_net(x1), embedding_net(x2), target.float())
            losses.append(loss.item())
            loss.backward()
            optimizer.step()
        print(f"Epoch: {epoch + 1}/{n_epochs}. Train set: Average loss: {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    net = EmbeddingNet()
    loader = DataLoader(PairDataset(), batch_size=24)
    fit(net, loader, ContrastiveLoss(margin=1.0), torch.optim.Adam(net.parameters(), lr=1e-3), n_epochs=8)
