"""First iteration OK, second one: Trying to backward through the graph a second time."""
import math

import torch


def rbf(a, b, lengthscale, variance):
    d2 = (a[:, None, :] - b[None, :, :]).pow(2).sum(-1)
    return variance * torch.exp(-0.5 * d2 / lengthscale ** 2)


class Hyper(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.raw_length = torch.nn.Parameter(torch.tensor(0.0))
        self.raw_var = torch.nn.Parameter(torch.tensor(0.0))
        self.raw_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def covariance(self, x):
        k = rbf(x, x, self.raw_length.exp(), self.raw_var.exp())
        return k + self.raw_noise.exp() * torch.eye(len(x))


def nll(cov, y):
    chol = torch.linalg.cholesky(cov)
    alpha = torch.cholesky_solve(y[:, None], chol)
    fit = 0.5 * (y[:, None] * alpha).sum()
    return (fit + chol.diagonal().log().sum() + 0.5 * len(y) * math.log(2 * math.pi)) / len(y)


def main():
    torch.manual_seed(23)
    wells = torch.rand(60, 2) * 4
    depth = torch.sin(2 * wells[:, 0]) + 0.5 * torch.cos(wells[:, 1]) + 0.1 * torch.randn(60)

    hyper = Hyper()
    optimizer = torch.optim.Adam(hyper.parameters(), lr=0.05)
    cov = hyper.covariance(wells)  # cause: freed-graph
    for it in range(50):
        optimizer.zero_grad()
        loss = nll(cov, depth)
        loss.backward()  # suffers
        optimizer.step()
        if it % 10 == 0:
            print(f"iter {it}: nll {loss.item():.4f} lengthscale {hyper.raw_length.exp().item():.3f}"
                  f" noise {hyper.raw_noise.exp().item():.3f}")


main()
