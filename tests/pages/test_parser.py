"""The page syntax: what it accepts, and the sentence for what it does not."""

import re
import time
from contextlib import suppress

import pytest
from support.project import query

from weaver.directives.snippet import SnippetDirective
from weaver.pages.parser import parse
from weaver.problem import Problem


def only(text):
    [directive] = parse(text, "docs/ko/x.md").directives
    return directive


def test_a_snippet_stands_alone_on_its_line():
    page = parse("before\n\n{{ snippet leaf/who }}\n\nafter\n", "docs/ko/x.md")
    assert page.directives == [SnippetDirective("leaf/who", "", "docs/ko/x.md", 3)]
    assert page.weave(lambda d: f"<{d.name}>") == "before\n\n\n<leaf/who>\n\n\nafter\n"


def test_values_stand_in_sentences_cells_and_headings():
    page = parse(
        "## {{ value a/b x }} { #x }\n\n| {{ value a/b y.z!r:>4 }} | {{value a/b d['k']}} |\n", "x.md"
    )
    assert [d.asks for d in page.directives] == [
        [("a/b", query("text:x"))],
        [("a/b", query("text:y.z!r:>4"))],
        [("a/b", query("text:d['k']"))],
    ]


def test_a_graph_has_panels_of_its_own_snippet_or_of_another():
    assert only("{{ graph a/b z, y[0], backward=2 | c-d/e_f x.grad }}").asks == [
        ("a/b", query("graph:z, y[0], backward=2")),
        ("c-d/e_f", query("graph:x.grad")),
    ]
    assert only("{{ memory a/b x, y }}").asks == [("a/b", query("memory:x, y"))]


def test_code_is_left_alone_in_fences_of_any_length_and_between_backticks():
    text = "```\n{{ nonsense }}\n```\n\n~~~~ python\n```\n{{ x }}\n~~~\n~~~~\n\n`{{ x }}` and ``{{ ` }}``\n"
    assert parse(text, "x.md").directives == []
    assert parse(text, "x.md").weave(str) == text
    assert parse(text, "x.md").fences == ("", "python")


def test_a_question_has_wrong_choices_and_an_explanation():
    text = "{{ question a/b x }}\n- 6.0\n- None\n\nBecause:\n\n- not a choice\n\n{{ end }}\nafter\n"
    page = parse(text, "x.md")
    assert only(text).wrong == ("6.0", "None")
    assert (
        page.weave(lambda d: f"<{d.kind}>")
        == "\n<question>\n\n\nBecause:\n\n- not a choice\n\n\n<end>\n\nafter\n"
    )


def test_headings_have_level_text_id_and_line():
    page = parse("# A `b` { #a }\n\n```\n# no\n```\n## C\n", "x.md")
    assert [(h.level, h.text, h.id, h.line) for h in page.headings] == [
        (1, "A `b`", "a", 1),
        (2, "C", None, 6),
    ]


REFUSED = {
    "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n": "x.md:3: `<<<<<<< HEAD` is an unresolved merge conflict",
    "{{ snipet a/b }}": "x.md:3: there is no directive `snipet`. Did you mean `snippet`?",
    "{{ }}": "x.md:3: empty braces. Write a directive, such as `{{ value topic/lesson x.grad }}`.",
    "{{ no\u200bthing }}": "x.md:3: there is no directive `no\\u200bthing`.",
    f"{{{{ {'x' * 999} }}}}": f"x.md:3: there is no directive `{'x' * 59}…`.",
    "a \0 b": "x.md:3: the control character U+0000. Remove it.",
    "a \x85 b": "x.md:3: the control character U+0085. Remove it.",
    "- a\n\n    {{ question a/b x }}\n    - 1\n\nBecause.\n{{ end }}": "x.md:8: the list or quotation ends inside the question of line 5.",
    "- a\n\n    {{ question a/b x }}\n    - 1\n\n{{ end }}": "x.md:8: the list or quotation ends inside the question of line 5.",
    "> {{ what-if a/b x }}\n{{ end }}": "x.md:3: a what-if must be alone on its line.",
    "{{ question a/b x }}\n- 1\n\n{{ end }}\n\n{{ question a/b y }}": "x.md:8: x.md:3 already asks about `a/b`. Ask only once, or about another program.",
    "{{ question a/b x }}\n- 1\n\n{{ question a/c x }}": "x.md:6: a question inside the question of line 3. Close that one first, with `{{ end }}`.",
    "{{ snippet }}": "x.md:3: `{{ snippet }}` doesn't name a snippet. Write `{{ snippet topic/lesson }}`.",
    "see {{ snippet a/b }}": "x.md:3: a snippet must be alone on its line. Move the text next to it.",
    "{{ snippet a/b fold=yes }}": "x.md:3: a snippet has no option `fold=yes`. Write `{{ snippet topic/lesson }}`.",
    "{{ value a/b }}": "x.md:3: `{{ value a/b }}` lacks an expression. Write `{{ value topic/lesson x.grad }}`.",
    "{{ graph a/b }}": "x.md:3: `{{ graph a/b }}` lacks an expression. Write `{{ graph topic/lesson z, backward=1 }}`.",
    "{{ graph a/b z, backwards=1 }}": "x.md:3: there is no option `backwards`. Did you mean `backward`? Write",
    "{{ graph a/b z | }}": "x.md:3: `` doesn't name a variable. Write",
    "{{ graph a/b z y }}": "x.md:3: `z y` isn't a list of variables. Write",
    "{{ graph a/b x / y }}": "x.md:3: `x / y` is an expression, not a variable. Assign it to one in the snippet.",
    "{{ graph a/b f(x) }}": "x.md:3: `f(x)` is an expression, not a variable. Assign it to one in the snippet.",
    "{{ built tests }}": "x.md:3: `tests` isn't a fact about the build. There is: `claims`, `commit`, `errors`, `programs`, `torch`.",
    "{{ built }}": "x.md:3: `{{ built }}` lacks a fact about the build. Write `{{ built programs }}`.",
    "{{ stage }}": "x.md:3: `{{ stage }}` lacks a section of the navigation. Write `{{ stage cut }}`.",
    "{{ questions a/b }}": "x.md:3: `questions` doesn't take a snippet. Write `{{ questions }}`.",
    "{{ terms a/b }}": "x.md:3: `terms` doesn't take a snippet. Write `{{ terms }}`.",
    "{{ why }}": "x.md:3: `{{ why }}` doesn't name a snippet. Write `{{ why topic/lesson }}`.",
    "{{ why a/b --json }}": "x.md:3: a why has no option `--json`. Write `{{ why topic/lesson }}`.",
    "see {{ why a/b }}": "x.md:3: a why must be alone on its line. Move the text next to it.",
    "{{ error a/b | }}": "x.md:3: no words after `|`. Write `{{ error topic/lesson | its words }}`.",
    "{{ memory a/b x, backward=1 }}": "x.md:3: there is no option `backward`. Write",
    "see {{ graph a/b z }}": "x.md:3: a graph must be alone on its line. Move the text next to it.",
    "{{ end }}": "x.md:3: `{{ end }}` has no matching block. Remove it.",
    "{{ question a/b x }}\n- 1\n": "x.md:3: the question isn't closed. Write `{{ end }}` on a line after it.",
    "{{ question a/b x }}\n\nnone\n{{ end }}": "x.md:3: the question has no wrong choices. List them below it: `- 6.0`.",
    "{{ what-if a/b }}\n": "x.md:3: the what-if isn't closed. Write `{{ end }}` on a line after it.",
    "{{ what-if a/b }}\n{{ snippet a/c }}\n{{ end }}": "x.md:4: a snippet inside a what-if. Move it after",
    "{{ what-if a/b }}\n{{ question a/c }}": "x.md:4: a question inside the what-if of line 3. Close that one first, with `{{ end }}`.",
    "{{ value a/b\nx }}": "x.md:3: unclosed braces. Write the whole directive on one line.",
    "{ snippet a/b }}": "x.md:3: `{ snippet a/b }}` isn't a directive. Write `{{ snippet topic/lesson }}`.",
    "{{ snippet a/b }": "x.md:3: `{{ snippet a/b }` isn't a directive. Write `{{ snippet topic/lesson }}`.",
    "｛｛ value a/b x ｝｝": "x.md:3: `｛｛ value a/b x ｝｝` isn't a directive. Write `{{ value topic/lesson x.grad }}`.",
    "{｛ anything ｝}": "x.md:3: unclosed braces.",
    "\\`{{ nothing a/b }}\\`": "x.md:3: there is no directive `nothing`.",
    "$x_{{{ value a/b x }}}$": "x.md:3: three braces. Put a space after the first: `{ {{ value ... }} }`.",
    "$\\frac{{a}}{{b}}$": "In a formula, put a space between braces: `{ {a} }`.",
    "{{ end x }}": "x.md:3: `end` doesn't take a snippet. Write `{{ end }}`.",
    "see {{ end }}": "x.md:3: an end must be alone on its line.",
    "{{ table a/b rows }}": "x.md:3: a table needs an expression after `|` for each column.",
    "{{ table a/b rows | }}": "x.md:3: a table needs an expression after `|` for each column.",
    "Title\n-": "x.md:4: an underlined heading. Write `## ` before its text instead.",
    "```text\nopen": "x.md:3: the code fence isn't closed. Close it with the marks that open it.",
    "{{ question a/b x }}\n- `1`\n{{ end }}": "x.md:4: choices must be plain text and unique. Fix ``1``.",
    "{{ question a/b x }}\n- 1\n- 1\n{{ end }}": "x.md:5: choices must be plain text and unique. Fix `1`.",
    "Title\n=====": "x.md:4: an underlined heading. Write `## ` before its text instead.",
    "a \U000f0000 b": "x.md:3: the private character U+F0000. Remove it.",
    "# {{ value a/b x }}": "x.md:3: the page's title contains a directive. Move it below the title.",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_breaks_a_rule_is_refused_with_a_sentence(line):
    with pytest.raises(Problem, match=re.escape(REFUSED[line])):
        parse(f"a\n\n{line}\n", "x.md")


def test_front_matter_is_not_text_and_holds_no_directive():
    page = parse("---\n# a comment\ntitle: x\n---\n# T { #t }\n", "x.md")
    assert [heading.line for heading in page.headings] == [5]
    with pytest.raises(Problem, match=r"x\.md:2: front matter can't contain a directive"):
        parse("---\ntitle: '{{ value a/b x }}'\n---\n", "x.md")


def test_a_mark_in_code_neither_opens_nor_closes_a_fence():
    text = "```x``` is code\n\n```text\n- ```\n{{ no }}\n```\n"
    assert parse(text, "x.md").weave(str) == text


def test_windows_line_ends_and_a_byte_order_mark_change_nothing():
    page = parse("\ufeff# T { #t }\r\n\r\n{{ snippet a/b }}\r\n", "x.md")
    assert page.headings[0].id == "t" and page.directives[0].name == "a/b"


def test_the_id_of_a_heading_is_the_one_that_markdown_takes():
    page = parse("# A { #a #b }\n## B { .x id=c }\n", "x.md")
    assert [heading.id for heading in page.headings] == ["b", "c"]


def test_braces_of_latex_and_of_attributes_are_no_directive():
    for text in (r"$\frac{ {a} }{b}$ and $x_{value}$", "# T { #snippet }", "a{ .value }"):
        assert parse(text, "x.md").directives == []


def test_a_heading_is_one_also_without_a_space():
    assert [heading.level for heading in parse("##B { #b }\n   # C\n", "x.md").headings] == [2, 1]


def test_a_space_that_does_not_break_is_a_space():
    assert only("{{\u00a0value\u00a0a/b\u2009x }}") == only("{{ value a/b x }}")


def test_a_question_may_stand_in_a_list_with_all_that_belongs_to_it():
    text = "- a\n\n    {{ question a/b x }}\n    - 1\n\n    Because:\n\n        code\n\n    {{ end }}\n\nb\n"
    assert only(text).wrong == ("1",)


N = 40_000
LONG = {
    "spaces in a heading": f"# a{' ' * N}b",
    "braces that open": "{{" * N,
    "braces in a heading": f"# a{' {' * N}",
    "braces with spaces": "{{ " * N,
    "a directive that is none": "{" * N + " value a/b x",
    "spaces": " " * N + "x",
    "backticks": "` `` " * (N // 4),
    "choices": "{{ question a/b x }}\n- a" + " " * N + "b",
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_line_takes_no_longer_than_its_length(what):
    began = time.process_time()
    with suppress(Problem):
        parse(LONG[what], "x.md")
    assert time.process_time() - began < 2
