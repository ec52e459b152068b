"""The `.out` next to a snippet: what the tests expect of it and of its variants."""

from collections.abc import Sequence
from difflib import unified_diff

from weaver.execution.snippets.result import Result
from weaver.execution.snippets.source import Snippet
from weaver.pages.content import complaint
from weaver.problem import Problem, shown

UPDATE = "python -m weaver update"


def outputs(snippet: Snippet, results: Sequence[Result]) -> str:
    """Return what the `.out` next to a snippet holds: what each variant prints, below what is chosen."""
    texts = zip(snippet.variants, results, strict=True)
    return "".join(f"{one.heading}{result.output}" for one, result in texts)


def want_file(snippet: Snippet) -> None:
    """Raise Problem if the expected output can be neither read nor written, before anything runs."""
    path = snippet.expected_path
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Problem(f"{shown(path)} isn't a regular file. Remove it, then: {UPDATE} {shown(snippet.path)}")


def difference(snippet: Snippet, results: Sequence[Result]) -> list[str]:
    """Return the unified diff from the expected output to the real one; empty if they are equal."""
    path = snippet.expected_path
    expected = path.read_bytes().decode("utf-8", "replace").split("\n") if path.exists() else []
    name = shown(path)
    found = unified_diff(
        expected, outputs(snippet, results).split("\n"), f"{name} (expected)", f"{name} (now)", lineterm=""
    )
    return [line.replace("\r", "\\r") for line in found]  # a terminal wouldn't show it


def verdict(snippet: Snippet, results: Sequence[Result]) -> list[str]:
    """Return what is wrong with a snippet's results: failures, or the diff and how to accept it.

    `results` are those of its variants, in order.
    """
    if wrong := complaints(snippet, results):
        return wrong
    if not snippet.expected_path.exists():
        return [f"{shown(snippet.expected_path)} is missing. To create it: {UPDATE} {shown(snippet.path)}"]
    diff = difference(snippet, results)
    return [*diff, f"If that's right: {UPDATE} {shown(snippet.path)}"] if diff else []


def complaints(snippet: Snippet, results: Sequence[Result]) -> list[str]:
    """Return a sentence for each of a snippet's variants that cannot be published."""
    pairs = zip(snippet.variants, results, strict=True)
    return [complaint(one, result) for one, result in pairs if result.failure]
