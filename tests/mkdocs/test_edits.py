"""What is served after any series of edits is, in every byte, what a fresh build gives."""

import random
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from support.project import write_files

from weaver.pages import content, glossary
from weaver.site.shelf import Shelf

ADDRESS = "http://127.0.0.1:8000/"
CONFIG = """
site_name: Test
theme: {{name: material, font: false, custom_dir: theme, features: [navigation.footer]}}
repo_url: https://github.com/a/b
plugins:
  - search
  - weaver:
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
y = x * x
y.backward()
print(x.grad)
"""
PAGE = """---
title: {title}
description: What the page {title} says.
keywords: [gradient]
---
# {title} {{ #{name} }}

Paragraph {number}, and a leaf in it. See [the other]({other}.md#{other}).

{{{{ snippet s/{snippet} }}}}

## Numbers {{ #numbers-{number} }}

The gradient is {{{{ value s/{snippet} x.grad }}}}, and $y = {{{{ value s/{snippet} y.item() }}}}$.

{{{{ graph s/{snippet} y }}}}

--8<-- "part.txt"
"""
GLOSSARY = """
leaf:
  ko: {{term: 잎, says: 끝입니다 {number}.}}
  en: {{term: leaf, says: The end {number}.}}
"""
THEME = '{{% extends "base.html" %}}{{% block announce %}}Theme {number}{{% endblock %}}'
LANGUAGES = ("ko", "en")


class Site:
    """A small site that changes; `served` is where it is built again and again."""

    def __init__(self, folder: Path):
        self.folder, self.random, self.number = folder, random.Random(0), 0
        self.facts: dict[str, dict] = {}
        for kind in (self.snippet, self.snippet, self.theme, self.style, self.glossary, self.included):
            kind()
        for _ in range(3):
            self.page_added()
        self.navigation()
        for language in LANGUAGES:
            self.write(f"docs/{language}/index.md", "# Home { #home }\n")
            self.write(f"docs/{language}/glossary.md", "# Glossary { #glossary }\n\n{{ terms }}\n")
        self.plugin = None

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        write_files(self.folder, {path: text})

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
                    self.write(f"docs/{language}/{one}.md", PAGE.format(name=one, **facts))

    def prose(self):
        name = self.any()
        path = f"docs/{self.random.choice(LANGUAGES)}/{name}.md"
        text = (self.folder / path).read_text(encoding="utf-8")
        self.write(path, text.replace("Paragraph", f"Edit {self.new()}. Paragraph", 1))

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

    def build(self, into: str, afresh: bool) -> dict[str, bytes]:
        """Build the site as `mkdocs serve` does, `afresh` without what is remembered; return its files."""
        config = load_config(str(self.folder / "mkdocs.yml"), site_dir=str(self.folder / into))
        config.site_url = ADDRESS
        plugin = config.plugins["weaver"]
        if plugin is not self.plugin:
            plugin.on_startup(command="serve", dirty=False)
            self.plugin = plugin
        memory = plugin.kept, plugin.shelf
        if afresh:
            plugin.kept, plugin.shelf = None, Shelf("snippets")
            content._last.clear()
            glossary._read.cache_clear()
        build(config, serve_url=ADDRESS)
        if afresh:
            plugin.kept, plugin.shelf = memory
        site = self.folder / into
        return {
            path.relative_to(site).as_posix(): path.read_bytes()
            for path in site.rglob("*")
            if path.is_file() and path.name != "sitemap.xml.gz"
        }


EDITS = (
    *(Site.prose, Site.prose, Site.snippet, Site.snippet, Site.heading, Site.front_matter, Site.navigation),
    *(Site.glossary, Site.theme, Site.style, Site.included, Site.page_added, Site.page_renamed, Site.page_removed),
)


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    site = Site(tmp_path)
    yield site
    site.plugin.on_shutdown()
    site.plugin.kept = site.plugin.runner = site.plugin.labs = None
    site.plugin.shelf = Shelf("snippets")


def test_a_hundred_edits_leave_what_a_fresh_build_gives(site):
    site.build("served", afresh=False)
    for number in range(100):
        edit = EDITS[number] if number < len(EDITS) else site.random.choice(EDITS)
        edit(site)
        served, fresh = site.build("served", afresh=False), site.build("fresh", afresh=True)
        assert served.keys() == fresh.keys(), edit.__name__
        assert [path for path in fresh if served[path] != fresh[path]] == [], (number, edit.__name__)
