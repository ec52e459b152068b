"""What the view of a trace says of real programs: each sentence is decided by plain runs."""

from pathlib import Path

import pytest
from support.sampled import param
from support.trace.sentences import programs, told, verdicts
from support.trace.warm import traced

from weaver.player import view

IN_EACH_RUN = {"classifier", "dcgan_in_one_file", "closure_and_buffers", "custom_function", "second_backward"}


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    page.add_script_tag(content=view.script())
    yield page
    page.close()


@pytest.fixture(params=[param(one, id=Path(one[0]).stem, each=Path(one[0]).stem in IN_EACH_RUN) for one in programs()])
def program(request):
    """The path and the source of a program."""
    return request.param


def test_no_sentence_about_a_real_program_is_false(page, program):
    trace = traced(*program)[0]
    found, lost, error = verdicts(*program, told(page, trace, program[1]))
    assert lost == []
    assert error == (trace.error and trace.error.partition(":")[0])
    assert [one for one in found if one[-1] is False] == []
    assert sum(one[-1] is True for one in found) > 0.7 * len(found)
