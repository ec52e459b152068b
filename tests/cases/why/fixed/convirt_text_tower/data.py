import torch
from torch.utils.data import DataLoader, Dataset


class ClrDataset(Dataset):
    """Made-up X-rays: one bright quadrant, and a report whose words name it."""

    def __init__(self, size, seed):
        g = torch.Generator().manual_seed(seed)
        self.where = torch.randint(4, (size,), generator=g)
        self.images = 0.3 * torch.randn(size, 1, 12, 12, generator=g)
        self.reports = torch.randint(10, 50, (size, 7), generator=g)
        for i, w in enumerate(self.where.tolist()):
            r, c = 6 * (w // 2), 6 * (w % 2)
            self.images[i, :, r:r + 6, c:c + 6] += 1.0
            self.reports[i, 2:4] = 1 + w
            self.reports[i, 5:] = 0

    def __len__(self):
        return len(self.where)

    def __getitem__(self, index):
        return self.images[index], self.reports[index]


def get_loaders(n_train, n_valid, batch_size):
    train = DataLoader(ClrDataset(n_train, seed=1), batch_size=batch_size, shuffle=True, drop_last=True)
    valid = DataLoader(ClrDataset(n_valid, seed=2), batch_size=batch_size)
    return train, valid
