"""A loss that trains the network its target comes from, too."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import find

START = """import copy
import torch
from torch import nn
x, y = torch.randn(8, 4), torch.randn(8, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
slow = copy.deepcopy(net)
optimizer = torch.optim.SGD([*net.parameters()], lr=0.1)
for _ in range(4):
    TARGET
    loss = (net(x) - target).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    UPDATE
"""
BY_HAND = """with torch.no_grad():
        for one, other in zip(slow.parameters(), net.parameters()):
            one.lerp_(other, 0.1)"""


def program(target: str, update: str) -> str:
    return START.replace("TARGET", target).replace("UPDATE", update)


@pytest.mark.parametrize("update", [BY_HAND, "slow.load_state_dict(net.state_dict())"])
def test_a_target_that_the_loss_reaches_is_found_where_it_is_computed(update):
    assert ("wrong", "target", 9) in said(program("target = y + 0.9 * slow(x)", update))


@pytest.mark.parametrize(
    "target, update",
    [
        ("target = y + 0.9 * slow(x).detach()", BY_HAND),
        ("target = y + 0.9 * slow(x).detach()", "slow.load_state_dict(net.state_dict())"),
        ("target = y", "net.load_state_dict(net.state_dict())"),  # such as the best weights so far
    ],
)
def test_a_target_without_gradients_is_nothing_wrong(target, update):
    assert said(program(target, update)) == []


ATTACK = """def attack(target):
    noise = torch.zeros(8, 4, requires_grad=True)
    torch.autograd.grad(nn.functional.mse_loss(net(x + noise), target), noise, retain_graph=True)
"""
OWN = START.replace("(net(x) - target).pow(2).mean()", "nn.functional.mse_loss(net(x), target)").replace("UPDATE", "")


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("target = y + 0.9 * net(x + 1)", [("wrong", "target_own", 10)]),
        ("target = y + 0.9 * net(x + 1).detach()", []),
        ("target = y + 0.9 * slow(x)", []),  # which nothing trains
        ("target = y + 0.9 * net(x + 1); attack(target)", [("wrong", "target_own", 10)]),  # not where it's attacked
    ],
)
def test_a_target_from_what_the_loss_trains_is_found(target, found):
    source = OWN.replace("TARGET", target)
    if "attack" in target:
        source = source.replace("for _ in", f"{ATTACK}for _ in")
        found = [(kind, name, line + 3) for kind, name, line in found]
    assert [one for one in said(source) if one[1].startswith("target")] == found


BELLMAN = """import torch
from torch import nn
q, actor = nn.Linear(4, 1), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*q.parameters(), *actor.parameters()], lr=0.1)
for _ in range(4):
    value = q(torch.randn(8, 4))
    td_target = 1 + 0.9 * NEXT
    loss = LOSS
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
DIFFERENCE = "(value - td_target).pow(2).mean()"


@pytest.mark.parametrize(
    ("next", "loss", "found"),
    [
        ("q(torch.randn(8, 4))", DIFFERENCE, [("wrong", "target_difference", 8)]),
        ("q(torch.randn(8, 4)).detach()", DIFFERENCE, []),
        ("q(torch.randn(8, 4))", "nn.functional.mse_loss(value, td_target)", [("wrong", "target_own", 8)]),
        ("actor(torch.randn(8, 4))", "nn.functional.mse_loss(value, td_target)", [("wrong", "target_trained", 8)]),
        ("actor(torch.randn(8, 4)).detach()", "nn.functional.mse_loss(value, td_target)", []),
    ],
)
def test_a_target_that_carries_a_gradient_is_found_in_a_difference_and_in_a_loss(next, loss, found):
    told = said(BELLMAN.replace("NEXT", next).replace("LOSS", loss))
    assert [one for one in told if "target" in one[1]] == found


def test_returns_that_carry_a_gradient_are_a_target_too():
    source = BELLMAN.replace("LOSS", DIFFERENCE).replace("td_target", "returns")
    told = [said(source.replace("NEXT", next)) for next in ("q(torch.randn(8, 4))", "q(torch.randn(8, 4)).detach()")]
    assert [[one for one in each if "target" in one[1]] for each in told] == [[("wrong", "target_difference", 8)], []]


@pytest.mark.parametrize(("called", "found"), [("td_target", [("wrong", "target_difference", 2)]), ("other", [])])
def test_a_helpers_argument_is_a_target_if_what_it_is_called_with_is(called, found):
    helper = "import torch\ndef distance(input, target): return (input - target).pow(2).mean()\n"
    source = BELLMAN.replace("NEXT", "q(torch.randn(8, 4))").replace("LOSS", "distance(value, td_target)")
    told = said(helper + source.replace("td_target", called))
    assert [one for one in told if "target" in one[1]] == found


def test_two_outputs_that_a_loss_brings_together_are_good_to_know():
    source = BELLMAN.replace("td_target", "other").replace("NEXT", "actor(torch.randn(8, 4))")
    assert ("note", "target_trained", 8) in said(source.replace("LOSS", "nn.functional.mse_loss(value, other)"))
    assert said(source.replace("LOSS", "(value - other).pow(2).mean()")) == []


POLICY = """import torch
from torch import nn
policy, critic = nn.Linear(4, 2), nn.Linear(4, 1)
MAKE
for _ in range(4):
    state = torch.randn(8, 4)
    advantage = torch.randn(8, 1) - critic(state)CUT
    log_prob = policy(state).log_softmax(-1)
    loss = -(log_prob * advantage).mean()
    for one in optimizers:
        one.zero_grad()
    loss.backward()
    optimizers[0].step()
"""
ONE = "optimizers = [torch.optim.Adam([*policy.parameters(), *critic.parameters()])]"


def test_an_advantage_that_carries_a_gradient_is_found_in_a_policys_loss():
    source = POLICY.replace("MAKE", ONE)
    assert ("wrong", "target_weight", 9) in said(source.replace("CUT", ""))
    assert not [one for one in said(source.replace("CUT", ".detach()")) if "target" in one[1]]


def test_a_teacher_that_carries_a_gradient_is_found_in_a_product_with_log_probabilities():
    source = POLICY.replace("MAKE", ONE).replace("advantage", "teacher_probs").replace("torch.randn(8, 1) - critic(state)", "critic(state).sigmoid()")
    assert ("wrong", "target_weight", 9) in said(source.replace("CUT", ""))
    assert not [one for one in said(source.replace("CUT", ".detach()")) if "target" in one[1]]


def test_a_baseline_that_carries_a_gradient_is_found_in_a_difference_without_a_name():
    source = POLICY.replace("MAKE", ONE).replace("advantage = torch.randn(8, 1) - critic(state)CUT", "value = critic(state)CUT")
    source = source.replace("log_prob * advantage", "(torch.randn(8, 1) - value) * log_prob")
    run = watched(Path("/program.py"), source.replace("CUT", ""))
    assert [one.fields["call"] for one in find(run) if one.case == "weight"] == ["value.detach()"]
    assert not [one for one in said(source.replace("CUT", ".detach()")) if "target" in one[1]]


FOLLOWER = """import copy
import torch
from torch import nn
net = nn.Linear(4, 1)
target_net = copy.deepcopy(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(24):
    with torch.no_grad():
        goal = 0.9 * target_net(torch.ones(8, 4)) + 1
    optimizer.zero_grad()
    (net(torch.ones(8, 4)) - goal).pow(2).mean().backward()
    optimizer.step()
    UPDATE
"""


def test_a_target_network_that_never_changes_is_good_to_know():
    found = said(FOLLOWER.replace("UPDATE", "target_net.state_dict().update(net.state_dict())"))
    assert found == [("note", "target_still", 5)]
    first = FOLLOWER.replace("optimizer =", "target_net.load_state_dict(net.state_dict())\noptimizer =", 1)
    assert said(first.replace("UPDATE", "pass")) == [("note", "target_still", 5)]
    assert said(FOLLOWER.replace("UPDATE", "target_net.load_state_dict(net.state_dict())")) == []
    assert said(FOLLOWER.replace("UPDATE", "target_net.weight.data.lerp_(net.weight.data, 0.1)")) == []


UNSEEN = """import torch
from torch import nn
net = nn.Linear(1, 1)
def made():
    target_net = nn.Linear(1, 1)
    return target_net
goal = made().forward
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(30):
    optimizer.zero_grad()
    (net(torch.ones(2, 1)) - goal(torch.ones(2, 1))).pow(2).mean().backward()
    optimizer.step()
    UPDATE
"""


def test_a_target_network_that_nobody_sees_in_the_end_is_not_said_to_stay():
    def found(source):
        return [line for _, name, line in said(source) if name == "target_still"]

    update = "goal.__self__.weight.data.lerp_(net.weight.data, 0.1)"
    seen = UNSEEN.replace("goal = made().forward", "target_net = made()").replace("goal(", "target_net(")
    assert (found(UNSEEN.replace("UPDATE", update)), found(seen.replace("UPDATE", "pass"))) == ([], [5])


MATCHING = """import torch
from torch import nn
made, judge = nn.Linear(4, 4), nn.Linear(4, 3)
one = torch.optim.SGD(made.parameters(), lr=0.1)
two = torch.optim.SGD(judge.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(8, 4)
    target = judge(torch.randn(8, 4))
    one.zero_grad()
    (judge(made(x)) - target).pow(2).mean().backward()
    one.step()
    RESET
    judge(torch.randn(8, 4)).pow(2).mean().backward()
    two.step()
"""


def test_a_target_is_constant_for_what_a_pass_trains_if_the_gradients_of_the_others_are_reset():
    assert [one for one in said(MATCHING.replace("RESET", "two.zero_grad()")) if "target" in one[1]] == []
    assert ("wrong", "target_difference", 10) in said(MATCHING.replace("RESET", ""))


WEIGHED = """import torch
from torch import nn
actor, critic = nn.Linear(4, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD(actor.parameters(), lr=0.1)
optimizer_c = torch.optim.SGD(critic.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(5, 4)
    logp = torch.log_softmax(actor(x), 1)[:, 0]
    weights = WEIGHTS
    loss = (-logp * len(weights) * weights).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    optimizer_c.zero_grad()
    critic(actor(x).detach()).pow(2).mean().backward()
    optimizer_c.step()
"""


@pytest.mark.parametrize(
    ("weights", "found"),
    [
        ("torch.softmax(critic(actor(x)).squeeze(-1), 0)", [("wrong", "target_weight", 10)]),
        ("torch.softmax(critic(actor(x)).squeeze(-1), 0).detach()", []),
        ("(1 - logp.exp()) ** 2", []),
    ],
)
def test_weights_of_log_probabilities_that_come_from_a_critic_and_the_policy_are_found(weights, found):
    assert [one for one in said(WEIGHED.replace("WEIGHTS", weights)) if one[1].startswith("target")] == found


NEXT = """import torch
from torch import nn
net, code = nn.Linear(4, 4), nn.Linear(4, 4)
optimizer = torch.optim.SGD([*net.parameters(), *code.parameters()], lr=0.1)
for _ in range(3):
    z, z_next = code(torch.randn(8, 4)), code(torch.randn(8, 4))
    NAME = z + net(z)
    loss = (OTHER - NAME).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("name", "other"), [("z_hat_next", "z_next"), ("z_hat_next", "z"), ("next_pred", "z")])
def test_a_prediction_of_what_comes_next_is_no_target(name, other):
    assert said(NEXT.replace("NAME", name).replace("OTHER", other)) == []
