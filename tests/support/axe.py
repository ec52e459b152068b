"""What axe finds on a page, once the page's own scripts have seen what is on it."""

from pathlib import Path

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page

AXE = Path(AXE_FILE_PATH).read_text(encoding="utf-8")
# Material gives code that scrolls its place among what Tab reaches when the browser has told it of the code's
# size: a moment later than axe could look, and on a slow machine a long one. What never gets it, axe reports.
MEASURING = 30_000  # milliseconds
MEASURED = """async (milliseconds) => {
  const end = performance.now() + milliseconds;
  const waiting = () => [...document.querySelectorAll('pre > code')].some((e) =>
    e.checkVisibility() && e.clientWidth && e.scrollWidth > e.clientWidth && e.tabIndex < 0 &&
    /auto|scroll/.test(getComputedStyle(e).overflowX));
  while (waiting() && performance.now() < end) await new Promise(requestAnimationFrame);
}"""


def load_axe(page: Page) -> None:
    """Have axe on a page, and wait until what scrolls can be reached by keyboard, if it ever can."""
    page.evaluate(AXE)
    page.evaluate(MEASURED, MEASURING)


def violations(page: Page, where: str = "html") -> list[tuple[str, str]]:
    """Return the rules that are broken in `where` (a CSS selector), each with the first element that breaks it."""
    load_axe(page)
    found = page.evaluate("where => axe.run(where, { resultTypes: ['violations'] })", where)["violations"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found]
