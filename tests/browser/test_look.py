"""Every page in a real browser, as a phone and as a desk, light and dark: looked at, and heard."""

import gzip
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from support.project import LANGUAGES, PAGES, content, hear, path_of, shown

AXE = AXE_FILE_PATH.read_text(encoding="utf-8")
WIDTHS = (360, 1280)
A4 = 680  # between its margins

# All that can be opened is open, pictures are at their first step, and on a phone every line is marked.
# Of the words in code, the first of each kind stands for the others, which look the same: axe is slow.
OPEN = """() => {
  document.querySelectorAll('details').forEach((details) => (details.open = true));
  document.querySelectorAll('[data-go="1"]').forEach((button) => button.click());
  if (innerWidth < 400) document.querySelectorAll('[data-line]').forEach((line) => line.classList.add('paired'));
  const kinds = new Set();
  document.querySelectorAll('.highlight span[class]:not([data-line])').forEach((word) => {
    if (kinds.has(word.className)) word.replaceWith(...word.childNodes);
    kinds.add(word.className);
  });
}"""
LISTEN = """(options) => {
  document.getAnimations().forEach((animation) => animation.finish());
  window.heard = axe.run(document, { resultTypes: ['violations'], ...options });
}"""
HEARD = "async () => (await window.heard).violations.map(({ id, nodes }) => [id, nodes[0].html])"
SIDEWAYS = (
    "() => document.documentElement.scrollWidth > innerWidth ? [document.documentElement.scrollWidth] : []"
)

# What is wrong in the pictures of a page: text that leaves its box, labels on each other or on a box
MISPLACED = """() => [...document.querySelectorAll('figure.graph svg')].flatMap((svg) => {
  const box = (element) => element.getBBox();
  const wrong = [];
  const frames = [...svg.querySelectorAll('g > rect')].filter((rect) => !svg.classList.contains('memory'));
  for (const frame of frames) {
    const outer = box(frame);
    for (const text of frame.parentElement.querySelectorAll(':scope > text')) {
      const inner = box(text);
      if (inner.x < outer.x - 1 || inner.x + inner.width > outer.x + outer.width + 1 ||
          inner.y < outer.y - 2 || inner.y + inner.height > outer.y + outer.height + 3)
        wrong.push(`leaves its box: ${text.textContent}`);
    }
  }
  const texts = [...svg.querySelectorAll('text')];
  texts.forEach((one, i) => texts.slice(0, i).forEach((other) => {
    const a = box(one), b = box(other);
    if (a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 4 && b.y < a.y + a.height - 4)
      wrong.push(`overlap: ${one.textContent} and ${other.textContent}`);
  }));
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const all = svg.getBBox();
  if (all.x < -4 || all.y < -4 || all.x + all.width > width || all.y + all.height > height)
    wrong.push('is clipped at its border');
  return wrong;
})"""


# Elements with text of their own, outside of code, where Korean breaks within a word
BREAKING = """() => [...document.querySelectorAll('body *:not(code, code *, pre *, svg *, script, style)')].filter((e) =>
  [...e.childNodes].some((node) => node.nodeType === 3 && /[가-힣]/.test(node.data)) &&
  getComputedStyle(e).wordBreak !== 'keep-all').map((e) => e.outerHTML.slice(0, 99))"""
# What is wider than its place, and out of the keyboard's reach
UNREACHED = """() => [...document.querySelectorAll('article *')].filter((e) =>
  e.scrollWidth > e.clientWidth + 1 && e.clientWidth && /auto|scroll/.test(getComputedStyle(e).overflowX) &&
  e.tabIndex < 0).map((e) => e.outerHTML.slice(0, 99))"""
# Words of the one language that do not say so on a page of the other
FOREIGN = """(language) => {
  const foreign = language === 'ko' ? (text) => /[a-z]/i.test(text) && !/[가-힣]/.test(text) : (text) => /[가-힣]/.test(text);
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('[lang]').lang !== language) continue;
    const names = [e.getAttribute('aria-label'), e.title, e.placeholder].filter(Boolean);
    const texts = language === 'en' ? [...e.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data) : [];
    if (!e.closest('script, style')) found.push(...[...names, ...texts].filter(foreign));
  }
  return found;
}"""
CUT = """() => [...document.querySelectorAll('article *')].filter((e) => !e.closest('svg, math') && e.clientWidth &&
  e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 99))"""
TURNED = """async (scheme) => {
  const wanted = { light: 'default', dark: 'slate' }[scheme];
  const turned = () => [wanted, undefined].includes(document.body.dataset.mdColorScheme);
  while (!turned()) await new Promise(requestAnimationFrame);
}"""
COPY = """async () => {
  document.querySelectorAll('details').forEach((details) => (details.open = true));
  const copied = [];
  for (const button of document.querySelectorAll('figure.snippet .md-code__button')) {
    button.click();
    copied.push(await navigator.clipboard.readText());
  }
  return copied;
}"""
VISIBLE = "(selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()).map((e) => e.outerHTML)"
HIDDEN = VISIBLE.replace("e.check", "!e.check")
PRESSED = (
    ".md-header, .md-footer, .md-sidebar, .md-skip, .md-code__nav, .headerlink, article :is(button, summary)"
)
PRINTED = "figure.snippet, .output samp, .question > details > :not(summary), figure.graph svg"


def listen(*pages):
    """Return what axe finds on each page, and, on the last, what contrast lacks in the dark.

    Contrast is most of axe's work: of two pages that differ in width alone, the first is looked at in
    the light and the last in the dark, at the same time, since each has a process of its own.
    """
    *others, last = pages
    found = []
    for page in pages:
        page.evaluate(AXE)
        page.emulate_media(color_scheme="light")
        page.evaluate(TURNED, "light")
        page.evaluate(LISTEN, {"rules": {"color-contrast": {"enabled": page is not last or not others}}})
    found += [("light", *wrong) for wrong in last.evaluate(HEARD)]
    last.emulate_media(color_scheme="dark")
    last.evaluate(TURNED, "dark")
    last.evaluate(LISTEN, {"runOnly": ["color-contrast"]})
    found += [("dark", *wrong) for wrong in last.evaluate(HEARD)]
    return found + [("light", *wrong) for page in others for wrong in page.evaluate(HEARD)]


@pytest.fixture(
    scope="module",
    params=[(language, name) for language in LANGUAGES for name in PAGES],
    ids="-".join,
)
def look(request, browser, address):
    """A page's language and name, and the page, opened once on a phone and once on a desk for all tests."""
    wrong = []
    contexts = [
        browser.new_context(
            viewport={"width": width, "height": 800},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        for width in WIDTHS
    ]
    pages = [context.new_page() for context in contexts]
    for page in pages:
        hear(page, address, wrong)
        page.goto(address + path_of(*request.param))
    yield *request.param, *pages
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize(
    "wrong", [SIDEWAYS, MISPLACED, UNREACHED], ids=["scrolls sideways", "is misplaced", "is out of reach"]
)
def test_on_no_page_anything(look, wrong):
    _, _, phone, desk = look
    assert phone.evaluate(wrong) == desk.evaluate(wrong) == []


def test_korean_breaks_between_words(look):
    language, _, phone, _ = look
    if language == "ko":
        assert phone.evaluate(BREAKING) == []


def test_names_and_texts_are_in_the_language_that_they_say(look):
    language, _, phone, _ = look
    assert phone.evaluate(FOREIGN, language) == []


def test_the_copy_button_copies_each_program_to_the_letter(look):
    language, name, _, desk = look
    desk.bring_to_front()
    copied = desk.evaluate(COPY)
    assert copied == [code for code, _ in shown(content().pages[language][f"{name}.md"])]


def test_a_lab_weighs_little_with_its_pictures(visit, site):
    """All that a lab makes a browser fetch but the search index, as a server with gzip sends it."""
    for name in (name for name in PAGES if name.startswith("labs/")):
        fetched = set()
        page = visit("/ko/")
        page.on("response", lambda response, fetched=fetched: fetched.add(urlsplit(response.url).path))
        page.goto(page.url + f"{name}/", wait_until="networkidle")
        pictures = page.locator("article img").evaluate_all(
            "(all) => all.map((one) => new URL(one.src).pathname)"
        )
        paths = [
            site / path.strip("/") for path in {*fetched, *pictures} if not path.endswith("search_index.json")
        ]
        files = [path / "index.html" if path.is_dir() else path for path in paths]
        assert pictures and len(files) > 5
        assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= 160_000, name


def test_axe_finds_nothing(look):
    _, _, *pages = look
    for page in pages:
        page.evaluate(OPEN)
    assert listen(*pages) == []


def test_on_paper_all_answers_are_open_nothing_is_cut_and_nothing_is_to_press(look):
    _, _, _, page = look
    page.evaluate("() => document.querySelectorAll('details').forEach((details) => (details.open = false))")
    page.set_viewport_size({"width": A4, "height": 900})
    page.emulate_media(media="print", color_scheme="dark")
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.finish())")
    assert page.evaluate(CUT) == []
    assert page.evaluate(VISIBLE, PRESSED) == []
    assert page.evaluate(HIDDEN, PRINTED) == []
    assert (
        page.evaluate("getComputedStyle(document.querySelector('article p')).color") == "rgba(0, 0, 0, 0.87)"
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_the_open_search_with_its_results(visit, language, width):
    page = visit(f"/{language}/", width, reduced_motion="reduce")
    page.keyboard.press("/")
    page.keyboard.type("grad")
    page.wait_for_selector(".md-search-result__item")
    assert listen(page) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", ["/", "/404.html"])
def test_the_pages_above_the_languages_fit_the_screen_and_axe_finds_nothing(visit, path, width):
    page = visit(path, width, locale="fr-FR")
    assert page.evaluate(SIDEWAYS) == []
    assert page.evaluate(BREAKING) == []
    assert page.evaluate(FOREIGN, "en") == []
    assert listen(page) == []
