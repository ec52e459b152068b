"""Gradients that are reset before any step has used them."""

from pathlib import Path

from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.why.findings import find

SOURCE = """import torch
from torch import nn
x, y = torch.randn(8, 4), torch.randn(8, 1)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(12):
    FIRST
    (net(x) - y).pow(2).mean().backward()
    if i % 4 == 3:
        optimizer.step()
        LAST
"""


def test_resetting_before_each_part_of_a_batch_is_found():
    assert said(SOURCE.replace("FIRST", "optimizer.zero_grad()").replace("LAST", "pass")) == [("wrong", "step_thrown", 7)]


def test_resetting_after_each_step_is_nothing_wrong():
    assert said(SOURCE.replace("FIRST", "pass").replace("LAST", "optimizer.zero_grad()")) == []


def test_a_gradient_that_is_only_looked_at_is_nothing_wrong():
    looked = "    if i == 5: (net(x) - y).abs().mean().backward(); optimizer.zero_grad()\n"
    assert said(SOURCE.replace("    FIRST\n", looked).replace("LAST", "optimizer.zero_grad()")) == []


def test_a_closure_that_resets_what_its_optimizer_has_used_is_nothing_wrong():
    closure = SOURCE.replace("    FIRST\n", "").replace("SGD(net.parameters(), lr=0.1)", "LBFGS(net.parameters(), max_iter=6)")
    closure = closure[: closure.index("for i")] + (
        "def closure():\n    optimizer.zero_grad()\n    loss = (net(x) - y).pow(2).mean()\n    loss.backward()\n"
        "    return loss\nfor i in range(3):\n    optimizer.step(closure)\n"
    )
    assert said(closure) == []


def test_what_a_closure_resets_in_a_run_that_was_not_watched_whole_is_nothing_wrong():
    source = """import torch
w = torch.ones(2, requires_grad=True)
warm = torch.optim.Adam([w], lr=0.01)
for _ in range(5):
    warm.zero_grad()
    (w - 3).pow(4).sum().backward()
    warm.step()
fit = torch.optim.LBFGS([w], lr=0.1, max_iter=12)
def closure():
    fit.zero_grad()
    loss = (w - 3).pow(4).sum()
    loss.backward()
    return loss
for _ in range(30):
    fit.step(closure)
"""
    found = find(watched(Path("/program.py"), source, Limits(acts=True, steps=60, looks=400)))
    assert [one.name for one in found if one.name == "step"] == []


ACCUMULATED = """import torch
from torch import nn
def size(rows):
    total = rows.sum()
    for _ in range(4):
        total = total * 0.5 + 1
    return total
net = nn.Linear(8, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
for i in range(40):
    x = torch.randn(4, 8)
    FIRST
    (net(x) - 1).pow(2).mean().backward()
    if i % 4 == 3:
        optimizer.step()
        LAST
    sizes = [size(x) for _ in range(16)]
"""


def thrown(first: str, last: str) -> list[tuple[str, int]]:
    source = ACCUMULATED.replace("FIRST", first).replace("LAST", last)
    found = find(watched(Path("/program.py"), source, Limits(acts=True, looks=300)))
    return [(one.case, one.line) for one in found if one.name == "step"]


def test_resetting_what_no_step_has_used_is_found_where_not_all_is_watched():
    assert thrown("optimizer.zero_grad()", "pass") == [("thrown", 12)]
    assert thrown("pass", "optimizer.zero_grad()") == []


REPLACED = """import torch
from torch import nn
class Points:
    def __init__(self):
        self.at = nn.Parameter(torch.ones(3))
        self.optimizer = torch.optim.Adam([self.at], lr=0.1)
    def more(self):
        self.at = nn.Parameter(torch.ones(len(self.at) + 1))
        self.optimizer.param_groups[0]["params"] = [self.at]
points = Points()
for i in range(6):
    FIRST
    points.at.square().sum().backward()
    if i % 3 == 1:
        points.more()
    points.optimizer.step()
    points.optimizer.zero_grad()
"""


def test_a_step_after_parameters_were_replaced_is_good_to_know():
    assert said(REPLACED.replace("FIRST", "pass")) == [("note", "step_replaced", 8)]


def test_parameters_that_are_replaced_before_the_backward_pass_are_nothing_wrong():
    source = REPLACED.replace("    if i % 3 == 1:\n        points.more()\n", "").replace("FIRST", "points.more()")
    assert said(source) == []


SCHEDULED = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
for _ in range(4):
    FIRST
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    LAST
"""


def test_a_scheduler_that_steps_before_its_optimizer_is_found_and_not_one_that_steps_after_it():
    early, late = ("scheduler.step()", "pass"), ("pass", "scheduler.step()")
    said_of = [said(SCHEDULED.replace("FIRST", first).replace("LAST", last)) for first, last in (early, late)]
    assert said_of == [[("note", "step_scheduled", 7)], []]


WRAPPED = """import torch
from torch import nn
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
class Scheduler:
    def __init__(self, inner):
        self.inner = inner
    def step(self):
        if i % 2:
            self.inner.step()
scheduler = MADE
for i in range(6):
    net(torch.ones(1, 2)).sum().backward()
    if i % 2:
        optimizer.step()
        optimizer.zero_grad()
    scheduler.step()
"""
TORCHS = "torch.optim.lr_scheduler.StepLR(optimizer, 1)"


def test_a_scheduler_of_the_program_may_wait_for_the_optimizer():
    assert ("note", "step_scheduled", 17) in said(WRAPPED.replace("MADE", TORCHS))
    assert not [one for one in said(WRAPPED.replace("MADE", f"Scheduler({TORCHS})")) if one[1] == "step_scheduled"]


READ = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
for step in range(3):
    optimizer.zero_grad()
    for part in range(4):
        seen = x.clone().requires_grad_()
        net(seen).mean().backward()
        size = USED
        net.zero_grad()
        (net(x).pow(2).mean() / 4).backward()
    optimizer.step()
"""


def test_what_a_helper_resets_is_found_for_the_passes_whose_gradients_the_program_does_not_read():
    [found] = [one for one in find(watched(Path("/program.py"), READ.replace("USED", "seen.grad.norm()"))) if one.case == "thrown"]
    assert (found.line, found.at, found.fields) == (12, 13, {"n": "9", "whole": "12"})
