"""Which line a finding names, which step shows it, and what it says is affected."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.tracing.run import Program, trace
from weaver.why.finding import Severity
from weaver.why.findings import find
from weaver.why.report import FindingsReport

HEAD = """import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(8, 4), torch.randn(8, 1)
"""
QUEUE = """class Bank(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.ones(4))
    def push(self, key):
        self.keys[0] = key
    def forward(self, w):
        out = (w * self.keys).sum()
        self.push(2.0)
        return out
bank, w = Bank(), torch.ones(4, requires_grad=True)
loss = bank(w)
loss.backward()
"""
CRITIC = """class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor, self.critic = nn.Linear(4, 1), nn.Linear(4, 1)
    def forward(self, x):
        return self.actor(x), self.critic(x)
def train():
    policy = Policy()
    opt = torch.optim.SGD(policy.parameters(), lr=0.1)
    values = torch.zeros(8, 1)
    for _ in range(3):
        with torch.no_grad():
            _, value = policy(x)
            values.copy_(value)
        actor, _ = policy(x)
        loss = (actor - (y - values)).pow(2).mean()
        with torch.no_grad():
            shown, told = policy(x)
        opt.zero_grad()
        loss.backward()
        opt.step()
train()
"""
ROUTER = """class Routed(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(4, 3)
        self.experts = nn.ModuleList(nn.Linear(4, 1) for _ in range(3))
    def forward(self, x):
        top = self.router(x).argmax(dim=-1).clamp(max=1)
        out = torch.zeros(8, 1)
        for i, expert in enumerate(self.experts):
            if (top == i).any():
                out[top == i] = expert(x[top == i])
        return out
def train():
    net = nn.Sequential(nn.Linear(4, 4), Routed())
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        opt.zero_grad()
        (net(x) - y).pow(2).mean().backward()
        opt.step()
train()
"""
QUANTIZER = """class Quantizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.codes = nn.Embedding(3, 2)
    def forward(self, z):
        nearest = torch.cdist(z, self.codes.weight).argmin(1)
        chosen = self.codes(nearest)
        chosen = z + (chosen - z).detach()
        return chosen, (chosen - z.detach()).pow(2).mean()
def train():
    model = nn.Sequential(nn.Linear(4, 2), Quantizer())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        chosen, moved = model(x)
        opt.zero_grad()
        (chosen.mean() + moved).backward()
        opt.step()
train()
"""
GROWING = """net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
total = 0
for _ in range(12):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total = total + loss
print(total.item())
"""


def seen(source):
    run = watched(Path("/program.py"), HEAD + source)
    return run, FindingsReport(run, find(run))


def code(run, line):
    return run.lines.texts[line - 1].strip()


def test_a_write_is_named_where_it_is_done_not_where_it_is_called_for():
    """The innermost function has the line to change; a copy of the data would do as well."""
    run, report = seen(QUEUE)
    [one] = report.found
    assert code(run, one.line) == "self.keys[0] = key"
    text, do = report.sentences(one)
    assert "`bank.keys`" in text and code(run, int(one.fields["first"])) == "out = (w * self.keys).sum()"
    assert one.fields["first"] in do


def test_the_block_without_gradients_is_found_around_the_call_that_leads_to_the_loss():
    """The one around the last call leads nowhere."""
    run, report = seen(CRITIC)
    [one] = report.found
    assert (one.case, code(run, one.line), one.fields["name"]) == (
        "cut",
        "with torch.no_grad():",
        "`policy.critic.*` (2)",
    )
    assert code(run, run.steps[one.step].line) == "_, value = policy(x)"


def test_all_blocks_are_named_that_lead_to_the_loss():
    """Nobody knows which of them is meant."""
    run, report = seen(
        CRITIC.replace("told = policy(x)", "told = policy(x)\n        loss = loss + told.mean()")
    )
    [one] = report.found
    lines = [one.line, int(one.fields["also"])]
    assert one.case == "several" and [code(run, line) for line in lines] == ["with torch.no_grad():"] * 2


def test_of_two_cuts_the_one_is_named_that_can_be_left_out():
    """An argmin has no derivative whatever the program does."""
    run, report = seen(QUANTIZER)
    [one] = report.found
    text, _ = report.sentences(one)
    assert ".detach()" in code(run, one.line) and "argmin" in code(run, int(one.fields["also"]))
    assert "`model.1.codes.weight`" in text


def test_what_a_line_cuts_off_is_apart_from_what_is_not_used():
    """The router gets no gradient because of argmax; some experts get none as nothing chose them."""
    run, report = seen(ROUTER)
    cut, unused = report.found
    assert (code(run, cut.line)[:3], cut.fields["name"]) == ("top", "`net.1.router.*` (2)")
    assert (unused.case, unused.severity) == ("unused", "note")
    assert unused.fields["name"].startswith("`net.1.experts.")


HEADS = """
second = nn.Linear(2, 1)
first = nn.Linear(2, 1)
used = nn.Linear(2, 1)
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters(), *used.parameters()], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    used(torch.ones(1, 2)).sum().backward()
    optimizer.step()
"""


def test_a_leaf_without_a_gradient_is_named_with_the_line_that_makes_it():
    run, report = seen(HEADS)
    [one] = report.found
    assert (one.case, code(run, one.line)) == ("apart", "second = nn.Linear(2, 1)")
    assert one.fields["name"] == "`first.*` (2), `second.*` (2)"


def test_what_grows_is_shown_at_the_step_of_the_line():
    """The step that holds most is another."""
    run, report = seen(GROWING)
    [one] = report.found
    assert run.steps[one.step].line == one.line and code(run, one.line) == "total = total + loss"


def test_what_is_found_does_not_depend_on_the_size_of_the_trace(tmp_path):
    """It's looked for before the recording is shortened, and is shown at a step that's kept."""
    path = tmp_path / "growing.py"
    path.write_text(HEAD + GROWING)
    whole = trace(Program(path), Limits(acts=True))
    short = trace(Program(path), Limits(acts=True, stored=20_000))
    assert len(short.trace.steps) < len(whole.trace.steps) / 2
    (one, *facts), (same, *others) = whole.found, short.found
    assert {each.severity for each in (*facts, *others)} == {Severity.FACT}
    assert (one.name, one.line, one.fields) == (same.name, same.line, same.fields)
    assert short.trace.steps[same.step].line == same.line
    assert trace(Program(path)).found == []


CARRIED = """import torch
from torch import nn
cell, head = nn.GRUCell(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
def step(x, h):
    x = torch.relu(cell.weight_ih.sum()) + x
    h = cell(x, h)
    return head(h), h
def train(chunk, h):
    optimizer.zero_grad()
    loss = 0
    for x in chunk:
        y, h = step(x, h)
        loss = loss + y.pow(2).mean()
    loss.backward()
    optimizer.step()
    return h
h = torch.zeros(2, 4)
for _ in range(3):
    h = train(torch.randn(3, 2, 3), h)
"""


def test_what_is_carried_over_is_named_where_it_goes_on_not_where_a_parameter_is_used_again():
    assert said(CARRIED) == [("fails", "freed_carried", 20)]


ADJOINT = """import torch
from torch import nn
first, last = nn.Linear(3, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*first.parameters(), *last.parameters()], lr=0.1)
forward = torch.randn(3, 3)
def adjoint(y):
    x = torch.zeros(4, 3, requires_grad=True)
    with torch.enable_grad():
        out = x @ forward
    return torch.autograd.grad(out, x, grad_outputs=yMORE)[0]
x = torch.randn(4, 3)
for _ in range(3):
    optimizer.zero_grad()
    back = adjoint(first(x))
    last(back).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("more", "found"), [("", [("wrong", "no_gradient_grad", 10)]), (", create_graph=True", [])])
def test_what_grad_cuts_from_the_gradients_it_is_given_is_told_at_its_line(more, found):
    assert said(ADJOINT.replace("MORE", more)) == found


PREFIX = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.prefix, self.base, self.head = nn.Embedding(2, 4), nn.Linear(4, 4), nn.Linear(4, 1)
    def run(self, x, prefix):
        h = self.base(x + prefix)
        return h.relu()
    def forward(self, x):
        prefix = self.prefix(torch.zeros(3, dtype=torch.long)) * 1.0
        with torch.no_grad():
            h = self.run(x, prefix)
        return self.head(h)
net = Net()
optimizer = torch.optim.SGD([*net.prefix.parameters(), *net.head.parameters()], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(3, 4)).sum().backward()
    optimizer.step()
"""


def test_what_is_used_only_in_a_block_without_gradients_is_cut_there():
    assert ("wrong", "no_gradient_cut", 12) in said(PREFIX)


RETURNED = """import torch
from torch import nn
def masked(x, mask):
    e = torch.exp(x) * mask
    return e / e.sum()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.value = nn.Linear(4, 4), nn.Linear(4, 4)
    def forward(self, x):
        self.alpha = masked(self.score(x), torch.ones(4)).detach()
        return (torch.transpose(self.alpha, 0, 1) @ self.value(x)).sum()
def main():
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for train in (True, False, True):
        with torch.set_grad_enabled(train):
            loss = net(torch.randn(3, 4))
        if train:
            opt.zero_grad()
            loss.backward()
            opt.step()
main()
"""


def test_what_detaches_the_result_of_a_function_is_named_not_a_switch_of_another_pass():
    assert said(RETURNED) == [("wrong", "no_gradient_cut", 11)]


TIED = """import torch
from torch import nn
class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.head = nn.Linear(4, 8), nn.Linear(8, 2)
    def forward(self, x):
        return self.head(self.encoder(x).relu().detach())
actor, critic = Actor(), nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
TIE
optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], lr=0.1)
for _ in range(3):
    x = torch.randn(8, 4)
    optimizer.zero_grad()
    critic(x).pow(2).mean().backward()
    actor(x).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_detached_copy_of_what_is_trained_elsewhere_is_found_where_it_is_copied():
    copied = TIED.replace("TIE", "actor.encoder.weight.data.copy_(critic[0].weight.data)")
    assert ("wrong", "no_gradient_copied", 10) in said(copied)
    shared = TIED.replace("TIE", "actor.encoder = critic[0]").replace("*actor.p", "*actor.head.p")
    assert said(shared) == []


STAGES = """import torch
from torch import nn
first, second = nn.Linear(4, 4), nn.Linear(4, 1)
x = torch.randn(8, 4)
def train(params):
    optimizer = torch.optim.SGD(params, lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        h = first(x)
        if KEEPS:
            h = h.detach()
        second(h).pow(2).mean().backward()
        optimizer.step()
whole = [*first.parameters(), *second.parameters()]
KEEPS = False
train(whole)
KEEPS = LATER
train(whole)
"""


def test_what_one_optimizer_trains_and_a_later_one_only_holds_is_good_to_know_with_its_cut():
    assert said(STAGES.replace("LATER", "True")) == [("note", "no_gradient_held", 11)]
    assert said(STAGES.replace("LATER", "False")) == []


HELD = """import torch
from torch import nn
net, policy = nn.Linear(4, 1), nn.Linear(4, 4)
both = torch.optim.SGD([*net.parameters(), *policy.parameters()], lr=0.1)
own = torch.optim.SGD(policy.parameters(), lr=0.1)
for _ in range(4):
    x = torch.randn(8, 4)
    both.zero_grad()
    net(x).pow(2).mean().backward()
    both.step()
    own.zero_grad()
    act = policy(x)
    clamped = act.clamp(-1, 1)
    act = act - act.detach() + clamped.detach()
    net(act).mean().backward()
    own.step()
"""


def test_a_straight_through_estimator_isnt_what_keeps_a_gradient_from_another_optimizer():
    assert [one for one in said(HELD) if one[1] == "no_gradient_held"] == []


COMPARED = """import torch
x = torch.rand(4, requires_grad=True)
y = x * 2
kept = ((y > 0.5) & (y <= y.detach())).float().detach()
(y * kept).sum().backward()
"""


def test_what_a_comparison_cuts_is_not_blamed_on_a_detach_after_it():
    edges = watched(Path("/program.py"), COMPARED).trace.edges
    assert [one.why for one in edges if one.end[:1] == "p" and one.start[:1] == "n"].count("detach") == 0


PRINTED = """import torch
from torch import nn
body, real, kind = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 3)
every = [*body.parameters(), *real.parameters(), *kind.parameters()]
one, two = torch.optim.SGD(every, lr=0.1), torch.optim.SGD(every, lr=0.1)
for _ in range(3):
    x, y = torch.randn(8, 4), torch.arange(8) % 3
    one.zero_grad()
    loss = real(body(x)).pow(2).mean()
    loss.backward()
    one.step()
    two.zero_grad()
    info = nn.functional.cross_entropy(kind(body(x)), y)
    info.backward()
    two.step()
    print(loss.item(), info.item())
"""


def test_what_is_only_printed_cuts_nothing_off_from_another_optimizer():
    assert [one for one in said(PRINTED) if "held" in one[1]] == []


def test_what_has_no_other_entry_in_its_list_is_not_said_to_be_an_alternative():
    source = """import torch
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.sides = nn.Linear(2, 2), nn.ModuleList([nn.Linear(2, 2)])
    def forward(self, x, side):
        return self.body(x) + (self.sides[0](x) if side else 0)
net = nn.ModuleList([Block(), Block()])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    net[1](net[0](torch.ones(2), False), True).sum().backward()
    optimizer.step()
"""
    _, report = seen(source)
    assert [(one.name, one.case) for one in report.found] == [("no_gradient", "apart")]


def test_what_leads_out_of_torch_after_detach_is_named_with_it():
    source = """import torch
from torch import nn
net, head = nn.Linear(2, 2), nn.Linear(2, 1)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    out = net(torch.ones(2))
    hidden = torch.from_numpy(out.detach().numpy())
    optimizer.zero_grad()
    head(hidden).sum().backward()
    optimizer.step()
"""
    _, report = seen(source)
    [one] = report.found
    assert (one.case, one.fields["by"]) == ("cut", "detach().numpy()")


FRESH = """import torch
from torch import nn
net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    out = net(torch.ones(2))
    LINES
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def test_a_leaf_made_of_what_was_cut_off_before_names_the_cut():
    run, report = seen(FRESH.replace("LINES", "out = out.data\n    loss = out.sum().requires_grad_()"))
    [one] = [one for one in report.found if one.name == "no_gradient"]
    assert (one.case, code(run, one.line), code(run, int(one.fields["also"]))) == ("fresh_cut", "loss = out.sum().requires_grad_()", "out = out.data")


def test_an_unrelated_detach_is_not_said_to_have_cut_a_fresh_leaf():
    lines = "shown = out.detach()\n    value = out.sum().item()\n    loss = torch.tensor(value).requires_grad_()"
    _, report = seen(FRESH.replace("LINES", lines))
    assert [one.case for one in report.found if one.name == "no_gradient"] == ["fresh"]


DROPPED = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.pooler = nn.Linear(4, 1), nn.Linear(4, 4)
    def forward(self, x):
        pooled = self.pooler(x)
        return self.head(USED)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("used", "found"), [("x", [("note", "no_gradient_idle", 8)]), ("pooled", [])])
def test_the_line_whose_result_nothing_uses_is_named(used, found):
    assert said(DROPPED.replace("USED", used)) == found


def test_lines_whose_results_nothing_uses_are_each_told_with_what_they_compute_with():
    merged = "net = Net()\nweight = torch.cat([net.pooler.weight, net.pooler.weight])\nbias = net.pooler.bias * 2\n"
    source = DROPPED.replace("USED", "x").replace("        pooled = self.pooler(x)\n", "").replace("net = Net()\n", merged)
    found = [one for one in seen(source)[1].found if one.case == "idle"]
    assert [(one.line, one.fields) for one in found] == [
        (14, {"name": "net.pooler.weight"}),
        (15, {"name": "net.pooler.bias"}),
    ]


NAN = """import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    part = net(torch.ones(2, 4)).exp()
    MASK
    share = part / part.sum(-1, keepdim=True)
    loss = torch.where(part > 0, share, torch.zeros(1)).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("mask", "has_nan", "cases"),
    [
        ("part = part * torch.tensor([[0.0], [1.0]])", True, ["masked"]),
        ("part = part.clone(); part[0] = 0", False, ["divided"]),
        ("pass", False, []),
    ],
)
def test_a_nan_that_a_mask_keeps_out_of_the_gradients_too_is_not_told_of_them(mask, has_nan, cases):
    run = watched(Path("/program.py"), NAN.replace("MASK", mask))
    gradients = [visit.received for one in run.passes for visit in one.visits if visit.after is not None]
    assert any("nan" in repr(one) for one in gradients) == has_nan
    assert [one.case for one in find(run) if one.name == "nan"] == cases


STOPPED = """import torch
from torch import nn
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    hidden = STEM
    size = hidden.pow(2).sum(1).sqrt()
    optimizer.zero_grad()
    (size.sum() + net(torch.ones(2, 4)).sum()).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("stem", "found"),
    [
        ("(net(torch.ones(2, 4)) - 99).relu()", [("note", "backward_stopped", 7)]),
        ("net(torch.ones(2, 4)) * 0", [("wrong", "backward", 7)]),
        ("net(torch.ones(2, 4)).relu() + 1", []),
    ],
)
def test_a_nan_that_stops_before_it_arrives_anywhere_is_only_good_to_know(stem, found):
    every = find(watched(Path("/program.py"), STOPPED.replace("STEM", stem)))
    assert [(one.severity, one.case, one.line) for one in every if one.name == "nan"] == found


CALLED = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
FREEZE
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(8, 4)
    loss = LOSS
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("cut", [".detach()", ".data"])
def test_what_is_cut_off_where_a_module_is_called_is_named(cut):
    source = CALLED.replace("FREEZE", "pass").replace("LOSS", f"net(x){cut}.pow(2).mean() + net[1].weight.pow(2).sum()")
    assert said(source) == [("wrong", "no_gradient_cut", 8)]


def test_a_loss_of_a_model_that_is_frozen_whole_names_what_froze_it():
    source = CALLED.replace("FREEZE", "net.requires_grad_(False)").replace("LOSS", "net(x).mean()")
    assert said(source) == [("fails", "no_gradient_start_frozen", 4)]


def test_a_leaf_that_a_function_returns_is_named_where_it_is_made():
    source = """import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def loss_of(y):
    wrong = (y > 0).float().mean()
    return wrong.clone().requires_grad_(True)
for _ in range(3):
    optimizer.zero_grad()
    loss = loss_of(net(torch.randn(8, 4)))
    loss.backward()
    optimizer.step()
"""
    assert said(source) == [("wrong", "no_gradient_fresh_cut", 7)]


DETACHED = """import torch
from torch import nn
G, D = nn.Linear(2, 3), nn.Linear(3, 1)
of_g = torch.optim.SGD(G.parameters(), lr=0.1)
of_d = torch.optim.SGD(D.parameters(), lr=0.1)
for _ in range(3):
    fake = G(torch.randn(4, 2)).detach()
    of_d.zero_grad()
    (D(fake) - D(torch.randn(4, 3))).mean().backward()
    of_d.step()
    of_g.zero_grad()
    (-D(FAKE)).mean().backward()
    of_g.step()
"""


def test_a_generator_that_is_only_used_detached_is_found_though_its_graph_is_gone_at_once():
    assert said(DETACHED.replace("FAKE", "fake")) == [("wrong", "no_gradient_cut", 7)]
    assert said(DETACHED.replace("FAKE", "G(torch.randn(4, 2))")) == []


def test_a_parameter_of_a_model_that_a_function_makes_each_time_is_named_as_it_was_then():
    source = """import torch
from torch import nn
class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(2, 1), nn.Linear(2, 1)
    def forward(self, x, both):
        return self.first(x) + self.second(x) if both else self.first(x)
def train(both):
    model = Pair()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(4, 2), both).sum().backward()
        optimizer.step()
train(False)
train(True)
"""
    [one] = find(watched(Path("/program.py"), source))
    assert (one.name, one.case, one.fields["name"]) == ("no_gradient", "apart", "`model.second.*` (2)")


DERIVED = """import torch
x = torch.rand(3, requires_grad=True)
y = (x ** 2).sum()
for order in range(4):
    [y] = torch.autograd.grad(y.sum(), x, create_graph=True)
"""


def test_a_derivative_that_is_constant_cannot_be_differentiated_again():
    assert said(DERIVED) == [("fails", "no_gradient_start_derivative", 5)]


TWICE = """import torch
x = torch.rand(3, requires_grad=True)
y = (x ** 3).sum()
FIRST
total = slope.abs()
SECOND
"""


@pytest.mark.parametrize(
    "first", ["[slope] = torch.autograd.grad(y, x)", "y.backward(); slope = x.grad", "slope = torch.autograd.grad(y, x, retain_graph=True)[0]"]
)
@pytest.mark.parametrize("second", ["torch.autograd.grad(total.sum(), x)", "total.sum().backward()"])
def test_a_gradient_without_a_graph_is_found_where_it_was_computed_when_it_is_differentiated(first, second):
    assert said(TWICE.replace("FIRST", first).replace("SECOND", second)) == [("fails", "no_gradient_start_graph", 4)]


CLAMPED = """import torch
from torch import nn
torch.manual_seed(0)
net, limit = nn.Linear(4, 1), nn.Parameter(torch.tensor(2.0))
optimizer = torch.optim.Adam([*net.parameters(), limit])
for _ in range(40):
    off = net(torch.randn(8, 4)).abs()
    near = off < limit
    optimizer.zero_grad()
    off[near].mean().backward()
    optimizer.step()
    with torch.no_grad():
        limit.clamp_(0.1, 5.0)
"""


def test_a_parameter_that_the_program_only_clamps_is_found_behind_a_comparison_though_not_all_is_watched():
    run = watched(Path("/program.py"), CLAMPED, Limits(acts=True, steps=60))
    assert run.has_gap(-1, len(run.steps))
    assert [(one.case, one.line, one.fields["name"]) for one in find(run)] == [("operation", 8, "limit")]
