"""The ten residual MLPs aren't in parameters() and stay as they were
(after "RESMLPS submodules not registered as nn.ModuleList")."""
import torch
import torch.nn as nn


class RES_MLP(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return x + self.net(x)


class COORD_MLP(nn.Module):
    def __init__(self, out_dim):
        super().__init__()
        self.proj = nn.Linear(2, out_dim)

    def forward(self, coord):
        return torch.sin(6 * self.proj(coord))


class RESMLPS(nn.Module):
    def __init__(self, dim=24, depth=10):
        super().__init__()
        self.coord_mlp = COORD_MLP(dim)
        self.mlps = [RES_MLP(dim, dim) for _ in range(depth)]  # cause: not-in-optimizer
        self.out = nn.Linear(dim, 3)

    def forward(self, coord):
        x = self.coord_mlp(coord)
        for mlp in self.mlps:
            x = mlp(x)
        return self.out(x)


def target_image(coord):
    x, y = coord.unbind(-1)
    return torch.stack([torch.sin(5 * x), torch.cos(4 * y), x * y], dim=-1)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = RESMLPS()
    print("trainable:", sum(p.numel() for p in model.parameters()))
    optim = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.StepLR(optim, step_size=40, gamma=0.5)
    for step in range(1, 81):
        coord = torch.rand(256, 2) * 2 - 1
        loss = nn.functional.l1_loss(model(coord), target_image(coord))
        optim.zero_grad()
        loss.backward()
        optim.step()
        sched.step()
        if step % 20 == 0:
            print("step", step, "l1", loss.item())
