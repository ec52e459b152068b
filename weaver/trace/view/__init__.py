"""The view of a trace: what the browser runs, as it is sent. No framework, nothing of others."""

import re
from functools import cache
from pathlib import Path

PARTS = ("replay.js", "rows.js", "tell.js", "graph.js", "player.js")  # in the order in which they run
FOLDER = Path(__file__).parent


@cache
def script() -> str:
    """Return the player: its parts one after the other, without comments and indentation."""
    text = "\n".join((FOLDER / name).read_text("utf-8") for name in PARTS)
    return re.sub(r"^\s*(//.*)?\n?", "", text, flags=re.MULTILINE)


@cache
def style() -> str:
    """Return the player's style sheet, without comments and indentation."""
    text = re.sub(r"/\*.*?\*/", "", (FOLDER / "player.css").read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"^\s+", "", text, flags=re.MULTILINE)
