"""Old addresses: each leads to what answers now, and what it leads to is there."""

import pytest
from support.project import LANGUAGES, ROOT, mkdocs, serving, write_files

from weaver.pages.moved import anchors
from weaver.pages.parser import parse
from weaver.problem import Problem

CONFIG = f"""
site_name: Test
site_url: http://localhost/
theme: {{name: material, font: false, custom_dir: {ROOT}/theme}}
plugins:
  - search
  - weaver:
      languages: {{ko: {{name: 한국어}}, en: {{name: English}}}}
nav: [index.md, page.md, labs/other.md]
markdown_extensions: [attr_list]
extra_css: [assets/site.css]
extra_javascript: [assets/site.js]
extra: {{scope: /}}
"""
MOVED = "---\nmoved:\n  gone: labs/other.md#there\n  whole: labs/other.md\n  renamed: page.md#new\n---\n"
PAGE = MOVED + "# P { #p }\n\n" + "Text.\n\n" * 80 + "## New { #new }\n"
OTHER = "---\njupyter: {}\n---\n# O { #o }\n\n" + "Text.\n\n" * 80 + "## There { #there }\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Where a small site with old addresses is served, and its folder."""
    folder = tmp_path_factory.mktemp("moved")
    (folder / "snippets").mkdir()
    texts = {"index": "# H { #h }\n", "page": PAGE, "labs/other": OTHER}
    pages = {f"docs/{language}/{name}.md": text for language in LANGUAGES for name, text in texts.items()}
    write_files(folder, {"mkdocs.yml": CONFIG, "docs/index.md": "# Gate { #gate }\n", **pages})
    build = mkdocs("build", "--strict", cwd=folder)
    assert build.returncode == 0, build.stdout
    with serving(folder / "site") as address:
        yield address, folder / "site"


@pytest.mark.parametrize(
    ("old", "new"),
    [("gone", "labs/other/#there"), ("whole", "labs/other/"), ("renamed", "page/#new"), ("new", "page/#new")],
)
def test_an_old_address_leads_to_what_answers_now(small, browser, old, new):
    page = browser.new_page()
    page.goto(f"{small[0]}/en/page/#{old}")
    page.wait_for_url(f"**/en/{new}")
    assert page.locator("h1").inner_text()[0] == ("O" if "other" in new else "P")
    page.goto(f"{small[0]}/en/page/")
    page.evaluate("id => (location.hash = id)", old)  # as a link on the page itself does
    page.wait_for_url(f"**/en/{new}")
    page.close()


def test_without_javascript_an_old_address_is_the_top_of_its_page_and_nothing_to_see_or_to_press(
    small, browser
):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{small[0]}/en/page/#gone")
    assert page.locator("h1").bounding_box()["y"] > 0
    anchor = page.locator("#gone")
    assert anchor.inner_text() == "" and anchor.get_attribute("tabindex") is None
    assert anchor.evaluate("one => one.tagName") == "SPAN"
    context.close()


def test_an_old_address_is_in_no_index(small):
    index = (small[1] / "en/search/documents.json").read_text()
    assert '"page/#new"' in index and "gone" not in index and "moved" not in index


@pytest.mark.parametrize(
    ("moved", "sentence"),
    [
        ({"gone": "pag.md"}, r"`gone` moved to `pag.md`, but there is no page `pag.md`. Did you mean `page.md`\?"),
        ({"gone": "page.md#nw"}, r"`gone` moved to `page.md#nw`, but `page.md` has no id `nw`. Did you mean `new`\?"),
        ({"new": "page.md"}, "`moved` has `new`, which is still an id on the page"),
        ({"a b": "page.md"}, "`moved` has `a b`, which isn't a valid id"),
    ],
)  # fmt: skip
def test_what_leads_nowhere_stops_the_build_with_a_sentence(moved, sentence):
    [(old, new)] = moved.items()
    page = parse(f"---\nmoved:\n  {old}: {new}\n---\n# P {{ #p }}\n\n## New {{ #new }}\n", "docs/en/page.md")
    with pytest.raises(Problem, match=f"docs/en/page.md:3: {sentence}"):
        anchors(page, {"page.md": ["p", "new"]}, lambda name: name)
