"""The Markdown twins and their list."""

import pytest
from markdown_it import MarkdownIt
from support.project import result, show

from weaver.execution.snippets.source import Snippet
from weaver.pages.parser import parse
from weaver.site.downloads import Edition, Entry, sections, write_lists
from weaver.site.twin import plain, twin

PAGE = """---
title: "T"
---

# T `t` { #t }

See [other](other.md#there), [home](index.md) and [outside](https://pytorch.org/a.md).

$$x = {{ value t/x y }}$$

{{ snippet t/x }}
"""


def test_a_twin_holds_the_output_and_links_to_twins(tmp_path):
    snippets = {"t/x": Snippet("t/x", tmp_path / "x.py", "print(1)\n")}
    results = {"t/x": result("1", answers={"text:y": "2"})}
    text = twin(parse(PAGE, "docs/en/x.md"), show(snippets, results))
    assert text.startswith("# T `t` {#t}\n\nSee [other](../other/index.md#there), [home](../index.md)")
    assert "https://pytorch.org/a.md" in text
    assert "$$x = 2$$" in text
    assert "```python\nprint(1)\n```" in text and "```text\n1\n```" in text
    assert "{{" not in text and "title:" not in text


def test_code_in_a_twin_is_left_as_it_is(tmp_path):
    code = 'import x\n\n\ndef f():\n    return "[a](b.md)"  # { #t }\n'
    snippets = {"t/x": Snippet("t/x", tmp_path / "x.py", code)}
    text = twin(
        parse(PAGE, "docs/en/x.md"),
        show(snippets, {"t/x": result("1", answers={"text:y": "2"})}, "en", "2"),
    )
    assert f"```python\n{code}```" in text


def test_an_admonition_becomes_a_quotation():
    page = parse('# T { #t }\n\n!!! tip "Do `this`"\n    One.\n\n    Two.\n\nAfter.\n', "docs/en/x.md")
    assert "> **Do `this`**\n> \n> One.\n> \n> Two.\n\nAfter." in twin(page, show({}, {}, "en", "2"))


def test_programs_in_lists_and_admonitions_stay_in_them(tmp_path):
    snippets = {"t/x": Snippet("t/x", tmp_path / "x.py", "print(1)\n\nprint(2)\n")}
    text = '# T { #t }\n\n- a\n\n    {{ snippet t/x }}\n\n???+ tip "b"\n    {{ snippet t/x }}\n\n    c\n'
    made = twin(parse(text, "docs/en/x.md"), show(snippets, {"t/x": result("1", "2")}))
    tokens = MarkdownIt().parse(made)
    code = "print(1)\n\nprint(2)\n"
    assert [t.content for t in tokens if t.type == "fence"] == [code, "1\n2\n"] * 2, made
    assert [t.level for t in tokens if t.type == "fence"] == [2, 2, 1, 1]
    assert "> **b**\n> \n> ```python\n" in made


def test_values_with_ends_of_lines_and_bars_break_neither_sentences_nor_tables():
    answers = {"text:x": "a\n\nb|c"}
    page = parse(
        "It is {{ value t/x x }}.\n\n| a | b |\n| - | - |\n| {{ value t/x x }} | 2 |\n", "docs/en/x.md"
    )
    made = twin(page, show({}, {"t/x": result(answers=answers)}))
    tokens = MarkdownIt().enable("table").parse(made)
    inline = [t.content for t in tokens if t.type == "inline"]
    assert inline == ["It is `a b|c`.", "a", "b", "`a b|c`", "2"]


def plainly(text):
    return plain(text, lambda link: f"](https://s/{link['page']}/)")


@pytest.mark.parametrize(
    "code",
    [
        "~~~py\nx  # { #t }\n\n\n[a](b.md)\n~~~\n",
        "````py\n```\n[a](b.md)\n`````\n",
        "  ```py\n  [a](b.md)\n  ```  \n",
        "`[a](b.md)` and `` ` [a](b.md) ``\n",
        "`$HOME` and `$PATH`\n",
    ],
)
def test_code_stays_as_it_is_and_the_text_after_it_is_converted(code):
    assert plainly(f"{code}\n[a](b.md)\n") == f"{code}\n[a](https://s/b/)\n"


def test_admonitions_without_a_title_link_titles_and_classes_are_converted():
    assert plainly('## A { #a .b }\n\n!!! note\n    One.\n\n[a](b.md "t")\n') == (
        "## A\n\n> One.\n\n[a](https://s/b/)\n"
    )


def test_a_twin_in_a_folder_links_to_twins():
    page = parse(
        "# T { #t }\n\n[a](../leaf.md#x), [b](gan.md), [c](../index.md)\n", "docs/en/labs/x.md"
    )
    text = twin(page, show({}, {}, "en", "2"), "labs/x/")
    assert "[a](../../leaf/index.md#x), [b](../../labs/gan/index.md), [c](../../index.md)" in text


def edition(text):
    """Return an edition of one page."""
    page = parse(text, "docs/ko/p.md")
    return Edition("K", "about k", "https://s/ko/", (Entry("P", "what p is", "p/", "p/index.html", page, "ko"),))


def test_the_list_names_every_edition_and_page(tmp_path):
    write_lists(tmp_path, "Site", [edition("# P\n")])
    listed = (tmp_path / "llms.txt").read_text()
    assert listed == (
        "# Site\n\n## K\n\nabout k\n\n- [P](https://s/ko/p/index.md): what p is\n"
        "- [llms-sections.txt](https://s/ko/llms-sections.txt): the address of each section\n"
    )
    assert (tmp_path / "robots.txt").read_text().endswith("Sitemap: https://s/ko/sitemap.xml\n")


def test_the_list_of_sections_has_the_address_of_each():
    listed = sections(edition("# P { #p }\n\n## A `x[0]` { #a }\n\n### B { #b }\n\n## Without\n"))
    assert listed == (
        "# K\n\n## [P](https://s/ko/p/)\n\n- [A `x[0]`](https://s/ko/p/#a)\n  - [B](https://s/ko/p/#b)\n"
    )
