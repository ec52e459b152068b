"""The view of a trace, as the browser runs it: no framework, nothing of others."""

from functools import cache
from pathlib import Path

PARTS = ("replay.js", "rows.js", "tell.js", "graph.js", "player.js")  # in the order in which they run
WHOLE = ("explain.js", "layout.js", "scope.js", "whole.js")  # what a page of its own has besides
FOLDER = Path(__file__).parent


@cache
def script() -> str:
    """Return the player: its parts one after the other."""
    return "".join((FOLDER / name).read_text("utf-8") for name in PARTS)


@cache
def whole_script() -> str:
    """Return what a page of its own carries: the player, and the rest."""
    return _bare(script() + "".join((FOLDER / name).read_text("utf-8") for name in WHOLE))


@cache
def unpacking() -> str:
    """Return what a page of its own runs first: it unpacks the rest."""
    return _bare((FOLDER / "unpack.js").read_text("utf-8"))


@cache
def whole_style() -> str:
    """Return the style sheet of a page of its own."""
    return _bare(style() + (FOLDER / "whole.css").read_text("utf-8"))


@cache
def button() -> str:
    """Return what a page carries before the click."""
    return (FOLDER / "button.js").read_text("utf-8")


@cache
def style() -> str:
    """Return the player's style sheet."""
    return (FOLDER / "player.css").read_text("utf-8")


def _bare(text: str) -> str:
    """Return a script or style sheet without indentation and without lines that are comments."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))
