"""Gradients of one loss that wait for the step of another."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.why import said, watched

from weaver.player.shorten import shorten
from weaver.why.command import LIMITS
from weaver.why.findings import find
from weaver.why.run import WatchedRun

GAN = """import torch
from torch import nn
x = torch.randn(8, 4)
maker, judge = nn.Linear(4, 4), nn.Linear(4, 1)
makes, judges = (torch.optim.SGD(one.parameters(), lr=0.1) for one in (maker, judge))
for _ in range(4):
    judges.zero_grad()
    loss = judge(x).pow(2).mean() - judge(maker(x)).mean()
    loss.backward()
    judges.step()
    EMPTY
    (-judge(maker(x)).mean()).backward()
    makes.step()
    makes.zero_grad()
"""


def test_gradients_left_by_another_optimizers_loss_are_found():
    assert said(GAN.replace("EMPTY", "pass")) == [("wrong", "accumulates_mixed", 9)]


def test_gradients_that_are_emptied_before_their_own_loss_are_nothing_wrong():
    assert said(GAN.replace("EMPTY", "makes.zero_grad()")) == []


def test_two_losses_before_the_steps_of_both_optimizers_are_nothing_wrong():
    both = GAN.replace("    judges.step()\n", "").replace("makes.zero_grad()", "judges.step()\n    makes.zero_grad()")
    assert said(both.replace("EMPTY", "pass")) == []


LONG = """import torch
from torch import nn
x = torch.randn(8, 4)
maker, judge = nn.Linear(4, 4), nn.Linear(4, 1)
makes, judges = (torch.optim.SGD(one.parameters(), lr=0.1) for one in (maker, judge))
def work(y):
    for _ in range(400):
        y = y * 1.001
    return y
for _ in range(12):
    EMPTY
    (judge(x).pow(2).mean() - work(judge(maker(x).detach())).mean()).backward()
    judges.step()
    judges.zero_grad()
    (-work(judge(maker(x))).mean()).backward()
    makes.step()
    makes.zero_grad()
"""


@pytest.mark.parametrize(("empty", "found"), [("pass", [15]), ("judges.zero_grad()", [])])
def test_gradients_left_by_another_loss_are_found_although_the_pass_that_left_them_was_not_kept(empty, found):
    assert [line for _, name, line in said(LONG.replace("EMPTY", empty)) if name == "accumulates_mixed"] == found


FISHER = """import torch
from torch import nn
x = torch.randn(8, 4)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()
optimizer.zero_grad()
fisher = torch.zeros_like(net.weight)
for row in x:
    EMPTY
    net(row).pow(2).sum().backward()
    fisher += net.weight.grad ** 2
net.zero_grad()
"""


def test_gradients_that_add_up_while_a_line_reads_them_are_found():
    assert said(FISHER.replace("EMPTY", "pass")) == [("wrong", "accumulates_read", 15)]


def test_gradients_that_are_reset_before_a_line_reads_them_are_nothing_wrong():
    assert said(FISHER.replace("EMPTY", "net.zero_grad()")) == []


def test_gradients_that_are_looked_at_while_they_add_up_for_a_step_are_nothing_wrong():
    stepped = FISHER.replace("EMPTY", "pass").replace("net.zero_grad()", "optimizer.step()")
    assert said(stepped) == []


ATTACK = """import torch
from torch import nn
from torch.nn.functional import cross_entropy
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 4), torch.randint(3, (8,))
def attacked(x):
    for _ in range(TIMES):
        x = x.detach().requires_grad_()
        cross_entropy(net(x), y).backward()
        x = x + 0.1 * x.grad.sign()
    return x.detach()
for _ in range(4):
    BEFORE
    worse = attacked(x)
    AFTER
    cross_entropy(net(worse), y).backward()
    optimizer.step()
"""


@pytest.mark.parametrize("times, severity", [("1", "note"), ("3", "wrong")])
def test_gradients_of_an_attack_that_the_step_uses_too_are_found(times, severity):
    source = ATTACK.replace("TIMES", times).replace("BEFORE", "optimizer.zero_grad()").replace("AFTER", "pass")
    assert said(source) == [(severity, "accumulates_input", 10)]


ADAPTED = """import torch
from torch import nn
encoder, decoder = nn.Linear(4, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)
for _ in range(4):
    BEFORE
    latent = encoder(torch.ones(8, 4))
    latent.retain_grad()
    decoder(latent).pow(2).mean().backward(retain_graph=True)
    latent = latent - 0.1 * latent.grad
    AFTER
    decoder(latent).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_pass_for_the_gradient_of_an_intermediate_tensor_adds_to_those_of_the_parameters_too():
    source = ADAPTED.replace("BEFORE", "optimizer.zero_grad()").replace("AFTER", "pass")
    assert ("note", "accumulates_input", 9) in said(source)
    source = ADAPTED.replace("BEFORE", "pass").replace("AFTER", "optimizer.zero_grad()")
    assert not [one for one in said(source) if one[1] == "accumulates_input"]


def test_gradients_of_an_attack_that_are_reset_are_nothing_wrong():
    source = ATTACK.replace("TIMES", "3").replace("BEFORE", "pass").replace("AFTER", "optimizer.zero_grad()")
    assert said(source) == []


SHARP = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
def ascend():
    with torch.no_grad():
        for p in net.parameters():
            p.add_(0.05 * p.grad.sign())
for _ in range(4):
    net(x).pow(2).mean().backward()
    ascend()
    BETWEEN
    net(x).pow(2).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
"""


@pytest.mark.parametrize(("between", "found"), [("pass", [14]), ("optimizer.zero_grad()", [])])
def test_gradients_of_two_points_that_one_step_uses_are_found(between, found):
    told = said(SHARP.replace("BETWEEN", between))
    assert [line for _, name, line in told if name == "accumulates_moved"] == found


TWO_STAGES = """import torch
from torch import nn
x = torch.randn(8, 4)
net = nn.Linear(4, 1)
first = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    first.zero_grad()
    net(x).pow(2).mean().backward()
    first.step()
second = torch.optim.Adam(net.parameters())
EMPTY
for _ in range(3):
    (net(x) - 1).abs().mean().backward()
    second.step()
    second.zero_grad()
"""


@pytest.mark.parametrize(("empty", "found"), [("", [("wrong", "accumulates_created", 13)]), ("second.zero_grad()", [])])
def test_gradients_from_before_an_optimizer_was_made_are_found_where_its_first_pass_adds_to_them(empty, found):
    assert said(TWO_STAGES.replace("EMPTY", empty)) == found


SAMPLED = """import torch
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
def sample():
    x = torch.randn(4, 3)
    x.requires_grad = True
    for _ in range(40):
        net(x).sum().backward()
        x.data.sub_(x.grad)
        x.grad.zero_()
    return x.detach()
for i in range(8):
    optimizer.zero_grad()
    fake = sample()
    loss = net(fake).mean() - net(torch.ones(4, 3)).mean()
    loss.backward()
    optimizer.step()
"""


def test_gradients_of_sampling_that_a_step_uses_are_found_where_not_every_pass_is_kept():
    run = watched(Path("/program.py"), SAMPLED)
    kept = [at for at, step in enumerate(run.steps) if step.line not in (9, 10, 11, 12) or step.loops[-1][1] < 4]
    less = WatchedRun(shorten(run.trace, kept), SAMPLED)
    assert [(one.case, one.line) for one in find(less) if one.name == "accumulates"] == [("input", 9)]
    emptied = SAMPLED.replace("    loss.backward()", "    optimizer.zero_grad()\n    loss.backward()")
    assert "accumulates" not in str(said(emptied))


TWO = """import torch
from torch import nn
x = torch.randn(8, 4)
world, actor = nn.Linear(4, 4), nn.Linear(4, 4)
worlds, actors = (torch.optim.SGD(one.parameters(), lr=0.1) for one in (world, actor))
for _ in range(4):
    worlds.zero_grad()
    actors.zero_grad()
    world(x).pow(2).mean().backward()
    FROZEN
    (-world(actor(x)).mean()).backward()
    world.requires_grad_(True)
    worlds.step()
    actors.step()
"""


def test_a_step_that_uses_another_losss_gradients_as_well_is_good_to_know():
    assert said(TWO.replace("FROZEN", "pass")) == [("note", "accumulates_two", 11)]
    assert said(TWO.replace("FROZEN", "world.requires_grad_(False)")) == []


LATE = """import torch
from torch import nn
x = torch.randn(8, 4)
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for _ in range(8):
        FIRST
        net(x).pow(2).mean().backward()
        optimizer.step()
        LAST
    code = torch.zeros(8, 4, requires_grad=True)
    search = torch.optim.SGD([code], lr=0.1)
    for _ in range(8):
        search.zero_grad()
        (net(code) - x).pow(2).mean().backward()
        search.step()
"""


@pytest.mark.parametrize("place, found", [("LAST", [("mixed", 16)]), ("FIRST", [])])
def test_what_a_search_leaves_for_the_next_step_is_found_where_few_iterations_are_watched(place, found):
    source = LATE.replace(place, "optimizer.zero_grad()").replace("FIRST", "pass").replace("LAST", "pass")
    run = watched(Path("/program.py"), source, replace(LIMITS, looks=1000))
    assert [(one.case, one.line) for one in find(run)] == found


SCALED = """import torch
from torch import nn
net, x, y = nn.Linear(4, 1), torch.randn(8, 4), torch.randn(8, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    BEFORE
    delta = torch.zeros(8, 4, requires_grad=True)
    attack = torch.optim.SGD([delta], lr=0.1)
    for _ in range(3):
        attack.zero_grad()
        (-(net(x + delta) - y).pow(2).mean()).backward()
        delta.grad.div_(delta.grad.norm())
        attack.step()
    AFTER
    (net(x + delta.detach()) - y).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("place, found", [("BEFORE", [("wrong", "accumulates_mixed", 11)]), ("AFTER", [])])
def test_what_an_attack_leaves_for_the_next_step_is_found_though_it_scales_its_own_gradients(place, found):
    source = SCALED.replace(place, "optimizer.zero_grad()").replace("BEFORE", "pass").replace("AFTER", "pass")
    assert said(source) == found


NEVER = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def slow(x):
    for _ in range(300):
        x = x * 1.001
    return x
for _ in range(3):
    slow(net(torch.ones(2, 4))).sum().backward()
    optimizer.step()
"""


def test_gradients_that_no_line_resets_are_found_though_one_iteration_is_watched():
    few = replace(LIMITS, looks=300, steps=400)
    run = watched(Path("/program.py"), NEVER, few)
    assert len(run.passes) < 3
    assert [(one.name, one.case, one.line) for one in find(run)] == [("accumulates", "", 10)]
    reset = NEVER.replace("    optimizer.step()", "    optimizer.step()\n    net.weight.grad = net.bias.grad = None")
    assert [one for one in find(watched(Path("/program.py"), reset, few)) if one.name == "accumulates"] == []


NORMS = """import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters())
norms = {}
for _ in range(4):
    x = torch.randn(8, 3)
    losses = {"a": model(x).pow(2).mean(), "b": (model(x) - 1).abs().mean()}
    for name, loss in losses.items():
        EMPTY
        loss.backward(retain_graph=True)
        norms[name] = torch.cat([p.grad.flatten() for p in model.parameters()]).norm()
    optimizer.zero_grad()
    sum(losses.values()).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("empty", "found"), [("pass", [13]), ("optimizer.zero_grad()", [])])
def test_gradients_of_each_loss_that_a_comprehension_reads_as_they_add_up_are_found(empty, found):
    kinds = [(name, line) for _, name, line in said(NORMS.replace("EMPTY", empty))]
    assert [line for name, line in kinds if name == "accumulates_read"] == found


@pytest.mark.parametrize("most", [", max_norm=0.1", ""])
def test_an_embedding_that_shortens_its_rows_changes_no_parameter_by_hand(most):
    source = f"""import torch
from torch import nn
rows, head = nn.Embedding(6, 3{most}), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*rows.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    for part in torch.arange(6).chunk(2):
        head(rows(part)).pow(2).sum().backward()
    optimizer.step()
"""
    assert said(source) == []


WINDOWS = """import torch
w = torch.ones(2, requires_grad=True)
for epoch in range(4):
    RESET
    for part in range(4):
        (w * part).sum().backward()
        INNER
    OUTER
"""


@pytest.mark.parametrize(
    ("reset", "inner", "outer", "found"),
    [
        ("w.grad = None", "pass", "print(w.grad)", []),  # the sum of an epoch is meant
        ("pass", "pass", "print(w.grad)", [("wrong", "accumulates_read", 6)]),
        ("w.grad = None", "print(w.grad)", "pass", [("wrong", "accumulates_read", 6)]),
    ],
)
def test_a_sum_that_is_read_is_found_where_it_goes_beyond_the_iteration_that_reads_it(reset, inner, outer, found):
    source = WINDOWS.replace("RESET", reset).replace("INNER", inner).replace("OUTER", outer)
    assert [(kind, name, 6) for kind, name, _ in said(source) if name == "accumulates_read"] == found
