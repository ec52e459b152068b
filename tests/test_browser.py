"""The site in a real browser: Chromium without a window, as a phone and as a desk, light and dark."""

import functools
import http.server
import shutil
import threading

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import LANGUAGES, ROOT
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
if not CHROMIUM:
    pytest.skip(
        "no Chromium: install it to test in a browser (Debian: apt-get install chromium fonts-noto-cjk)",
        allow_module_level=True,
    )
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
]
PAGES = sorted(path.stem for path in (ROOT / "docs/en").glob("*.md"))
WIDTHS = (360, 1280)

every_page = pytest.mark.parametrize(
    ("language", "name"), [(one, name) for one in LANGUAGES for name in PAGES]
)
every_look = pytest.mark.parametrize(
    ("width", "scheme"), [(width, scheme) for width in WIDTHS for scheme in ("light", "dark")]
)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def address(site):
    """Where the built site is served."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, address):
    """Open a page of the site; any request to another host and any error in the console is a failure."""
    contexts, wrong = [], []

    def visit(path, width=1280, scheme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: r.url.startswith((address, "data:", "blob:")) or wrong.append(r.url))
        page.on("console", lambda m: m.type == "error" and wrong.append(m.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{address}{path}", wait_until="load")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []


def path_of(language, name):
    return f"/{language}/" if name == "index" else f"/{language}/{name}/"


GRAPH = "start/"  # the page with the graph that the tests of stepping use
FIRST = "figure.graph .panel >> nth=0"

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


@every_page
def test_no_text_in_a_picture_is_clipped_or_overlaps(visit, language, name):
    assert visit(path_of(language, name)).evaluate(MISPLACED) == []


@every_page
@every_look
def test_axe_finds_nothing_in_the_pictures(visit, language, name, width, scheme):
    page = visit(path_of(language, name), width, scheme)
    if page.query_selector("figure.graph"):
        for panel in page.query_selector_all("figure.graph .panel"):
            panel.query_selector("[data-go='1']").click()
        found = Axe().run(page, context="figure.graph").response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []


@every_page
def test_no_page_scrolls_sideways_on_a_phone(visit, language, name):
    page = visit(path_of(language, name), 360)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_a_graph_is_stepped_through_by(visit, language, way):
    page = visit(path_of(language, "start"), 360, has_touch=way == "touch")
    panel = page.locator("figure.graph .panel", has_text="z = 9.8283").first
    following, position = panel.locator("[data-go='1']"), panel.locator("output")
    steps = panel.locator(".steps li").count()
    assert position.inner_text() == f"0 / {steps}"

    def go_on():
        if way == "mouse":
            following.click()
        elif way == "touch":
            following.tap()
        else:
            following.focus()
            page.keyboard.press("ArrowRight")

    grad = panel.locator("svg text.grad", has_text=".grad =")
    told = []
    for number in range(1, steps + 1):
        assert grad.is_visible() == (number == 1)  # the whole picture, and then not before its step
        go_on()
        assert position.inner_text() == f"{number} / {steps}"
        told.append(panel.locator("p.told").inner_text())
    assert grad.is_visible()
    assert told == [
        one.strip() for one in panel.locator(".steps li").evaluate_all("all => all.map(li => li.textContent)")
    ]
    assert "0.6 + 1 = 1.6" in told[-1]
    assert following.get_attribute("aria-disabled") == "true"
    panel.locator("[data-go='0']").click()
    assert position.inner_text() == f"0 / {steps}"


def test_arrow_keys_go_both_ways_and_to_the_ends(visit):
    page = visit("/en/start/")
    panel = page.locator("figure.graph .panel").first
    panel.locator("[data-go='1']").focus()
    shown = []
    for key in ("End", "ArrowLeft", "Home", "ArrowRight"):
        page.keyboard.press(key)
        shown.append(panel.locator("output").inner_text().split(" / ")[0])
    last = panel.locator(".steps li").count()
    assert shown == [str(last), str(last - 1), "0", "1"]


def test_without_javascript_the_picture_and_all_steps_are_there(visit):
    page = visit("/ko/start/", java_script_enabled=False)
    panel = page.locator("figure.graph .panel", has_text="z = 9.8283").first
    assert not panel.locator(".stepper").is_visible()
    assert panel.locator("svg text", has_text=".grad = 1.6").is_visible()
    panel.locator("summary").click()
    assert panel.locator(".steps li").last.is_visible()
