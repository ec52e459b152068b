"""The snippet file: a complete program, and on its first line the error it announces, if any."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from itertools import product
from pathlib import Path

from weaver.execution.snippets.alternatives import label_of, versions
from weaver.execution.snippets.offers import Place, places
from weaver.problem import Problem, nearest, shown

NAME = re.compile(r"[a-z0-9-]+/[a-z0-9_]+")
ALLOWED = "in lowercase letters and digits, with `-` before and `_` after the slash"
ANNOUNCEMENT = re.compile(r"# raises: ([A-Za-z_]\w*)")
ALMOST_ANNOUNCEMENT = re.compile(r"#\s*rais\w*\b", re.IGNORECASE)


@dataclass(frozen=True)
class Snippet:
    """A program that pages show.

    `name` is `topic/lesson`; `source` is the whole file; `raises` is the name of the
    error's class that it announces, or None if it runs to its end.

    A file may offer alternatives at some `places`; then each of the programs that they make is a snippet,
    a variant, named `topic/lesson.2` after its place among them. The one that the file is as it stands has
    the others in `others`, and the file's name. `choice` is what is chosen at each place, `ends` the last
    line of its code that is from there, `origin` the line of the file that each line of `source` is from.
    """

    name: str
    path: Path
    source: str
    raises: str | None = None
    places: tuple[Place, ...] = ()
    choice: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    origin: tuple[int, ...] = ()
    others: tuple["Snippet", ...] = ()

    @property
    def first_line(self) -> int:
        """The line of the file on which the code that is shown begins, counted from 1."""
        return 1 if self.raises is None else 2

    @property
    def code(self) -> str:
        """The program as shown and copied: the file without its announcement."""
        return self.source if self.raises is None else self.source.split("\n", 1)[1]

    @property
    def variants(self) -> list["Snippet"]:
        """All programs that the file makes, in order; itself alone if it offers no alternatives."""
        return sorted((self, *self.others), key=lambda one: one.choice)

    @property
    def label(self) -> str:
        """What is chosen at the places; empty if there are none."""
        return label_of(self.places, self.choice)

    @property
    def is_own(self) -> bool:
        """Whether it is what the file is as it stands."""
        return all(at == place.own for place, at in zip(self.places, self.choice, strict=True))

    @property
    def noun(self) -> str:
        """What a sentence calls it."""
        return "the snippet" if self.is_own else f"the snippet with `{self.label}`"

    @property
    def changed(self) -> list[int]:
        """The lines of its code, counted from 1, that are from places where it is not what the file is."""
        chosen = zip(self.places, self.choice, strict=True)
        lines = {place.line for place, at in chosen if at != place.own}
        origin = self.origin[self.first_line - 1 :]
        return [number for number, line in enumerate(origin, 1) if line in lines]

    def announcing(self, error: str) -> str:
        """Return how it would announce an error."""
        if self.is_own:
            return f"write `# raises: {error}` as its first line"
        changed = [
            place.options[at] for place, at in zip(self.places, self.choice, strict=True) if at != place.own
        ]
        others = [
            place.options[place.own]
            for place, at in zip(self.places, self.choice, strict=True)
            if at == place.own
        ]
        named, other = changed[-1], (changed[:-1] or others or changed)[-1]
        if named.given and other in changed:  # one that names an alternative can't name another
            named, other = other, named
        given = f" with {other.text}" if len(self.places) > 1 else ""
        return f"write `{named.text} raises {error}{given}` in the comment on its line"

    def line_of_file(self, line: int | None) -> int:
        """Return the line of the file that a line of the source is from; the first, if it is not known."""
        return self.origin[line - 1] if line and line <= len(self.origin) else line or 1

    @property
    def expected_path(self) -> Path:
        """The file beside the snippet that holds the output which the tests expect."""
        return self.path.with_suffix(".out")

    @property
    def heading(self) -> str:
        """The line above its output in that file, which holds the outputs of all variants."""
        return f"--- {self.label}\n" if self.places else ""

    @property
    def expected(self) -> str | None:
        """The output that the tests expect of it, None if it isn't known."""
        try:
            text = self.expected_path.read_bytes().decode("utf-8")
        except (OSError, ValueError):
            return None
        if not self.places:
            return text
        choices = product(*(range(len(place.options)) for place in self.places))
        labels = "|".join(re.escape(label_of(self.places, choice)) for choice in choices)
        _, *parts = re.split(rf"^--- ({labels})\n", text, flags=re.MULTILINE)
        return dict(zip(parts[::2], parts[1::2], strict=True)).get(self.label)


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
            f"{shown(path)}:1: the file begins with an invisible byte-order mark, U+FEFF, which can't be "
            "pasted into Python. Save the file as UTF-8 without it."
        )
    return _of(path, name, source)


@lru_cache(maxsize=4096)  # `mkdocs serve` reads all of them after each edit
def _of(path: Path, name: str, source: str) -> Snippet:
    for number, line in enumerate(source.split("\n"), 1):
        strange = next((c for c in line if (not c.isprintable() and c != "\t") or ord(c) > 126), None)
        if strange is not None:
            raise Problem(
                f"{shown(path)}:{number}: the character U+{ord(strange):04X} isn't printable ASCII. Code is "
                "the same in every language: move this text to the page."
            )
    first = source.split("\n", 1)[0]
    announced = ANNOUNCEMENT.fullmatch(first)
    if announced is None and ALMOST_ANNOUNCEMENT.match(first):
        raise Problem(
            f"{shown(path)}:1: `{first}` doesn't name an error. Write `# raises: ` and the name of one "
            "class, such as `# raises: RuntimeError`."
        )
    return _with_variants(Snippet(name, path, source, announced and announced[1]))


def _with_variants(file: Snippet) -> Snippet:
    """Return the snippet that a file is as it stands, without what it offers, and with the others."""
    where = shown(file.path)
    found = places(file.source, where)
    if not found:
        return file
    variants = []
    for number, one in enumerate(versions(file.source, file.raises, found, where), 1):
        source, origin = one.code, one.origin
        if one.raises:
            source, origin = f"# raises: {one.raises}\n{source}", (found[-1].line, *origin)
        name = f"{file.name}.{number}"
        variants.append(Snippet(name, file.path, source, one.raises, found, one.choice, one.ends, origin))
    [own] = [one for one in variants if one.is_own]
    others = tuple(one for one in variants if one is not own)
    return replace(own, name=file.name, others=others)


def names(folder: Path) -> list[str]:
    """Return the names of all snippets under `folder`, sorted; what is hidden, as by an editor, is none."""
    found = [path.relative_to(folder) for path in folder.rglob("*.py") if path.is_file()]
    return sorted(path.with_suffix("").as_posix() for path in found if "/." not in f"/{path}")


def paths_in(place: Path) -> list[Path]:
    """Return the snippets that a path names: itself, or all in a folder. Raises Problem if there are none."""
    if not place.is_dir():
        if place.suffix != ".py":
            raise Problem(f"{shown(place)} isn't a program: its name doesn't end in `.py`. Name one that is.")
        return [place]
    found = [place / f"{name}.py" for name in names(place)]
    if not found:
        raise Problem(f"there are no snippets in {shown(place)}. Name another folder, or write one.")
    return found


def _nearest(name: str, known: Sequence[str]) -> str:
    """Return which snippet was meant: of that topic, or else the one of nearly that name, or the topics."""
    topic, _, lesson = name.partition("/")
    lessons = {one.partition("/")[2]: one for one in known if one.startswith(f"{topic}/")}
    in_topic = [lessons[one] for one in get_close_matches(lesson, lessons, n=1, cutoff=0)]
    if close := in_topic or get_close_matches(name, known, n=1):
        return f" Did you mean `{close[0]}`?"
    return nearest(topic, {one.partition("/")[0] for one in known}).replace("There is", "The topics are")


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
    near = _nearest(name, [one for one in known if NAME.fullmatch(one)])
    rule = "" if NAME.fullmatch(name) else f" {allowed}."
    raise Problem(f"there is no snippet `{name}` ({shown(path)}).{near}{rule}")
