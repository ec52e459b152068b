"""A random graph whose nodes mostly cite their own class."""
from dataclasses import dataclass

import torch


@dataclass
class Graph:
    x: torch.Tensor
    y: torch.Tensor
    adj: torch.Tensor
    train: torch.Tensor
    test: torch.Tensor


def planted_graph(nodes, classes, features, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (nodes,), generator=g)
    same = y[:, None] == y[None, :]
    chance = torch.where(same, 0.12, 0.02)
    upper = torch.triu(torch.rand(nodes, nodes, generator=g) < chance, diagonal=1).float()
    a = upper + upper.t() + torch.eye(nodes)
    d = a.sum(1).rsqrt()
    centers = 2.0 * torch.randn(classes, features, generator=g)
    x = centers[y] + 2.0 * torch.randn(nodes, features, generator=g)
    order = torch.randperm(nodes, generator=g)
    return Graph(x, y, d[:, None] * a * d[None, :], order[:45], order[45:])
