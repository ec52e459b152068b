"""The record: which versions of torch ran which state of each program, and what they print that differs.

`versions.txt` in the snippets' folder has a line for each program: its name, a digest of its text and of its
`.out` file, a digest of its `.versions.txt` file (`-` if there is none, as all print the same), and the
versions that ran it, if that isn't all. Such a file is next to its program, and has the other outputs.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from weaver.execution.snippets.source import Snippet
from weaver.problem import Problem, read_text, shown

RECORD = "python -m weaver versions record"
HEAD = f"# Written by `{RECORD}`: which versions of torch ran which state of each program."
NONE = "-"
GROUP = re.compile(r"^=== torch ([^:\n]+)(?:: (.*))?\n", re.MULTILINE)
Versions = tuple[str, ...]


class Other(NamedTuple):
    """An output that isn't the one on the page, and the versions that print it."""

    versions: Versions
    output: str


class Elsewhere(NamedTuple):
    """The versions that ran a program, and those of their outputs that differ."""

    ran: Versions = ()
    others: tuple[Other, ...] = ()


@dataclass(frozen=True)
class Runs:
    """What `versions.txt` says of a program: of which state the record is, and who ran it."""

    state: str
    kept: str
    versions: Versions


@dataclass(frozen=True)
class Index:
    """What `versions.txt` says: all versions that ran programs, and its entries, by the programs' names."""

    versions: Versions = ()
    entries: Mapping[str, Runs] = field(default_factory=dict)


def order(version: str) -> tuple[int, ...]:
    """Return what versions are sorted by."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def read(folder: Path) -> Index:
    """Read the record of the snippets in `folder`; an empty one where there is none."""
    path = folder / "versions.txt"
    if not path.exists():
        return Index()
    text = read_text(path)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    versions = tuple(lines[0].split()[1:]) if lines else ()
    entries = {}
    for number, line in enumerate(lines[1:], text.count("\n") - len(lines) + 2):
        name, *rest = line.split()
        if len(rest) < 2:
            place = f"{shown(path)}:{number}"
            raise Problem(f"{place}: not a name and two digests. Write the file again: {RECORD}")
        entries[name] = Runs(rest[0], rest[1], tuple(rest[2:]) or versions)
    return Index(versions, entries)


def write(folder: Path, index: Index) -> None:
    """Write `versions.txt`."""
    lines = [HEAD, " ".join(("torch", *index.versions))]
    for name, entry in sorted(index.entries.items()):
        some = entry.versions if entry.versions != index.versions else ()
        lines.append(" ".join((name, entry.state, entry.kept, *some)))
    (folder / "versions.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def state(snippet: Snippet) -> str:
    """Return the digest of a program and of what it's expected to print: what a record is about."""
    expected = snippet.expected_path
    return _digest(snippet.path.read_bytes() + b"\0" + (expected.read_bytes() if expected.exists() else b""))


def path_of(snippet: Snippet) -> Path:
    """Return the file with a program's other outputs."""
    return snippet.path.with_suffix(".versions.txt")


def kept(snippet: Snippet) -> str:
    """Return the digest of the file with a program's other outputs, NONE if there is no such file."""
    path = path_of(snippet)
    return _digest(path.read_bytes()) if path.exists() else NONE


def elsewhere(snippet: Snippet, index: Index) -> dict[str, Elsewhere]:
    """Return what is known of a program in other versions, by its variants' names.

    Nothing of one that has changed since, or whose record was edited.
    """
    entry = index.entries.get(snippet.name)
    if not entry or entry.state != state(snippet) or entry.kept != kept(snippet):
        return {}
    others = _others(path_of(snippet)) if entry.kept != NONE else {}
    return {one.name: Elsewhere(entry.versions, tuple(others.get(one.label, ()))) for one in snippet.variants}


def _others(path: Path) -> dict[str, list[Other]]:
    """Return the other outputs in a file, by what is chosen in the variant that printed them."""
    _, *parts = GROUP.split(read_text(path, "utf-8"))
    found: dict[str, list[Other]] = {}
    for versions, label, output in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        found.setdefault(label or "", []).append(Other(tuple(versions.split(", ")), output))
    return found


def text(snippet: Snippet, found: Mapping[str, Elsewhere]) -> str:
    """Return what the file with a program's other outputs holds; `found` is by its variants' names."""
    return "".join(
        f"=== torch {', '.join(other.versions)}{f': {one.label}' if one.label else ''}\n{other.output}"
        for one in snippet.variants
        for other in found[one.name].others
    )


def added(before: Elsewhere, version: str, output: str | None) -> Elsewhere:
    """Return what is known with what another version printed, None if that is what is expected."""
    others = {other.output: {one for one in other.versions if one != version} for other in before.others}
    if output is not None:
        others.setdefault(output, set()).add(version)
    groups = [Other(tuple(sorted(which, key=order)), text) for text, which in others.items() if which]
    groups.sort(key=lambda one: order(one.versions[0]))
    return Elsewhere(union(before.ran, [version]), tuple(groups))


def union(versions: Iterable[str], others: Iterable[str]) -> Versions:
    """Return all of these versions, in order."""
    return tuple(sorted({*versions, *others}, key=order))


def keep(
    folder: Path,
    snippets: Sequence[Snippet],
    version: str,
    outputs: Mapping[str, str | None],
    states: Mapping[str, str],
) -> None:
    """Add to the record what a version printed: by the names of all variants of those that ran.

    None stands for what is expected. `snippets` are all in `folder`: what isn't there any more goes. `states`
    are what those that ran were then.
    """
    index, entries = read(folder), {}
    for snippet in snippets:
        if snippet.name not in states:
            entries[snippet.name] = index.entries[snippet.name]
            continue
        before = elsewhere(snippet, index)
        found = {
            one.name: added(before.get(one.name, Elsewhere()), version, outputs[one.name])
            for one in snippet.variants
        }
        path, written = path_of(snippet), text(snippet, found)
        if written:
            path.write_bytes(written.encode("utf-8"))
        else:
            path.unlink(missing_ok=True)
        entries[snippet.name] = Runs(states[snippet.name], kept(snippet), found[snippet.name].ran)
    for lost in set(folder.rglob("*.versions.txt")) - {path_of(snippet) for snippet in snippets}:
        lost.unlink()
    write(folder, Index(union(index.versions, [version]), entries))


def unseen(snippets: Iterable[Snippet], index: Index, version: str) -> list[Snippet]:
    """Return the programs that a version hasn't run as they are now."""
    return [one for one in snippets if version not in elsewhere(one, index).get(one.name, Elsewhere()).ran]


def problems(folder: Path, snippets: Iterable[Snippet]) -> list[str]:
    """Return what of the record doesn't hold any more: a sentence for each program."""
    index, snippets = read(folder), list(snippets)
    found = [sentence for snippet in snippets if (sentence := _problem(snippet, index))]
    gone = index.entries.keys() - {snippet.name for snippet in snippets}
    return found + [f"{name} is gone. Run `{RECORD}`." for name in sorted(gone)]


def _problem(snippet: Snippet, index: Index) -> str | None:
    entry, where = index.entries.get(snippet.name), shown(snippet.path)
    if entry is None:
        return f"{where} is new: no other version of torch has run it. Run `{RECORD}`."
    if entry.kept != kept(snippet):
        return f"{shown(path_of(snippet))} was edited. Only a run says what a version prints: `{RECORD}`."
    if entry.state != state(snippet):
        return f"{where} or its output has changed: not run since with torch {', '.join(entry.versions)}."
    if missing := [one for one in index.versions if one not in entry.versions]:
        return f"{where} hasn't been run with torch {', '.join(missing)}."
    return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
