"""Programs as trees, also in several threads."""

import ast
import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.project import ROOT

from weaver.syntax import expression, parsed

MODULES = {path: path.read_text(encoding="utf-8") for path in (ROOT / "weaver").rglob("*.py")}


@pytest.fixture
def hasty():
    """Threads take turns as often as they can, also while a tree is made: there the collector runs Python."""

    def linger(phase, info):
        for _ in range(300):
            pass

    before = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    gc.callbacks.append(linger)
    yield
    gc.callbacks.remove(linger)
    gc.set_threshold(*before[1])
    sys.setswitchinterval(before[0])


def test_two_threads_may_parse_at_the_same_time(hasty):
    some = [*MODULES.values()][:40]
    with ThreadPoolExecutor(2) as threads:
        trees = [*threads.map(parsed, some + some)]
    assert [ast.dump(tree) for tree in trees[:40]] == [ast.dump(tree) for tree in trees[40:]]


@pytest.mark.parametrize("code", ["x = (", "a\0b", "(" * 1000 + ")" * 1000])
@pytest.mark.parametrize("parse", [parsed, expression])
def test_what_is_no_python_raises_one_kind_of_error(parse, code):
    with pytest.raises(SyntaxError):
        parse(code)


def test_nothing_that_a_build_runs_parses_in_another_way():
    """The recorder does, in the process of the program alone."""
    ways = {path.relative_to(ROOT / "weaver").as_posix() for path, text in MODULES.items() if "ast.parse(" in text}
    assert ways == {"syntax.py", "recording/lines.py"}
