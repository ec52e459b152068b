"""Where a path ends on which a gradient would flow to what's trained."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.why.findings import find_with_facts

BEGIN = """import torch
from torch import nn
from torch.nn import functional as F
class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)
    def forward(self, x):
        x = x * 2
        return self.layer(x)
def target(q):
    return q.detach()
net, head = nn.Linear(3, 2), nn.Linear(2, 1)
critic, ema = Critic(), nn.Linear(3, 2)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters(), *critic.parameters()], lr=0.1)
for _ in range(3):
    x = torch.randn(4, 3)
    feature = net(x)
"""
END = """
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(head(net(x).detach()).sum())
"""
FIRST = 19


def told(*lines):
    source = BEGIN + "".join(f"    {line}\n" for line in lines) + END.lstrip("\n")
    found = find_with_facts(watched(Path("/program.py"), source))
    facts = [one for one in found if one.name == "trained" and one.case in ("cut", "unrecorded")]
    return [(one.case, one.line, one.fields["by"], one.fields["groups"], one.fields.get("also")) for one in facts]


@pytest.mark.parametrize(
    ("line", "by"),
    [
        ("loss = head(feature.detach()).pow(2).sum()", "detach()"),
        ("loss = head(feature.data).pow(2).sum()", ".data"),
        ("loss = critic(feature.detach()).sum()", "detach()"),
        ("loss = critic(feature.data).sum()", ".data"),
    ],
)
def test_what_a_loss_takes_detached_is_told_with_what_it_would_lead_to(line, by):
    assert told(line, "loss = loss + head(feature).sum()") == [("cut", FIRST, by, "`net.*` (2)", "22")]


def test_a_function_that_detaches_is_where_the_path_ends():
    loss = "loss = (head(feature) * target(feature)).sum()"
    assert told(loss) == [("cut", 12, "detach()", "`net.*` (2)", "21")]


def test_a_finding_that_says_so_already_isnt_repeated():
    assert told("loss = head(feature.detach()).sum()", "pass") == []


def test_a_cut_is_told_of_each_line_whose_pass_it_stops():
    lines = "code = feature.detach()", "(head(code).sum() * 2 + head(feature).sum()).backward()", "loss = head(code).pow(2).sum()"
    assert told(*lines) == [("cut", FIRST, "detach()", "`net.*` (2)", "20, 23")]


def test_what_no_loss_is_computed_from_isnt_a_cut():
    assert told("loss = head(feature).sum()", "shown = feature.detach() + loss.item()") == []


def test_a_path_to_what_no_optimizer_trains_isnt_a_cut():
    assert told("loss = (head(feature) - ema(x).detach().sum()).pow(2).mean()", "pass") == []


@pytest.mark.parametrize(
    ("switch", "by"),
    [("torch.no_grad()", "torch.no_grad()"), ("torch.set_grad_enabled(False)", "torch.set_grad_enabled(False)")],
)
def test_a_trained_module_that_is_called_unrecorded_is_told(switch, by):
    found = told(f"with {switch}:", "    start = net(x)", "loss = head(torch.tensor(start.tolist()) + feature).sum()")
    assert found == [("unrecorded", FIRST + 1, by, "`net.*` (2)", None)]


def test_a_trained_module_in_a_test_after_the_passes_isnt_told():
    source = "loss = head(feature).sum()", "optimizer.zero_grad()", "loss.backward()"
    assert told(*source, "with torch.no_grad(): shown = net(x)", "loss = head(feature).sum()")[:1] == []


FILLED = """import torch
from torch import nn
class Wave(nn.Module):
    def __init__(self):
        super().__init__()
        self.angle = nn.Parameter(torch.ones(3))
        self.unused = nn.Parameter(torch.ones(3))
        self.layer = nn.Linear(3, 1)
    def forward(self, x):
        angle = torch.sin(self.angle)
        self.layer.weight.data[0] = angle
        return self.layer(x)
net = Wave()
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.randn(4, 3)).pow(2).mean().backward()
    optimizer.step()
"""


def test_what_is_written_into_data_is_cut_off_there():
    found = find_with_facts(watched(Path("/program.py"), FILLED))
    told = [(one.case, one.line, one.fields["name"], one.fields.get("by")) for one in found if one.name == "no_gradient"]
    assert told == [("into", 11, "net.angle", ".data"), ("apart", 7, "net.unused", None)]


LOADED = """import torch
from torch import nn
learner, maker = nn.Linear(3, 1), nn.Linear(1, 1)
optimizer = torch.optim.Adam(maker.parameters(), lr=0.1)
for _ in range(4):
    new = {name: one + maker(torch.ones(1)) for name, one in learner.named_parameters()}
    RUN
    optimizer.zero_grad()
    out.pow(2).mean().backward()
    torch.nn.utils.clip_grad_norm_(maker.parameters(), 1.0)
    optimizer.step()
"""


def test_computed_weights_that_are_loaded_have_no_graph_and_the_clipping_after_them_is_no_cause():
    loaded = LOADED.replace("RUN", "learner.load_state_dict(new); out = learner(torch.randn(4, 3))")
    assert [one for one in said(loaded) if one[0] == "wrong"] == [("wrong", "no_gradient_into", 7)]
    called = LOADED.replace("RUN", "out = torch.func.functional_call(learner, new, torch.randn(4, 3))")
    assert [one for one in said(called) if one[0] == "wrong"] == []


def test_where_passes_were_not_watched_a_loop_may_cut_more():
    source = BEGIN.replace("range(3)", "range(60)") + "    loss = head(feature.detach()).sum() + head(feature).sum()\n" + END.lstrip("\n")
    run = watched(Path("/program.py"), source, Limits(acts=True, steps=60))
    [fact] = [one for one in find_with_facts(run) if one.case.startswith("cut")]
    assert (fact.line, fact.fields["groups"], fact.is_least) == (FIRST, "`net.*` (2)", True)


CALLED = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(8, 4)
    with torch.no_grad():
        wanted = net(x)
        best = net(x).argmax(1)
    loss = (net(x) - wanted).pow(2).mean() + net(x).gather(1, best[:, None]).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_what_a_call_leaves_unrecorded_is_told_where_it_is_called_and_an_index_is_no_cut():
    facts = find_with_facts(watched(Path("/program.py"), CALLED))
    assert [(one.case, one.line) for one in facts if one.case in ("cut", "unrecorded")] == [("cut", 14)]
