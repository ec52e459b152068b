"""Every episode left one more tensor in memory, after "Memory 'leak' due to compounding number of loss tensors"."""
from collections import OrderedDict

import torch
import torch.nn as nn

torch.manual_seed(42)


class StatisticsCollector:
    """Collects the statistics of a run and prints them at the end of an epoch."""

    def __init__(self):
        self.stats = OrderedDict()

    def add_statistic(self, key):
        self.stats[key] = []

    def __setitem__(self, key, value):
        self.stats[key].append(value)  # cause: growing-graph

    def mean(self, key, last):
        values = self.stats[key][-last:]
        return sum(values) / len(values)


class SimpleConvNet(nn.Module):
    def __init__(self, classes=4):
        super(SimpleConvNet, self).__init__()
        self.conv1 = nn.Conv2d(1, 6, kernel_size=3)
        self.conv2 = nn.Conv2d(6, 8, kernel_size=3)
        self.fc = nn.Linear(8 * 2 * 2, classes)

    def forward(self, images):
        x = torch.max_pool2d(torch.relu(self.conv1(images)), 2)
        x = torch.relu(self.conv2(x))
        return self.fc(x.flatten(1))


class Problem:
    """Says which quarter of a 10 x 10 image is bright."""

    def batch(self, size=16):
        targets = torch.randint(0, 4, (size,))
        images = 0.3 * torch.randn(size, 1, 10, 10)
        for image, t in zip(images, targets.tolist()):
            r, c = divmod(t, 2)
            image[0, 5 * r:5 * r + 5, 5 * c:5 * c + 5] += 1.0
        return images, targets


problem, model, stat_col = Problem(), SimpleConvNet(), StatisticsCollector()
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
stat_col.add_statistic("loss")
stat_col.add_statistic("acc")

for episode in range(1, 61):
    images, targets = problem.batch()
    optimizer.zero_grad()
    logits = model(images)
    loss = loss_fn(logits, targets)
    stat_col["loss"] = loss
    stat_col["acc"] = (logits.argmax(1) == targets).float().mean()
    loss.backward()
    optimizer.step()
    if episode % 15 == 0:
        print(f"episode {episode} loss {stat_col.mean('loss', 15):.4f} acc {stat_col.mean('acc', 15):.3f}")
