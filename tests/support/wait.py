"""Waiting for what is to come: on a slow machine it takes longer, and only a hang reaches the end."""

import importlib
import time
from collections.abc import Callable
from typing import TypeVar

from nbclient import NotebookClient
from nbformat import NotebookNode
from playwright.sync_api import Browser, expect

from support.shared import HANG

Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found], otherwise: Callable[[], object] = str) -> Found:
    """Return what `condition()` gives as soon as that is true; `otherwise()` says what is there instead."""
    end = time.monotonic() + HANG
    while not (found := condition()):
        assert time.monotonic() < end, otherwise()
        time.sleep(0.02)
    return found


def patiently(browser: Browser) -> Browser:
    """Have what this browser opens wait for as long."""

    def patient(make):
        def made(**options):
            opened = make(**options)
            opened.set_default_timeout(1000 * HANG)
            return opened

        return made

    expect.set_options(timeout=1000 * HANG)
    browser.new_context, browser.new_page = patient(browser.new_context), patient(browser.new_page)
    return browser


def execute(notebook: NotebookNode, **options: object) -> None:
    """Run a notebook in a kernel, however long that takes to start and to send what was printed."""
    importlib.import_module("matplotlib.font_manager")  # lists the fonts; a kernel would say so if that takes long
    NotebookClient(notebook, startup_timeout=HANG, iopub_timeout=HANG, timeout=HANG, **options).execute()
