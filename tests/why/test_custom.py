"""Custom functions that don't use the gradient they receive."""

import pytest
from support.why import said

SOURCE = """import torch
from torch import nn
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return RETURNED
net = nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    LOSS.backward()
    optimizer.step()
"""
INNER = "Square.apply(net(torch.ones(2, 4))).mean()"
LAST = "Square.apply(net(torch.ones(2, 4)).mean())"


@pytest.mark.parametrize(("loss", "severity"), [(INNER, "wrong"), (LAST, "note")], ids=["inner", "loss"])
def test_a_backward_that_ignores_what_it_receives_is_found(loss, severity):
    source = SOURCE.replace("RETURNED", "2 * x").replace("LOSS", loss)
    assert said(source) == [(severity, "custom", 11)]


@pytest.mark.parametrize("returned", ["(2 * x).to(grad_output.device)", "x.expand(grad_output.shape)", "x.view(grad_output.size())"])
def test_a_backward_that_only_asks_what_it_receives_for_its_shape_or_device_ignores_it(returned):
    assert said(SOURCE.replace("RETURNED", returned).replace("LOSS", INNER)) == [("wrong", "custom", 11)]


@pytest.mark.parametrize("returned", ["2 * x * grad_output", "grad_output.clamp(-1, 1)", "None"])
def test_a_backward_that_uses_it_or_passes_nothing_is_nothing_wrong(returned):
    found = said(SOURCE.replace("RETURNED", returned).replace("LOSS", INNER))
    assert not [one for one in found if one[1] == "custom"]


SCALED = """import torch
from torch import nn
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x * weight
    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        return grad_output * weight, RETURNED
net, scale = nn.Linear(4, 4), nn.Parameter(torch.ones(4))
optimizer = torch.optim.SGD([*net.parameters(), scale], lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    (Scale.apply(net(torch.ones(2, 4)), scale).mean() + OTHER).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("returned", "other", "found"),
    [
        ("None", "0", [("wrong", "custom_none", 11)]),
        ("None", "scale.pow(2).sum()", []),  # a gradient arrives on another path
        ("(grad_output * x).sum(0)", "0", []),
    ],
)
def test_a_backward_that_returns_none_for_what_should_learn_is_found(returned, other, found):
    assert said(SCALED.replace("RETURNED", returned).replace("OTHER", other)) == found
