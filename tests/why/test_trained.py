"""What the program trains, as facts after the findings."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.player.shorten import shorten
from weaver.recording.limits import Limits
from weaver.why.findings import find_with_facts
from weaver.why.groups import groups
from weaver.why.report import FindingsReport
from weaver.why.run import WatchedRun

SOURCE = """import torch
from torch import nn
net = nn.ModuleDict({"body": nn.Linear(4, 8), "head": nn.Linear(8, 1), "lora": nn.Linear(4, 8)})
for name, one in net.named_parameters():
    one.requires_grad = "lora" in name
OPTIMIZER
for _ in range(3):
    loss = net["head"](net["body"](torch.ones(2, 4)) + net["lora"](torch.ones(2, 4))).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def facts(optimizer: str) -> list[str]:
    run = watched(Path("/program.py"), SOURCE.replace("OPTIMIZER", optimizer))
    report = FindingsReport(run, find_with_facts(run))
    assert report.found == []
    return [text for one in report.facts for text in report.told(one)]


def test_what_an_optimizer_updates_and_what_it_holds_in_vain_is_told_apart():
    assert facts("optimizer = torch.optim.Adam(net.parameters())") == [
        "`Adam` updates `net.lora.*` (2).",
        "`Adam` also holds `net.body.*` (2), `net.head.*` (2), but doesn't update that part: requires_grad is off.",
        "This line turns requires_grad off for `net.body.*` (2), `net.head.*` (2).",
    ]


COUNTING = """import torch
def made():
    net = torch.nn.Linear(2, 1)
    return net
class Trainer:
    def __init__(self):
        self.net = made()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def train(self):
        for self.epoch in range(3):
            self.optimizer.zero_grad()
            self.net(torch.ones(1, 2)).sum().backward()
            self.optimizer.step()


Trainer().train()
"""


def test_an_object_whose_attribute_a_loop_sets_is_no_variable_of_the_loop():
    told = {one.case: one.fields["groups"] for one in find_with_facts(watched(Path("/program.py"), COUNTING))}
    assert told["updates"] == "`self.net.*` (2)"


def test_an_optimizer_of_which_everything_is_frozen_is_found():
    source = SOURCE.replace("OPTIMIZER", "optimizer = torch.optim.SGD([*net['body'].parameters()], lr=0.1)")
    assert ("wrong", "optimizer_frozen", 5) in said(source)


def test_an_optimizer_that_is_made_in_each_round_is_told_once_with_how_many_there_are():
    made = "for _ in range(3):\n    optimizer = torch.optim.SGD(net['lora'].parameters())\n    optimizer.zero_grad()\n    net['lora'](torch.ones(2, 4)).sum().backward()\n    optimizer.step()"
    told = facts(made)
    assert len(told) == len({*told}) == 3 and "And at least 2 more like this." in told


def test_what_is_frozen_is_told_where_no_optimizer_holds_it():
    assert facts("optimizer = torch.optim.SGD(net['lora'].parameters(), lr=0.1)") == [
        "`SGD` updates `net.lora.*` (2).",
        "This line turns requires_grad off for `net.body.*` (2), `net.head.*` (2).",
    ]


@pytest.mark.parametrize(
    "names, text",
    [
        (["w"], "`w`"),
        (["w", "b"], "`b`, `w`"),
        (["m.weight", "m.bias"], "`m.*` (2)"),
        (["m.a.0.weight", "m.a.1.weight", "m.b.bias", "n"], "`m.a.0.weight`, `m.a.1.weight`, `m.b.bias`, `n`"),
        ([f"m.{part}.{n}.{kind}" for part in "ab" for n, kind in enumerate("uvw")], "`m.a.*` (3), `m.b.*` (3)"),
        ([f"m.{n}.0.weight" for n in range(6)], "`m.*.weight` (6)"),
        ([f"w{n}" for n in range(6)], "`w0`, `w1`, `w2`, `w3`, … (6)"),
        (["layers[0].weight", "layers[0].bias"], "`layers[0].*` (2)"),
        ([f"m.{at}.skip.{kind}" for at in ("a.0", "a.1", "b") for kind in "uv"], "`m.a.0.skip.*` (2), `m.a.1.skip.*` (2), `m.b.skip.*` (2)"),
        ([f"m.{at}.skip.{kind}" for at in "abcde" for kind in "uv"], "`m.*.skip.*` (10)"),
        ([f"m.{at}.{kind}" for at in ("a.0", "a.1", "b.0") for kind in "uv"], "`m.a.0.*` (2), `m.a.1.*` (2), `m.b.0.*` (2)"),
        ([f"c['net'].m.{n}.bias" for n in range(5)], "`c['net'].m.*.bias` (5)"),
        ([f"c['nets'][{n}].bias" for n in range(5)], "`c['nets'].*.bias` (5)"),
    ],
)
def test_parameters_are_named_by_the_modules_that_they_are_in(names, text):
    assert groups(names) == text


def test_what_all_share_is_named_where_the_modules_have_more_than_that():
    names = [f"m.{at}.skip.{kind}" for at in ("a.0", "a.1", "b") for kind in "uv"]
    assert groups(names, others={"m.a.0.conv.u": "9"}) == "`m.a.0.skip.*` (2), `m.a.1.skip.*` (2), `m.b.skip.*` (2)"
    deep = [f"m.{side}.{n}.skip.{kind}" for side in "ab" for n in range(3) for kind in "uv"]
    assert groups(deep) == "`m.a.*` (6), `m.b.*` (6)"
    assert groups(deep, others={"m.a.0.conv.u": "9"}) == "`m.*.skip.*` (12)"


def test_what_others_share_too_is_no_name_for_a_few():
    names = [f"m.{n}.bias" for n in range(5)]
    assert groups(names, every=names) == "`m.*.bias` (5)"
    assert groups(names, every=[*names, "m.9.bias"]) == "`m.0.bias`, `m.1.bias`, `m.2.bias`, `m.3.bias`, … (5)"


def test_what_a_loop_froze_is_named_by_its_module_not_by_the_variable_of_the_loop():
    source = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for layer in net[:2]:
    for one in layer.parameters():
        one.requires_grad = False
net(torch.randn(2, 4)).sum().backward()
optimizer.step()
"""
    run = watched(Path("/program.py"), source)
    assert [one.fields["groups"] for one in find_with_facts(run) if one.case == "off"] == ["`net.0.*` (2), `net.1.*` (2)"]


def test_a_parameter_that_gets_a_gradient_only_where_nobody_watches_is_updated():
    source = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
nn.init.zeros_(net[1].weight)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(20):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""
    run = watched(Path("/program.py"), source, Limits(acts=True, end="9@1"))
    assert [one.fields["groups"] for one in find_with_facts(run) if one.case == "updates"] == ["`net.0.*` (2), `net.1.*` (2)"]


def test_what_a_loop_freezes_that_was_watched_whole_is_all_of_it():
    source = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
for one in net[0].parameters():
    one.requires_grad = False
optimizer = torch.optim.SGD(net[1].parameters(), lr=0.1)
for _ in range(100):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""
    run = watched(Path("/program.py"), source, Limits(acts=True, steps=40, looks=1500))
    assert any(step.gap for step in run.steps)
    assert [one.case for one in find_with_facts(run) if one.case.startswith("off")] == ["off"]


def test_what_no_optimizer_holds_and_no_pass_reaches_is_told():
    source = """import torch
from torch import nn
net, target = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    with torch.no_grad():
        y = target(torch.ones(2, 4))
    optimizer.zero_grad()
    (net(torch.ones(2, 4)) - y).pow(2).sum().backward()
    optimizer.step()
"""
    told = [(one.case, one.fields["groups"]) for one in find_with_facts(watched(Path("/program.py"), source))]
    assert told == [("updates", "`net.*` (2)"), ("left", "`target.*` (2)")]


HELD = """import copy
import torch
from torch import nn
net, lens = nn.Linear(4, 2), nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    lens(net(torch.ones(2, 4))).sum().backward()
    optimizer.step()
    LINE
KEEP
"""


@pytest.mark.parametrize(
    ("line", "keep", "told"),
    [
        ("lens.zero_grad()", "best = copy.deepcopy(net)", []),  # a finding says it
        ("break", "other = nn.Linear(4, 2)", [("left_reached", "`lens.*` (2)")]),
        ("lens.weight.data -= 0.1 * lens.weight.grad; lens.bias.data -= 0.1 * lens.bias.grad; break", "pass", []),
    ],
)
def test_what_a_pass_reaches_and_no_optimizer_holds_is_told_but_not_what_is_made_after_training(line, keep, told):
    run = watched(Path("/program.py"), HELD.replace("LINE", line).replace("KEEP", keep))
    assert [(one.case, one.fields["groups"]) for one in find_with_facts(run) if one.case.startswith("left")] == told


TIED = """import torch
from torch import nn
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4, bias=False)
        self.decoder = nn.Linear(4, 4)
        LINE
    def forward(self, x):
        return self.decoder(self.encoder(x))
model = Model()
model(torch.ones(2, 4)).sum().backward()
"""


@pytest.mark.parametrize(
    "line, lines", [("self.decoder.weight = self.encoder.weight", [8]), ("self.other = self.decoder", []), ("pass", [])]
)
def test_a_parameter_that_two_modules_share_is_told_at_the_line_that_ties_them(line, lines):
    run = watched(Path("/program.py"), TIED.replace("LINE", line))
    assert [one.line for one in find_with_facts(run) if one.case == "tied"] == lines


TWO = """import torch
from torch import nn
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.ModuleDict({"table": nn.Linear(4, 4), "head": nn.Linear(4, 4)})
one, other = Model(), Model()
LINE
for layer in one.words.values():
    layer(torch.ones(2, 4)).sum().backward()
"""


@pytest.mark.parametrize("line, lines", [('one.words["table"] = other.words["table"]', [8]), ("alike = one", [])])
def test_a_part_that_two_models_share_is_told_where_one_takes_the_others(line, lines):
    run = watched(Path("/program.py"), TWO.replace("LINE", line))
    assert {one.line for one in find_with_facts(run) if one.case == "tied"} == {*lines}


@pytest.mark.parametrize("decay, told", [(0.1, ["`v`, `w`"]), (0.0, ["`w`", "`v`"])])
def test_what_weight_decay_moves_is_updated_although_its_gradient_is_zero(decay, told):
    source = "import torch\nw, v = (torch.ones(1, requires_grad=True) for _ in range(2))\n"
    source += f"optimizer = torch.optim.SGD([w, v], lr=0.1, weight_decay={decay})\nfor _ in range(4):\n"
    source += "    optimizer.zero_grad()\n    (w * 2 + v * 0).sum().backward()\n    optimizer.step()\n"
    found = [one for one in find_with_facts(watched(Path("/program.py"), source)) if one.name == "trained"]
    assert [one.fields["groups"] for one in found] == told


def test_parameters_without_a_name_are_counted():
    assert groups(["m.weight", "m.bias"], 2) == "`m.*` (2)" and groups(["m.weight", "m.bias"], 40) == "`m.*` (2+), … (40)"


MANY = """import torch
class Client:
    def __init__(self):
        self.net = torch.nn.Linear(2, 1)
    def train(self):
        optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            self.net(torch.ones(4, 2)).pow(2).mean().backward()
            optimizer.step()
clients = [Client() for _ in range(6)]
for round in range(2):
    for client in clients:
        client.train()
"""


def test_of_many_optimizers_made_on_one_line_each_has_its_own_leaves_and_a_few_are_told():
    run = watched(Path("/program.py"), MANY)
    told = [one for one in find_with_facts(run) if one.name == "trained"]
    assert [one.case for one in told] == ["updates"] * 3 + ["more"]
    assert all(one.fields["groups"].endswith("net.*` (2)") for one in told[:3]) and told[3].fields == {"n": "9"}


def test_what_is_frozen_after_it_was_trained_is_not_also_held_in_vain():
    later = "optimizer = torch.optim.Adam(net['lora'].parameters())\nfor _ in range(2):\n    loss = net['lora'](torch.ones(2, 4)).sum()\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\nnet['lora'].bias.requires_grad_(False)"
    told = facts(later)
    assert "`Adam` updates `net.lora.*` (2)." in told and not any("also holds" in text for text in told)


def test_what_gets_only_zeros_from_a_closure_is_not_updated():
    made = "scale = torch.zeros(1, requires_grad=True)\nother = torch.ones(1, requires_grad=True)\nlbfgs = torch.optim.LBFGS([scale, other], max_iter=1)\ndef closure():\n    lbfgs.zero_grad()\n    loss = (scale * 0 + other).exp().sum()\n    loss.backward()\n    return loss\nfor _ in range(3):\n    lbfgs.step(closure)\noptimizer = torch.optim.SGD(net['lora'].parameters(), lr=0.1)"
    told = facts(made)
    assert "`LBFGS` updates `other`." in told
    assert "`LBFGS` also holds `scale`, but the gradient was None or 0 at each step that was watched." in told


def test_lines_that_write_to_parameters_without_an_optimizer_are_told():
    average = "import copy\nslow = copy.deepcopy(net['lora']).requires_grad_(False)\noptimizer = torch.optim.Adam(net['lora'].parameters())"
    source = SOURCE.replace("OPTIMIZER", average) + "    for one, other in zip(slow.parameters(), net['lora'].parameters()):\n        one.data.lerp_(other.data, 0.1)\n"
    run = watched(Path("/program.py"), source)
    told = [(one.line, one.fields["groups"]) for one in find_with_facts(run) if one.case == "written"]
    assert told == [(15, "`slow.*` (2)")]


def test_where_several_lines_go_backward_each_tells_whose_gradients_it_computes():
    again = "optimizer = torch.optim.Adam(net['lora'].parameters())"
    source = SOURCE.replace("OPTIMIZER", f"extra = torch.ones(1, requires_grad=True)\n{again}") + "    (extra * 2).backward()\n"
    told = [(one.line, one.fields["groups"]) for one in find_with_facts(watched(Path("/program.py"), source)) if one.case == "reached"]
    assert told == [(11, "`net.lora.*` (2)"), (13, "`extra`")]
    assert not any("computes gradients here" in text for text in facts(again))
    zero = source.replace("(extra * 2).backward()", "(extra * 2 + 0 * loss.detach()).backward(); (net['lora'].bias * 0).sum().backward()")
    assert ["bias" in one.fields["groups"] for one in find_with_facts(watched(Path("/program.py"), zero)) if one.line == 13] == [False]


LARS = """import torch
from torch import nn
class Own(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.data -= group["lr"] * p.grad
def main():
    net = nn.Linear(4, 1)
    optimizer = Own([{"params": [net.weight]}, {"params": [net.bias]}], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
main()
"""


def test_an_optimizer_of_ones_own_is_told_where_the_program_creates_it_with_the_models_names():
    run = watched(Path("/program.py"), LARS)
    told = [(one.line, one.fields["groups"]) for one in find_with_facts(run) if one.case == "updates"]
    assert told == [(12, "`net.*` (2)")]


SWITCHED = """import torch
from torch import nn
net = nn.Sequential(*(nn.Linear(2, 2) for _ in range(9)))
def update():
    for p in net.parameters():
        p.requires_grad = False
    for p in net.parameters():
        p.requires_grad = True
def main():
    for _ in range(40):
        update()
main()
"""


def test_an_input_that_is_another_tensor_in_each_pass_is_counted_once():
    inputs = "again = torch.optim.SGD([torch.ones(1, requires_grad=True)])\noptimizer = torch.optim.Adam(net['lora'].parameters())"
    source = SOURCE.replace("OPTIMIZER", inputs) + "    d = torch.randn(2, 4, requires_grad=True)\n    net['lora'](d).sum().backward()\n"
    told = [one.fields["groups"] for one in find_with_facts(watched(Path("/program.py"), source)) if one.case == "reached"]
    assert told == ["`net.lora.*` (2)", "`net.lora.*` (2), `d`"]


@pytest.mark.parametrize("looks", [1000, 1380, 1570, 2140])
def test_what_is_switched_on_again_and_may_be_so_where_nobody_watches_is_not_told_as_frozen(looks):
    run = watched(Path("/program.py"), SWITCHED, Limits(acts=True, looks=looks))
    assert not [one.fields["groups"] for one in find_with_facts(run) if one.case.startswith("off")]


LARGE = """import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*(nn.Linear(2, 2) for _ in range(120)))
        self.head = nn.Linear(2, 1)
    def forward(self, x):
        return self.head(self.layers(x))
def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.ones(1, 2)).sum().backward()
        optimizer.step()
model = Net()
train(model)
"""


def test_all_parameters_of_a_model_have_a_name_even_if_no_state_lists_them():
    run = watched(Path("/program.py"), LARGE)
    leaves = {node for one in run.passes for node in one.given()}
    listed = {state.place for step in run.steps for state in step.tensors.values()}
    assert len(leaves) == 242 and leaves - listed
    assert all(run.names[one].startswith(("model.layers.", "model.head.")) for one in leaves)
    assert [one.fields["groups"] for one in find_with_facts(run) if one.case == "updates"] == ["`model.layers.*` (240), `model.head.*` (2)"]


def test_of_a_group_that_is_only_partly_meant_the_whole_is_told():
    names = ["m.body.0.weight", "m.body.0.bias", "m.body.1.weight"]
    others = {"m.body.1.bias": "1", "m.body.1.alias": "1", "m.head.weight": "2"}
    assert groups(names, 3, others) == "`m.body.0.*` (2), `m.body.1.weight`"
    assert groups([*names, "m.body.1.scale"], 4, others) == "`m.body.0.*` (2), `m.body.1.scale`, `m.body.1.weight`"
    assert groups([*names, "m.body.1.scale", "m.body.1.shift"], 5, others) == "`m.body.1.*` (3 of 4), `m.body.0.*` (2)"
    assert groups([*names, "m.body.1.scale", "m.body.1.shift"], 5, {"m.body.1.bias": "1"}, ["m.body.1.tied"]) == "`m.body.1.*` (3+), `m.body.0.*` (2)"


SECOND = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
print(net(torch.ones(2, 4)).sum().item())
"""


def test_another_model_of_the_same_name_is_not_said_to_be_in_no_optimizer():
    run = watched(Path("/program.py"), SECOND)
    assert [one.case for one in find_with_facts(run)] == ["updates"]


PLAYERS = """import torch
from torch import nn
actor, critic = nn.Linear(2, 2), nn.Linear(2, 1)
one, two = torch.optim.SGD(actor.parameters(), lr=0.1), torch.optim.SGD(critic.parameters(), lr=0.1)
for _ in range(3):
    one.zero_grad()
    critic(actor(torch.ones(4, 2))).mean().backward()
    one.step()
    RESET
    critic(torch.ones(4, 2)).pow(2).mean().backward()
    two.step()
"""


def test_gradients_that_are_reset_before_a_step_uses_them_are_told_of_their_pass():
    def wasted(source):
        found = find_with_facts(watched(Path("/program.py"), source))
        return [(one.line, one.fields["groups"], one.fields["also"]) for one in found if one.case == "wasted"]

    assert wasted(PLAYERS.replace("RESET", "two.zero_grad()")) == [(7, "`critic.*` (2)", "9")]
    assert wasted(PLAYERS.replace("RESET", "")) == []


def test_a_parameter_goes_by_its_modules_name_and_not_by_a_lists():
    told = facts("every = list(net['lora'].parameters())\noptimizer = torch.optim.Adam(every)")
    assert "`Adam` updates `net.lora.*` (2)." in told


def test_of_frozen_parameters_that_change_where_nobody_watches_nothing_is_said():
    follow = "import copy\nslow = copy.deepcopy(net['lora']).requires_grad_(False)\noptimizer = torch.optim.SGD([*net['lora'].parameters(), *slow.parameters()], lr=0.1)"
    source = SOURCE.replace("OPTIMIZER", follow)
    run = watched(Path("/program.py"), source)
    assert [one.fields["groups"] for one in find_with_facts(run) if one.case == "frozen_also"] == ["`slow.*` (2)"]
    run = watched(Path("/program.py"), source + "    slow.bias.data.add_(1)\n")
    assert [one.fields["groups"] for one in find_with_facts(run) if one.case == "frozen_also"] == []


STAGES = """import torch
from torch import nn
old, new = nn.Linear(2, 2), nn.Linear(2, 1)
def fit(parameters):
    OPTIMIZER
    for _ in range(3):
        optimizer.zero_grad()
        new(old(torch.ones(4, 2))).sum().backward()
        optimizer.step()
optimizer = torch.optim.SGD(old.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    old(torch.ones(4, 2)).sum().backward()
    optimizer.step()
optimizer = torch.optim.Adam(HELD)
for _ in range(3):
    optimizer.zero_grad()
    new(old(torch.ones(4, 2))).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("[*old.parameters(), *new.parameters()]", [("`old.*` (2)", "10")]),
        ("new.parameters()", []),
        ("old.parameters()", []),
    ],
)
def test_what_a_later_optimizer_goes_on_training_besides_its_own_is_told(held, told):
    found = find_with_facts(watched(Path("/program.py"), STAGES.replace("HELD", held)))
    assert [(one.fields["groups"], one.fields["also"]) for one in found if one.case == "again"] == told


def test_two_models_that_go_by_one_name_are_not_counted_as_one():
    source = """import torch
from torch import nn
def fit(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(4, 2)).sum().backward()
        optimizer.step()
    return model
fit(nn.Sequential(nn.Linear(2, 2)))
model = nn.Sequential(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), nn.Linear(2, 1))
fit(model)
"""
    found = find_with_facts(watched(Path("/program.py"), source))
    assert {one.fields["groups"] for one in found if one.case == "updates"} == {"`model.0.*` (2)", "`model.0.0.*` (2), `model.0.1.*` (2), `model.1.*` (2)"}


def test_a_counter_among_the_parameters_is_not_told_as_written():
    counts = SOURCE + "    net.steps += 1\n    with torch.no_grad(): net['lora'].bias += 1\n"
    source = counts.replace("OPTIMIZER", "net.steps = nn.Parameter(torch.zeros(1, dtype=torch.long), requires_grad=False)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)")
    found = find_with_facts(watched(Path("/program.py"), source))
    assert [one.fields["groups"] for one in found if one.case.startswith("written")] == ["`net.lora.bias`"]


def test_of_parameters_that_are_replaced_the_last_ones_are_counted():
    source = """import torch
from torch import nn
class Points:
    def __init__(self):
        self.at = nn.Parameter(torch.ones(3))
        self.optimizer = torch.optim.Adam([self.at])
    def more(self):
        self.at = nn.Parameter(torch.ones(len(self.at) + 1))
        self.optimizer.param_groups[0]["params"] = [self.at]
points = Points()
for i in range(6):
    points.at.square().sum().backward()
    points.optimizer.step()
    points.optimizer.zero_grad()
    if i % 2:
        points.more()
points.at.square().sum().backward()
points.optimizer.step()
"""
    found = find_with_facts(watched(Path("/program.py"), source))
    assert [one.fields["groups"] for one in found if one.case == "updates"] == ["`points.at`"]


def test_a_stage_whose_models_have_the_names_of_an_earlier_ones_is_told_apart():
    source = """import torch
from torch import nn
def train(generator, critic):
    optimizer = torch.optim.SGD(generator.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        critic(generator(torch.ones(4, 2))).sum().backward()
        optimizer.step()
    other = torch.optim.SGD(critic.parameters(), lr=0.1)
    for _ in range(3):
        other.zero_grad()
        critic(torch.ones(4, 2)).sum().backward()
        other.step()
train(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 1)))
train(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 1)))
"""
    found = find_with_facts(watched(Path("/program.py"), source))
    updates = [one.fields["groups"] for one in found if one.case == "updates"]
    reached = [one.fields["groups"] for one in found if one.case == "reached"]
    assert updates[:2] == ["`generator.0.*` (2), `generator.1.*` (2), `generator.2.*` (2)", "`generator.0.*` (2), `generator.1.*` (2)"]
    assert reached == ["`generator.0.*` (2), `generator.1.*` (2), `critic.0.*` (2)", "`critic.0.*` (2)"] or reached == ["`critic.0.*` (2), `generator.0.*` (2), `generator.1.*` (2)", "`critic.0.*` (2)"]


def test_what_a_line_writes_goes_by_the_name_that_it_has_there():
    source = """import torch
from torch import nn
def learn(actor, model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(2)).sum().backward()
        optimizer.step()
        actor.load_state_dict(model.state_dict())
def train():
    model, learner = nn.Linear(2, 1), nn.Linear(2, 1)
    for _ in range(9):
        model(torch.ones(2))
    learn(model, learner)
train()
"""
    found = find_with_facts(watched(Path("/program.py"), source))
    assert [one.fields["groups"] for one in found if one.case.startswith("written")] == ["`actor.*` (2)"]


def test_what_a_loop_froze_where_nobody_watched_is_counted_after_it():
    source = """import torch
from torch import nn
def freeze(model):
    for one in model.parameters():
        one.requires_grad = False
    return model
body, head = nn.Sequential(*(nn.Linear(2, 2) for _ in range(30))), nn.Linear(2, 1)
freeze(body)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    head(body(torch.ones(2))).sum().backward()
    optimizer.step()
"""
    run = watched(Path("/program.py"), source, Limits(looks=300, acts=True))
    assert any(step.gap for step in run.steps)
    [one] = [one for one in find_with_facts(run) if one.case.startswith("off")]
    assert (one.line, one.case, one.fields["groups"][-4:]) == (5, "off", "(60)")


TWICE = """import torch
torch.manual_seed(0)
net = torch.nn.ModuleDict({"encoder": torch.nn.Linear(3, 2), "head": torch.nn.Linear(2, 1)})
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    one, other = torch.ones(4, 3), torch.zeros(4, 3)
    apart = net["encoder"](one) - OTHER
    optimizer.zero_grad()
    net["head"](apart).pow(2).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ('net["encoder"](other)', {9: "`net.encoder.*` (2)"}),
        ("other[:, :2]", {}),
        ('net["encoder"](other) + net["head"](net["encoder"](other))', {}),  # all are
    ],
)
def test_parameters_that_a_loss_uses_several_times_are_told(other, told):
    run = watched(Path("/program.py"), TWICE.replace("OTHER", other))
    assert {one.line: one.fields["groups"] for one in find_with_facts(run) if one.case == "several"} == told


def test_a_call_that_uses_a_parameter_in_several_operations_uses_it_once():
    source = TWICE.replace('net["encoder"](one) - OTHER', 'one @ torch.nn.functional.normalize(net["encoder"].weight.T)')
    found = find_with_facts(watched(Path("/program.py"), source))
    assert [one.fields["groups"] for one in found if one.case == "several"] == []


PARTS = """import torch
torch.manual_seed(0)
net = torch.nn.ModuleDict({"encoder": torch.nn.Linear(3, 2), "decoder": torch.nn.Linear(2, 3)})
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def loss_of(x):
    code = net["encoder"](x)
    rebuilt = (net["decoder"](code) - x).pow(2).mean()
    prior = code.pow(2).sum()
    return LOSS
for _ in range(3):
    optimizer.zero_grad()
    loss_of(torch.ones(4, 3)).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        ("rebuilt + 0.1 * prior", [(12, "prior", "`net.encoder.*` (2)")]),
        ("(rebuilt - prior) / 2", [(12, "prior", "`net.encoder.*` (2)")]),
        ("rebuilt + rebuilt ** 2", []),
        ("rebuilt * prior", []),
    ],
)
def test_which_parameters_a_part_of_a_loss_reaches_is_told(loss, told):
    run = watched(Path("/program.py"), PARTS.replace("LOSS", loss))
    parts = [one for one in find_with_facts(run) if one.case == "part"]
    assert [(one.line, one.fields["name"], one.fields["groups"]) for one in parts] == told


def test_a_loop_that_freezes_at_the_end_of_a_function_is_told_whole():
    source = """import torch
net = torch.nn.Sequential(*[torch.nn.Linear(2, 2) for _ in range(6)])
optimizer = torch.optim.SGD(net[5].parameters(), lr=0.1)
def freeze(part):
    for p in part.parameters():
        p.requires_grad = False
def run():
    freeze(net[:5])
run()
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(4, 2)).sum().backward()
    optimizer.step()
"""
    run = watched(Path("/program.py"), source, Limits(acts=True, steps=30))
    assert run.has_gap(0, len(run.steps))
    [told] = [one for one in find_with_facts(run) if one.case.startswith("off")]
    assert (told.case, sorted(told.fields["groups"].split(", "))) == ("off", [*[f"`net.{i}.*` (2)" for i in range(4)], "… (10)"])


def test_groups_are_named_by_what_tells_them_apart():
    inner = [f"model.encoder.{i}.{kind}" for i in range(6) for kind in ("weight", "bias")]
    assert groups(inner) == "`model.encoder.*` (12)"
    weights = [f"box.net.{i}.weight" for i in range(6)]
    assert groups(weights) == "`box.net.*.weight` (6)"
    assert groups(["lm.start", "lm.end", "lm.cell.weight", "lm.cell.bias", "lm.cell.scale"]) == "`lm.cell.*` (3), `lm.end`, `lm.start`"


CANCELED = """import torch
from torch import nn
raw = nn.Parameter(torch.eye(2))
optimizer = torch.optim.Adam([raw], lr=0.1)
for _ in range(3):
    factor = raw.tril()
    logdet = factor.diagonal().log().sum()
    size = factor.pow(2).sum() / 2
    optimizer.zero_grad()
    (size - WEIGHT * logdet).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("weight", "idle"), [("1", []), ("0", ["logdet"])])
def test_a_part_whose_gradients_another_part_cancels_is_not_said_to_pass_zeros(weight, idle):
    found = find_with_facts(watched(Path("/program.py"), CANCELED.replace("WEIGHT", weight)))
    assert [one.fields["name"] for one in found if (one.name, one.case) == ("zero", "part")] == idle


SHARED = """import torch
from torch import nn
encoder, critic = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.Adam(encoder.parameters())
optimizer_d = torch.optim.Adam(critic.parameters())
for _ in range(3):
    z = encoder(torch.ones(2, 4))
    optimizer.zero_grad()
    z.pow(2).mean().backward(retain_graph=True)
    optimizer_d.zero_grad()
    critic(CODE).mean().backward()
    optimizer.step()
    optimizer_d.step()
"""


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("z", [(12, "`Adam` uses the sum of the gradients that the passes on lines 9, 11 computed for `encoder.*` (2).")]),
        ("z.detach()", []),
    ],
)
def test_a_step_that_uses_gradients_of_two_lines_passes_is_told(code, found):
    run = watched(Path("/program.py"), SHARED.replace("CODE", code))
    report = FindingsReport(run, find_with_facts(run))
    assert [(one.line, *report.told(one)) for one in report.facts if one.case == "summed"] == found


FLOOR = """import torch
from torch import nn
net, prior = nn.Linear(4, 2), nn.Linear(4, 2)
optimizer = torch.optim.SGD([*net.parameters(), *prior.parameters()], lr=0.1)
for _ in range(3):
    x = torch.ones(2, 4)
    error = net(x).pow(2).mean()
    kl = torch.clamp((net(x) - prior(x)).pow(2).mean(), min=FLOOR)
    optimizer.zero_grad()
    (error + WEIGHT * kl).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("floor", "weight", "found"),
    [("1000.0", "1.0", ["kl"]), ("0.0", "0.0", ["kl"]), ("0.0", "1.0", [])],
)
def test_a_part_of_a_loss_that_passes_only_zeros_is_told(floor, weight, found):
    run = watched(Path("/program.py"), FLOOR.replace("FLOOR", floor).replace("WEIGHT", weight))
    facts = find_with_facts(run)
    assert [one.fields["name"] for one in facts if (one.name, one.case) == ("zero", "part")] == found
    assert not [one for one in facts if "part_zero" in one.case]


def test_of_a_part_that_passes_only_zeros_its_own_parts_are_not_told():
    nested = FLOOR.replace("FLOOR", "0.0").replace("(error + WEIGHT * kl)", "(error + both)")
    source = nested.replace("    optimizer.zero_grad()", "    one, two = prior(x).exp().mean(), prior(x).sin().mean()\n    both = 0 * (one + two)\n    optimizer.zero_grad()")
    facts = find_with_facts(watched(Path("/program.py"), source))
    assert [one.fields["name"] for one in facts if (one.name, one.case) == ("zero", "part")] == ["both"]


def test_a_part_that_passes_zeros_only_at_first_is_told_of_the_first_pass():
    source = FLOOR.replace("FLOOR", "0.0").replace("WEIGHT", "min(step, 1)").replace("for _ in", "for step in")
    facts = find_with_facts(watched(Path("/program.py"), source))
    assert [one.fields["name"] for one in facts if one.case == "part_zero_first"] == ["kl"]
    assert not [one for one in facts if (one.name, one.case) == ("zero", "part")]
    parts = {one.fields["name"]: one.fields["groups"] for one in facts if one.case == "part"}
    assert parts == {"error": "`net.*` (2)"}


TWO_NAMES = """import torch
from torch import nn
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        self.loss = nn.Linear(4, 1)
def train(model):
    optimizer = torch.optim.SGD(model.body.parameters(), lr=0.1)
    other = torch.optim.SGD(model.loss.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        other.zero_grad()
        model.loss(model.body(torch.ones(2, 4))).mean().backward()
        optimizer.step()
        other.zero_grad()
        model.loss(model.body(torch.ones(2, 4)).detach()).mean().backward()
        other.step()
    return model
stage = train(Model())
print(stage.loss.weight)
stage.body = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
print(stage.body)
"""


def test_two_variables_of_one_model_are_not_told_as_two_models():
    facts = find_with_facts(watched(Path("/program.py"), TWO_NAMES))
    reached = {one.line: one.fields["groups"] for one in facts if one.case == "reached"}
    assert reached == {14: "`model.body.0.*` (2), `model.body.1.*` (2), `model.loss.*` (2)", 17: "`stage.loss.*` (2)"}


FREEZING = """import torch
nets = [torch.nn.Linear(2, 2) for _ in range(3)]
last = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(last.parameters(), lr=0.1)
def freeze(net):
    for p in net.parameters():
        p.requires_grad_(False)
freeze(nets[0])
for _ in range(30):
    optimizer.zero_grad()
    last(torch.ones(4, 2)).sum().backward()
    optimizer.step()
freeze(nets[1])
"""


def test_what_a_function_froze_that_is_called_again_may_not_be_all():
    run = watched(Path("/program.py"), FREEZING, Limits(acts=True, steps=60))
    assert run.has_gap(0, len(run.steps))
    assert [one.is_least for one in find_with_facts(run) if one.case == "off"] == [True]


def test_a_named_sum_is_a_part_of_a_loss_as_well():
    source = PARTS.replace("    prior = code.pow(2).sum()\n", "    prior = code.pow(2).sum() + code.sum()\n")
    run = watched(Path("/program.py"), source.replace("LOSS", "rebuilt + 0.1 * prior"))
    parts = [one for one in find_with_facts(run) if one.case == "part"]
    assert [(one.fields["name"], one.fields["groups"]) for one in parts] == [("prior", "`net.encoder.*` (2)")]


LOOPED = """import torch
from torch import nn
heads = nn.ModuleList([nn.Linear(2, 1) for _ in range(40)])
optimizer = torch.optim.SGD(heads.parameters(), lr=0.1)
def loss_of(x):
    total = 0
    for head in heads:
        loss_x = head(x).pow(2).mean()
        loss_y = head(x).mean()
        total = total + (loss_x + loss_y)
    return total
for _ in range(3):
    optimizer.zero_grad()
    loss_of(torch.ones(4, 2)).backward()
    optimizer.step()
"""


def test_a_part_whose_name_a_loop_gives_to_several_is_not_told_where_some_were_not_watched():
    run = watched(Path("/program.py"), LOOPED, Limits(acts=True, steps=60))
    assert run.has_gap(0, len(run.steps))
    assert [one.fields["name"] for one in find_with_facts(run) if one.case == "part"] == []


def test_a_group_is_counted_in_a_state_where_all_its_names_lead_there():
    source = """import torch
from torch import nn
def train(model, held):
    optimizer = torch.optim.SGD(held, lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(4, 2)).mean().backward()
        optimizer.step()
first = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2))
train(first, [*first[0].parameters()])
model = nn.Sequential(nn.Linear(2, 2))
train(model, [*model.parameters()])
"""
    facts = find_with_facts(watched(Path("/program.py"), source))
    assert [one.fields["groups"] for one in facts if one.case == "updates"] == ["`first.0.*` (2)", "`model.0.*` (2)"]


def test_a_sum_of_gradients_of_which_nobody_watched_a_part_is_not_told():
    source = """import torch
from torch import nn
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    optimizer.zero_grad()
    net(torch.ones(4, 2)).sum().backward()
    net(torch.zeros(4, 2)).sum().backward()
    net(torch.rand(4, 2)).sum().backward()
    optimizer.step()
"""
    trace = watched(Path("/program.py"), source).trace
    gone = [at for at, step in enumerate(trace.steps) if step.line == 7][1:]
    for left in [], gone:
        run = WatchedRun(shorten(trace, [at for at in range(len(trace.steps)) if at not in left]), source)
        assert {one.fields["also"] for one in find_with_facts(run) if one.case == "summed"} == {"7, 8, 9"}


FOLLOWING = """import copy
import torch
from torch import nn
net = nn.Sequential(*(nn.Linear(2, 2) for _ in range(12)))
average = copy.deepcopy(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(2)).sum().backward()
    optimizer.step()
for own, other in zip(average.parameters(), net.parameters()):
    value = other.detach()
    own.data.mul_(0.9).add_(value, alpha=0.1)
    MORE
print(average[0].weight.sum().item())
"""


@pytest.mark.parametrize(("more", "is_all"), [("pass", True), ("own.data.clamp_(-9, 9)", False)])
def test_what_a_loop_wrote_where_nobody_watched_is_counted_after_it_if_one_line_writes(more, is_all):
    run = watched(Path("/program.py"), FOLLOWING.replace("MORE", more), Limits(acts=True, steps=40))
    assert run.has_gap(run.first_steps[13], len(run.steps))
    [one] = [one for one in find_with_facts(run) if one.case == "written" and one.line == 13]
    assert (one.fields["groups"].endswith("… (24)"), one.is_least) == (is_all, not is_all)


BOUNDED = """import torch
from torch import nn
net, scale = nn.Linear(2, 1), nn.Parameter(torch.ones(1))
optimizer = torch.optim.SGD([*net.parameters(), scale], lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    (scale * net(torch.ones(4, 2))).pow(2).mean().backward()
    optimizer.step()
    with torch.no_grad():
        scale.clamp_(LIMITS)
net.load_state_dict(net.state_dict())
"""


@pytest.mark.parametrize(("limits", "lines"), [("0.0, 9.0", [11]), ("2.0, 9.0", [10, 11])])
def test_a_clamp_is_told_as_a_write_only_if_it_changed_something_and_loading_always(limits, lines):
    facts = find_with_facts(watched(Path("/program.py"), BOUNDED.replace("LIMITS", limits)))
    written = {one.line: one.fields["groups"] for one in facts if one.case == "written"}
    assert [*written] == lines and written[11] == "`net.*` (2)"


REMEMBERED = """import torch
from torch import nn
class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.net, self.weight = nn.Linear(2, 2), nn.Parameter(torch.zeros(3, 2), requires_grad=False)
    def put(self, x):
        self.weight[:1] = self.net(x)
net = Memory()
optimizer = torch.optim.SGD(net.net.parameters(), lr=0.1)
for _ in range(3):
    with torch.set_grad_enabled(TRAINS):
        net.put(torch.ones(1, 2))
    loss = (net.weight + net.net(torch.ones(3, 2))).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    net.weight.detach_()
with torch.no_grad():
    net.put(torch.ones(1, 2))
"""


@pytest.mark.parametrize(("trains", "lines"), [("True", []), ("False", [8])])
def test_a_write_that_autograd_records_elsewhere_is_no_direct_one(trains, lines):
    facts = find_with_facts(watched(Path("/program.py"), REMEMBERED.replace("TRAINS", trains)))
    assert [one.line for one in facts if one.case == "written"] == lines
