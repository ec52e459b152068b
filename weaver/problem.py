"""What a person can repair, as a sentence."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class Problem(Exception):
    """Says what is wrong, where (`docs/ko/detach.md:41`) and what to do about it."""


def a(noun: object) -> str:
    """Return a noun with its article."""
    return f"{'an' if str(noun)[0] in 'aeiou' else 'a'} {noun}"


def quoted(text: str) -> str:
    """Return a text as a sentence quotes it: between backticks, cut if it is long."""
    return f"`{text if len(text) <= 60 else text[:59] + '…'}`"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ` Did you mean `known`?` for the known word nearest to `word`, or what is known."""
    known = sorted(known)
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    if close:
        return f" Did you mean `{close[0]}`?"
    return f" There is: {', '.join(f'`{k}`' for k in known)}." if known else ""


def shown(path: Path) -> str:
    """Return a path as people here write it: from the folder that the command was given in."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):  # it's elsewhere, or that folder is gone
        return path.as_posix()


def read_text(path: Path, encoding: str = "utf-8-sig") -> str:
    """Return what a file holds, its line ends as they are. Raises Problem if it can't be read."""
    try:
        return path.read_bytes().decode(encoding)
    except UnicodeDecodeError as error:
        raise Problem(f"{shown(path)}: byte {error.start} is not UTF-8. Save the file as UTF-8.") from None
    except OSError as error:
        raise Problem(f"{shown(path)} can't be read: {error.strerror}. Fix or remove it.") from None


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 snippet`, `1,200 snippets`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
