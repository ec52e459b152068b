"""Runs the snippets that pages show and weaves their real outputs in."""

from importlib import import_module
from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """Give a notebook `%%trace` and `%trace`: `%load_ext weaver`."""
    # Not by an import, which `fingerprint` would follow: no result depends on it.
    import_module("weaver.notebook").load(shell)
