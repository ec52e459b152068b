"""The README's pictures, taken of the real site on a phone: `python benchmarks/screens.py [SITE]`.

SITE is a folder that was built; without it the site is built first. Needs Chromium. Each picture has at most
150 kB, or it says so.
"""

import functools
import http.server
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
SCREEN, ZOOM, LIMIT = {"width": 360, "height": 720}, 2, 150_000  # pixels, dots to a pixel, bytes
MESSAGE = "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"


def play(page):
    """The home page's program, in the middle of its backward pass."""
    page.locator(".play").evaluate("one => one.scrollIntoView()")


def choose(page):
    """A what-if, on its second choice."""
    page.locator(".what-if .differs").first.wait_for()
    for above in (400, 60):  # downwards: the button that leads back to the top goes
        top = f"one => scrollTo(0, one.getBoundingClientRect().top + scrollY - {above})"
        page.locator(".what-if").first.evaluate(top)
        page.wait_for_timeout(500)


def ask(page):
    """A message that was put into the home page's field."""
    page.locator(".ask input").fill(MESSAGE)
    page.keyboard.press("Enter")
    page.locator(".md-search-result__item").first.wait_for()


PICTURES = {
    "home": ("en/?step=6&of=home/first_gradient", ".wt", play),
    "what-if": ("en/detach/?if=detach/move_the_cut.2", ".what-if.ready", choose),
    "error": ("en/", ".ask", ask),
}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def take(site: Path, folder: Path) -> None:
    """Write the pictures of the site in a folder into another."""
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))))
    handler = functools.partial(Quiet, directory=str(site))
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        for name, (path, shown, act) in PICTURES.items():
            page = browser.new_page(viewport=SCREEN, device_scale_factor=ZOOM, reduced_motion="reduce")
            page.goto(f"http://127.0.0.1:{server.server_port}/{path}", wait_until="networkidle")
            page.locator(shown).first.wait_for()
            act(page)
            page.wait_for_timeout(1000)  # what is still sliding in
            file = folder / f"{name}.png"
            page.screenshot(path=file)
            Image.open(file).quantize(256).save(file, optimize=True)
            size = file.stat().st_size
            print(f"{file}: {size / 1000:.0f} kB{', more than it may have' * (size > LIMIT)}")
        browser.close()
        server.shutdown()


def main(site: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if not site:
            site = folder
            build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", site]
            subprocess.run(build, cwd=ROOT, check=True)
        take(Path(site), ROOT / ".github")


if __name__ == "__main__":
    main(*sys.argv[1:2] or [None])
