"""Programs that do on purpose what looks like a mistake: nothing is wrong with them."""

from pathlib import Path

import pytest
from support.why import watched

from weaver.why.finding import Severity
from weaver.why.findings import find

HEAD = """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x, y = torch.randn(8, 4), torch.randn(8, 1)


def net():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 1))


def adam(module, *more):
    return torch.optim.Adam([*module.parameters(), *more])


def train(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


model = net()
optimizer = adam(model)
"""
HEALTHY = {
    "clips each of two models before its own step": """
other = net()
steps = torch.optim.SGD(other.parameters(), lr=0.1)
for _ in range(3):
    F.mse_loss(model(x) + other(x), y).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    nn.utils.clip_grad_norm_(other.parameters(), 1.0)
    steps.step()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.zero_grad()
    steps.zero_grad()
""",
    "has two optimizers with a loss each": """
second = adam(model)
for _ in range(3):
    train(optimizer, F.mse_loss(model(x), y))
    train(second, model(x).abs().mean())
""",
    "needs gradients of its inputs": """
points = torch.rand(8, 4, requires_grad=True)
for _ in range(3):
    slope, = torch.autograd.grad(model(points).sum(), points, create_graph=True)
    train(optimizer, slope.pow(2).mean() + model(points).pow(2).mean())
""",
    "keeps a part of the last gradients as momentum": """
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(4):
    for p in model.parameters():
        if p.grad is not None:
            p.grad.mul_(0.5)
    F.mse_loss(model(x), y).backward()
    optimizer.step()
""",
    "chooses one of several experts, and never some": """
experts = nn.ModuleList(nn.Linear(4, 1) for _ in range(3))
both = nn.ModuleList([model, experts])
optimizer = adam(both)
for _ in range(3):
    train(optimizer, F.mse_loss(model(x) + experts[0](x), y))
""",
    "trains the head alone, in a function with names of its own": """
def fit(whole, optimizer):
    for _ in range(3):
        train(optimizer, F.mse_loss(whole(x), y))


def main():
    pretrained = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 1))
    fit(pretrained, torch.optim.Adam(pretrained[1].parameters()))


main()
""",
    "looks for the scale of its losses": """
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**22)
for _ in range(16):
    with torch.autocast("cpu", torch.float16):
        loss = F.mse_loss(model(x), y * 100)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
""",
    "trains the head of a model that's frozen in evaluation mode": """
model[0].requires_grad_(False)
model.eval()
head = adam(model[3])
for _ in range(3):
    train(head, F.mse_loss(model(x), y))
""",
    "prints a shape before it trains": """
print(model(x).shape)
for _ in range(3):
    train(optimizer, F.mse_loss(model(x), y))
""",
    "samples with dropout that it switches on": """
for _ in range(3):
    train(optimizer, F.mse_loss(model(x), y))
model.eval()
model[2].train()
with torch.no_grad():
    samples = torch.stack([model(x) for _ in range(3)])
""",
    "samples with dropout that it asks for": """
for _ in range(3):
    train(optimizer, F.mse_loss(F.dropout(model(x), 0.1, training=True), y))
with torch.no_grad():
    samples = F.dropout(model.eval()(x), 0.1, training=True)
""",
    "learns from a teacher with dropout": """
teacher = net()
for _ in range(3):
    with torch.no_grad():
        told = teacher(x)
    target = told * 0.9
    train(optimizer, F.mse_loss(model(x), target))
""",
    "broadcasts positions and all pairs": """
position, rate = torch.arange(8).unsqueeze(1), torch.rand(8)
table = torch.sin(position * rate)
for _ in range(3):
    score = model(x)
    flat = score.squeeze(1)
    difference = score - flat
    train(optimizer, torch.relu(1 - difference).pow(2).mean())
""",
    "multiplies a loss by 0": """
aside = nn.Linear(4, 1)
both = adam(model, *aside.parameters())
for _ in range(4):
    train(both, F.mse_loss(model(x), y) + 0.0 * aside(x).sum())
""",
    "only shows a schedule": """
shown = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.ExponentialLR(shown, 0.9)
for _ in range(3):
    shown.step()
    schedule.step()
for _ in range(3):
    train(optimizer, F.mse_loss(model(x), y))
""",
    "steps once with a closure": """
steps = torch.optim.LBFGS(model.parameters(), max_iter=4)


def closure():
    steps.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    return loss


steps.step(closure)
""",
}
WRONG = {
    "clip": """
for _ in range(3):
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
""",
    "optimizer": """
second = adam(model)
for _ in range(3):
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    optimizer.step()
    second.step()
""",
    "mode": """
for _ in range(3):
    train(optimizer, F.mse_loss(model(x), y))
with torch.no_grad():
    error = F.mse_loss(model(x), y)
""",
    "broadcast": """
for _ in range(3):
    prediction, target = model(x), y.squeeze(1)
    difference = prediction - target
    train(optimizer, difference.pow(2).mean())
""",
}


def _wrong(source, is_noted=False):
    run = watched(Path("/program.py"), HEAD + source)
    assert not run.trace.error
    return [one.name for one in find(run) if is_noted or one.severity is not Severity.NOTE]


@pytest.mark.parametrize("does", HEALTHY)
def test_nothing_is_wrong_with_a_program_that(does):
    """What somebody does on purpose isn't called wrong."""
    assert _wrong(HEALTHY[does]) == []


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_like_it_is_found(name):
    """What's wrong is found all the same; that two optimizers step in turn is only good to know."""
    assert _wrong(WRONG[name], is_noted=name == "optimizer") == [name]
