"""A third language: one folder, one file of words, one line; pages come one by one, and search finds them."""

import re
import shutil

import pytest
from support.project import ROOT, hear, mkdocs, scripts, serving

JS = scripts(__file__)
FIELD = "[data-md-component=search-query]"
PAGE = """---
title: {title}
description: {title}. This sentence says what the page is about.
keywords: [a, b, c, d, e]
---

# {title} {{ #{id} }}

{text}

{{{{ snippet leaf/x }}}}

{{{{ question leaf/x x.grad }}}}
- 1.0

?
{{{{ end }}}}
"""
TITLES = {
    "ko": {"index": "홈", "leaf": "잎 텐서", "clone": "복제", "detach": "떼어 내기"},
    "en": {"index": "Home", "leaf": "Leaf tensors", "clone": "Clones", "detach": "Detaching"},
    "ja": {"index": "ホーム", "leaf": "葉テンソル", "clone": "複製"},
}
TEXTS = {
    "ko": "변화도가 쌓이는 텐서입니다.",
    "en": "A tensor in which gradients are added up.",
    "ja": "勾配が蓄積されるテンソルです。計算グラフの端にあります。",
}
WORDS = """page:
  output: 出力
  what_is: '{value} は何でしょうか'
  borrowed: このページはまだ翻訳されていません（{language}）。
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The site's own configuration and theme, small pages, and Japanese, of which one page is not there."""
    folder = tmp_path_factory.mktemp("third")
    shutil.copytree(ROOT / "theme", folder / "theme")
    shutil.copytree(ROOT / "words", folder / "words")
    (folder / "words/ja.yml").write_text(WORDS, encoding="utf-8")
    (folder / "snippets/leaf").mkdir(parents=True)
    (folder / "snippets/leaf/x.py").write_text("class x:\n    grad = 6.0\n\n\nprint(x.grad)\n")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=lambda path, names: [*{"ko", "en"} & set(names)])
    for language, titles in TITLES.items():
        (folder / "docs" / language).mkdir()
        for name, title in titles.items():
            text = PAGE.format(title=title, text=TEXTS[language], id=name)
            (folder / f"docs/{language}/{name}.md").write_text(text, encoding="utf-8")
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    config = re.sub(r"(?m)^( +- (?!index)[\w-]+\.md| +- \w+: \[.*\.md\])\n", "", config)
    config = config.replace("  - index.md\n", "  - index.md\n  - leaf.md\n  - clone.md\n  - detach.md\n")
    config = re.sub(r" +(glossary|synonyms|typed|moved): .*\n", "", config).replace(", glossary.yml, synonyms.yml", "")
    config = config.replace(
        "\nmarkdown_extensions", "        ja: {name: 日本語, partial: true}\n\nmarkdown_extensions"
    )
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    site = mkdocs("build", "--strict", cwd=folder)
    assert site.returncode == 0, site.stdout
    assert re.search(r"words/ja\.yml lacks these texts, which stay in English \(\d+\): \w+", site.stdout)
    assert site.stdout.count("which stay in English") == 1
    return folder / "site"


@pytest.fixture(scope="module")
def served(built, browser):
    """A function that opens a page; a request to another host or an error in the console is a failure."""
    wrong = []
    with serving(built) as address:
        def visit(path):
            page = browser.new_page()
            hear(page, address, wrong)
            page.goto(f"{address}{path}", wait_until="load")
            return page

        yield visit
    assert wrong == []


def test_a_page_that_is_there_is_in_the_language_with_its_words(served):
    page = served("/ja/leaf/")
    assert page.locator("html").get_attribute("lang") == "ja"
    assert page.locator(".output p").first.inner_text().startswith("出力")
    assert page.locator(".borrowed").count() == 0
    assert page.locator("legend").inner_text() == "x.grad は何でしょうか"
    assert page.locator("summary").first.inner_text() == "Show the answer"
    page.locator("label", has_text="6.0").click()
    assert page.locator(".verdict").inner_text() == "Right."


def test_a_page_that_is_not_there_is_the_first_languages_below_a_notice(served, built):
    page = served("/ja/detach/")
    assert page.locator(".borrowed").inner_text() == "このページはまだ翻訳されていません（한국어）。"
    assert page.locator("article div[lang=ko] h1").inner_text().startswith("떼어 내기")
    assert page.locator(".output p").first.inner_text().startswith("출력")
    html = (built / "ja/detach/index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://autograd.example/ko/detach/">' in html
    assert 'hreflang="ja"' not in html.split("</head>")[0]
    assert "/ja/detach/" not in (built / "ja/sitemap.xml").read_text() + (built / "llms.txt").read_text()
    assert (built / "ja/detach/index.md").exists()


def test_the_other_languages_name_it_only_where_it_is(served, built):
    for name, languages in (("leaf", ["ko", "en", "ja", "x-default"]), ("detach", ["ko", "en", "x-default"])):
        head = (built / f"en/{name}/index.html").read_text(encoding="utf-8").split("</head>")[0]
        assert re.findall('rel=" alternate" hreflang="([^"]+)"', head) == languages
        assert f'hreflang="x-default" href="https://autograd.example/en/{name}/"' in head


@pytest.mark.parametrize("query", ["テンソル", "勾配", "計算グラフ", "蓄積される", "葉"])
def test_its_search_finds_words_that_no_space_stands_between(served, query):
    page = served("/ja/")
    page.locator(FIELD).click()
    page.keyboard.insert_text(query)
    page.wait_for_selector(".md-search-result__item")
    found = [link for links in page.evaluate(JS.results) for link in links]
    assert any(link.startswith("/ja/leaf/") for link in found), found


def test_its_name_is_on_the_gate(built):
    assert 'lang="ja"><strong>日本語</strong>' in (built / "index.html").read_text(encoding="utf-8")
