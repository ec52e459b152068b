"""The head learns, the conv layers before it don't
(after "Can pytorch_tensor_to_numpy backword gradient?")."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class SignalDataset(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, 2, size=n)
        self.signals = rng.normal(size=(n, 1, 64)).astype(np.float32)
        for s, y in zip(self.signals, self.labels):
            start = rng.integers(0, 50)
            s[0, start:start + 8] += 1.5 * np.sign(np.sin(np.arange(8) * (1.6 if y else 3.2) + 0.1))

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.from_numpy(self.signals[i]), int(self.labels[i])


class KMaxNet(nn.Module):
    def __init__(self, k=4):
        super().__init__()
        self.k = k
        self.conv_1 = nn.Conv1d(1, 12, 7, padding=3)
        self.conv_2 = nn.Conv1d(12, 12, 5, padding=2)
        self.classifier = nn.Linear(12, 2)

    def k_max_pool(self, h):
        largest = torch.from_numpy(np.sort(h.detach().numpy(), axis=2))  # cause: no-gradient
        return largest[:, :, -self.k:].mean(dim=2)

    def forward(self, signal):
        h = torch.tanh(self.conv_1(signal))
        h = torch.tanh(self.conv_2(h))
        return self.classifier(self.k_max_pool(h))


def validate(net, loader):
    net.eval()
    correct = 0
    with torch.no_grad():
        for signal, label in loader:
            correct += (net(signal).argmax(1) == label).sum().item()
    return correct / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(3)
    trainset = DataLoader(SignalDataset(192, 0), batch_size=32, shuffle=True)
    testset = DataLoader(SignalDataset(64, 1), batch_size=64)
    net = KMaxNet()
    optim = torch.optim.AdamW(net.parameters(), lr=1e-2)
    for e in range(8):
        net.train()
        losses = []
        for signal, label in trainset:
            optim.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(net(signal), label)
            loss.backward()
            optim.step()
            losses.append(loss.item())
        print(f"{e:02d} loss={np.mean(losses):.4f} test acc={validate(net, testset):.3f}")
