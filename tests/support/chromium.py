"""The browser that the tests use, and how it is started."""

import shutil

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
]
