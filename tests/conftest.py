"""What the tests share: one real build of the site, a browser that visits it, its notebooks run anew."""

import functools

import nbformat
import pytest
from playwright.sync_api import sync_playwright
from support import warm
from support.chromium import CHROMIUM, FLAGS
from support.project import LANGUAGES, hear, mkdocs, notebook_of, serving
from support.sampled import adds
from support.shared import once
from support.wait import HANG, execute, patiently

collect_ignore = ["cases", "support"]  # programs that break rules; they are run, never imported


@pytest.fixture(scope="session", autouse=True)
def warm_servers():
    """Have servers of programs, and labs, begin as forks of a process that has loaded what they need."""
    warm.use()
    yield
    warm.end()


@pytest.fixture
def every_page(request):
    """Whether the test samples nothing."""
    return adds(request.config, request.node)


@pytest.fixture(scope="session")
def site():
    """The folder of one real `mkdocs build --strict`."""

    def make(path):
        build = mkdocs("build", "--strict", "--site-dir", str(path))
        assert build.returncode == 0, build.stdout

    return once("site", make)


@pytest.fixture(scope="session")
def executed(site):
    """A function that returns the notebook of a page, run anew, in a kernel of its own."""

    def make(name, path):
        notebook = nbformat.read(notebook_of(site, LANGUAGES[0], name), as_version=4)
        execute(notebook, resources={"metadata": {"path": path.parent}})
        nbformat.write(notebook, path)

    return lambda name: once(f"executed/{name}.ipynb", functools.partial(make, name))


@pytest.fixture(scope="session")
def address(site):
    """Where the built site is served."""
    with serving(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    if not CHROMIUM:
        pytest.skip("no Chromium: install it (Debian: apt-get install chromium-headless-shell fonts-noto-cjk)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=1000 * HANG)
        yield (browser := patiently(launched))
        browser.close()


@pytest.fixture
def visit(browser, address):
    """Open a page of the site; any request to another host and any error in the console is a failure."""
    contexts, wrong = [], []

    def visit(path, width=1280, scheme="light", clocked=False, **options):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        hear(page, address, wrong)
        if clocked:  # before the page's own timers begin: a clock can't cancel what another began
            page.clock.install()
        page.goto(f"{address}{path}", wait_until="load")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []
