"""What is served after any series of edits is, in every byte, what a fresh build gives."""

import random
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.project import LANGUAGES
from support.served import Served, inside
from support.wait import wait_for

from weaver.mkdocs.read_site import ReadSite

CONFIG = """
site_name: Test
theme: {{name: material, font: false, custom_dir: theme, features: [navigation.footer]}}
repo_url: https://github.com/a/b
plugins:
  - search
  - weaver:
      cards: true
      glossary: glossary.yml
      colab: notebooks
      languages:
        ko: {{name: 한국어, site_name: 시험 {number}}}
        en: {{name: English, sections: {{part: A part}}}}
nav: [index.md, glossary.md, part: {pages}]
markdown_extensions: [attr_list, admonition, tables, weaver.mkdocs.formula, pymdownx.snippets, toc: {{permalink: true}}]
extra_css: [assets/site.css]
"""
SNIPPET = """import torch

x = torch.tensor({number}.0, requires_grad=True)
y = x * x  # or: x * x.detach()
y.backward()
print(x.grad)
"""
PAGE = """---
title: {title}
description: What the page {title} says.
keywords: [gradient]
before: [index.md]
---
# {title} {{ #{name} }}

Paragraph {number}, and a leaf in it. See [the other]({other}.md#{other}).

{{{{ what-if s/{snippet} }}}}

## Numbers {{ #numbers-{number} }}

The gradient is {{{{ value s/{snippet} x.grad }}}}, and $y = x^2$.

{{{{ graph s/{snippet} y }}}}

{{{{ end }}}}
"""
INCLUDED = '\n--8<-- "part.txt"\n'  # a page with this is made again by each build
GLOSSARY = """
leaf:
  ko: {{term: 잎, says: 끝입니다 {number}.}}
  en: {{term: leaf, says: The end {number}.}}
"""
THEME = '{{% extends "base.html" %}}{{% block announce %}}Theme {number}{{% endblock %}}'


class Site(Served):
    """A small site that changes."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self.random, self.number = random.Random(0), 0
        self.facts: dict[str, dict] = {}
        for kind in (self.snippet, self.snippet, self.theme, self.style, self.glossary, self.included):
            kind()
        for _ in range(3):
            self.page_added()
        self.navigation()
        self.home()
        for language in LANGUAGES:
            self.write(f"docs/{language}/glossary.md", "# Glossary { #glossary }\n\n{{ terms }}\n")

    def new(self) -> int:
        """Return a number that nothing had before."""
        self.number += 1
        return self.number

    def any(self) -> str:
        """Return the name of a page."""
        return self.random.choice(sorted(self.facts))

    def page(self, name: str) -> None:
        """Write a page, and the pages that link to one that is gone."""
        for one, facts in self.facts.items():
            if facts["other"] not in self.facts:
                facts["other"] = one
        for one, facts in self.facts.items():
            for language in LANGUAGES:
                if one == name or facts["other"] == one:
                    included = INCLUDED if facts["other"] == one else ""
                    self.write(f"docs/{language}/{one}.md", PAGE.format(name=one, **facts) + included)

    def reword(self, name: str, languages: Iterable[str], words: str) -> None:
        """Write something else in the place of the first `Paragraph` of a page."""
        for language in languages:
            path = f"docs/{language}/{name}.md"
            text = (self.folder / path).read_text(encoding="utf-8")
            self.write(path, text.replace("Paragraph", words, 1))

    def prose(self):
        self.reword(self.any(), [self.random.choice(LANGUAGES)], f"Edit {self.new()}. Paragraph")

    def home(self):
        for language in LANGUAGES:
            text = f"---\ntitle: Home\n---\n# Home {self.new()} {{ #home }}\n"
            self.write(f"docs/{language}/index.md", text)

    def anchor(self):
        place = f'<a id="place-{self.new()}"></a> Paragraph'
        self.reword(self.any(), [self.random.choice(LANGUAGES)], place)

    def value(self):
        name = self.any()
        value = f"{{{{ value s/{self.facts[name]['snippet']} x.item() + {self.new()} }}}}. Paragraph"
        self.reword(name, LANGUAGES, value)

    def snippet(self):
        self.write(f"snippets/s/{self.random.choice('ab') if self.number > 1 else 'ab'[self.number]}.py", SNIPPET.format(number=self.new()))

    def heading(self):
        name = self.any()
        self.facts[name]["number"] = self.new()
        self.page(name)

    def front_matter(self):
        name = self.any()
        self.facts[name]["title"] = f"Title {self.new()}"
        self.page(name)

    def navigation(self):
        self.order = self.random.sample(sorted(self.facts), len(self.facts))
        self.configure()

    def configure(self):
        pages = [f"{name}.md" for name in self.order]
        self.write("mkdocs.yml", CONFIG.format(number=self.new(), pages=pages))

    def glossary(self):
        self.write("glossary.yml", GLOSSARY.format(number=self.new()))

    def theme(self):
        self.write("theme/main.html", THEME.format(number=self.new()))

    def style(self):
        self.write("theme/assets/site.css", f"/* {self.new()} */")

    def included(self):
        self.write("part.txt", f"Included {self.new()}.\n")

    def page_added(self):
        name = f"page-{self.new()}"
        self.facts[name] = {"title": name, "number": self.new(), "snippet": "a", "other": self.random.choice([*self.facts, name])}
        self.facts[name]["snippet"] = self.random.choice("ab")
        self.page(name)
        self.order = sorted(self.facts)
        self.configure()

    def page_removed(self):
        if len(self.facts) < 3:
            return self.page_added()
        name = self.any()
        del self.facts[name]
        for language in LANGUAGES:
            (self.folder / f"docs/{language}/{name}.md").unlink()
        for one in list(self.facts):
            self.page(one)
        self.order = sorted(self.facts)
        self.configure()

    def page_renamed(self):
        self.page_added()
        self.page_removed()


EDITS = (
    *(Site.prose, Site.prose, Site.snippet, Site.snippet, Site.heading, Site.front_matter, Site.navigation),
    *(Site.prose, Site.prose, Site.snippet, Site.snippet, Site.anchor, Site.value, Site.home, Site.snippet),
    *(Site.glossary, Site.theme, Site.style, Site.included, Site.page_added, Site.page_renamed, Site.page_removed),
)


@pytest.fixture
def served(tmp_path):
    """A function that serves a project of a kind."""
    with ExitStack() as stack:

        def served(kind, *files):
            project = stack.enter_context(inside(kind(tmp_path, *files)))
            project.serve()
            return project

        yield served


def test_edits_of_every_kind_leave_what_a_fresh_build_gives(served, every_page):
    site = served(Site)
    for number in range(100 if every_page else len(EDITS)):
        edit = EDITS[number] if number < len(EDITS) else site.random.choice(EDITS)
        edit(site)
        site.edited()


ONE = {
    "mkdocs.yml": "site_name: Test\ntheme: {name: material, font: false}\nplugins: [search, weaver]\n"
    "markdown_extensions: [attr_list, weaver.mkdocs.formula]\n",
    "docs/index.md": "# Home { #home }\n",
    "docs/page.md": "# Page { #page }\n\nWords.\n\n{{ snippet s/a }}\n",
    "snippets/s/a.py": "print(1)\n",
}
BORROWED = {
    **{path.replace("docs", "docs/ko"): text for path, text in ONE.items()},
    "mkdocs.yml": ONE["mkdocs.yml"].replace(
        "weaver]", "weaver: {languages: {ko: {name: 한국어}, en: {name: English, partial: true}}}]"
    ),
    "docs/en/index.md": "# Home { #home }\n",
}


def inodes(site):
    """Return which files are served: one that a build leaves stays the same."""
    return {path: (site.folder / "served" / path).stat().st_ino for path in site.files("served")}


def test_an_edit_leaves_the_pages_that_it_does_not_touch(served):
    pages = {f"docs/{language}/{name}.md": f"# {name} {{ #{name} }}\n\nWords.\n\n{{{{ snippet s/{name} }}}}\n" for language in LANGUAGES for name in "ab"}
    site = served(Served, BORROWED | {"docs/ko/page.md": "# P { #p }", "docs/en/page.md": "# P { #p }", "snippets/s/b.py": "print(2)\n"} | pages)
    for path, text, remade in (
        ("docs/ko/a.md", pages["docs/ko/a.md"].replace("Words", "More"), {"ko/a/index.html"}),
        ("snippets/s/b.py", "print(3)\n", {"ko/b/index.html", "en/b/index.html"}),
        ("docs/en/a.md", pages["docs/en/a.md"].replace("# a", "# New"), {path for path in site.files("served") if path.startswith("en/") and path.endswith("index.html")}),
    ):
        before = inodes(site)
        site.write(path, text)
        site.edited()
        assert {one for one, inode in inodes(site).items() if one.endswith("index.html") and before[one] != inode} == remade | {"index.html"} & before.keys()


def test_a_page_whose_template_shows_other_pages_is_made_again(served):
    config = BORROWED["mkdocs.yml"].replace("font: false", "font: false, custom_dir: theme")
    theme = '{% extends "base.html" %}{% block announce %}{% for one in pages %}{{ one.page.content }}{% endfor %}{% endblock %}'
    site = served(Served, BORROWED | {"mkdocs.yml": config, "theme/main.html": theme})
    site.write("docs/ko/page.md", BORROWED["docs/ko/page.md"].replace("Words", "More"))
    site.edited()
    assert "More" in site.seen("ko/index.html")


class Waiting(Served):
    """A site that is served before its programs have run; one of them waits until `go` is called."""

    def __init__(self, folder: Path):
        program = f"import os, time\nwhile not os.path.exists({str(folder / 'gone')!r}):\n    time.sleep(0.01)\nprint('there')\n"
        pages = {
            "docs/page.md": f"{ONE['docs/page.md']}\nIt is {{{{ value s/a os.name }}}}.\n",
            "docs/quick.md": "# Quick { #quick }\n\n{{ snippet s/b }}\n",
        }
        super().__init__(folder, ONE | pages | {"snippets/s/a.py": program, "snippets/s/b.py": "print('quick')\n"})
        self.waits = False

    def go(self):
        """Have the program end, and wait until it's known that all have."""
        (self.folder / "gone").touch()
        wait_for(lambda: self.plugin.preview.waits)


def test_pages_are_served_while_programs_run_and_whole_when_they_have(served):
    site = served(Waiting)
    html = site.seen("page/index.html")
    assert html.count('class="weaver-running"') == 2 and "weaver-problem\"" not in html and "weaver-problems\"" not in html
    assert "The program is running. What it prints appears here." in html and not (site.folder / "served/page/index.ipynb").exists()
    site.go()
    site.edited()
    html = site.seen("page/index.html")
    assert "weaver-running\"" not in html and "there\n</samp>" in html


def test_an_old_address_that_leads_nowhere_any_more_is_told_though_its_page_did_not_change(served):
    site = served(Served, ONE | {"docs/old.md": "---\nmoved: {once: page.md#here}\n---\n# Old { #old }\n", "docs/page.md": "# Page { #page }\n\n## Here { #here }\n"})
    site.write("docs/page.md", "# Page { #page }\n\n## There { #there }\n")
    site.server.builder()
    assert "docs/old.md:2: `once` moved to `page.md#here`, but" in site.seen("old/index.html")
    site.write("docs/page.md", "# Page { #page }\n\n## There { #there }\n\n## Here { #here }\n")
    site.edited()
    assert "once" in site.seen("old/index.html") and "weaver-problems\"" not in site.seen("old/index.html")


@pytest.mark.parametrize(("files", "page"), [(ONE, "docs/page.md"), (BORROWED, "docs/ko/page.md")])
def test_the_pages_of_one_language_and_of_another_that_lends_them_are_made_again(served, files, page):
    site = served(Served, files)
    for path, text in ((page, files[page].replace("Words", "More")), ("snippets/s/a.py", "print(2)\n")):
        site.write(path, text)
        site.edited()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{{ snip s/a }}", "docs/page.md:5: there is no directive `snip`"),
        (r"$\nothing$", "docs/page.md:5: the formula"),
        ("---\ntitle: a: b\n---\n", "docs/page.md:"),
    ],
)
def test_a_page_that_cannot_be_made_stays_with_the_sentence_over_every_page_until_it_is_fixed(served, wrong, said):
    site = served(Served, ONE)
    before = site.files("served")
    top = wrong.startswith("---")
    site.write("docs/page.md", f"{wrong if top else ''}# Page {{ #page }}\n\nWords.\n\n{'' if top else wrong}\n\n{{{{ snippet s/a }}}}\n")
    site.server.builder()
    assert site.files("served") == before
    for page in ("page/index.html", "index.html"):
        assert f"<p>{said}" in site.seen(page)
    site.write("docs/page.md", ONE["docs/page.md"].replace("Words", "Fixed"))
    site.edited()
    assert "weaver-problems\"" not in site.seen("page/index.html") and "Fixed" in site.seen("page/index.html")


def test_a_page_that_was_broken_from_the_start_is_served_with_the_rest(served):
    site = served(Served, ONE | {"docs/page.md": "# Page { #page }\n\n{{ snip s/a }}\n", "docs/math.md": r"$\no$"})
    for page in ("page/index.html", "index.html", "math/index.html"):
        assert "docs/page.md:3: there is no directive `snip`" in site.seen(page)
        assert "docs/math.md:1: the formula" in site.seen(page)
    site.write("docs/page.md", ONE["docs/page.md"])
    site.write("docs/math.md", "Nothing.")
    site.edited()
    assert "weaver-problem\"" not in site.seen("page/index.html") + site.seen("math/index.html")
    assert "print" in site.seen("page/index.html")


def test_two_languages_that_differ_are_told_while_the_edit_is_shown(served):
    site = served(Served, BORROWED | {"docs/en/page.md": "# Page { #page }\n\nWords.\n\n{{ snippet s/a }}\n"})
    site.write("docs/en/page.md", "# Page { #page }\n\n## More { #more }\n\n{{ snippet s/a }}\n")
    site.server.builder()
    assert "docs/ko/page.md lacks the heading `## { #more }`" in site.seen("ko/page/index.html")
    assert 'id="more"' in site.seen("en/page/index.html")
    site.write("docs/ko/page.md", "# Page { #page }\n\n## More { #more }\n\n{{ snippet s/a }}\n")
    site.edited()
    assert "weaver-problems\"" not in site.seen("ko/page/index.html")


@pytest.mark.parametrize(
    ("program", "said", "begins_so"),
    [
        ("raise ValueError('<b>no</b>')", "error: ValueError: &lt;b&gt;no&lt;/b&gt;", False),
        ("import time\ntime.sleep(9)", "snippets/s/a.py:", True),
        ("import sys\nsys.exit(3)", "snippets/s/a.py:2:", False),
        ("x = 2\ny = (", "snippets/s/a.py:", True),
    ],
    ids=["fails", "late", "refused", "is no Python"],
)
def test_a_program_that_cannot_be_shown_is_a_notice_at_its_place_until_it_is_fixed(served, program, said, begins_so):
    page = "# Page { #page }\n\n{{ snippet s/b }}\n\n{{ question s/a x }}\n- 3\n\nSo.\n{{ end }}\n\nIt is {{ value s/a x }}.\n"
    config = ONE["mkdocs.yml"].replace("weaver]", "weaver: {limit: 1}]")
    good = {"docs/page.md": page, "snippets/s/b.py": "print('fine')", "mkdocs.yml": config, "snippets/s/a.py": "x = 2"}
    site = served(Served, ONE | good | ({"snippets/s/a.py": program} if begins_so else {}))
    if not begins_so:
        assert "weaver-problem\"" not in site.seen("page/index.html")
        site.write("snippets/s/a.py", program)
        site.edited()
    html = site.seen("page/index.html")
    assert html.count(said) == 1 and html.count('class="weaver-problem"') == 2 and "fine" in html and "So." in html
    assert html.count("<section") == html.count("</section>") and html.count("<details") == html.count("</details>")
    assert "weaver-problem\"" not in site.seen("index.html") and "<b>no" not in html
    site.write("snippets/s/a.py", "x = 5")
    site.edited()
    html = site.seen("page/index.html")
    assert "weaver-problem\"" not in html and ">5</code>" in html


def test_a_notice_is_in_the_words_of_the_site(served):
    words = {"words/ko.yml": "page: {problem: 못 보임, problems: 고칠 것}\n"}
    config = BORROWED["mkdocs.yml"].replace("languages:", "words: words, languages:")
    site = served(Served, BORROWED | words | {"mkdocs.yml": config, "snippets/s/a.py": "1 / 0"})
    assert "못 보임" in site.seen("ko/page/index.html")
    site.write("docs/ko/page.md", "{{ snip }}")
    site.server.builder()
    assert "고칠 것" in site.seen("ko/index.html") and "고칠 것" not in site.seen("en/index.html")


def test_a_lab_that_fails_is_a_notice_at_its_cell(served):
    lab = "---\njupyter: {}\n---\n# L { #l }\n\n```python\nprint(1)\n```\n\nText.\n\n```python\n1 / 0\n```\n"
    site = served(Served, ONE | {"docs/labs/l.md": lab})
    html = site.seen("labs/l/index.html")
    assert html.count("docs/labs/l.md:13: cell 2 raises ZeroDivisionError") == 1
    assert html.index("Text.") < html.index("cell 2 raises")
    site.write("docs/labs/l.md", lab.replace("1 / 0", "print(6 * 7)"))
    site.edited()
    assert "weaver-problem\"" not in (html := site.seen("labs/l/index.html")) and "<samp>42" in html


def test_what_breaks_the_whole_site_is_told_over_it(served):
    site = served(Served, ONE)
    before = site.files("served")
    site.write("mkdocs.yml", ONE["mkdocs.yml"].replace("weaver]", "weaver: {limit: -1}]"))
    site.server.builder()
    assert site.files("served") == before and "option &#x27;limit&#x27;" in site.seen("index.html")
    site.write("mkdocs.yml", ONE["mkdocs.yml"])
    site.edited()
    assert "weaver-problems\"" not in site.seen("index.html")


def test_a_template_that_cannot_be_rendered_leaves_what_was_served(served):
    theme = {"theme/main.html": '{% extends "base.html" %}', "mkdocs.yml": ONE["mkdocs.yml"].replace("font: false", "font: false, custom_dir: theme")}
    site = served(Served, ONE | theme)
    before = site.files("served")
    site.write("theme/main.html", '{% extends "base.html" %}{% block announce %}{{ no.thing }}{% endblock %}')
    site.server.builder()
    assert site.files("served") == before
    assert "theme/main.html:1: the template can&#x27;t be rendered" in site.seen("page/index.html")
    site.write("theme/main.html", theme["theme/main.html"])
    site.edited()
    assert "weaver-problems\"" not in site.seen("page/index.html")


def test_an_edit_during_the_first_build_is_built_before_anything_is_served(served, monkeypatch):
    read = ReadSite.__init__

    def edited(self, config, *arguments, **named):
        read(self, config, *arguments, **named)
        path = Path(config.docs_dir, "page.md")
        path.write_text(path.read_text().replace("Words", "Later words"))

    monkeypatch.setattr(ReadSite, "__init__", edited)
    site = served(Served, ONE)
    assert "Later words" in site.seen("page/index.html")


@pytest.mark.parametrize("setting", ["strict: true", "hooks: [hook.py]", "extra_templates: [all.html]"])
def test_an_edit_is_served_whatever_the_site_has_besides(served, setting):
    more = {"mkdocs.yml": f"{ONE['mkdocs.yml']}{setting}\n", "hook.py": "", "docs/all.html": "{{ config.site_name }}"}
    site = served(Served, {**ONE, **more})
    site.write("docs/page.md", ONE["docs/page.md"].replace("Words", "More"))
    site.edited()
