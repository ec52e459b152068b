"""RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation."""
import torch
import torch.nn as nn

DAYS = 30
DT = 0.5


class SIRModel(nn.Module):
    """Susceptible/infected/recovered, with rates I want to learn from the case counts."""

    def __init__(self, regions):
        super().__init__()
        self.log_beta = nn.Parameter(torch.full((regions,), -1.2))
        self.log_gamma = nn.Parameter(torch.full((regions,), -2.0))
        self.contact = nn.Parameter(torch.eye(regions) * 0.9 + 0.05)

    def rates(self, y):
        s, i = y[0], y[1]
        force = torch.exp(self.log_beta) * (self.contact @ i)
        infected = force * s
        recovered = torch.exp(self.log_gamma) * i
        return torch.stack([-infected, infected - recovered, recovered])

    def forward(self, y0, days):
        traj = [y0]
        for t in range(days - 1):
            traj.append(traj[t] + DT * self.rates(traj[t]))
        return torch.stack(traj)


def observed(regions):
    """What the health office reported: made with rates the model doesn't know."""
    truth = SIRModel(regions)
    with torch.no_grad():
        truth.log_beta.copy_(torch.linspace(-0.9, -0.3, regions))
        truth.log_gamma.fill_(-1.6)
        cases = truth(start(regions), DAYS)[:, 1]
    return cases + 0.002 * torch.randn_like(cases)


def start(regions):
    i0 = torch.full((regions,), 0.02)
    return torch.stack([1 - i0, i0, torch.zeros(regions)])


def fit(regions=3, steps=60):
    torch.manual_seed(19)
    cases = observed(regions)
    model = SIRModel(regions)
    opt = torch.optim.Adam(model.parameters(), lr=0.03)
    for step in range(steps):
        opt.zero_grad()
        pred = model(start(regions), DAYS)[:, 1]
        loss = ((pred - cases) ** 2).mean() * 100
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(step, f"{loss.item():.5f}", model.log_beta.detach().exp().tolist())


fit()
