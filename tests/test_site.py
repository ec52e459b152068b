"""One real build of the real site, looked at."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from conftest import LANGUAGES, book, results
from test_markup import Text

OWN = "autograd.example"


class References(HTMLParser):
    """Everything that a page makes a browser fetch."""

    def __init__(self, html):
        super().__init__()
        self.fetched = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "link" and attributes.get("rel") in ("canonical", "alternate", "prev", "next", "edit"):
            return
        if tag in ("link", "script", "img", "iframe", "source", "use", "video", "audio", "object", "embed"):
            self.fetched += [attributes[name] for name in ("href", "src", "data") if attributes.get(name)]


def pages(site):
    return sorted(site.rglob("*.html"))


def test_what_a_browser_would_fetch_is_seen():
    html = '<a href="https://a.example"></a><link rel="canonical" href="https://b.example"><img src="//c.example/x">'
    html += (
        '<link rel="stylesheet" href="https://d.example/x.css"><script src="https://e.example/x.js"></script>'
    )
    hosts = {urlsplit(address).netloc for address in References(html).fetched}
    assert hosts == {"c.example", "d.example", "e.example"}


def test_no_page_fetches_anything_from_anyone_else(site):
    for path in pages(site):
        for address in References(path.read_text(encoding="utf-8")).fetched:
            assert urlsplit(address).netloc in ("", OWN), (path, address)
    for path in [*site.rglob("*.css"), *site.rglob("assets/*.js")]:
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"""(?:url\(|@import|fetch\()\s*["']?(?:https?:)?//""", text), path


def test_no_page_holds_a_traceback_or_an_unexpanded_directive(site):
    for path in pages(site):
        html = path.read_text(encoding="utf-8")
        assert "Traceback (most recent call last)" not in html, path
        assert not re.search(r"\{\{ (?:snippet|value|table|question|end)", html), path
        assert not re.search("[\ue000-\uf8ff]", html), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_its_language_with_the_outputs_of_its_snippets(site, language):
    for name, page in book().pages[language].items():
        folder = site / language / ("" if name == "index.md" else name.removesuffix(".md"))
        html = (folder / "index.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}"' in html
        expected = "".join(
            results()[d.name].output for d in page.directives if d.kind in ("snippet", "question")
        )
        assert Text("samp", html).text == expected, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_its_own_search_index_and_sitemap(site, language):
    [other] = set(LANGUAGES) - {language}
    index = json.loads((site / language / "search/search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"].split("#")[0] for entry in index["docs"]}
    assert found == {
        "" if name == "index.md" else name.replace(".md", "/") for name in book().pages[language]
    }
    sitemap = (site / language / "sitemap.xml").read_text()
    assert f"/{language}/detach/" in sitemap and f"/{other}/" not in sitemap


def test_the_gate_links_to_every_language_without_javascript(site):
    html = (site / "index.html").read_text(encoding="utf-8")
    for language in LANGUAGES:
        assert re.search(rf'<a href="{language}/[^"]*" hreflang="{language}"', html)


def test_the_language_switch_goes_to_the_same_page(site):
    for language in LANGUAGES:
        html = (site / language / "detach/index.html").read_text(encoding="utf-8")
        for other in LANGUAGES:
            assert f'<a href="../../{other}/detach/" hreflang="{other}"' in html


def test_the_language_switch_is_left_alone_by_scripts_that_would_take_the_click(site):
    html = (site / "ko/detach/index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a [^>]*hreflang="[^>]*>', html)
    assert links and all('target="_self"' in link for link in links)
