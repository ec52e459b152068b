"""Front matter: what it may be, and a sentence with its line for each thing that it is not."""

import re

import pytest

from weaver.pages.front_matter import lacks
from weaver.pages.parser import parse
from weaver.problem import Problem

REFUSED = {
    "---\ntitle: a: b\n---\nx\n": "x.md:2: this is no YAML (mapping values are not allowed in this context).",
    "---\ntitle: a\n  description: b\n---\nx\n": "x.md:3: this is no YAML",
    "---\ntitle: '\n---\nx\n": "x.md:3: this is no YAML",
    "---\n- a\n- b\n---\nx\n": "x.md:2: this is a list, and should be a group of keys. Mend it.",
    "---\njust text\n---\nx\n": "x.md:2: this is text, and should be a group of keys. Mend it.",
    "---\n---\nx\n": "x.md:1: the front matter is empty. Take its two lines out, or write `title: ...`.",
    "---\n# nothing\n---\nx\n": "x.md:1: the front matter is empty.",
    "---\ntitle: a\n\n# T { #t }\n": "x.md:1: the front matter has no end. Write a line of `---` below it.",
    "---\ntitle: a\n{{ snippet a/b }}\n": "x.md:1: the front matter has no end.",
    "---\ntitle: a\n---": "x.md:3: nothing stands below the front matter. Write the page's text.",
    "title: a\n\n# T\n": "x.md:1: a page that begins with `title:` begins with front matter. Put it between",
    "---\ntitle: x\ndescription: 2026-01-01\n---\n": (
        "x.md:3: `description` is a date, and should be text. Put it in quotes."
    ),
    "---\ntitle: 2026\n---\n": "x.md:2: `title` is a whole number, and should be text. Put it in quotes.",
    "---\ntitle: [a]\n---\n": "x.md:2: `title` is a list, and should be text. Mend it.",
    "---\nkeywords: a, b\n---\n": "x.md:2: `keywords` is text, and should be a list. Mend it.",
    "---\nkeywords:\n  - a\n  - 2026-01-01\n---\n": "x.md:4: `keywords.1` is a date, and should be text.",
    "---\nkeywords:\n---\n": "x.md:2: `keywords` is empty. Write it, or take the line out.",
    "---\ntitle:\n---\n": "x.md:2: `title` is empty. Write it, or take the line out.",
    "\n---\ntitle: a\n---\n# T\n": "x.md:2: front matter begins on the first line, with `---` and no more.",
    "----\ntitle: a\n----\n# T\n": "x.md:1: front matter begins on the first line, with `---` and no more.",
    "---\ntitle: a\ntitle: b\n---\n": "x.md:3: `title` stands twice. Take one out.",
    "---\njupyter: yes\n---\n": "x.md:2: `jupyter` is true or false, and should be a group of keys.",
    "---\ntitle: !!python/object:os.system x\n---\n": "x.md:2: this is no YAML (could not determine a constructor",
    "---\ntitle: \x00\n---\n": "x.md:2: the control character U+0000. Take it out.",
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
    assert lacks(page.front, "x.md", "T", []) == []
    assert lacks(parse("# T\n", "x.md").front, "x.md", "T", []) == []


ALL = ("title", "description", "keywords")
LACKING = {
    "# T\n": [f"x.md:1: the front matter lacks `{key}`. Write `{key}: `." for key in sorted(ALL)],
    "---\ntitle: S\ndescription: short\nkeywords: [a, b, a]\n---\n# T { #t }\n": [
        "x.md:2: the title is `S`, but the first heading is `T`. Make them the same.",
        "x.md:3: the description has 5 characters. Search engines show 20 to 200: write so many.",
        "x.md:4: the page has 3 keywords. Write 5 or more that readers type.",
        "x.md:4: the keyword `a` stands twice. Take one out.",
    ],
    "---\ntemplate: gate.html\n---\n# T\n": [],
}


@pytest.mark.parametrize("text", LACKING)
def test_what_a_site_requires_is_asked_of_every_page(text):
    page = parse(text, "x.md")
    assert lacks(page.front, page.path, page.title, ALL) == LACKING[text]
