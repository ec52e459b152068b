"""The view of a trace: what the browser runs, as it is sent. No framework, nothing of others."""

import re
from functools import cache
from pathlib import Path

PARTS = ("replay.js", "rows.js", "tell.js", "graph.js", "player.js")  # in the order in which they run
FOLDER = Path(__file__).parent
# What is text, in JavaScript: a string, or a pattern (a division has a space behind its slash).
TEXT = re.compile(r"""(["'])(?:\\.|(?!\1)[^\\])*\1|/(?! )(?:\\.|\[(?:\\.|[^]\\])*\]|[^/\\\n])+/[a-z]*""")


@cache
def script() -> str:
    """Return the player: its parts one after the other, without comments, indentation and needless spaces."""
    return short("\n".join((FOLDER / name).read_text("utf-8") for name in PARTS))


def short(text: str) -> str:
    """Return a script without comments, indentation and needless spaces."""
    text = re.sub(r"^\s*(//.*)?\n?| // .*$", "", text, flags=re.MULTILINE)
    return _code(text, 0, len(text))[0]


@cache
def button() -> str:
    """Return what a page carries before the click, as `script` is."""
    return short((FOLDER / "button.js").read_text("utf-8"))


@cache
def style() -> str:
    """Return the player's style sheet, without comments, indentation and needless spaces."""
    text = re.sub(r"/\*.*?\*/", "", (FOLDER / "player.css").read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"\s*([{};,]|(?<=\w):)\s+|\s+(?={)", r"\1", text).replace(";}", "}").strip()


def _code(text: str, at: int, end: int) -> tuple[str, int]:
    """Return code from `at` up to its end, or to the brace that closes it, and where that is."""
    found, plain, depth = [], at, 0

    def spaceless(code):
        code = re.sub(r" ?([][!=+\-*/?:,;{}()<>&|]+)[ \n]?", r"\1", code).replace(";}", "}")
        return re.sub(r"\bconst\b", "let", re.sub(r"(?<!\w)\((\w+)\)=>", r"\1=>", code))

    while at < end and not (text[at] == "}" and depth == 0):
        depth += (text[at] == "{") - (text[at] == "}")
        if text[at] == "`":
            inner, after = _template(text, at + 1)
        elif match := TEXT.match(text, at):
            inner, after = match[0], match.end()
        else:
            at += 1
            continue
        found += [spaceless(text[plain:at]), inner]
        at = plain = after
    return "".join([*found, spaceless(text[plain:at])]), at


def _template(text: str, at: int) -> tuple[str, int]:
    """Return a template from behind its opening mark, as it is but for the code in it, and where it ends."""
    found = ["`"]
    while text[at] != "`":
        if text.startswith("${", at):
            inner, at = _code(text, at + 2, len(text))
            found.append("${" + inner)
        found.append(text[at])
        at += 1
    return "".join([*found, "`"]), at + 1
