"""What is taken out of an output, and what is left alone."""

from pathlib import Path

import pytest

from weaver.execution.normalise import normalise

HERE = Path(__file__).as_posix()
SOURCE = Path(__file__).read_text().splitlines()[0]
CASES = {
    "a place of a warning": ("<stdin>:3: UserWarning: careful\n", "UserWarning: careful\n"),
    "the source line that a warning repeats": (
        f"{HERE}:1: UserWarning: careful\nin two lines\n  {SOURCE}\nnext\n",
        "UserWarning: careful\nin two lines\nnext\n",
    ),
    "two warnings": (
        "/a/b.py:3: UserWarning: one\n/a/b.py:4: FutureWarning: two\n",
        "UserWarning: one\nFutureWarning: two\n",
    ),
    "where in C++ a warning was raised": (
        "UserWarning: w (Triggered internally at /x.cpp:1.)\n",
        "UserWarning: w\n",
    ),
    "where packages lie": ('File "/home/me/lib/python3.11/site-packages/torch/x.py"', 'File "torch/x.py"'),
    "an indented line": ("tensor([[1.],\n        [2.]])\n  kept\n", None),
    "a time that looks like a place": ("at 12:30: done\n", None),
    "an address": ("<Node at 0x7f1234567890>\n", None),
}


@pytest.mark.parametrize("text, expected", CASES.values(), ids=CASES)
def test_normalise(text, expected):
    assert normalise(text) == (text if expected is None else expected)


@pytest.mark.parametrize("text, expected", CASES.values(), ids=CASES)
def test_normalise_twice_is_normalise_once(text, expected):
    assert normalise(normalise(text)) == normalise(text)
