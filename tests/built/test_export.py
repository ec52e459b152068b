"""The pages without MkDocs: woven into plain Markdown and HTML, and built with another generator."""

import re
import subprocess
import sys
from dataclasses import replace
from html import unescape

import pytest
from mkdocs.config import load_config
from support.project import LANGUAGES, ROOT, content, results, show, versions
from support.shared import once

from weaver.directives.body import BodyDirective
from weaver.directives.directive import Directive
from weaver.mkdocs import addresses
from weaver.mkdocs.export import one_line
from weaver.pages.way import Way

KINDS = {
    "picture": r"<svg\b|<img\b",
    "question": r'<section class="question"',
    "choice": r'data-right="(?:true|false)"',
}


@pytest.fixture(scope="module")
def woven():
    """The folder of the woven pages, built."""

    def make(path):
        done = subprocess.run(
            [sys.executable, "-m", "weaver", "weave", str(path)], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        for language in LANGUAGES:
            built = subprocess.run(
                [sys.executable, "-m", "zensical", "build", "--strict"],
                cwd=path / language,
                capture_output=True,
                text=True,
            )
            assert built.returncode == 0 and "No issues found" in built.stderr, built.stdout + built.stderr

    return once("woven", make)


def text(html):
    """Return what HTML says, without the spaces that its source has."""
    html = re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.DOTALL)
    return re.sub(r"[\s¶]+", "", unescape(re.sub("<[^<>]*>", "", html)))


def article(folder, name):
    page = folder / "site" / ("" if name == "index.md" else name.removesuffix(".md")) / "index.html"
    return re.search(r"<article\b.*</article>", page.read_text(encoding="utf-8"), re.DOTALL)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_generator_shows_every_output_picture_and_question_of_every_page(woven, language):
    pages = content().pages[language]
    way = Way(pages, load_config(str(ROOT / "mkdocs.yml")).nav)
    asked = addresses.asked(way, "quiz.md", dict.fromkeys(pages, ""))
    everything = replace(show(content().snippets, results(), language), questions=asked, **versions())
    for name, page in pages.items():
        figures = dict.fromkeys(one.name for one in page.directives if one.shows_program and one.is_named)
        shown = replace(everything, figures=tuple(figures))
        built, at = article(woven / language, name), 0
        said = text(built)
        for directive in page.directives:
            if directive.is_prose:
                continue
            wanted = text(directive.html(shown))
            at = said.find(wanted, at)
            assert at >= 0, f"{directive.place}: {wanted}"
            at += 0 if isinstance(directive, BodyDirective) else len(wanted)
        html = "".join(part.html(shown) for part in page.parts if isinstance(part, Directive) and not part.is_prose)
        for kind, pattern in KINDS.items():
            assert len(re.findall(pattern, built)) == len(re.findall(pattern, html)), f"{page.path}: {kind}"
        assert "{{" not in re.sub(r"<(pre|code)\b.*?</\1>", "", built, flags=re.DOTALL), page.path
        ids = set(re.findall(r'id="([^"]+)"', built))
        assert {heading.id for heading in page.headings} <= ids, page.path


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_its_pages_ask_for_is_there(woven, language):
    site = woven / language / "site"
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        for address in re.findall(r'<(?:img|a|script|link)\b[^>]* (?:src|href|data-trace)="([^"#?]+)', html):
            if "//" not in address and not address.startswith(("/", "data:", "mailto:")):
                assert (page.parent / address).exists(), f"{page}: {address}"
    assert len(list(site.rglob("*.trace.js"))) > 100


def test_html_on_one_line_is_left_as_it_is_by_markdown():
    from markdown import markdown

    html = '<figure><pre><code>a * b_c_d [x](y)\n\n    `q` &lt;b&gt; &#39; {1: 2} $z$\n</code></pre></figure>'
    for before in ("", "- item\n\n    ", "> ", "    text\n\n"):
        made = markdown(before + one_line(html), extensions=["tables", "attr_list", "md_in_html"])
        assert unescape(html[8:-9]) in unescape(made), made
    assert "\n" not in one_line(html)


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = subprocess.run(
        [sys.executable, "-m", "weaver", "weave", str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1 and "is not empty. Give another folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
