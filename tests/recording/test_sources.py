"""From which tensors the result of a statement certainly comes."""

import ast

import pytest
import torch
from torch import nn
from torch.nn import functional

from weaver.recording.lines import asked
from weaver.recording.model import TensorState
from weaver.recording.sources import Reading, detached, results


class Own(nn.Module):
    """A module of a program's own, whose code may do anything."""

    def forward(self, x):
        return torch.zeros(1)


LINEAR, HOOKED = nn.Linear(1, 1), nn.Linear(1, 1)
HOOKED.register_forward_hook(lambda module, given, output: torch.zeros(1))
OBJECTS = {"torch": torch, "F": functional, "f": lambda x: x, "layer": LINEAR, "own": Own(), "hooked": HOOKED}
OBJECTS |= {"net": nn.Sequential(LINEAR), "mixed": nn.Sequential(LINEAR, Own()), "sin": torch.sin}
LEAVES = ("layer.weight", "layer.bias", "net[0].weight", "mixed.0.weight", "own.weight", "hooked.weight")
BEFORE = {name: TensorState(0.0, place=f"p{i}") for i, name in enumerate(["x", "y", "self.w", "batch[0]", "d['k']"])}
BEFORE |= {name: TensorState(0.0, place=f"l{i}") for i, name in enumerate(LEAVES, 10)}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x * 2 + y", "x y"),
        ("-x[0]", "x"),
        ("x > y", "x/a comparison y/a comparison"),
        ("x is y", ""),
        ("self.w.T @ d['k']", "self.w d['k']"),
        ("self", ""),
        ("batch[0] * batch[i]", "batch[0]"),
        ("x.exp().mul(y)", "x y"),
        ("x.view_as(y)", "x"),
        ("x.shape[0] + x.size(0)", ""),
        ("x.new_zeros(3)", ""),
        ("x.item() * 2", "x/item()"),
        ("torch.zeros_like(x)", ""),
        ("torch.where(x > 0, y, 0.0)", "x/a comparison y"),
        ("F.relu(x)", "x"),
        ("sin(x)", "x"),
        ("torch.cat([x, y])", "x y"),
        ("torch.add(x, 1, out=y)", "x"),
        ("torch.autograd.grad(x, y)", "x/autograd.grad()"),
        ("torch.autograd.grad(x, y, create_graph=True)", ""),
        ("f(x)", ""),
        ("f(x) + y", "y"),
        ("x if y else 0", ""),
        ("[one for one in x]", ""),
        ("layer(x)", "x layer.weight layer.bias"),
        ("own(x)", ""),
        ("mixed(x)", ""),
        ("hooked(x)", ""),
        ("x.detach() * y", "x/detach() y"),
        ("(x.detach() + 1).exp()", "x/detach()"),
        ("x.detach() * x", "x"),
        ("x.mul(x.detach())", "x"),
        ("x.data", "x/.data"),
        ("x.detach().numpy() + 1", "x/numpy()"),
        ("torch.tensor([x, y])", "x/torch.tensor() y/torch.tensor()"),
        ("torch.tensor(x.tolist())", "x/tolist()"),
        ("float(x)", "x/float()"),
        ("len(x)", ""),
    ],
)
def test_the_tensors_that_a_value_certainly_comes_from(expression, expected):
    found = Reading(BEFORE, OBJECTS).sources(ast.parse(expression, mode="eval").body)
    assert " ".join(f"{name}/{cut}" if cut else name for name, cut in found.items()) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("a = x", {"a": "x"}),
        ("a = b = x", {"a": "x", "b": "x"}),
        ("a, b = x, y", {"a": "x", "b": "y"}),
        ("a, b = x.max(0)", {"a": "x.max(0)", "b": "x.max(0)"}),
        ("a, *b = x, y", {}),
        ("a: int = x", {"a": "x"}),
        ("self.a[0] = {'k': x, v: y}", {"self.a[0]['k']": "x"}),
        ("a += x", {"a": "a + x"}),
        ("return x, [y]", {"return[0]": "x", "return[1][0]": "y"}),
        ("kept.append(x)", {"kept": "x"}),
        ("print(x)", {}),
    ],
)
def test_where_a_statement_puts_its_results(statement, expected):
    [found] = ast.parse(statement).body if "return" not in statement else ast.parse(f"def f(): {statement}").body[0].body
    assert {name: ast.unparse(value) for name, value in results(found)} == expected


def test_what_a_statement_asks_for_the_gradient_of():
    statements = ast.parse("if x.grad is None: y.grad = net[0].weight.grad").body
    assert asked(statements) == ["x"]
    assert asked(statements[0].body) == ["net[0].weight", "net.0.weight"]


def test_what_a_statement_detaches():
    statements = ast.parse("print(f(x.detach()), self.w.data, f(y).detach(), unknown.detach())").body
    assert sorted(detached(statements, BEFORE)) == ["self.w", "x", "y"]


def test_what_a_function_detaches_is_what_it_was_given():
    statements = ast.parse("[g(v) for v in x], f(y)").body
    assert (detached(statements, BEFORE), detached(statements, BEFORE, {"f"})) == ([], ["y"])
