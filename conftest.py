"""What every test is part of: one session for all workers; pages are read as the reader gets them."""

import os
import signal
import tempfile

import pytest
from markdown_it import MarkdownIt
from pytest_markdown_docs._runners import DefaultRunner, register_runner
from pytest_markdown_docs.plugin import MarkdownDocstringCodeModule
from support import shared
from support.interpreters import pasted
from support.project import content, results, show
from support.sampled import adds, left

from weaver.execution import launch
from weaver.pages.parser import parse


def pytest_addoption(parser):
    parser.addoption(
        "--every-page",
        action="store_true",
        help="check also what is sampled: every page, language, notebook and variant",
    )
    parser.addoption(
        "--part", metavar="K/N", help="of what `--every-page` adds, check the K-th of N parts"
    )
    parser.addoption(
        "--fresh", action="store_true", help="paste every program into a fresh interpreter as well"
    )


def pytest_xdist_auto_num_workers():
    """Return how many workers there are: one more than cores, as tests wait for processes and browsers."""
    return launch.cores() + 1


def pytest_configure(config):
    # a shell has what it starts in the background ignore interrupts, and so would the commands under test
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):  # the workers are started from here
        folder = tempfile.TemporaryDirectory(prefix="weaver-tests-", ignore_cleanup_errors=True)
        os.environ[shared.FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)


@pytest.hookimpl(trylast=True)  # after `-k`: what is asked for by name is not sampled away
def pytest_collection_modifyitems(config, items):
    gone = {item for item in left(items) if not adds(config, item)}
    config.hook.pytest_deselected(items=list(gone))
    items[:] = [item for item in items if item not in gone]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Look for fences on pages, and not in docstrings of tests: each module would be loaded once more."""
    found = yield
    return [one for one in found if not isinstance(one, MarkdownDocstringCodeModule)]


class ExpandingMarkdown(MarkdownIt):
    """Reads a page of ours as the reader gets it: with the directives expanded."""

    def parse(self, text, env=None):
        if "{{" in text or "\njupyter:" in text:
            page = parse(text, "labs/a page" if "\njupyter:" in text else "a page")
            if page.cells:
                text = ""  # they go together: `test_notebook` runs them
            elif all(one.name in content().snippets or one.is_prose for one in page.directives):
                found = show(content().snippets, results())
                text = page.weave(lambda one: "" if one.is_prose else one.markdown(found))
        return super().parse(text, env)


def pytest_markdown_docs_markdown_it():
    return ExpandingMarkdown()


@register_runner(default=True)
class AsTheReader(DefaultRunner):
    """Runs a program of a page as its reader would, who has pasted it, and wants the page's output."""

    def runtest(self, test, args, *, asyncio_runner=None):
        code = test.source.lstrip("\n")
        shown = next((one for one in content().snippets.values() if one.code == code), None)
        if not shown:
            return super().runtest(test, args, asyncio_runner=asyncio_runner)
        assert pasted(shown)[shown.name].output == results()[shown.name].output
