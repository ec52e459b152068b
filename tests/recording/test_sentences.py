"""What the view of a trace says of real programs and of the site's: each sentence is decided by plain runs."""

from collections import Counter
from pathlib import Path

import pytest
from support.sampled import param
from support.trace.sentences import REAL, problems, programs, snippets

from weaver.player import view

IN_EACH_RUN = {"classifier", "dcgan_in_one_file", "closure_and_buffers", "custom_function", "second_backward"}
IN_EACH_RUN |= {"no_gradient", "in_place_between_backwards", "nan_found", "many_parameters", "hooks_and_activations"}


def name(path):
    """Return the name of a program: of the folder, if it is in one of its own."""
    path = Path(path)
    return path.parent.name if path.stem in ("main", "train") else path.stem


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    page.add_script_tag(content=view.whole_script())
    yield page
    page.close()


@pytest.fixture(params=[param(one, id=name(one[0]), each=name(one[0]) in IN_EACH_RUN) for one in programs()])
def program(request):
    """The path and the source of a real program."""
    return request.param


@pytest.fixture(params=[param(one, id=str(number), each=number % 250 == 0) for number, one in enumerate(snippets())])
def snippet(request):
    """The path and the source of one of the site's programs."""
    return request.param


def test_no_sentence_about_a_real_program_is_false(page, program):
    counts = Counter()
    assert list(problems(page, *program, counts)) == []
    assert sum(n for (_, verdict), n in counts.items() if verdict) > 0.7 * counts.total()


def test_no_sentence_about_a_program_of_the_site_is_false(page, snippet):
    assert list(problems(page, *snippet, Counter())) == []


def test_there_are_many_real_programs():
    assert len(programs()) >= 40
    assert {path.parent.name for path in REAL.rglob("main.py")} >= {"cnn", "dqn", "gan"}
