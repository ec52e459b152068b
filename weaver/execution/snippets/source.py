"""The snippet file: a complete program, and on its first line the error it announces, if any."""

import re
from dataclasses import dataclass
from pathlib import Path

from weaver.problem import Problem, nearest, shown

NAME = re.compile(r"[a-z0-9-]+/[a-z0-9_]+")
ALLOWED = "of lower-case letters, digits, `-` before and `_` behind the slash"
ANNOUNCEMENT = re.compile(r"# raises: ([A-Za-z_]\w*)")
ALMOST_ANNOUNCEMENT = re.compile(r"#\s*rais\w*\b", re.IGNORECASE)


@dataclass(frozen=True)
class Snippet:
    """A program that pages show.

    `name` is `topic/lesson`; `source` is the whole file; `raises` is the name of the
    error's class that it announces, or None if it runs to its end.
    """

    name: str
    path: Path
    source: str
    raises: str | None = None

    @property
    def first_line(self) -> int:
        """The line of the file on which the code that is shown begins, counted from 1."""
        return 1 if self.raises is None else 2

    @property
    def code(self) -> str:
        """The program as shown and copied: the file without its announcement."""
        return self.source if self.raises is None else self.source.split("\n", 1)[1]

    @property
    def expected_path(self) -> Path:
        """The file beside the snippet that holds the output which the tests expect."""
        return self.path.with_suffix(".out")


def read(path: Path, name: str) -> Snippet:
    """Read the snippet file at `path`.

    Raises Problem if it is not UTF-8, holds a character that is not ASCII (code has no
    language), or begins with an announcement that is not `# raises: ErrorName`.
    """
    try:
        source = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the file as UTF-8.") from None
    if source.startswith("\ufeff"):
        raise Problem(
            f"{shown(path)}:1: the file begins with a byte-order mark, U+FEFF, which nobody sees and which "
            "cannot be pasted into Python. Save the file as UTF-8 without it."
        )
    for number, line in enumerate(source.split("\n"), 1):
        strange = next((c for c in line if (not c.isprintable() and c != "\t") or ord(c) > 126), None)
        if strange is not None:
            raise Problem(
                f"{shown(path)}:{number}: the character U+{ord(strange):04X} is not ASCII. Code is read "
                "in every language: say it in the page's prose instead."
            )
    first = source.split("\n", 1)[0]
    announced = ANNOUNCEMENT.fullmatch(first)
    if announced is None and ALMOST_ANNOUNCEMENT.match(first):
        raise Problem(
            f"{shown(path)}:1: `{first}` announces no error. Write `# raises: ` and the name of one "
            "class, such as `# raises: RuntimeError`."
        )
    return Snippet(name, path, source, announced and announced[1])


def names(folder: Path) -> list[str]:
    """Return the names of all snippets under `folder`, sorted."""
    return sorted(p.relative_to(folder).with_suffix("").as_posix() for p in folder.rglob("*.py"))


def find(folder: Path, name: str) -> Snippet:
    """Read the snippet called `name` (`topic/lesson`) under `folder`.

    Raises Problem with the nearest name if there is none.
    """
    path = folder / f"{name}.py"
    if NAME.fullmatch(name) and path.is_file():
        return read(path, name)
    known, allowed = names(folder), f"A snippet's name is `topic/lesson`, {ALLOWED}"
    if name in known:
        raise Problem(f"{shown(path)}: {allowed}. Rename the file.")
    near = nearest(name, [one for one in known if NAME.fullmatch(one)])
    rule = "" if NAME.fullmatch(name) else f" {allowed}."
    raise Problem(f"there is no snippet `{name}` ({shown(path)}).{near}{rule}")
