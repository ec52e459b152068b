"""Labs beside the work of their caller: what is kept, what is stopped, and that no fault sticks."""

import zlib

import pytest
from support.project import answer, processes, query
from support.shared import folder, kept
from support.wait import wait_for

from weaver.execution.cache import Cache
from weaver.execution.labs import runner
from weaver.execution.labs.model import Lab, printed
from weaver.execution.labs.runner import Labs

ENDLESS = Lab("labs/it", ("import os\nos.mkdir('began')\nwhile True:\n    pass\n",))
SHORT = Lab("labs/it", ("print(1)\n",))


@pytest.fixture
def labs(tmp_path):
    labs = Labs(tmp_path)
    yield labs
    labs.close()


def test_fonts_are_listed_before_the_first_cell_of_a_lab_that_draws(labs):
    """Otherwise matplotlib says in the cell that it lists them, on a machine where that takes long."""
    code = "import sys\nprint(any(name.endswith('font_manager') for name in sys.modules))\n"
    labs.request([(Lab("labs/draws", (code, "import matplotlib\n")), []), (Lab("labs/not", (code,)), [])])
    texts = [outcome.outputs[0][0]["text"] for outcome in labs.results().values()]
    assert texts == ["True\n", "False\n"]


@pytest.mark.parametrize("sign", [".", "runs/*", "runs/*/work/began"], ids=["at once", "while it starts", "while it runs"])
def test_closing_ends_what_runs(labs, tmp_path, sign):
    labs.request([(ENDLESS, [])])
    wait_for(lambda: list(tmp_path.glob(sign)) if sign != "." else True)
    labs.close()
    failure = labs.results()["labs/it"].failure
    assert failure and "processor time" not in failure


def test_a_cell_that_does_nothing_is_stopped_and_so_is_one_whose_child_is_busy(labs):
    cells = {
        "time.sleep(1000)": "did nothing for 6 s. Remove what it waits for, or increase `lab_limit` in mkdocs.yml.",
        "subprocess.run([sys.executable, '-c', 'while True: pass'])": "used 2 s of processor time. Make it finish, or increase `lab_limit` in mkdocs.yml.",
    }
    labs.limit = 2
    labs.request([(Lab(f"labs/l{len(code)}", ("import subprocess, sys, time\n", code)), []) for code in cells])
    assert [(one.failed, one.failure) for one in labs.results().values()] == [(2, said) for said in cells.values()]


def test_a_lab_that_changes_while_it_runs_is_stopped_and_one_that_is_gone_is_not_waited_for(labs, tmp_path):
    labs.request([(ENDLESS, []), (Lab("labs/gone", ENDLESS.cells), [])])
    wait_for(lambda: list(tmp_path.glob("runs/*")))
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
            labs.results()["labs/it"].failure == "couldn't be run: No space left on device. Build again."
        )
    labs.request([(SHORT, [])])
    assert labs.results()["labs/it"].failure is None


def test_what_changes_the_code_or_what_is_asked_runs_anew(labs):
    for asked in (SHORT, []), (SHORT, [query("text:x")]), (Lab("labs/it", ("print(2)\n",)), []):
        before = labs.ran
        labs.request([asked])
        labs.results()
        assert labs.ran == before + 1


MARK = f"6161.{zlib.crc32(str(folder()).encode())}"  # seconds that nothing else on this machine sleeps
CELLS = {
    "import os, subprocess\nos.system('echo a')\nsubprocess.run(['echo', 'b'])\nprint('c')\n": None,
    "while True:\n    print('x' * 1000)\n": "prints more than 1 MiB, the limit. Print less.",
    f"import subprocess\np = subprocess.Popen(['sleep', '{MARK}'], start_new_session=True)\n": "left a process running after its last cell.",
    "open('a', 'w').close()\n": "writes into its working directory: a.",
    "import random\nprint(random.random())\n": "draws random numbers from random without a seed",
    "import numpy\nprint(numpy.random.rand())\n": "draws random numbers from numpy without a seed",
    "import torch\nprint(torch.rand(1))\n": "draws random numbers from torch without a seed",
    "import random, torch\nrandom.seed(0)\ntorch.manual_seed(0)\nprint(random.random(), torch.rand(1))\n": None,
    "if True:\n    !ls\n": "raises SyntaxError",
    "print?\n": "raises SyntaxError",
    "x = !ls\n": "raises SyntaxError",
    "exit()\n": "raises SystemExit",
    "from IPython.display import display\ndisplay({'text/plain': 1}, raw=True)\n": "returns something that isn't text as text/plain",
    "import asyncio\nawait asyncio.sleep(0)\nprint(1)\n": None,
    "import os\nos.rmdir(os.getcwd())\n": "removes its working directory. Keep that folder.",
    "from IPython.display import display\ndisplay({'image/png': 'AAAA', 'image/svg+xml': '', 'text/plain': ''}, raw=True)\n": "returns image/png, image/svg+xml, which a page can't show.",
    "import no_such_package.part\n": "imports `no_such_package`, which isn't installed. Install the package that provides it, and add it to the site's requirements.",
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    return kept("limits of labs", lambda: _outcomes(tmp_path_factory.mktemp("limits")))


def _outcomes(folder):
    labs = Labs(folder, limit=60)
    labs.request([(Lab(f"labs/l{number}", (code,)), []) for number, code in enumerate(CELLS)])
    found = [labs.results()[f"labs/l{number}"] for number in range(len(CELLS))]
    labs.close()
    assert list((folder / "runs").iterdir()) == []
    return found


@pytest.mark.parametrize("number", range(len(CELLS)), ids=[repr(code)[1:40] for code in CELLS])
def test_a_lab_obeys_the_limits_of_snippets(outcomes, number):
    sentence, failure = list(CELLS.values())[number], outcomes[number].failure
    assert failure is None if sentence is None else (failure or "").startswith(sentence), failure


def test_what_bypasses_print_keeps_its_place(tmp_path):
    labs = Labs(tmp_path)
    cell = "import os\nprint('a')\n_ = os.write(1, 'ä\\n'.encode())\nprint('b')\n_ = os.system('echo c')\n"
    labs.request([(Lab("labs/it", (cell, "print('d')\n")), [])])
    outcome = labs.results()["labs/it"]
    labs.close()
    assert list(map(printed, outcome.outputs)) == ["a\nä\nb\nc\n", "d\n"]


def test_an_outcome_that_was_forged_in_the_cache_is_not_there(labs, tmp_path):
    labs.request([(SHORT, [])])
    labs.results()
    [kept] = [path for path in tmp_path.iterdir() if path.is_file()]
    Cache(tmp_path).write(kept.name, b"[]")
    again = Labs(tmp_path)
    again.request([(SHORT, [])])
    assert (again.results()["labs/it"].failure, again.ran) == (None, 1)
    again.close()


def test_what_a_childs_process_prints_is_part_of_the_output(outcomes):
    assert printed(outcomes[0].outputs[0]) == "a\nb\nc\n"


def test_nothing_that_a_cell_started_outlives_the_lab(outcomes):
    assert processes(MARK, "cmdline") == []


def test_no_value_of_a_lab_changes_another_and_what_hangs_is_itself_to_blame(tmp_path):
    asked = ["text:x.append(1)", "text:len(x)", "text:__import__('time').sleep(1000)", "text:'y' * 70_000"]
    labs = Labs(tmp_path, limit=1)
    labs.request([(Lab("labs/it", ("x = []\n",)), list(map(query, asked)))])
    outcome = labs.results()["labs/it"]
    labs.close()
    assert [answer(outcome, one) for one in asked] == [
        ("None", None),
        ("0", None),
        (None, "it did nothing for 3 s"),
        (None, "it gives 70,000 characters, more than 65,536. Ask for less"),
    ]
