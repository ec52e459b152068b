"""`weaver versions`: run every program with other versions of torch, and keep what differs."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

import click

from weaver.execution.snippets.runner import LIMIT
from weaver.execution.snippets.source import Snippet, names, read
from weaver.problem import counted
from weaver.terminal import ProgressLine
from weaver.versions import record as records
from weaver.versions.changes import differing, kind_of
from weaver.versions.runs import is_same, probes

PYTHON = click.Path(exists=True, dir_okay=False, executable=True, path_type=Path)


def command(snippets: Callable[[], Path]) -> click.Group:
    """Return the command, for the programs in the folder that `snippets` returns. It may raise Problem."""

    @click.group()
    def versions() -> None:
        """Record what programs print with other versions of torch."""

    @versions.command()
    @click.argument("pythons", nargs=-1, required=True, type=PYTHON)
    @click.option("--all", "every", is_flag=True, help="Run also what has been run since it changed.")
    def record(pythons: Sequence[Path], every: bool) -> None:
        """Run new and changed programs with each of PYTHONS, interpreters with another torch.

        They need nothing but torch and NumPy. What they print that differs is kept next to each program.
        """
        folder = snippets()
        for python in pythons:
            click.echo(_record(folder, _all(folder), python, every))

    @versions.command()
    def check() -> None:
        """Check that all versions have run each program since it changed, and that no record was edited."""
        folder = snippets()
        wrong = records.problems(folder, _all(folder))
        recorded = ", ".join(records.read(folder).versions)
        click.echo("\n".join(wrong) or f"The record is complete: torch {recorded}.")
        sys.exit(bool(wrong))

    @versions.command(name="list")
    def list_versions() -> None:
        """Print the recorded versions, one per line."""
        click.echo("\n".join(records.read(snippets()).versions))

    return versions


def _all(folder: Path) -> list[Snippet]:
    return [read(folder / f"{name}.py", name) for name in names(folder)]


def _record(folder: Path, snippets: Sequence[Snippet], python: Path, every: bool) -> str:
    """Run programs with an interpreter, keep what it prints, and return a sentence on that."""
    began = monotonic()
    with probes(python, LIMIT) as pool, ProgressLine() as progress:
        run = snippets if every else records.unseen(snippets, records.read(folder), pool.torch)
        states = {snippet.name: records.state(snippet) for snippet in run}  # some may change meanwhile
        programs = [one for snippet in run for one in snippet.variants]
        told = f"torch {pool.torch}: {{:,}} of {len(programs):,}"
        outputs = pool.outputs(programs, lambda done: progress.say(told.format(done)))
    pairs = zip(programs, outputs, strict=True)
    found = {one.name: None if is_same(one.expected or "", output) else output for one, output in pairs}
    records.keep(folder, snippets, pool.torch, found, states)
    expected = {one.name: one.expected or "" for one in programs}
    kinds = Counter(
        kind_of(*differing(expected[name], output)) for name, output in found.items() if output is not None
    )
    other = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return (
        f"torch {pool.torch}: {counted(len(programs), 'program')} in {monotonic() - began:.0f} s; "
        f"{kinds.total():,} of them print something else ({other or 'none'})."
    )
