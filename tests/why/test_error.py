"""Errors that the site explains: each of its programs that fail is explained by the section that shows it."""

import re

import pytest
from support.project import ROOT, content
from support.sampled import param
from support.why import said

from weaver.why.errors import ERRORS, case, section_of

SHOWN = re.compile(r"\{\{ error (\S+)")
OWN_BACKWARD = """import torch
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        return x * factor
    @staticmethod
    def backward(ctx, grad):
        return grad * 2
x = torch.ones(2, requires_grad=True)
loss = Double.apply(x, 2).sum()
loss.backward()
"""


def program(place: str) -> str:
    """Return the program whose error a section begins with."""
    name, _, id = place.partition("#")
    [start] = [one.line for one in content().pages["en"][f"{name}.md"].headings if one.id == id]
    lines = (ROOT / f"docs/en/{name}.md").read_text("utf-8").splitlines()[start:]
    [snippet] = [found[1] for line in lines[:3] if (found := SHOWN.match(line))]
    return (ROOT / f"snippets/{snippet}.py").read_text("utf-8")


@pytest.mark.parametrize("place", [param(one, each="leaf#" in one, id=case(one)) for one in ERRORS])
def test_the_error_of_a_section_is_explained_by_it(place):
    kind = [kind for severity, kind, _ in said(program(place)) if severity == "fails"]
    assert kind == [f"error_{case(place)}"]


def test_a_backward_that_returns_too_little_is_named_and_not_the_call_of_the_engine():
    assert said(OWN_BACKWARD) == [("fails", "error_e18_number_of_gradients", 8)]


def test_an_error_that_a_finding_explains_is_not_explained_twice():
    twice = "import torch\nw = torch.ones(1, requires_grad=True)\nloss = w.exp().sum()\nloss.backward()\nloss.backward()\n"
    assert [kind for _, kind, _ in said(twice) if kind.startswith("error")] == []


def test_an_error_of_the_program_itself_has_no_section():
    assert section_of("ValueError: too many values to unpack (expected 2)") is None
