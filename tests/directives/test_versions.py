"""What pages say of other versions of torch: below outputs, in prose, and of all programs together."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.html import NASTY, Text
from support.project import result, show

from weaver.execution.snippets.source import Snippet
from weaver.pages.parser import parse
from weaver.problem import Problem
from weaver.versions.changes import Change, ChangeKind
from weaver.versions.record import Elsewhere, Other

RAN = ("1.13.1", "2.0.1", "2.8.0", "2.15.0")
SAME = Elsewhere(RAN)
DIFFERS = Elsewhere(RAN, (Other(("1.13.1", "2.0.1"), "two\nsame\n"), Other(("2.15.0",), "")))
EVERYWHERE = Elsewhere(("2.15.0",), (Other(("2.15.0",), "2\n"),))
MESSAGE = Elsewhere(RAN, (Other(("1.13.1",), "RuntimeError: old words\n"),))


def render(form, text, elsewhere=None, printed="one\nsame", language="en"):
    """Return a directive in the form `html` or `markdown`, about a program that other versions ran."""
    first, *_ = parse(text, "docs/en/x.md").directives
    shown = show({"t/x": Snippet("t/x", Path("x.py"), "print(1)\n")}, {"t/x": result(*printed.split("\n"))}, language)
    return getattr(first, form)(replace(shown, versions={"t/x": elsewhere} if elsewhere else {}, figures=("t/x",)))


SNIPPET = "{{ snippet t/x }}"


def head(html):
    return re.search(r'class="output"><p[^>]*>(.*?)</p>', html)[1]


@pytest.mark.parametrize(
    "elsewhere, said",
    [
        (None, "Output (torch 2.13.0)"),
        (SAME, "Output (torch 2.13.0, same in 1.13 to 2.15)"),
        (DIFFERS, "Output (torch 2.13.0, same in 2.8 to 2.13)"),
        (EVERYWHERE, "Output (torch 2.13.0, only in 2.13)"),
    ],
)
def test_an_output_says_in_which_versions_it_is_the_same(elsewhere, said):
    assert head(render("html", SNIPPET, elsewhere)) == said
    assert f"\n{said}:\n" in render("markdown", SNIPPET, elsewhere)


def test_an_output_that_is_the_same_everywhere_costs_no_element_and_at_most_100_bytes():
    plain, same = render("html", SNIPPET), render("html", SNIPPET, SAME)
    assert same.count("<") == plain.count("<") and 0 < len(same.encode()) - len(plain.encode()) <= 100


def test_other_outputs_are_folded_each_with_its_versions_and_what_differs_is_marked():
    html = render("html", SNIPPET, DIFFERS)
    assert "<summary>Different in torch 1.13 to 2.0, 2.15</summary>" in html
    assert 'data-torch="1.13.1 2.0.1"><span class="differs">two\n</span>same\n</pre>' in html
    assert 'data-torch="2.15.0">No output.</pre>' in html
    assert "\ntorch 1.13 to 2.0:\n\n```text\ntwo\nsame\n```\n" in render("markdown", SNIPPET, DIFFERS)


def test_in_korean_versions_are_said_in_korean():
    html = render("html", SNIPPET, DIFFERS, language="ko")
    assert head(html) == "출력 (torch 2.13.0, 2.8~2.13에서도 같음)"
    assert "<summary>torch 1.13~2.0, 2.15에서는 다르게 출력됩니다</summary>" in html


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_another_output_is_shown_literally(text):
    html = render("html", SNIPPET, Elsewhere(RAN, (Other(("2.0.1",), f"{text}\n"),)))
    assert "script" not in Text("samp", html).tags


def test_wordings_are_a_row_for_each_message():
    text = render("markdown", "{{ wordings t/x }}", MESSAGE, "RuntimeError: words")
    assert text.splitlines()[2:] == ["| 1.13 | `RuntimeError: old words` |", "| 2.0 to 2.15 | `RuntimeError: words` |"]
    html = render("html", "{{ wordings t/x }}", MESSAGE, "RuntimeError: words")
    assert '<th scope="row">1.13</th> <td><code class="error">RuntimeError: old words</code></td>' in html


def test_of_several_messages_the_wording_is_the_one_most_like_the_page_s():
    other = Elsewhere(RAN, (Other(("1.13.1",), "UserWarning: old words\nFutureWarning: `f` is deprecated.\n"),))
    text = render("markdown", "{{ wordings t/x }}", other, "UserWarning: words")
    assert text.splitlines()[2] == "| 1.13 | `UserWarning: old words` |"


def test_wordings_of_a_program_that_nothing_else_ran_are_its_own():
    text = render("markdown", "{{ wordings t/x }}", None, "RuntimeError: words")
    assert text.splitlines()[2:] == ["| 2.13 | `RuntimeError: words` |"]


def test_a_page_lists_its_programs_that_differ():
    assert render("markdown", "{{ versions }}", DIFFERS).endswith("\n\n- `t/x`: torch 1.13 to 2.0, 2.15\n")
    assert '<a href="#t/x"><code>t/x</code></a>: torch 1.13 to 2.0, 2.15' in render("html", "{{ versions }}", DIFFERS)


def test_a_page_without_differences_says_so():
    said = "With the other recorded versions of torch, 1.13 to 2.15, all programs on this page print the same."
    assert render("html", "{{ versions }}", SAME) == f"<p data-search-exclude>{said}</p>"
    assert render("html", "{{ versions }}") == "<p data-search-exclude>The outputs on this page come from torch 2.13.0.</p>"


def all_changes(form):
    found = Change(ChangeKind.WARNING, (), ("UserWarning: <new>",), ("t/x.2", "t/x", "t/y"))
    [directive] = parse("{{ changes }}", "docs/en/x.md").directives
    shown = replace(show({}, {}), changes=(("2.13.0", "2.15.0", (found,)),), addresses={"t/x": "../x/#t/x"})
    return getattr(directive, form)(shown)


def test_what_changed_is_grouped_by_version_and_kind_with_links_to_its_programs():
    html = all_changes("html")
    assert '<h2 id="torch-2-15-0">torch 2.13.0 → 2.15.0: 2 changed</h2>' in html
    assert "<h3>Another warning (1)</h3>" in html and "+ UserWarning: &lt;new&gt;" in html
    assert '<a href="../x/#t/x">t/x</a>, t/y' in html
    assert "- + `UserWarning: <new>` (t/x.2, t/x, t/y)\n" in all_changes("markdown")


def test_a_list_of_changes_without_a_record_is_refused():
    [directive] = parse("{{ changes }}", "docs/en/x.md").directives
    with pytest.raises(Problem, match=r"x\.md:1: nothing is recorded of other versions"):
        directive.html(show({}, {}))
