"""Made-up sentences: each class prefers its own range of the vocabulary."""
import torch
from torch.utils.data import DataLoader, TensorDataset


def make_loader(n, seed, length=12, vocab=50):
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 3, (n,), generator=g)
    tokens = torch.randint(0, vocab, (n, length), generator=g)
    own = torch.rand(n, length, generator=g) < 0.35
    topic = labels[:, None] * 15 + torch.randint(0, 15, (n, length), generator=g)
    tokens = torch.where(own, topic, tokens)
    return DataLoader(TensorDataset(tokens, labels), batch_size=32, shuffle=True, generator=g)
