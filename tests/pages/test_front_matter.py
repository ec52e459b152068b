"""Front matter: what it may be, and a sentence with its line for each thing that it is not."""

import re

import pytest

from weaver.pages.front_matter import lacks
from weaver.pages.parser import parse
from weaver.problem import Problem

REFUSED = {
    "---\ntitle: a: b\n---\nx\n": "x.md:2: not valid YAML (mapping values are not allowed in this context).",
    "---\ntitle: a\n  description: b\n---\nx\n": "x.md:3: not valid YAML",
    "---\ntitle: '\n---\nx\n": "x.md:3: not valid YAML",
    "---\n- a\n- b\n---\nx\n": "x.md:2: this is a list, but should be a group of keys. Fix it.",
    "---\njust text\n---\nx\n": "x.md:2: this is text, but should be a group of keys. Fix it.",
    "---\n---\nx\n": "x.md:1: the front matter is empty. Remove its two lines, or write `title: ...`.",
    "---\n# nothing\n---\nx\n": "x.md:1: the front matter is empty.",
    "---\ntitle: a\n\n# T { #t }\n": "x.md:1: the front matter isn't closed. Write `---` below it",
    "---\ntitle: a\n{{ snippet a/b }}\n": "x.md:1: the front matter isn't closed.",
    "---\ntitle: a\n---": "x.md:3: the page is empty below the front matter. Write its text.",
    "title: a\n\n# T\n": "x.md:1: `title:` looks like front matter without `---`. Put it between",
    "---\ntitle: x\ndescription: 2026-01-01\n---\n": (
        "x.md:3: `description` is a date, but should be text. Put it in quotes."
    ),
    "---\ntitle: 2026\n---\n": "x.md:2: `title` is a whole number, but should be text. Put it in quotes.",
    "---\ntitle: [a]\n---\n": "x.md:2: `title` is a list, but should be text. Fix it.",
    "---\nkeywords: a, b\n---\n": "x.md:2: `keywords` is text, but should be a list. Fix it.",
    "---\nkeywords:\n  - a\n  - 2026-01-01\n---\n": "x.md:4: `keywords.1` is a date, but should be text.",
    "---\nkeywords:\n---\n": "x.md:2: `keywords` is empty. Give it a value, or remove the line.",
    "---\ntitle:\n---\n": "x.md:2: `title` is empty. Give it a value, or remove the line.",
    "\n---\ntitle: a\n---\n# T\n": "x.md:2: front matter must begin on the first line, with exactly `---`.",
    "----\ntitle: a\n----\n# T\n": "x.md:1: front matter must begin on the first line, with exactly `---`.",
    "---\ntitle: a\ntitle: b\n---\n": "x.md:3: duplicate key `title`. Remove one.",
    "---\njupyter: yes\n---\n": "x.md:2: `jupyter` is true or false, but should be a group of keys.",
    "---\ntitle: !!python/object:os.system x\n---\n": "x.md:2: not valid YAML (could not determine a constructor",
    "---\ntitle: \x00\n---\n": "x.md:2: the control character U+0000. Remove it.",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_front_matter_is_refused_with_its_line(text):
    with pytest.raises(Problem, match=re.escape(REFUSED[text])):
        parse(text, "x.md")


@pytest.mark.parametrize("text", ["---\ntitle: a\n---\n", "--- \ntitle: a\n--- \n", "---\ntitle: a\n...\n"])
def test_all_marks_of_front_matter_that_mkdocs_knows_are_known(text):
    page = parse(f"{text}# T {{ #t }}\n", "x.md")
    assert (page.front.says.title, page.body, page.headings[0].line) == ("a", "# T { #t }\n", 4)


def test_keys_of_the_theme_are_left_alone_and_none_is_required():
    page = parse("---\nhide: [navigation]\ndate: 2026-01-01\n---\n# T\n", "x.md")
    assert list(lacks(page.front, "x.md", "T", [])) == []
    assert list(lacks(parse("# T\n", "x.md").front, "x.md", "T", [])) == []


ALL = ("title", "description", "keywords")
LACKING = {
    "# T\n": [f"x.md:1: the front matter lacks `{key}`. Write `{key}: `." for key in sorted(ALL)],
    "---\ntitle: S\ndescription: short\nkeywords: [a, b, a]\n---\n# T { #t }\n": [
        "x.md:2: the title is `S`, but the first heading is `T`. Make them the same.",
        "x.md:3: the description has 5 characters. Search engines show 20 to 200: write that many.",
        "x.md:4: the page has 3 keywords. Write 5 or more that readers would type.",
        "x.md:4: duplicate keyword `a`. Remove one.",
    ],
    "---\ntemplate: gate.html\n---\n# T\n": [],
}


@pytest.mark.parametrize("text", LACKING)
def test_what_a_site_requires_is_asked_of_every_page(text):
    page = parse(text, "x.md")
    assert [*lacks(page.front, page.path, page.title, ALL)] == LACKING[text]
