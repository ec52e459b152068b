"""Lines of Korean, in a real browser: none begins with a particle that belongs to the line above."""

import json

import pytest
from support.project import LANGUAGES, PAGES, each_page, path_of, scripts

from weaver.render.wrap import JOINER, keep_particles

WIDTHS = (360, 500, 1280)
JS = scripts(__file__)


def test_code_brackets_and_formulas_hold_the_korean_behind_them_and_nothing_else_does():
    assert keep_particles("<code>x</code>는 <b><code>y</code></b>를 잎(leaf)은 10%만") == (
        f"<code>x</code>{JOINER}는 <b><code>y</code></b>{JOINER}를 잎(leaf){JOINER}은 10%{JOINER}만"
    )
    assert keep_particles("<math>w</math> <math>z</math>로 갑니다") == (
        '<math>w</math> <span class="kept"><math>z</math>로</span> 갑니다'
    )
    assert keep_particles("<code>torch.autograd.set_detect_anomaly(True)</code>를") == (
        f"<code>torch.<wbr>autograd.<wbr>set_<wbr>detect_<wbr>anomaly(<wbr>True)</code>{JOINER}를"
    )
    for html in (
        "<code>x</code> 값 <code>x</code>, <code>x</code> is (a) leaf",
        '<a title="잎(leaf)은">그래프</a>',
        "<pre><code>print()가</code></pre><svg>f()는</svg>",
    ):
        assert keep_particles(html) == html


@pytest.mark.parametrize("language, name", each_page(PAGES, ["ko"]))
def test_no_line_of_a_korean_page_begins_with_a_particle(browser, address, language, name):
    page = browser.new_page()
    page.goto(address + path_of(language, name))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        pairs, broken = page.evaluate(JS.broken)
        assert pairs and pairs >= page.locator("body").inner_text().count(JOINER), width
        assert broken == [], width
    page.close()


def test_what_is_searched_copied_and_run_has_no_joiner(site):
    for language in LANGUAGES:
        docs = json.loads((site / language / "search/documents.json").read_text(encoding="utf-8"))["docs"]
        assert not [
            doc["location"]
            for doc in docs
            if JOINER in doc["title"] + doc["text"] + " ".join(doc.get("keywords", []))
        ]
        for path in [*site.glob(f"{language}/**/*.md"), *site.glob(f"{language}/**/*.ipynb")]:
            text = path.read_text(encoding="utf-8")
            assert JOINER not in text and "\\u2060" not in text, path
    assert JOINER in (site / "ko/leaf/index.html").read_text(encoding="utf-8")
    assert JOINER not in (site / "en/leaf/index.html").read_text(encoding="utf-8")
