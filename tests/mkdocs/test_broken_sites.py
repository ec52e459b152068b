"""Small sites with one thing wrong, or odd: a sentence, or the right site; never a traceback, never a directive."""

import base64
import hashlib
import json
import os
import re
import sys
from pathlib import Path

import pytest
from mkdocs.exceptions import Abort
from support.project import ROOT, SITE, mkdocs, write_files
from support.served import Rebuilt, inside

from weaver.execution.labs.runner import Labs

CONFIG = SITE + """  - weaver:
      languages:
        ko: {name: 한국어}
        en: {name: English}
markdown_extensions: [attr_list, weaver.mkdocs.formula]
"""
PAGE = "# P { #p }\n\n{{ value t/x x }}\n"
FILES = {
    "mkdocs.yml": CONFIG,
    "docs/index.md": "# Gate { #gate }\n",
    "docs/ko/index.md": "# Home { #home }\n",
    "docs/en/index.md": "# Home { #home }\n",
    "docs/ko/p.md": PAGE,
    "docs/en/p.md": PAGE,
    "snippets/t/x.py": "x = 40 + 1\nprint(x)\n",
}
WEAVER = "      languages:"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small site that this process builds again and again."""
    with inside(Rebuilt(tmp_path_factory.mktemp("small"))) as project:
        yield project


@pytest.fixture
def build(small):
    """A function that builds the small site with files changed, added, or (None) taken away."""

    def build(changes):
        small.begin(FILES | changes)
        small.build()
        return small.folder

    return build


def both(text, name="p"):
    return {f"docs/{language}/{name}.md": text for language in ("ko", "en")}


def settings(text):
    return {"mkdocs.yml": CONFIG.replace(WEAVER, f"      {text}\n{WEAVER}")}


def ko(text):
    return {"mkdocs.yml": CONFIG.replace("{name: 한국어}", text)}


LITERAL = "would appear literally on the page"
REFUSED = {
    "a directive above the languages": (
        {"docs/index.md": "# G\n\n{{ snippet t/x }}\n"},
        f"docs/index.md:3: `{{{{ snippet t/x }}}}` {LITERAL}",
    ),
    "a directive in the folder of a language that is not listed": (
        {"docs/fr/p.md": PAGE},
        f"docs/fr/p.md:3: `{{{{ value t/x x }}}}` {LITERAL}",
    ),
    "broken front matter above the languages": (
        {"docs/index.md": "---\ntitle: a: b\n---\n# G\n"},
        "docs/index.md:2: not valid YAML",
    ),
    "a formula above the languages": (
        {"docs/index.md": "# G\n\n$\\no$\n"},
        "docs/index.md:3: the formula `$\\no$`",
    ),
    "a date as description": (
        both("---\ndescription: 2026-01-01\n---\n" + PAGE),
        "p.md:2: `description` is a date",
    ),
    "a template that is not there": (
        both("---\ntemplate: none.html\n---\n" + PAGE),
        "docs/ko/p.md:2: the theme has no template `none.html`.",
    ),
    "a formula that a table's cell cuts": (
        both(PAGE + "\n| a |\n|---|\n| `|$x|` $x|y$ |\n"),
        "docs/ko/p.md:7: `|` in `$x|y$` ends the table's cell. Write `\\vert`.",
    ),
    "a footnote that no one uses": (
        {"mkdocs.yml": CONFIG.replace("attr_list,", "attr_list, footnotes,"), **both(PAGE + "\n[a]: <{{ value t/x x }}>\n")},
        "docs/ko/p.md:5: ",
    ),
    "a hook that escapes what is not ASCII": (
        {
            "mkdocs.yml": CONFIG + "hooks: [hook.py]\n",
            "hook.py": "def on_page_content(html, **k):\n    return html.encode('ascii', 'xmlcharrefreplace').decode()\n",
        },
        "docs/ko/p.md:3: `{{ value ... }}` is lost: it is in something that isn't shown",
    ),
    "a template that asks for what is not there": (
        {
            "mkdocs.yml": CONFIG.replace("font: false", "font: false, custom_dir: t"),
            "t/main.html": "{% extends 'base.html' %}\n{% block extrahead %}{{ nothing.there }}{% endblock %}",
        },
        "t/main.html:2: the template can't be rendered: 'nothing' is undefined. Fix it.",
    ),
    "a cache among the pages": (settings("cache: docs/cache"), "`cache` is inside `docs_dir`, whose files are read."),
    "a title that is empty": (both("---\ntitle:\n---\n" + PAGE), "docs/ko/p.md:2: `title` is empty."),
    "a word of the glossary, which is not there": (
        both("---\nnot_terms: [a]\n---\n" + PAGE),
        "docs/ko/p.md:2: `not_terms` has `a`",
    ),
    "front matter that is required": (
        settings("front_matter: [title]"),
        "docs/ko/p.md:1: the front matter lacks",
    ),
    "a page in Latin-1": ({"docs/en/p.md": PAGE.encode() + b"\xe9\n"}, "docs/en/p.md: byte 30 is not UTF-8"),
    "a page in UTF-16": ({"docs/en/p.md": PAGE.encode("utf-16")}, "docs/en/p.md: byte 0 is not UTF-8"),
    "a page with another ending that has no counterpart": (
        {"docs/en/q.markdown": "# Q { #q }\n"},
        "docs/ko/q.markdown is missing: docs/en/q.markdown has no counterpart",
    ),
    "a lab without front matter": (
        both("# L { #l }\n\n```python\n1\n```\n", "labs/l"),
        "labs/l.md:1: a lab needs a line",
    ),
    "an address of a language": (
        ko("{name: K, site_url: 'http://x/'}"),
        "mkdocs.yml: `languages.ko.site_url` is derived",
    ),
    "a language without a name": (ko("{}"), "mkdocs.yml: `languages.ko` lacks `name`. Write it."),
    "sections as a list": (ko("{name: K, sections: [a]}"), "mkdocs.yml: `languages.ko.sections` is a list"),
    "a language without a folder": (
        {"mkdocs.yml": CONFIG.replace("        en:", "        fr: {name: F}\n        en:")},
        "mkdocs.yml: the language `fr` has no folder docs/fr. Create it.",
    ),
    "an empty glossary": ({**settings("glossary: g.yml"), "g.yml": ""}, "g.yml:1: this is empty"),
    "a directive in the glossary": (
        {
            **settings("glossary: g.yml"),
            "g.yml": "a:\n  ko: {term: a, says: '{{ value t/x x }}'}\n  en: {term: a, says: b}\n",
        },
        "g.yml:2: `{{ value t/x x }}` would appear literally",
    ),
    "an old address outside of the site": (
        settings("moved: {../../../evil.md: p.md}"),
        "mkdocs.yml: `moved` has `../../../evil.md`, which isn't below `docs_dir`. Remove it.",
    ),
    "an old address from the root": (settings("moved: {/evil.md: p.md}"), "`moved` has `/evil.md`, which isn't below"),
    "two pages with one address": (
        both("# P { #p }\n", "p/index"),
        "docs/ko/p/index.md has the same address as docs/ko/p.md. Rename or remove one.",
    ),
    "a page with an ending in capitals": (
        {"docs/en/q.MD": "# Q { #q }\n"},
        "docs/en/q.MD: MkDocs doesn't treat a `.MD` file as a page. Write `.md`.",
    ),
    "an icon that is not there": (both("---\nicon: 4\n---\n" + PAGE), "docs/ko/p.md:2: the theme has no icon `4`."),
    "no pages": (
        {name: None for name in ("docs/index.md", *both("", "index"), *both("", "p"))},
        "docs has no pages. Write docs/index.md.",
    ),
    "a fallback that is no language": (
        ko("{name: K, fallback: enn}"),
        "mkdocs.yml: `languages.ko.fallback` isn't another language. Did you mean `en`?",
    ),
    "the version of torch where no program uses it": (
        both(PAGE + "\n{{ built torch }}\n"),
        "docs/ko/p.md:5: this site's programs don't use torch, so there is no version. Remove the directive.",
    ),
    "words that lead to no page": (
        {**settings("typed: typed"), "typed/en.yml": "pp.md#p: [why]\n"},
        "typed/en.yml:1: there is no page `pp.md`. Did you mean `p.md`?",
    ),
    "words that lead to no heading": (
        {**settings("typed: typed"), "typed/en.yml": "p.md#q: [why]\n"},
        "typed/en.yml:1: docs/en/p.md has no heading with the id `q`. There is: `p`.",
    ),
    "synonyms that are none": ({**settings("synonyms: s.yml"), "s.yml": "a: b\n"}, "s.yml:1: `a` is text"),
}


@pytest.mark.parametrize("changes, sentence", REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_stops_the_build_with_a_sentence(build, changes, sentence):
    with pytest.raises(Abort, match=re.escape(sentence)):
        build(changes)


HOOK = """
from mkdocs.structure.files import File
def on_files(files, config):
    files.append(File.generated(config, "made.md", content="# Made\\n\\nIt was made.\\n"))
    return files
"""
BUILT = {
    "droppings of editors": {"docs/en/.#p.md": "x", "docs/en/#p.md#": "x", "docs/en/.obsidian/n.md": "# N\n"},
    "pages that are excluded": {
        "mkdocs.yml": CONFIG + "exclude_docs: secret.md\ndraft_docs: draft.md\n",
        "docs/en/secret.md": "# S { #s }\n{{ nonsense }}\n",
        "docs/en/draft.md": "# D { #d }\n{{ nonsense }}\n",
    },
    "a page that another plugin makes": {"mkdocs.yml": CONFIG + "hooks: [maker.py]\n", "maker.py": HOOK},
    "a language that the theme has under a shorter name, and one that it lacks": {
        "mkdocs.yml": CONFIG.replace(
            "English}", "English}\n        zh-Hant-TW: {name: 臺灣, partial: true}\n        tlh: {name: Klingon, partial: true}"
        ),
        "docs/zh-Hant-TW/index.md": "# Home { #home }\n",
        "docs/tlh/index.md": "# Home { #home }\n",
    },
    "no address of the site": {"mkdocs.yml": CONFIG.replace("site_url: http://localhost/\n", "")},
    "offline, without a search": {
        **settings("offline: true"),
        "mkdocs.yml": settings("offline: true")["mkdocs.yml"].replace("  - search\n", ""),
    },
    "an empty page": both("", "empty"),
    "a private character": both(PAGE + "\nan icon: \ue001\n"),
}


@pytest.mark.parametrize("changes", BUILT.values(), ids=BUILT)
def test_what_is_odd_is_built(build, changes):
    english = build(changes) / "site/en"
    [page] = [path for path in (english / "p/index.html", english / "p.html") if path.exists()]
    assert ">41</code>" in page.read_text(encoding="utf-8")


def test_without_an_address_the_lists_lead_to_the_languages(build):
    pages = both("# P { #p }\n\n{{ snippet t/x }}\n\n[home](index.md)\n")
    site = build(pages | BUILT["no address of the site"]) / "site"
    assert "](ko/p/index.md)" in (site / "llms.txt").read_text()
    assert "Sitemap" not in (site / "robots.txt").read_text()
    notebook = json.loads((site / "en/p/p.ipynb").read_text())
    assert "[home](../)" in json.dumps(notebook) and "<" not in notebook["cells"][0]["source"]


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("docs/ko/again", "..", "docs/ko/again links to a folder that contains it. Remove the link."),
        ("docs/en/own", ".", "docs/en/own links to a folder that contains it."),
        (os.fsdecode(b"docs/ko/\xe9.md"), "p.md", "'docs/ko/\\udce9.md': the name isn't UTF-8. Rename the file."),
    ],
)
def test_a_link_without_end_and_a_name_that_is_not_utf8_are_said(small, name, target, said):
    small.begin(FILES)
    (small.folder / name).symlink_to(target)
    with pytest.raises(Abort, match=re.escape(said)):
        small.build()


def test_a_build_names_the_folder_of_the_site_and_each_language_once(build, caplog):
    caplog.set_level("INFO", "mkdocs")
    build({})
    said = [record.message for record in caplog.records]
    assert "Building documentation to directory: site" in said and not [one for one in said if ".cache" in one]
    for begun in ("Cleaning site", "Documentation built in", "Pages (ko): 2 in ", "Pages (en): 2 in "):
        assert len([one for one in said if one.startswith(begun)]) == 1, begun


def test_an_edit_during_a_build_is_for_the_next(build, monkeypatch):
    def edit(*arguments):
        """Change a page, take one away and add one, when all are read and none is woven."""
        request(*arguments)
        for language in ("ko", "en"):
            Path("docs", language, "p.md").write_text("# P { #p }\n\n{{ nothing }}\n")
            Path("docs", language, "gone.md").unlink(missing_ok=True)
            Path("docs", language, "new.md").write_text("# New { #new }\n\n{{ nothing }}\n")

    request = Labs.request
    monkeypatch.setattr(Labs, "request", edit)
    site = build(both("# Gone { #gone }\n\nIt was read.\n", "gone")) / "site/en"
    assert ">41</code>" in (site / "p/index.html").read_text()
    assert "It was read." in (site / "gone/index.html").read_text() and not (site / "new").exists()


HOSTILE = "<script>alert(1)</script>"
HOOKED = "def on_post_page(output, **k):\n    return output.replace('</body>', '<script>hooked()</script></body>')\n"


def test_of_inline_scripts_those_of_theme_and_hooks_run_and_none_of_a_page(build, caplog):
    term = f"{{term: aa, says: 'So {HOSTILE}', also: ['{HOSTILE}']}}"
    glossary = f"a: {{ko: {term}, en: {term}}}\n"
    page = f"---\ntitle: Home {HOSTILE}\n---\n# Home {HOSTILE} {{ #p }}\n\n{HOSTILE}\n\n{{{{ terms }}}}\n"
    hooks = {"hook.py": HOOKED, "g.yml": glossary}
    config = settings("policy: true\n      glossary: g.yml")["mkdocs.yml"] + "hooks: [hook.py]\n"
    site = build({"mkdocs.yml": config, **both(page), **hooks}) / "site/en"
    html = (site / "p/index.html").read_text()

    def digest(script):
        return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()

    assert digest("hooked()") in html and digest("alert(1)") not in html and digest("alert(1)") not in (site / "index.html").read_text()
    assert "<script>alert" not in html and "So &lt;script&gt;alert(1)" in html
    assert "docs/en/p.md: `policy` forbids inline scripts, so this page's script is shown as text." in caplog.text
    plain = build({"mkdocs.yml": config, **both(PAGE), **hooks}) / "site/en/p/index.html"
    scripts = re.findall(r"<script>(.*?)</script>", plain.read_text(), re.DOTALL)
    assert scripts and all(digest(one) in plain.read_text() for one in scripts)


def test_an_address_at_which_readers_begin_and_nothing_is_is_told(build, caplog):
    build({"docs/index.md": None, "docs/ko/index.md": None, "docs/en/index.md": None})
    said = [one.message for one in caplog.records if "There is no page at the address" in one.message]
    assert said == [
        "There is no page at the address /. Write docs/index.md.",
        "There is no page at the address /ko. Write docs/ko/index.md.",
        "There is no page at the address /en. Write docs/en/index.md.",
    ]


def test_headings_have_the_ids_that_two_languages_need_without_a_setting(build):
    config = CONFIG.replace("attr_list, ", "").replace("site_name", "extra: {}\nsite_name", 1)
    html = (build({"mkdocs.yml": config}) / "site/en/p/index.html").read_text()
    assert '<h1 id="p">' in html and "{ #p }" not in html


def test_a_language_is_lent_pages_by_the_one_that_it_names(build):
    third = CONFIG.replace("        en:", "        de: {name: Deutsch, partial: true, fallback: en}\n        en:")
    pages = {"docs/ko/p.md": PAGE + "\n국어\n", "docs/en/p.md": PAGE + "\nEnglish\n"}
    site = build({"mkdocs.yml": third, "docs/de/index.md": "# Home { #home }\n", **pages}) / "site"
    html = (site / "de/p/index.html").read_text()
    assert '<div lang="en">' in html and "<p>국어</p>" not in html


@pytest.mark.parametrize("program", ["x = 40 + 1\nprint(x)\n", "import torch\nx = 41\nprint(x)\n"])
def test_a_site_names_torch_only_where_a_program_uses_it(build, monkeypatch, program):
    uses = "torch" in program
    if not uses:
        monkeypatch.setattr("weaver.mkdocs.read_site.version", lambda name: pytest.fail(f"asks for {name}"))
    pages = both("# P { #p }\n\n{{ snippet t/x }}\n\n{{ value t/x x }}\n")
    custom = settings("cards: true")["mkdocs.yml"].replace("font: false", f"font: false, custom_dir: {ROOT}/theme")
    config = custom + "extra: {scope: /}\n"
    folder = build(pages | {"snippets/t/x.py": program, "mkdocs.yml": config}) / "site/en/p"
    for file in ("index.html", "index.md", "p.ipynb"):
        text = (folder / file).read_text().replace("import torch", "").replace('<span class="nn">torch</span>', "")
        assert bool(re.search(r"torch\W+\d", text)) == uses, file


def test_a_link_that_leads_nowhere_is_passed_over_as_by_mkdocs_itself(small):
    if sys.platform == "win32":
        pytest.skip("only an administrator may make links on Windows")
    small.begin(FILES)
    (small.folder / "docs/en/.#p.md").symlink_to("someone@nowhere")
    (small.folder / "docs/ko/x.md").mkdir()
    small.build()
    assert (small.folder / "site/en/p/index.html").exists()


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_every_theme_and_every_language_of_one_is_built(build, theme):
    config = f"site_name: T\ntheme: {{name: {theme}}}\nplugins: [weaver]\n"
    if theme == "material":
        config = config.replace("material", "material, language: de")
    gone = {name: None for name in FILES if name.startswith("docs/")}
    folder = build({**gone, "mkdocs.yml": config, "docs/index.md": "# H\n\n{{ snippet t/x }}\n"})
    assert re.search(r"41\s*</samp>", (folder / "site/index.html").read_text(encoding="utf-8"))


def test_a_page_and_a_snippet_that_no_one_finds_stop_a_strict_build(tmp_path):
    write_files(tmp_path, FILES | {"snippets/t/lonely.py": "print(1)\n"})
    built = mkdocs("build", "--strict", cwd=tmp_path)
    assert built.returncode == 1 and "snippets/t/lonely.py isn't on any page. Show it, or remove" in built.stdout
