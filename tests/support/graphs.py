"""The programs in `tests/cases/graphs`, and what is recorded of each."""

from functools import cache

import pytest

from support.project import answer, ask, cases
from weaver.graph.recorded import Graph, read

PROGRAMS = {program.name: program for program in cases("graphs")}
ASKED = {
    "create_graph": "g",
    "max_along_a_dimension": "z, indices",
    "a_deep_network": "loss",
    "an_inference_tensor": "y",
    "integers": "y",
    "a_step_of_an_optimizer": "loss",
    "a_write_through_data": "z, c",
    "a_backward_from_the_middle": "z, y",
    "a_mask_made_in_forward": "z, mask",
}
DRAWABLE = sorted(PROGRAMS.keys() - {"ten_thousand_nodes"})
every_program = pytest.mark.parametrize("name", DRAWABLE)


@cache
def recorded(name, variables=None):
    """Return what was recorded of a program in `cases/graphs`, run as the build runs it."""
    look = f"graph:{variables or ASKED.get(name, 'z')}"
    result = ask(PROGRAMS[name], look)
    assert result.failure is None
    text, error = answer(result, look)
    assert error is None, error
    return text


def graph(name, variables=None):
    return read(recorded(name, variables), Graph)
