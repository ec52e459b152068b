"""The tree as a newcomer meets it: modules of a size that can be read, each saying first what it is for."""

import ast

import pytest
from support.project import ROOT

MODULES = sorted((ROOT / "weaver").rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_says_first_what_it_is_for_and_has_at_most_300_lines(path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 300
