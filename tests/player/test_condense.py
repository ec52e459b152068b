"""Tensors as ranges, where a page would be too large."""

import pytest
from support.trace.warm import traced

from weaver.player.condense import condensed
from weaver.player.page import page
from weaver.recording.limits import Limits
from weaver.recording.model import Range

SOURCE = """import torch
w = torch.linspace(-1, 1, 20).requires_grad_()
few = w[:8] * 2
bad = torch.tensor([1.0] * 9 + [float("nan"), float("inf")])
loss = (w.relu() * 3).sum() + few.sum()
loss.backward()
flags = w > 0
"""


def trace_with(**limits):
    return traced("program.py", SOURCE, Limits(acts=True, **limits))[0]


@pytest.mark.parametrize("name", ["w", "bad", "w.grad", "flags"])
def test_a_list_becomes_the_range_that_a_larger_tensor_is(name):
    short, ranged = (trace.steps[-1].tensors[name] for trace in (condensed(trace_with()), trace_with(elements=8)))
    assert short.value == pytest.approx(ranged.value) or vars_of(short.value) == pytest.approx(vars_of(ranged.value), abs=1e-6)


def vars_of(value):
    return [getattr(value, one) for one in ("min", "max", "mean", "nan", "inf") if not isinstance(getattr(value, one), str)]


def test_a_gradient_that_becomes_a_range_counts_its_zeros():
    visits = [event for step in condensed(trace_with()).steps for event in step.events if event.node and event.node[0] == "l"]
    assert [event.after.zero for event in visits] == [2]


def test_few_elements_stay_and_a_state_stays_one_object():
    trace = condensed(trace_with())
    assert isinstance(trace.steps[-1].tensors["few"].value, list)
    assert isinstance(trace.steps[-1].tensors["w"].value, Range)
    assert trace.steps[-1].tensors["few"] is trace.steps[-2].tensors["few"]


def test_a_page_lists_less_before_it_leaves_steps_out():
    trace = trace_with()
    whole = page(trace, SOURCE, "en")
    short = page(trace, SOURCE, "en", limit=len(whole.encode()) - 1)
    assert len(short.encode()) < len(whole.encode())
