"""Every snippet: its output is the expected one, the same for everyone, and on a page."""

import re

import msgspec
import pytest
from support import interpreters
from support.project import ROOT, content, results
from support.sampled import param
from support.shared import kept

from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import names, read
from weaver.pages.expected import verdict
from weaver.problem import shown

FILES = [read(ROOT / f"snippets/{name}.py", name) for name in names(ROOT / "snippets")]
SNIPPETS = [variant for file in FILES for variant in file.variants]
every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
every_snippet = pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet.name)


@pytest.fixture(scope="module")
def anew():
    """What comes of all programs without a cache, with another seed and other hashes, asked nothing."""
    return kept("anew", _run)


def _run():
    with Runner(seed=1) as runner:
        return runner.run(SNIPPETS)


def test_there_are_snippets():
    assert SNIPPETS


@every_file
def test_the_output_is_the_expected_one(file, anew):
    wrong = verdict(file, [anew[one.name] for one in file.variants])
    assert not wrong, "\n".join(wrong)


def test_a_wrapped_model_is_gone_before_its_process_group():
    """Else its end waits for gloo's thread, which may wait for the GIL: one run of a hundred hangs."""
    ends = re.compile(r"^ *dist\.destroy_process_group\(\)", re.M)
    wraps = [file for file in FILES if re.search(r"^model = DistributedData", file.source, re.M)]
    closing = [file for file in wraps if ends.search(file.source)]
    assert closing
    assert [file.name for file in closing if "del model\n" not in ends.split(file.source)[0]] == []


@every_snippet
def test_neither_seeds_nor_hashes_nor_what_pages_ask_change_anything(snippet, anew):
    assert msgspec.structs.replace(results()[snippet.name], answers=()) == anew[snippet.name]


# of the variants that no page shows before a reader chooses them, one in eight in each run
in_each = pytest.mark.parametrize(
    "snippet",
    [
        param(one, id=one.name, each=one.is_own or number % 8 == 0)
        for number, one in enumerate(SNIPPETS)
    ],
)


@in_each
def test_pasted_into_an_interpreter_it_prints_the_same(snippet, anew, request):
    paste = interpreters.fresh if request.config.getoption("fresh") else interpreters.pasted
    here = anew[snippet.name]
    assert interpreters.as_shown(paste(snippet.code), here) == here.output.rstrip("\n")


ODD = {
    "no program": "x = (1,\n",
    "leaves with a sentence": "import sys\nprint(1, end='')\nsys.exit('bye')\n",
    "looks around": "import os, sys\nprint(__name__, sorted(globals()), sys.argv, sys.path[0], os.listdir(), input)\n",
    "raises in its own function": "def f():\n    raise ValueError('a\\nb')\n\n\nf()\n",
    "warns and writes to stderr": "import sys, warnings\nprint('a')\nwarnings.warn('b')\nsys.stderr.write('c')\n",
}
SOME = [
    param(one.code, id=one.name, each=number % 4 == 0)
    for number, one in enumerate(SNIPPETS[::60])
]


@pytest.mark.parametrize("program", [*(param(text, id=name, each=True) for name, text in ODD.items()), *SOME])
def test_a_forked_interpreter_prints_what_a_fresh_one_does(program):
    assert interpreters.pasted(program) == interpreters.fresh(program)


@every_snippet
def test_it_is_narrow_and_short_enough_for_a_phone(snippet):
    lines = snippet.code.splitlines()
    wide = [number for number, line in enumerate(lines, snippet.first_line) if len(line) > 72]
    assert not wide, (
        f"{shown(snippet.path)}:{snippet.line_of_file(wide[0])}: {snippet.noun} has more than 72 columns here. "
        "Break the line."
    )
    assert len(lines) <= 30, (
        f"{shown(snippet.path)}: {len(lines)} lines are more than 30. Show less at a time."
    )


@every_file
def test_it_is_on_the_page_of_its_topic_in_both_languages(file):
    pages = {directive.page for directive in content().directives() if directive.name == file.name}
    page = file.name.split("/")[0].replace("home", "index")
    assert {f"docs/ko/{page}.md", f"docs/en/{page}.md"} <= pages


def test_no_expected_output_is_without_its_snippet():
    outputs = {path.with_suffix(".py") for path in ROOT.glob("snippets/**/*.out")}
    assert outputs == {snippet.path for snippet in SNIPPETS}
