"""What pages ask: each expression apart from the others and from the program, within limits."""

import os
from contextlib import contextmanager

import pytest
from support.project import answer, query
from support.wait import wait_for

from weaver.execution import answers
from weaver.execution.snippets.runner import Runner
from weaver.execution.snippets.source import read

SOURCE = """import random
import torch

x = torch.ones(2)
it = [iter([1, 2])]
place = id(x)
d = {}


class Odd:
    def __getattr__(self, name):
        x.zero_()
        return 0


print("out")
"""
GUILTY = {
    "text:__import__('time').sleep(1000)": "it did nothing for 3 s",
    "text:[x.sin() for _ in iter(int, 1)]": "it used 1 s of processor time",
    "text:__import__('os')._exit(0)": "it ends the process",
    "text:__import__('os').kill(__import__('os').getpid(), 9)": "it ends the process",
    "text:object()": "it gives an address, 0x",
    "text:__import__('os').getcwd()": "it gives a path on this machine",
    "text:torch.rand(1)": "it draws random numbers from torch without a seed",
    "text:random.random()": "it draws random numbers from random without a seed",
    "text:'x' * 70_000_000": "it gives 70,000,000 characters, more than 65,536",
    "text:__import__('subprocess').Popen(['sleep', '1000'], start_new_session=True).returncode": "it leaves a process running",
    "text:open('made', 'w').write('a')": "it writes the file made",
    "text:__import__('time').time()": "it differs in every run",
    "text:id(x)": "it gives a memory address, which differs in every run",
    "text:place": "it gives a memory address, which differs in every run",
    "text:x.data_ptr()": "it gives a memory address, which differs in every run",
    "text:chr(0xd800)": "UnicodeEncodeError",
    "data:object()": "TypeError: Object of type object is not JSON serializable",
}


@contextmanager
def asking(folder, fork):
    """Give a function that asks a program, run in a fork or in a fresh interpreter."""
    path = folder / "x.py"

    def ask(*asked, source=SOURCE):
        path.write_text(source)
        return runner.run([read(path, "t/x")], {"t/x": map(query, asked)})["t/x"]

    with Runner(limit=1, fork=fork) as runner:
        yield ask


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    with asking(tmp_path_factory.mktemp("asked"), fork=True) as ask:
        yield ask


@pytest.fixture(scope="module", params=[True, False], ids=["forks", "fresh interpreters"])
def ask_either(request, tmp_path_factory):
    with asking(tmp_path_factory.mktemp("asked"), request.param) as ask:
        yield ask


def test_an_expression_at_fault_is_blamed_and_neither_the_snippet_nor_another_is(ask):
    result = ask(*GUILTY, "text:x.tolist()")
    assert (result.failure, result.output) == (None, "out\n")
    for asked, said in GUILTY.items():
        assert said in (answer(result, asked)[1] or ""), asked
    assert answer(result, "text:x.tolist()") == ("[1.0, 1.0]", None)


@pytest.mark.parametrize("asked", ["text:__import__('time').sleep(1000)", "text:__import__('os')._exit(0)"])
def test_without_forks_too_the_snippet_is_not_blamed(ask_either, asked):
    result = ask_either(asked)
    assert (result.failure, result.output) == (None, "out\n")
    assert answer(result, asked)[1] in ("it did nothing for 3 s", "it ends the process")


def test_no_expression_changes_another_in_any_order(ask):
    asked = {
        "text:[x.data.fill_(9), 1][1]": "1",
        "text:x[0].item()": "1.0",
        "text:next(it[0])": "1",
        "text:next(it[0]) + 0": "1",
        "text:d.setdefault('a', 1)": "1",
        "text:len(d)": "0",
        "text:Odd().a": "0",
        "text:x.sum().item()": "2.0",
    }
    for order in (list(asked), list(reversed(asked))):
        result = ask(*order)
        assert {one: answer(result, one)[0] for one in asked} == asked


def test_what_an_expression_does_to_the_variables_does_not_reach_what_the_program_prints_at_its_end(ask):
    source = "class Last:\n    words = ['a']\n\n    def __del__(self):\n        print(self.words)\n\n\nlast = Last()\n"
    assert ask("text:last.words.append('b')", source=source).output == "['a']\n"


def test_a_call_that_is_not_known_to_read_only_is_kept_apart():
    assert answers.only_reads(query("text:x.grad.item():.4f"), {})
    assert answers.only_reads(query("data:[[str(a), len(b)] for a, b in (d).items()]"), {})
    assert not answers.only_reads(query("text:x.fill_(9)"), {})
    assert not answers.only_reads(query("text:len(x)"), {"len": print})


def test_a_runner_that_ends_leaves_no_folder(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("print(1)\n")
    with Runner(cache=tmp_path / "cache") as runner:
        runner.run([read(path, "t/x")], {"t/x": [query("text:print")]})
    wait_for(lambda: os.listdir(tmp_path / "cache/runs") == [])
