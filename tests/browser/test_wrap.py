"""Lines of Korean, in a real browser: none begins with a particle that belongs to the line above."""

import json

import pytest
from support.project import LANGUAGES, PAGES, each_page, path_of

from weaver.render.wrap import JOINER, keep_particles

WIDTHS = (360, 500, 1280)
# Hangul right behind something else than Hangul, in the same paragraph, but below it: the line ended between
BROKEN = """() => {
  document.querySelectorAll('details').forEach((details) => (details.open = true));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest('pre, svg, script, style, aside, .md-header') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const block = (node) => node.parentElement.closest('p, li, td, th, h1, h2, h3, h4, dt, dd, figcaption, summary, label, button, .offer, a.md-nav__link');
  const box = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getClientRects()[0];
  };
  const broken = [];
  let last, pairs = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < node.length; at++) {
      if (node.data[at] === '\\u2060') continue;
      const now = { node, at, block: block(node) };
      const before = last && last.block === now.block && last.node.data[last.at];
      if (before && /[가-힣]/.test(node.data[at]) && /[^\\s가-힣—–/-]/.test(before)) {
        const above = box(last.node, last.at), below = box(node, at);
        pairs += Boolean(above && below);
        if (above && below && below.top >= above.bottom - 2 && below.left < above.right)
          broken.push(last.node.data.slice(-20, last.at + 1) + ' / ' + node.data.slice(at, at + 9));
      }
      last = now;
    }
  }
  return [pairs, broken];
}"""


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
        pairs, broken = page.evaluate(BROKEN)
        assert pairs and broken == [], width
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
