"""Placeholders on their way through Markdown: where one may come out, and what stops a build."""

import re

import markdown
import pytest
from support.project import result, show

from weaver.execution.snippets.source import Snippet
from weaver.mkdocs.placeholders import FIRST, Placeholders
from weaver.pages.parser import parse
from weaver.problem import Problem

VALUE = "{{ value t/x x }}"
EXTENSIONS = ["attr_list", "md_in_html", "pymdownx.snippets", "tables", "weaver.mkdocs.formula"]
RESULTS = {"t/x": result(answers={"text:x": "41"})}


class MkDocsPage:
    toc = ()

    def __init__(self, content):
        self.content = content


def published(text, is_compared=False, **settings):
    """Return the HTML of a page, woven; raises Problem as a build would."""
    marks = Placeholders(parse(text, "docs/en/p.md"))
    seen = show({"t/x": Snippet("t/x", "x.py", "x = 41\n")}, RESULTS)
    page = MkDocsPage(markdown.markdown(marks.set(seen), extensions=EXTENSIONS, extension_configs=settings))
    marks.check(page.content, is_compared)
    return marks.weave(page.content, (), seen)[0]


REFUSED = {
    f"<script>let x = '{VALUE}'</script>": "`{{ value ... }}` is in `<script>`.",
    f"<style>a::after {{ content: '{VALUE}' }}</style>": "`{{ value ... }}` is in `<style>`.",
    f"<textarea>{VALUE}</textarea>": "is in `<textarea>`.",
    f'a <span title="a > {VALUE}">b</span>': "is in a link's target, an image's text or a tag's attribute",
    f"<img alt='{VALUE}'>": "is in a link's target, an image's text or a tag's attribute",
    f"[a](p.md?{VALUE})": "is in a link's target",
    f"    {VALUE}": "is in code.",
    f"<pre>{VALUE}</pre>": "is in code.",
    f"- a\n\n        {VALUE}": "is in code.",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_value_where_nothing_can_be_put_is_refused_with_its_line(text):
    line = text.count("\n") + 3
    with pytest.raises(Problem, match=rf"docs/en/p\.md:{line}: .*{re.escape(REFUSED[text])}"):
        published(f"a\n\n{text}\n")


@pytest.mark.parametrize(
    "text", [f"<div>{VALUE}</div>", f"- {VALUE}", f"*{VALUE}*", f"> {VALUE}", f"${VALUE}$"]
)
def test_a_value_in_text_is_put_there(text):
    assert "41" in published(text)


def test_a_value_alone_in_a_paragraph_keeps_it():
    assert published(f"a\n\n{VALUE}\n\nb").count("<p>") == 3


@pytest.mark.parametrize(
    "literal",
    ["{{ snippet t/x }}", "｛｛ snippet t/x ｝｝", "{{ anything }}", "{{snippet t/x}}", "{{ snippet t/x }"],
)
def test_what_a_page_includes_is_not_published_with_a_directive_in_it(literal, tmp_path):
    (tmp_path / "part.md").write_text(f"Included: {literal}\n", encoding="utf-8")
    settings = {"pymdownx.snippets": {"base_path": [str(tmp_path)]}}
    with pytest.raises(
        Problem, match=r"^docs/en/p\.md: `(\{\{|｛｛).*would appear literally on the page. It comes"
    ):
        published('# P { #p }\n\n--8<-- "part.md"\n', **settings)


def test_an_example_between_backticks_is_published():
    assert "{{ snippet t/x }}" in published("`{{ snippet t/x }}`")


def test_ten_thousand_directives_have_a_mark_each():
    html = published(" ".join(["{{ value t/x x }}"] * 10_000))
    assert html.count("41") == 10_000 and not re.search("[\U000f0000-\U0010ffff]", html)


def test_a_private_character_of_another_plugin_is_left_alone():
    marks = Placeholders(parse(VALUE, "p.md"))
    marks.set(show({}, RESULTS))
    page = MkDocsPage(f"<p>{chr(FIRST)} \ue000 {chr(FIRST + 7)}</p>")
    marks.check(page.content, False)
    woven, _ = marks.weave(page.content, (), show({}, RESULTS))
    assert woven.endswith(f" \ue000 {chr(FIRST + 7)}</p>") and chr(FIRST) not in woven


HIDDEN_HEADINGS = ["- # A { #a }", "1. a\n\n    ## B { #b }", "<h2>A</h2>"]


@pytest.mark.parametrize("text", HIDDEN_HEADINGS)
def test_a_heading_that_the_languages_are_not_compared_by_is_refused(text):
    published(f"# P {{ #p }}\n\n{text}\n")
    with pytest.raises(
        Problem, match=r"docs/en/p\.md:1: the heading below can't be matched across languages"
    ):
        published(f"# P {{ #p }}\n\n{text}\n", is_compared=True)
