"""Dropout that eval() doesn't reach."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.recording.model import Gap
from weaver.why.findings import find

SOURCE = """import torch
from torch import nn
x, y = torch.randn(8, 4), torch.randn(8, 1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drops = LIST(nn.Dropout(0.5) for _ in range(2))
        self.head = nn.Linear(4, 1)
    def forward(self, x):
        return self.head(self.drops[1](self.drops[0](x)))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    net.train()
    optimizer.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    optimizer.step()
    SWITCH
    with torch.no_grad():
        score = net(x)
"""


def test_dropout_in_a_plain_list_is_told_from_a_forgotten_eval():
    assert said(SOURCE.replace("LIST", "list").replace("SWITCH", "net.eval()")) == [("wrong", "mode_unreached", 20)]
    assert said(SOURCE.replace("LIST", "nn.ModuleList").replace("SWITCH", "pass")) == [("wrong", "mode_dropout", 20)]
    assert said(SOURCE.replace("LIST", "nn.ModuleList").replace("SWITCH", "net.eval()")) == []


def test_a_functional_batch_norm_that_is_told_to_train_is_nothing_wrong():
    source = (
        "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\nx = torch.randn(8, 4)\n"
        "net = nn.Linear(4, 4)\nmean, var = torch.zeros(4), torch.ones(4)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for _ in range(4):\n    optimizer.zero_grad()\n    out = F.batch_norm(net(x), mean, var, training=True)\n"
        "    out[:, 0].exp().mean().backward()\n    optimizer.step()\n"
        "with torch.no_grad():\n    out = F.batch_norm(net(x), mean, var, training=True)\n"
    )
    assert [one for one in said(source) if "mode" in one[1]] == []


ASKS = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 1)
    def forward(self, x):
        return self.lin(x * 2) if self.training else self.lin(x)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
def epoch():
    BEGIN
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.ones(2, 4)).pow(2).mean().backward()
        optimizer.step()
def validate():
    net.eval()
    with torch.no_grad():
        return net(torch.ones(2, 4)).mean().item()
for _ in range(3):
    epoch()
    validate()
"""


def test_training_in_evaluation_mode_is_found_where_the_program_asks_for_the_mode():
    assert said(ASKS.replace("BEGIN", "pass")) == [("wrong", "mode_asked", 18)]
    assert said(ASKS.replace("BEGIN", "net.train()")) == []
    assert said(ASKS.replace("BEGIN", "pass").replace("self.training", "x.requires_grad")) == []


FROZEN = """import torch
from torch import nn
body, head = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), nn.Linear(4, 1)
FREEZE
net = nn.Sequential(body, head)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for _ in range(3):
    net.train()
    MODE
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""


def test_frozen_batch_normalization_that_goes_on_updating_is_good_to_know():
    source = FROZEN.replace("FREEZE", "body.requires_grad_(False)")
    assert said(source.replace("MODE", "pass")) == [("note", "mode_frozen", 11)]
    assert said(source.replace("MODE", "body.eval()")) == []
    assert not [one for one in said(FROZEN.replace("FREEZE", "pass").replace("MODE", "pass")) if "mode" in one[1]]


def test_batch_normalization_that_was_trained_before_it_was_frozen_is_found_too():
    first = "one = torch.optim.SGD(body.parameters(), lr=0.1)\nbody(torch.randn(8, 4)).pow(3).sum().backward()\none.step()\n"
    source = FROZEN.replace("FREEZE", f"{first}body.requires_grad_(False)").replace("MODE", "pass")
    assert ("note", "mode_frozen", 14) in said(source)


def test_all_frozen_batch_normalization_is_named():
    source = FROZEN.replace("FREEZE", "body.requires_grad_(False)").replace("MODE", "pass")
    norm = "nn.BatchNorm1d(4)"
    assert norm in source
    run = watched(Path("/program.py"), source.replace(norm, f"{norm}, {norm}"))
    [one] = [one for one in find(run) if one.case == "frozen"]
    assert one.fields["more"] == "1"


RECURRENT = """import torch
from torch import nn
net = nn.LSTM(3, 4, num_layers=LAYERS, dropout=DROPOUT)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(6):
    optimizer.zero_grad()
    out, _ = net(torch.randn(2, 3, 3))
    out.pow(2).mean().backward()
    optimizer.step()
    if i % 2 == 0:
        net.eval()
        with torch.no_grad():
            net(torch.randn(2, 3, 3))
        SWITCH
"""


def test_dropout_between_recurrent_layers_is_dropout_too():
    def found(layers, dropout, switch):
        source = RECURRENT.replace("LAYERS", layers).replace("DROPOUT", dropout)
        return said(source.replace("SWITCH", switch))

    assert found("2", "0.1", "pass") == [("wrong", "mode_trained", 11)]
    assert found("2", "0.1", "net.train()") == found("1", "0.0", "pass") == found("2", "0.0", "pass") == []


UNWATCHED = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.001)
for i in range(2000):
    if i == 900:
        net.eval()
        net(torch.ones(1, 2))
        SWITCH
    optimizer.zero_grad()
    (net(torch.ones(1, 2)) - 1).pow(2).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("switch", "found"), [("pass", [("trained", 7)]), ("net.train()", [])])
def test_training_in_evaluation_mode_where_nobody_watches_is_found_at_eval(switch, found):
    run = watched(Path("/program.py"), UNWATCHED.replace("SWITCH", switch), Limits(acts=True, looks=1000))
    assert run.has_gap(0, len(run.steps) - 1)
    assert [(one.case, one.line) for one in find(run)] == found


TRAINED = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 8), LAYER, nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    net.train()
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""
EPOCHS = TRAINED.replace("LAYER", "nn.BatchNorm1d(8)") + "    with torch.no_grad():\n        net(torch.randn(8, 4))\n"


def test_steps_that_nobody_watched_may_have_followed_a_call_of_train():
    run = watched(Path("/program.py"), EPOCHS)
    *_, last = [act for act in run.of("step")]
    run.steps[last.step].gap = Gap(1)
    run.acts.remove(last)
    assert [(one.case, one.line) for one in find(run) if one.name == "mode"] == [("batch_norm", 11)]


EVALUATED = TRAINED.replace("LAYER", "nn.Tanh()") + "    net.eval()\n    SWITCH\n        loss = net(torch.randn(8, 4)).pow(2).mean()\n"


def test_what_another_modules_eval_is_before_is_not_said_to_be_in_evaluation_mode():
    source = EVALUATED.replace("SWITCH", "if True:").replace("optimizer =", "other = nn.Linear(4, 1)\noptimizer =")
    assert said(source.replace("net.eval()", "other.eval()")) == [("note", "mode_unused", 13)]


def test_a_graph_that_is_recorded_in_evaluation_mode_for_nothing_is_good_to_know():
    assert said(EVALUATED.replace("SWITCH", "if True:")) == [("note", "mode_recorded", 12)]
    assert said(EVALUATED.replace("SWITCH", "with torch.no_grad():")) == []


@pytest.mark.parametrize(("runs", "found"), [(0, [("recorded", 12)]), (1, [])])
def test_a_gap_in_which_no_pass_ran_cannot_have_used_a_graph(runs, found):
    source = EVALUATED.replace("SWITCH", "if True:") + "        value = loss.item()\n"
    run = watched(Path("/program.py"), source)
    for step in (one for one in run.steps if one.line == 13):
        step.gap = Gap(5, runs=runs)
    assert [(one.case, one.line) for one in find(run) if one.name == "mode"] == found


@pytest.mark.parametrize("later, found", [("", [("note", "mode_unused", 12)]), ("    loss.backward()\n", [])])
def test_a_graph_that_is_recorded_in_training_for_nothing_is_good_to_know(later, found):
    source = EVALUATED.replace("net.eval()", "pass").replace("SWITCH", "if True:")
    assert said(source + later + "    optimizer.zero_grad()\n") == found
    assert said(EVALUATED.replace("net.eval()", "pass").replace("SWITCH", "with torch.no_grad():")) == []


def test_in_evaluation_mode_the_gradient_of_an_input_may_be_what_is_asked_for():
    source = EVALUATED.replace("SWITCH", "if True:\n        x = torch.randn(8, 4, requires_grad=True)")
    assert said(source.replace("loss = net(torch.randn(8, 4)).pow(2).mean()", "torch.autograd.grad(net(x).sum(), x)")) == []


ANEW = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1)
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        return self.head(DROP(x))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("drop", "found"), [("nn.Dropout(0.5)", [("wrong", "mode_remade", 9)]), ("self.drop", []), ("nn.ReLU()", [])]
)
def test_a_dropout_layer_that_is_made_where_it_is_called_is_found(drop, found):
    assert said(ANEW.replace("DROP", drop)) == found
