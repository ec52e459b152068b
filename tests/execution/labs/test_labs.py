"""Labs beside the work of their caller: what is kept, what is stopped, and that no fault sticks."""

import time

import pytest
from support.project import query

from weaver.execution.labs import runner
from weaver.execution.labs.model import Lab
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
