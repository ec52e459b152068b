"""The alternatives in a snippet's file: what they stand for, the programs that they make, what is refused."""

import re

import pytest

from weaver.execution.snippets.source import read
from weaver.problem import Problem


@pytest.fixture
def variants(tmp_path, monkeypatch):
    """A function that returns the variants of a file, by what is chosen."""
    monkeypatch.chdir(tmp_path)

    def variants(source):
        path = tmp_path / "x.py"
        path.write_text(source)
        return {one.label: one for one in read(path, "t/x").variants}

    return variants


def test_a_file_without_alternatives_is_its_one_variant(variants):
    [snippet] = variants("x = 1  # or so\n").values()
    assert (snippet.name, snippet.code, snippet.label, snippet.is_own) == ("t/x", "x = 1  # or so\n", "", True)


STANDS_FOR = {
    "the right side of =": ("y = 1  # or: 2", {"1": "y = 1", "2": "y = 2"}),
    "what is returned": ("def f(x):\n    return x  # or: -x", {"x": "    return x", "-x": "    return -x"}),
    "what with is given": (
        "with open('a'):  # or: open('b')\n    pass",
        {"open('a')": "with open('a'):", "open('b')": "with open('b'):"},
    ),
    "a condition": ("if x:  # or: not x\n    pass", {"x": "if x:", "not x": "if not x:"}),
    "what is gone through": ("for i in a:  # or: b\n    pass", {"a": "for i in a:", "b": "for i in b:"}),
    "a statement that is an expression": ("f(1)  # or: f(2)", {"f(1)": "f(1)", "f(2)": "f(2)"}),
    "the line, for a statement": ("y += 1  # or: y = y + 1", {"y += 1": "y += 1", "y = y + 1": "y = y + 1"}),
    "the line, if one is a statement": (
        "y = 1  # or: y = 2 | del y",
        {"y = 1": "y = 1", "y = 2": "y = 2", "del y": "del y"},
    ),
    "a part that is marked": ("y = a.b().c()  # instead of .b(): .d() | nothing", {".b()": "y = a.b().c()", ".d()": "y = a.d().c()", "nothing": "y = a.c()"}),
    "the one number": ("y = f(2.0, x)  # values: -1.0, 2.0", {"-1.0": "y = f(-1.0, x)", "2.0": "y = f(2.0, x)"}),
    "a number with its sign": ("y = -1  # values: -1, 1", {"-1": "y = -1", "1": "y = 1"}),
    "a number behind a minus that is none": ("y = x - 1  # values: 1, 2", {"1": "y = x - 1", "2": "y = x - 2"}),
    "one of several numbers": ("y = f(1, k=3)  # values of 3: 3, 4", {"3": "y = f(1, k=3)", "4": "y = f(1, k=4)"}),
    "a number with its sign, behind any operator": ("y = x * -1.0  # values: -1.0, 0.0, 1.0", {"-1.0": "y = x * -1.0", "0.0": "y = x * 0.0", "1.0": "y = x * 1.0"}),
    "an exponent with its sign": ("y = x ** -2  # values: -2, 2", {"-2": "y = x ** -2", "2": "y = x ** 2"}),
    "a number behind a sign that is the whole power's": ("y = -2**x  # values: 2, 3", {"2": "y = -2**x", "3": "y = -3**x"}),
    "a number without its sign, if it is named so": ("y = 10.0**-6  # values of 6: 1, 6", {"1": "y = 10.0**-1", "6": "y = 10.0**-6"}),
    "one of numbers that hold the same digits": ("y = f(1, 10)  # values of 1: 1, 2", {"1": "y = f(1, 10)", "2": "y = f(2, 10)"}),
    "the one number beside digits in names and strings": ("y1 = f2('3', 4)  # values: 4, 5", {"4": "y1 = f2('3', 4)", "5": "y1 = f2('3', 5)"}),
    "a string with the separator": ("y = 'a'  # or: 'a | b' | f'{x} | c'", {"'a'": "y = 'a'", "'a | b'": "y = 'a | b'", "f'{x} | c'": "y = f'{x} | c'"}),
    "an operator in brackets": ("y = a  # or: (a | b) | {b | c}", {"a": "y = a", "(a | b)": "y = (a | b)", "{b | c}": "y = {b | c}"}),
    "a string that speaks of an error": ("f('a')  # or: f(' raises B with c') raises E", {"f('a')": "f('a')", "f(' raises B with c')": "f(' raises B with c')"}),
    "a marked part, not the middle of a name": ("y = ab + b  # instead of b: c", {"b": "y = ab + b", "c": "y = ab + c"}),
    "a part with a colon": ("y = x[1:]  # instead of x[1:]: x", {"x[1:]": "y = x[1:]", "x": "y = x"}),
}  # fmt: skip


@pytest.mark.parametrize("what", STANDS_FOR)
def test_an_alternative_stands_for(variants, what):
    source, expected = STANDS_FOR[what]
    [line] = [number for number, text in enumerate(source.split("\n")) if "#" in text]
    assert {label: one.code.split("\n")[line] for label, one in variants(source).items()} == expected


def test_nothing_takes_the_line_out_and_lines_of_the_file_are_known(variants):
    found = variants("a = 1\nf()  # or: nothing\nb = 2\n")
    assert found["nothing"].code == "a = 1\nb = 2\n"
    assert [found["nothing"].line_of_file(line) for line in (1, 2)] == [1, 3]
    assert (found["f()"].ends, found["nothing"].ends) == ((2,), (1,))


BLOCKS = [
    "a = 1\nwith f(1):  # or: f(2) | f(3) raises E\n    g()\n",
    "a = 1\nwith f(1):  # or:\n# | f(2)\n# | f(3) raises E\n    g()\n",
    "a = 1\nwith f(1):  # or: f(2)\n    # |   f(3) raises E\n    g()\n",
]


@pytest.mark.parametrize("source", BLOCKS[1:])
def test_long_alternatives_have_a_line_each_below_which_is_not_part_of_the_program(variants, source):
    on_one_line, below = variants(BLOCKS[0]), variants(source)
    assert {label: (one.code, one.raises) for label, one in below.items()} == {
        label: (one.code, one.raises) for label, one in on_one_line.items()
    }
    last = source.count("\n")
    assert [one.line_of_file(4 if one.raises else 3) for one in below.values()] == [last] * 3


def test_statements_between_semicolons_get_a_line_each(variants):
    found = variants("for _ in x:\n    a(); b()  # or: b(); a()\nc()\n")
    assert found["a(); b()"].code == "for _ in x:\n    a()\n    b()\nc()\n"
    assert found["b(); a()"].code == "for _ in x:\n    b()\n    a()\nc()\n"
    assert found["b(); a()"].line_of_file(4) == 3


def test_two_places_make_every_combination_and_the_file_is_the_first(variants):
    found = variants("x = 2.0  # values: 1.0, 2.0\ny = x  # or: -x\n")
    assert [(one.name, label) for label, one in found.items()] == [
        ("t/x.1", "1.0; x"),
        ("t/x.2", "1.0; -x"),
        ("t/x", "2.0; x"),
        ("t/x.4", "2.0; -x"),
    ]
    assert [one.is_own for one in found.values()] == [False, False, True, False]


def test_a_comment_in_a_string_offers_nothing(variants):
    assert list(variants("x = '# or: 2'\n")) == [""]


def test_each_variant_announces_its_own_error(variants):
    found = variants("# raises: KeyError\nf()  # or: g() | h() raises ValueError\n")
    assert {label: one.raises for label, one in found.items()} == {"f()": "KeyError", "g()": None, "h()": "ValueError"}
    assert found["h()"].source == "# raises: ValueError\nh()\n" and found["h()"].code == "h()\n"
    assert (found["g()"].first_line, found["g()"].line_of_file(1)) == (1, 2)
    assert (found["h()"].first_line, found["h()"].line_of_file(2)) == (2, 2)


def test_an_error_may_be_announced_for_one_combination(variants):
    found = variants("f()  # or: g()\nh()  # or: i() raises KeyError with g()\n")
    assert [label for label, one in found.items() if one.raises] == ["g(); i()"]


def test_what_is_missing_is_proposed_where_it_belongs(variants):
    one = variants("f()  # or: g()\n")
    assert one["f()"].announcing("E") == "write `# raises: E` as its first line"
    assert one["g()"].announcing("E") == "write `g() raises E` in the comment on its line"
    two = variants("f()  # or: g()\nh()  # or: i()\n")
    assert two["g(); h()"].announcing("E") == "write `g() raises E with h()` in the comment on its line"
    assert two["g(); i()"].announcing("E") == "write `i() raises E with g()` in the comment on its line"
    three = variants("f()  # or: g() | h()\ni()  # or: j() raises E with g()\n")
    assert three["h(); j()"].announcing("E") == "write `h() raises E with j()` in the comment on its line"


REFUSED = {
    "x = 1\ny = 2  # or: (": "x.py:2: with `(` the program isn't valid Python ('(' was never closed). Fix the alternative.",
    "y = x*x  # or: x * x": "x.py:1: `x * x` makes the same program as `x*x`. Remove one.",
    "y = 1  # or: 2 | 2": "x.py:1: `2` makes the same program as `2`. Remove one.",
    "y = 1  # or: 2 |  | 3": "x.py:1: an alternative is empty. Write `nothing` for none",
    "y = 1  # or: 2 | 3 |": "x.py:1: an alternative is empty. Write `nothing` for none",
    "y = 1  # or: 2) | 3": "x.py:1: `3` replaces a value, but `2)` replaces the whole line.",
    "with a:  # or: nothing\n    b": "x.py:1: `nothing` can't replace `with a:`, which begins a block. Write a value, or a line that",
    "with a, b:  # or: c\n    d": "x.py:1: `c` can't replace `with a, b:`, which begins a block. Write a line that ends with `:`.",
    "y = 1  # or:\n# | 2\n# |": "x.py:1: an alternative is empty. Write `nothing` for none",
    "y = 1  # or:\n\n# | 2": "x.py:1: `# or:` offers no alternatives.",
    "y = 1  # or: 2\n\n# | 3": "x.py:3: `# | 3` doesn't continue an offer. Move it right below the line that",
    "y = 1  # or:": "x.py:1: `# or:` offers no alternatives. Write `# or: x * x | x + x`",
    "y = 1  # Or: 2": "x.py:1: `# Or: 2` offers no alternatives.",
    "y = 1  # value: 2": "x.py:1: `# value: 2` offers no alternatives.",
    "# or: 2\ny = 1": "x.py:1: alternatives must be at the end of the line that they replace. Move them there.",
    "a = 1  # or: 2\nb = 1  # or: 2\nc = 1  # or: 2": "x.py:3: a third place with alternatives, but only two are allowed.",
    "y = 0  # values: 0, 1, 2, 3, 4\nz = 0  # values: 0, 1, 2, 3, 4": "x.py:1: 25 variants; at most 24 are allowed. Offer fewer.",
    "y = 1  # values: 2, 3": "x.py:1: the program's own value, `1`, isn't listed. Add it in order.",
    "y = 1  # values: 1, a": "x.py:1: `a` isn't a number. Write `# or: ...` instead of `# values: ...`.",
    "y = 1 + 2  # values: 1, 3": "x.py:1: 2 decimal numbers in this line. Say which one the values replace: `# values of 0.1: ...`.",
    "y = x  # values: 1, 3": "x.py:1: no decimal numbers in this line.",
    "y = x.a + x.a  # instead of x.a: x": "x.py:1: `x.a` appears more than once in this line. Quote enough of the line",
    "y = 1  # or: 2 | nothing": "x.py:1: `2` replaces a value, but `nothing` replaces the whole line.",
    "y = x.a  # instead of x.b: x": "x.py:1: `x.b` isn't in this line.",
    "y = 1  # or: 2  # or: 3": "x.py:1: `# or: 3` inside an alternative. A line can have only one offer:",
    "y = 1  # values: 1": "x.py:1: `1` is the only value. Add another one.",
    "y = 1  # values: 2, 1": "x.py:1: the values aren't in order. Sort them",
    "y = 2**x  # values: -1, 2": "x.py:1: `-1` doesn't parse as a single value here. Put it, or the program's own value, in parentheses",
    "y = x**-2  # values of 2: -2, 2": "x.py:1: `-2` doesn't parse as a single value here.",
    "y = f(0.1, -0.1)  # values of 0.2: 0.2, 1": "x.py:1: `0.2` isn't a decimal number in this line. Name one",
    "y = f(1, 1)  # values of 1: 1, 2": "x.py:1: `1` appears more than once in this line. Name one",
    "y = ab  # instead of b: c": "x.py:1: `b` isn't in this line.",
    "y = a  # or: (b | c": "x.py:1: a bracket in `(b | c` isn't closed",
    "y = (  # values: 1, 2": "x.py:1: the program isn't valid Python. Fix it first.",
    f"y = 1  # or: {'-' * 9999}1": "x.py:1: with `-----",
    f"y = 1  # or: {' + '.join(['x'] * 9999)}": "x.py:1: with `x + x",
    "y = f(\n    x,  # or: z\n)": "x.py:2: this line isn't a complete statement. Say what the alternatives replace: `# instead of",
    "f()  # or: g() raises E with h()\ni()  # or: j()": "x.py:1: no other place offers `h()`. Name an alternative of the other place after `with`.",
    "y = 1  # noqa  # or: 2": "x.py:1: `# noqa  # or: 2` offers no alternatives.",
    "y = 1  # values: 1 raises E, 2": "x.py:1: declare the unmodified program's error on its first line: `# raises: E`.",
}  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_what_breaks_a_rule_is_refused_with_a_sentence(variants, source):
    with pytest.raises(Problem, match=re.escape(REFUSED[source]).replace(r"\(x,", r"\(.*,")) as found:
        variants(source)
    assert len(str(found.value)) < 400


def test_a_syntax_error_that_is_announced_is_a_variant(variants):
    assert variants("y = 1  # or: ( raises SyntaxError\n")["("].raises == "SyntaxError"


def test_a_program_that_is_no_python_is_left_to_its_run(variants):
    assert list(variants("# raises: SyntaxError\nx = (  # or else\n")) == [""]
