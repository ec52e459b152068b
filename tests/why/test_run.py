"""What findings ask of a run and its text."""

from contextlib import suppress
from pathlib import Path

import pytest
from support.why import watched

from weaver.recording.acts import Act
from weaver.recording.model import Range, Step, Trace
from weaver.why import findings
from weaver.why.findings import find
from weaver.why.findings.broadcast import is_crossed
from weaver.why.run import WatchedRun
from weaver.why.values import has, is_zero

GUARDED = """import torch
@torch.no_grad()
def f(x):
    return x
with torch.inference_mode():
    with open("log") as log:
        y = f(1)
z = f(2)
"""


@pytest.mark.parametrize(
    ("line", "guard", "by"), [(4, 2, "torch.no_grad()"), (7, 5, "torch.inference_mode()"), (8, None, "")]
)
def test_the_line_that_switches_recording_off_is_found_around_another(line, guard, by):
    run = WatchedRun(Trace("", ""), GUARDED)
    assert run.guard(line) == guard
    assert run.switched_by(line) == by


@pytest.mark.parametrize(
    ("left", "right", "crossed"),
    [
        ((8, 1), (8,), True),
        ((8,), (8, 1), True),
        ((2, 8, 1), (8,), True),
        ((8, 1), (8, 1), False),
        ((8, 3), (3,), False),
        ((1, 1), (1,), False),
        ((4, 5, 1), (7, 5), False),
    ],
)
def test_a_column_and_a_row_are_crossed(left, right, crossed):
    assert is_crossed(left, right) is crossed


def test_a_finding_is_shown_at_the_first_step_of_its_line_that_was_kept():
    steps = [Step(line, 0, None, "", {}) for line in (1, 3, 2, 3)]
    for line, at in ((3, 1), (9, 3)):
        act = Act("loss", line, -1, shapes=((8, 1), (8,)))
        [found] = find(WatchedRun(Trace("", "", steps=steps, acts=[act]), ""))
        assert (found.name, found.step) == ("broadcast", at)


def test_values_are_searched_at_any_depth():
    assert has([[1.0, "nan"]], "nan") and not has([[1.0, "inf"]], "nan")
    assert has(Range((9,), 0.0, 1.0, nan=1), "nan") and not has(Range((9,), 0.0, 1.0), "nan")
    assert is_zero([[0.0], [0.0]]) and is_zero(Range((9,), 0.0, 0.0))
    assert not is_zero([]) and not is_zero(None) and not is_zero([0.0, "nan"])


def test_a_way_to_find_something_that_fails_loses_nothing_that_others_find(monkeypatch):
    def broken(run):
        raise IndexError

    monkeypatch.setattr(findings, "FINDINGS", (broken, *findings.FINDINGS))
    run = watched(Path("/program.py"), "import torch\nx = torch.ones(2)\nx.sum().backward()\n")
    assert [one.line for one in find(run, suppress(Exception))] == [3]
    with pytest.raises(IndexError):
        find(run)
