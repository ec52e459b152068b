"""Labs beside the work of their caller: what is kept, what is stopped, and that no fault sticks."""

import time

import pytest
from support.project import answer, processes, query

from weaver.execution.labs import runner
from weaver.execution.labs.model import Lab, printed
from weaver.execution.labs.runner import Labs

ENDLESS = Lab("labs/it", ("while True:\n    pass\n",))
SHORT = Lab("labs/it", ("print(1)\n",))


@pytest.fixture
def labs(tmp_path):
    labs = Labs(tmp_path)
    yield labs
    labs.close()


@pytest.mark.parametrize("seconds", [0, 0.1, 3], ids=["at once", "while it starts", "while it runs"])
def test_closing_ends_what_runs(labs, seconds):
    labs.request([(ENDLESS, [])])
    time.sleep(seconds)
    began = time.monotonic()
    labs.close()
    assert labs.results()["labs/it"].failure
    assert time.monotonic() - began < 10


def test_a_lab_that_changes_while_it_runs_is_stopped_and_one_that_is_gone_is_not_waited_for(labs):
    labs.request([(ENDLESS, []), (Lab("labs/gone", ENDLESS.cells), [])])
    time.sleep(1)
    labs.request([(SHORT, [])])
    assert labs.results().keys() == {"labs/it"}
    assert "1\n" in labs.results()["labs/it"].html[0]


def test_what_has_run_is_not_run_again_in_this_process_nor_in_the_next(labs, tmp_path):
    for again in (labs, labs, Labs(tmp_path)):
        again.request([(SHORT, [])])
        assert again.results()["labs/it"].failure is None
    assert (labs.ran, again.ran) == (1, 0)
    again.close()


def test_a_fault_of_the_machine_is_a_sentence_and_is_tried_again(labs, monkeypatch):
    def full(*arguments, **options):
        raise OSError("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(runner.subprocess, "Popen", full)
        labs.request([(SHORT, [])])
        assert (
            labs.results()["labs/it"].failure == "could not be run: No space left on device. Build once more."
        )
    labs.request([(SHORT, [])])
    assert labs.results()["labs/it"].failure is None


def test_what_changes_the_code_or_what_is_asked_runs_anew(labs):
    for asked in (SHORT, []), (SHORT, [query("text:x")]), (Lab("labs/it", ("print(2)\n",)), []):
        before = labs.ran
        labs.request([asked])
        labs.results()
        assert labs.ran == before + 1


CELLS = {
    "import os, subprocess\nos.system('echo a')\nsubprocess.run(['echo', 'b'])\nprint('c')\n": None,
    "while True:\n    print('x' * 1000)\n": "prints more than 1 MiB, the limit. Print less.",
    "import subprocess\np = subprocess.Popen(['sleep', '61.7'], start_new_session=True)\n": "left a process running after its last cell.",
    "open('a', 'w').close()\n": "writes into its working directory: a.",
    "import random\nprint(random.random())\n": "draws random numbers from random without a seed",
    "import numpy\nprint(numpy.random.rand())\n": "draws random numbers from numpy without a seed",
    "import torch\nprint(torch.rand(1))\n": "draws random numbers from torch without a seed",
    "import random, torch\nrandom.seed(0)\ntorch.manual_seed(0)\nprint(random.random(), torch.rand(1))\n": None,
    "if True:\n    !ls\n": "raises SyntaxError",
    "print?\n": "raises SyntaxError",
    "x = !ls\n": "raises SyntaxError",
    "exit()\n": "raises SystemExit",
    "from IPython.display import display\ndisplay({'text/plain': 1}, raw=True)\n": "gives as text/plain what is no text",
    "import asyncio\nawait asyncio.sleep(0)\nprint(1)\n": None,
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limits")
    labs = Labs(folder, limit=60)
    labs.request([(Lab(f"labs/l{number}", (code,)), []) for number, code in enumerate(CELLS)])
    yield [labs.results()[f"labs/l{number}"] for number in range(len(CELLS))]
    labs.close()
    assert list((folder / "runs").iterdir()) == []


@pytest.mark.parametrize("number", range(len(CELLS)), ids=[repr(code)[1:40] for code in CELLS])
def test_a_lab_obeys_the_limits_of_snippets(outcomes, number):
    sentence, failure = list(CELLS.values())[number], outcomes[number].failure
    assert failure is None if sentence is None else (failure or "").startswith(sentence), failure


def test_what_a_childs_process_prints_is_part_of_the_output(outcomes):
    assert printed(outcomes[0].outputs[0]) == "a\nb\nc\n"


def test_nothing_that_a_cell_started_outlives_the_lab(outcomes):
    assert processes("61.7", "cmdline") == []


def test_no_value_of_a_lab_changes_another_and_what_hangs_is_itself_to_blame(tmp_path):
    asked = ["text:x.append(1)", "text:len(x)", "text:__import__('time').sleep(60)", "text:'y' * 70_000"]
    labs = Labs(tmp_path, limit=8)
    labs.request([(Lab("labs/it", ("x = []\n",)), list(map(query, asked)))])
    outcome = labs.results()["labs/it"]
    labs.close()
    assert [answer(outcome, one) for one in asked] == [
        ("None", None),
        ("0", None),
        (None, "it takes longer than 8 s"),
        (None, "it gives 70,000 characters, more than 65,536. Ask for less"),
    ]
