"""Gradients that are 0 in every step."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.command import LIMITS
from weaver.why.findings import find

ATTENTION = """import torch
from torch import nn
x = torch.randn(8, 5, 4)
score, value = nn.Linear(4, 1), nn.Linear(4, 3)
optimizer = torch.optim.SGD([*score.parameters(), *value.parameters()], lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    weights = score(x).softmax(dim=DIM)
    (weights * value(x)).sum(1).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_softmax_over_a_single_entry_is_found():
    assert said(ATTENTION.replace("DIM", "-1")) == [("wrong", "zero_softmax", 8)]


def test_a_softmax_over_several_entries_is_nothing_wrong():
    assert [one for one in said(ATTENTION.replace("DIM", "1")) if "zero" in one[1]] == []


RATIO = """import torch
from torch import nn
policy = nn.Linear(4, 2)
optimizer = torch.optim.Adam(policy.parameters())
state, advantage = torch.randn(8, 4), torch.randn(8, 1)
for _ in range(4):
    new = policy(state).log_softmax(-1)
    old = OLD
    ratio = (new - old).exp()
    optimizer.zero_grad()
    (ratio * advantage).mean().backward()
    optimizer.step()
"""


def test_gradients_that_cancel_out_are_found_at_their_difference():
    assert ("wrong", "zero_canceled", 9) in said(RATIO.replace("OLD", "policy(state).log_softmax(-1)"))
    assert said(RATIO.replace("OLD", "policy(state).log_softmax(-1).detach()")) == []


ACTED = """import torch
from torch import nn
mean, log_std = nn.Linear(4, 2), nn.Parameter(torch.zeros(2))
optimizer = torch.optim.Adam([*mean.parameters(), log_std])
for _ in range(4):
    policy = torch.distributions.Normal(mean(torch.randn(8, 4)), log_std.exp())
    action = policy.SAMPLE
    chance = policy.log_prob(action).sum(-1)
    optimizer.zero_grad()
    (chance * torch.randn(8)).mean().backward()
    optimizer.step()
"""


def test_of_an_action_that_carries_a_gradient_into_its_own_log_probability_the_mend_is_told():
    assert said(ACTED.replace("SAMPLE", "rsample()")) == [("wrong", "zero_drawn", 8)]
    assert said(ACTED.replace("SAMPLE", "sample()")) == []


CODES = """import torch
from torch import nn
net = nn.Linear(4, 3)
head = nn.Linear(3, 1)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for _ in range(4):
    soft = net(torch.randn(8, 4)).softmax(-1)
    hard = soft.round().detach()
    z = STRAIGHT
    optimizer.zero_grad()
    head(z).pow(2).mean().backward()
    optimizer.step()
"""


def test_gradients_that_cancel_out_before_they_come_to_leaves_are_found_too():
    assert ("wrong", "zero_canceled", 9) in said(CODES.replace("STRAIGHT", "hard - soft + soft"))
    assert said(CODES.replace("STRAIGHT", "hard - soft.detach() + soft")) == []


STRAIGHT = CODES.replace("mean().backward()", "mean().add(soft.pow(2).sum(), alpha=0.1).backward()")


def test_gradients_that_cancel_out_where_another_term_still_trains_are_found_at_the_difference():
    plain = STRAIGHT.replace("soft.pow(2)", "net.weight.pow(2)")
    assert said(plain.replace("STRAIGHT", "hard - soft + soft")) == [("wrong", "zero_straight", 9)]
    assert said(plain.replace("STRAIGHT", "hard - soft + 1 * soft")) == [("wrong", "zero_crossing", 9)]
    assert said(plain.replace("STRAIGHT", "(hard - soft).detach() + soft")) == []
    assert said(STRAIGHT.replace("STRAIGHT", "hard - soft + 1 * soft")) == []  # what arrives isn't 0


@pytest.mark.parametrize("added", ["soft + (hard - soft)", "(hard - soft) + soft", "soft.add(hard - soft)"])
def test_a_difference_added_to_what_it_subtracts_is_found_though_more_gradients_arrive_there(added):
    assert said(STRAIGHT.replace("STRAIGHT", added)) == [("wrong", "zero_straight", 9)]


@pytest.mark.parametrize("added", ["soft + (hard - soft).detach()", "soft.add(hard - soft, alpha=0.5)", "soft + 0.5 * (hard - soft)"])
def test_a_difference_that_is_detached_or_weighted_is_nothing_wrong(added):
    assert said(STRAIGHT.replace("STRAIGHT", added)) == []


DRAWN = """import torch
from torch import nn
net, head = nn.Linear(4, 2), nn.Linear(1, 1)
optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    mean, std = net(torch.ones(8, 4)).sigmoid().split(1, 1)
    z = DRAW
    head(z).pow(2).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "draw, case",
    [
        ("torch.normal(mean, std)", "zero_sampled"),
        ("torch.bernoulli(mean * std)", "zero_sampled"),
        ("(mean * std * 8).round()", "zero_rounded"),
        ("torch.sign(mean + std)", "zero_rounded"),
    ],
)
def test_a_line_that_draws_or_rounds_is_told_by_what_it_does(draw, case):
    assert ("wrong", case, 8) in said(DRAWN.replace("DRAW", draw))


def test_a_sample_made_of_its_parameters_and_noise_is_nothing_wrong():
    assert said(DRAWN.replace("DRAW", "mean + std * torch.randn_like(std)")) == []


STAGES = """import torch
from torch import nn
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.ones(8, 4)).pow(2).mean().backward()
    optimizer.step()
tuner = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    new = net(torch.ones(8, 4)).log_softmax(-1)
    old = new
    tuner.zero_grad()
    (new - old).exp().mean().backward()
    tuner.step()
"""


def test_what_one_optimizer_trains_may_have_gradients_of_zero_in_all_steps_of_another():
    assert ("wrong", "zero_canceled", 14) in said(STAGES)
    assert said(STAGES.replace("old = new", "old = new.detach()")) == []


PLAIN = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(1, 16), ACTIVATION, nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    x = torch.randn(8, 1, requires_grad=True)
    [slope] = torch.autograd.grad(net(x).sum(), x, create_graph=True)
    [bend] = torch.autograd.grad(slope.sum(), x, create_graph=True)
    optimizer.zero_grad()
    (slope - 1 + 0.1 * bend).pow(2).mean().backward()
    optimizer.step()
"""


def test_a_second_derivative_through_a_relu_is_found_to_be_zero():
    found = [one for one in said(PLAIN.replace("ACTIVATION", "nn.ReLU()")) if "second" in one[1]]
    assert found == [("wrong", "zero_second", 8)]
    assert [one for one in said(PLAIN.replace("ACTIVATION", "nn.Tanh()")) if "second" in one[1]] == []


STABLE = """import torch
from torch import nn
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    scores = net(torch.ones(2, 4))
    most = scores.max(1, keepdim=True)[0]
    loss = (most + (scores - most).exp().sum(1, keepdim=True).log()).mean()
    optimizer.zero_grad()
    (loss - scores[0, 0]).backward()
    optimizer.step()
"""


def test_what_gets_its_gradient_on_another_path_may_cancel_out_on_one():
    assert said(STABLE) == []


RARE = """import torch
from torch import nn
first, second = nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))
optimizer = torch.optim.SGD([first, second], lr=0.01)
for i in range(40):
    parts = torch.cat([first * 2, second * 3])
    optimizer.zero_grad()
    parts[USED].pow(2).sum().backward()
    optimizer.step()
"""


def test_a_gradient_that_is_zero_in_the_watched_steps_only_is_nothing_wrong():
    def watched_briefly(used):
        run = watched(Path("/program.py"), RARE.replace("USED", used), replace(LIMITS, looks=300))
        return [one.name for one in find(run)]

    assert watched_briefly("1 - (i == 31):") == []
    assert watched_briefly("1:") == ["zero"]


CLAMPED = """import torch
from torch import nn
net = nn.Linear(1, 1)
nn.init.zeros_(net.weight), nn.init.zeros_(net.bias)
optimizer = torch.optim.SGD(net.parameters(), lr=RATE)
for _ in range(9):
    optimizer.zero_grad()
    loss = (OFFSET - net(torch.ones(4, 1)).clamp(max=1)).mean()
    loss.backward()
    optimizer.step()
"""


def test_an_optimizer_that_gets_only_zeros_from_some_step_on_is_found():
    source = CLAMPED.replace("OFFSET", "3")
    assert said(source.replace("RATE", "0.8")) == [("note", "zero_ended", 10)]
    assert said(source.replace("RATE", "0.01")) == []


def test_with_a_loss_of_zero_nothing_is_left_to_learn():
    assert said(CLAMPED.replace("OFFSET", "1").replace("RATE", "0.8")) == []


ADVANTAGE = """import torch
from torch import nn
one, two = nn.Linear(4, 1), nn.Linear(4, 3)
optimizer = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.1)
for step in range(6):
    advantage = torch.full((2,), float(step))
    optimizer.zero_grad()
    both = one(torch.ones(2, 4)).log_softmax(-1) + two(torch.ones(2, 4)).log_softmax(-1)
    (-both[:, 0] * advantage).sum().backward()
    optimizer.step()
"""


def test_what_makes_gradients_zero_is_looked_for_where_others_are_not():
    assert said(ADVANTAGE) == [("wrong", "zero_softmax", 8)]


def test_a_layer_norm_over_one_element_is_named():
    source = """import torch
from torch import nn
torch.manual_seed(0)
body, norm, head = nn.Linear(4, 1), nn.LayerNorm(1), nn.Linear(1, 1)
optimizer = torch.optim.SGD([*body.parameters(), *norm.parameters(), *head.parameters()], lr=0.1)
x = torch.randn(8, 4)
for _ in range(5):
    optimizer.zero_grad()
    y = body(x)
    y = norm(y)
    (head(y) - x[:, :1]).pow(2).mean().backward()
    optimizer.step()
"""
    assert ("wrong", "zero_norm", 10) in said(source)


def test_of_several_nodes_that_pass_zeros_on_the_last_is_named_around_which_a_gradient_came():
    source = """import torch
from torch import nn
torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
nn.init.constant_(head.bias, -9.0)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for _ in range(5):
    optimizer.zero_grad()
    score = torch.relu(head(body(torch.randn(8, 4))))
    (score.clamp(min=0) + (1 + (-score.abs()).exp()).log()).mean().backward()
    optimizer.step()
"""
    assert said(source) == [("wrong", "zero", 9)]
