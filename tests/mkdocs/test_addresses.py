"""Pages that got another name: their addresses, with what stands behind `#`, lead to what they are now."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from support.project import LANGUAGES, ROOT, mkdocs, serving, write_files

CONFIG = f"""
site_name: Test
site_url: http://localhost/
theme: {{name: material, font: false, custom_dir: {ROOT}/theme}}
plugins:
  - search
  - weaver:
      policy: true
      moved: {{old.md: page.md, gone/deep.md: labs/other.md}}
      languages: {{ko: {{name: 한국어, sections: {{one: 하나}}}}, en: {{name: English}}}}
nav: [index.md, one: [page.md, labs/other.md]]
markdown_extensions: [attr_list]
extra_css: [assets/site.css]
extra_javascript: [assets/site.js]
extra: {{scope: /}}
"""
TEXTS = {
    "index": "# H { #h }\n\n{{ stage one }}\n",
    "page": "# P < Q { #p }\n\n" + "Text.\n\n" * 80 + "## New { #new }\n",
    "labs/other": "---\njupyter: {}\nbefore: [page.md#new]\n---\n# O { #o }\n",
}


def write(folder, config=CONFIG):
    (folder / "snippets").mkdir()
    pages = {f"docs/{language}/{name}.md": text for language in LANGUAGES for name, text in TEXTS.items()}
    write_files(folder, {"mkdocs.yml": config, "docs/index.md": "# Gate { #gate }\n", **pages})
    return mkdocs("build", "--strict", cwd=folder)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Where a small site with renamed pages is served, and its folder."""
    folder = tmp_path_factory.mktemp("addresses")
    build = write(folder)
    assert build.returncode == 0, build.stdout
    with serving(folder / "site") as address:
        yield address, folder / "site"


@pytest.mark.parametrize(
    ("old", "new"), [("old/#new", "page/#new"), ("old/", "page/"), ("gone/deep/", "labs/other/")]
)
def test_the_address_of_a_renamed_page_leads_to_it_with_and_without_javascript(small, browser, old, new):
    for scripting in (True, False):
        context = browser.new_context(java_script_enabled=scripting)
        page = context.new_page()
        page.goto(f"{small[0]}/ko/{old}")
        page.wait_for_url(f"**/ko/{new if scripting else new.split('#')[0]}*")
        assert page.locator("h1").is_visible()
        context.close()


def test_a_page_says_where_it_stands_and_what_to_read_before(small):
    html = (small[1] / "ko/labs/other/index.html").read_text(encoding="utf-8")
    stage = '<p class="way" data-search-exclude><a href="../../">Stage 1 of 1: 하나</a> <span>2 of 2</span></p>'
    assert stage in html
    assert '<p>Read first: <a href="../../page/#new">P &lt; Q</a></p>' in html
    assert 'class="way"' not in (small[1] / "ko/index.html").read_text(encoding="utf-8")


def test_a_page_leads_to_an_issue_that_knows_the_page_where_the_repository_takes_issues(small, tmp_path):
    assert 'class="report"' not in (small[1] / "ko/page/index.html").read_text(encoding="utf-8")
    build = write(tmp_path, f"repo_url: https://github.com/a/b\n{CONFIG}")
    assert build.returncode == 0, build.stdout
    html = (tmp_path / "site/ko/page/index.html").read_text(encoding="utf-8")
    [link] = re.findall(r'<p class="report"[^>]*><a href="([^"]+)"', html)
    address = urlsplit(unescape(link))
    asked = parse_qs(address.query)
    assert address.path == "/a/b/issues/new" and asked["title"] == ["P < Q"]
    for known in ("http://localhost/ko/page/", "docs/ko/page.md, ko"):
        assert known in asked["body"][0]


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        ("page.md: index.md", "mkdocs.yml: `moved` has `page.md`, which is still a page"),
        ("old.md: pag.md", "`old.md` moved to `pag.md`, but there is no such page. Did you mean `page.md`?"),
    ],
)
def test_what_leads_nowhere_stops_the_build(tmp_path, moved, said):
    build = write(tmp_path, CONFIG.replace("old.md: page.md, gone/deep.md: labs/other.md", moved))
    assert build.returncode == 1 and said in build.stdout
