"""One real build of the real site, looked at."""

import gzip
import json
import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from PIL import Image
from support.html import Text
from support.project import LANGUAGES, content, shown

from weaver.directives import KINDS
from weaver.escape import visible

OWN = "autograd.example"
ELEMENTS = 1500  # of a page; a browser computes styles for each
DIRECTIVE = re.compile(rf"\{{\{{\s*(?:{'|'.join(KINDS)})\b")

WAY = re.compile(r'<p class="way".*?</p>')


class References(HTMLParser):
    """Everything that a page makes a browser fetch."""

    def __init__(self, html):
        super().__init__()
        self.fetched = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "link" and attributes.get("rel", "").strip() in (
            "canonical",
            "alternate",
            "prev",
            "next",
            "edit",
        ):
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
        assert not DIRECTIVE.search(html), path
        assert not re.search("[\ue000-\uf8ff\U000f0000-\U0010ffff]", html), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_its_language_with_the_outputs_of_its_snippets(site, language):
    for name, page in content().pages[language].items():
        folder = site / language / ("" if name == "index.md" else name.removesuffix(".md"))
        html = (folder / "index.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}"' in html
        assert Text("samp", html).text == "".join(printed for _, printed in shown(page)), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_its_own_search_index_and_sitemap(site, language):
    [other] = set(LANGUAGES) - {language}
    index = json.loads((site / language / "search/documents.json").read_text(encoding="utf-8"))
    found = {entry["location"].split("#")[0] for entry in index["docs"]}
    assert found == {
        "" if name == "index.md" else name.replace(".md", "/") for name in content().pages[language]
    }
    sitemap = (site / language / "sitemap.xml").read_text()
    assert (
        f"<loc>https://{OWN}/{language}/detach/</loc>" in sitemap
        and f"<loc>https://{OWN}/{other}/" not in sitemap
    )
    for code, address in ((language, language), (other, other), ("x-default", "en")):
        assert f'hreflang="{code}" href="https://{OWN}/{address}/detach/"' in sitemap


class Head(HTMLParser):
    """A page's links, meta elements and linked data."""

    def __init__(self, html):
        super().__init__()
        self.links, self.metas, self.data, self.title = [], {}, "", ""
        self.inside = None
        self.feed(html.split("</head>")[0])

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "link":
            self.links.append((attributes["rel"].strip(), attributes.get("hreflang"), attributes["href"]))
        if tag == "meta":
            name = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv")
            self.metas[name] = attributes.get("content")
        self.inside = "data" if attributes.get("type") == "application/ld+json" else tag

    def handle_data(self, data):
        if self.inside in ("data", "title"):
            setattr(self, self.inside, getattr(self, self.inside) + data)

    def handle_endtag(self, tag):
        self.inside = None


class Elements(HTMLParser):
    """The number of a page's elements, without those that wait for a script or for none."""

    def __init__(self, html):
        super().__init__()
        self.number, self.waiting = 0, 0
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.number += not self.waiting
        self.waiting += tag in ("template", "noscript")

    def handle_endtag(self, tag):
        self.waiting -= tag in ("template", "noscript")


def test_a_phone_lays_out_no_page_of_too_many_elements_and_fetches_none_of_too_many_bytes(site):
    for path in pages(site):
        html = path.read_text(encoding="utf-8")
        assert Elements(html).number <= ELEMENTS, path
        assert len(gzip.compress(html.encode())) <= 60_000 or "quiz" in path.parts, path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_can_be_found_and_quoted(site, language):
    titles, cards = set(), set()
    for name in content().pages[language]:
        url = "" if name == "index.md" else name.replace(".md", "/")
        path = site / language / url
        head = Head((path / "index.html").read_text(encoding="utf-8"))
        address = f"https://{OWN}/{language}/{url}"
        assert ("canonical", None, address) in head.links
        alternates = {(code, to) for rel, code, to in head.links if rel == "alternate" and code}
        assert alternates == {(one, f"https://{OWN}/{one}/{url}") for one in LANGUAGES} | {
            ("x-default", f"https://{OWN}/en/{url}" if url else f"https://{OWN}/")
        }
        assert head.metas["description"] == head.metas["og:description"] != ""
        assert head.metas["og:url"] == address and head.metas["og:title"] in head.title
        card = site / head.metas["og:image"].removeprefix(f"https://{OWN}/")
        assert Image.open(card).size == (1200, 630) and card.stat().st_size < 150_000
        assert head.metas["twitter:card"] == "summary_large_image" and head.metas["og:image:alt"]
        cards.add(card)
        data = json.loads(head.data)
        assert data["@type"] == "TechArticle" and data["inLanguage"] == language and data["url"] == address
        assert ("alternate", None, "index.md") in head.links and (path / "index.md").is_file()
        titles.add(head.title)
    assert len(titles) == len(content().pages[language]) and len(cards) > len(titles) / 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_beside_each_page_lies_its_markdown_twin_with_the_outputs_in_it(site, language):
    listed = (site / "llms.txt").read_text(encoding="utf-8")
    for name, page in content().pages[language].items():
        url = "" if name == "index.md" else name.replace(".md", "/")
        text = (site / language / url / "index.md").read_text(encoding="utf-8")
        assert f"(https://{OWN}/{language}/{url}index.md)" in listed
        for code, printed in shown(page, measured=False):
            assert code.rstrip() in text and visible(printed).rstrip() in text
        assert not DIRECTIVE.search(text), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_for_machines_leads_to_each_section_that_the_search_finds(site, language):
    root = f"https://{OWN}/{language}/"
    assert f"({root}llms-sections.txt)" in (site / "llms.txt").read_text(encoding="utf-8")
    listed = (site / language / "llms-sections.txt").read_text(encoding="utf-8")
    places = [place.removeprefix(root) for place in re.findall(r"\]\((\S+#[\w-]+)\)$", listed, re.MULTILINE)]
    searched = json.loads((site / language / "search/documents.json").read_text(encoding="utf-8"))["docs"]
    assert sorted(places) == sorted(doc["location"] for doc in searched if "#" in doc["location"])


def test_every_program_can_be_downloaded_from_the_pages_that_show_it(site):
    for path in site.rglob("index.html"):
        for link in re.findall(
            r'<figcaption[^>]*><a href="([^"]*\.py)" download>', path.read_text(encoding="utf-8")
        ):
            program = (path.parent / link).resolve()
            name = program.relative_to(site / "snippets").with_suffix("").as_posix()
            assert program.read_text(encoding="utf-8") == content().snippets[name].code


def test_every_page_allows_only_this_site_and_its_own_inline_code(site):
    for path in pages(site):
        html = path.read_text(encoding="utf-8")
        policy = Head(html).metas["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'; script-src 'self'")
        assert not re.search(r"\bon(?:click|load|change|input)=|javascript:", html), path


def test_our_own_files_carry_a_hash_in_their_name(site):
    for path in site.rglob("assets/*.*"):
        if path.suffix in (".css", ".js", ".png", ".woff2"):
            assert re.search(r"\.[0-9a-f]{8}\.\w+$", path.name), path
    for path in pages(site):
        fetched = References(path.read_text(encoding="utf-8")).fetched
        for address in [one for one in fetched if not one.startswith("data:")]:
            assert (path.parent / address).exists() or (site / address.lstrip("/")).exists(), (path, address)


def test_robots_are_shown_the_sitemaps(site):
    robots = (site / "robots.txt").read_text()
    assert all(f"Sitemap: https://{OWN}/{language}/sitemap.xml" in robots for language in LANGUAGES)


def test_the_page_for_missing_pages_speaks_both_languages_and_offers_their_search(site):
    html = (site / "404.html").read_text(encoding="utf-8")
    for language in LANGUAGES:
        assert f'<section lang="{language}">' in html and f'<form action="/{language}/" role="search"' in html


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_navigation_has_a_name_of_one_line_for_each_page_and_the_page_its_title(site, language):
    for name, page in content().pages[language].items():
        html = (site / language / ("" if name == "index.md" else name.removesuffix(".md")) / "index.html").read_text("utf-8")
        links = re.findall(r'<a href="[^"]*" class="md-nav__link[^"]*">(.*?)</a>', html)
        names = [unescape(link).replace("\u2060", "") for link in links]
        assert len(names) >= len(content().pages[language]), name
        short = page.front.says.nav_title or page.title
        width = sum(2 if letter >= "가" else 1 for letter in short)
        assert short in names and width <= 26, short
        assert page.title in Head(html).title or name == "index.md"


def test_a_page_has_a_short_name_in_both_languages_or_in_none():
    named = [{name for name, page in content().pages[one].items() if page.front.says.nav_title} for one in LANGUAGES]
    assert named[0] == named[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_beside_the_choice_of_verdicts_stands_how_many_claims_have_each(site, language):
    html = (site / language / "claims/index.html").read_text(encoding="utf-8")
    told = [int(number) for number in re.findall(r'id="only-\w+"[^>]*>[^<]*<small>(\d+)</small>', html)]
    rows = [len(re.findall(rf'<td><strong class="claim {one}', html)) for one in ("", "true", "partly", "false")]
    assert told == rows and told[0] == sum(told[1:]) == html.count("</tr>") - 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_below_a_pages_first_words_are_its_contents_and_above_them_no_more_than_its_place(site, language):
    html = (site / language / "detach/index.html").read_text(encoding="utf-8")
    article = html[html.index("<article") : html.index("</article>")]
    assert article.index('class="way"') < article.index("<h1") < article.index('class="take"') < article.index("<h2")
    contents = article[article.index('<details class="contents"') :].split("</details>")[0]
    sections = [one.id for one in content().pages[language]["detach.md"].headings if one.level == 2]
    assert re.findall(r'<a href="#([^"]+)">', contents) == sections
    assert "<a " not in article[: article.index("<h1")].replace(WAY.search(article)[0], "")


def test_the_gate_says_in_each_language_what_the_site_is(site):
    html = (site / "index.html").read_text(encoding="utf-8")
    for language in LANGUAGES:
        link = re.search(rf'hreflang="{language}" lang.*?</a>', html)[0]
        assert "PyTorch" in link


def test_the_page_for_missing_pages_leads_to_pages_that_are_there(site):
    html = (site / "404.html").read_text(encoding="utf-8")
    assert re.search("<title>404: Page not found.</title>", html)
    paths = re.findall(r'href="/((?:ko|en)/[^"]*)"', html)
    assert len(paths) == 4 * len(LANGUAGES) and all((site / path / "index.html").is_file() for path in paths)
