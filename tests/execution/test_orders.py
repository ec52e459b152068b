"""Where a program shows the order of a set."""

import ast

import pytest

from weaver.execution.orders import shown_orders

SHOWN = [
    "print({'a', 'b'})",
    "f\"{ {'a', 'b'} }\"",
    "list(set(words))",
    "', '.join({w for w in words})",
    "names = {'a', b}\nfor name in names: print(name)",
    "first, *rest = [*(set(a) - set(b))]",
    "{w: 1 for w in frozenset(['a', 'b'])}",
    "names = {'a', 'b'}\nprint(names.pop())",
]
HIDDEN = [
    "print(sorted({'a', 'b'}), len({'a', 'b'}), 'a' in {'a', 'b'})",
    "print({1, -2}, set(), set(range(3)), set([1, 2]), {'a'})",
    "print(sum(len(w) for w in {'a', 'b'}))",
    "seen = {'a', 'b'}\nfor name in seen: total += sizes[name]",
    "print({1, 2}.pop(), ['a', 'b'].pop(), pop())",
]


@pytest.mark.parametrize("source", SHOWN)
def test_an_order_that_reaches_a_list_a_text_or_the_output_is_found(source):
    assert list(shown_orders(ast.walk(ast.parse(source)))) == [1 + source.count("\n")]


@pytest.mark.parametrize("source", HIDDEN)
def test_an_order_that_cannot_be_seen_or_never_changes_is_not(source):
    assert list(shown_orders(ast.walk(ast.parse(source)))) == []
