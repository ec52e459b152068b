"""`python -m weaver trace FILE`, and what `%%trace` has in common with it."""

import json
import math
import os
import re
import stat
import sys
import tempfile
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from weaver.execution.launch import has_torch
from weaver.player.words import ENGLISH, note, stopped
from weaver.problem import Problem, shown
from weaver.recording.model import Limits, Trace
from weaver.site.words import words as read_words

if TYPE_CHECKING:
    from weaver.tracing.process import Told

LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")
ALLOWED = {"steps": (4, 100_000), "elements": (1, 10_000), "bytes": (1, 1 << 30)}
DEFAULT = Limits()


def language(path: Path | None) -> tuple[str, Mapping[str, str]]:
    """Return the language of a file such as `words/ko.yml`, and the player's words in it.

    Raises Problem for a file that isn't one.
    """
    if path is None:
        return "en", ENGLISH
    if not path.is_file():
        raise Problem(f"There's no words file {shown(path)}. Name one, such as words/ko.yml.")
    if path.suffix != ".yml" or not LANGUAGE.fullmatch(path.stem):
        raise Problem(f"{shown(path)} isn't named after a language. Rename it like words/ko.yml.")
    return path.stem, read_words(path.parent, path.stem).trace


def limits(steps: int, elements: int, size: int, seconds: float = DEFAULT.seconds) -> Limits:
    """Return the limits of a trace. Raises Problem for one that can't be."""
    for name, value in (("steps", steps), ("elements", elements), ("bytes", size)):
        least, most = ALLOWED[name]
        if not least <= value <= most:
            raise Problem(f"`--{name}` must be a number from {least:,} to {most:,}, not {value:,}.")
    if not 0 < seconds < math.inf:
        raise Problem(f"`--seconds` must be a positive number of seconds, not `{seconds:g}`.")
    return Limits(steps=steps, elements=elements, seconds=seconds, bytes=size)


def lost(trace: Trace, words: Mapping[str, str]) -> list[str]:
    """Return what isn't in a trace, and why, as sentences."""
    ended = [stopped(trace.stopped, words)] if trace.stopped else []
    return ended + [note(one, words) for one in trace.notes]


class ProgressLine:
    """One line on a terminal about what is being done; nothing if stderr isn't a terminal."""

    def __init__(self, name: str) -> None:
        self.name, self.is_shown = name, sys.stderr is not None and sys.stderr.isatty()

    def say(self, text: str) -> None:
        """Show a text instead of the one before."""
        if self.is_shown:
            with suppress(OSError):
                sys.stderr.write(f"\r\x1b[K{text}")
                sys.stderr.flush()

    def hear(self, told: "Told") -> None:
        """Show how far a recording is."""
        states = {"folder": "Loading torch", "running": f"Running {self.name}: {told.seconds:.0f} s"}
        self.say(states.get(told.state, "Collecting the recording"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.say("")


def _checked_folder() -> None:
    """Raise Problem where the working directory is gone: torch's libraries can't be loaded there."""
    try:
        os.getcwd()
    except OSError:
        raise Problem("The working directory is gone. Change to one that exists.") from None


def _checked_input(path: Path) -> None:
    """Raise Problem for a program that can't be read, and read again."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Problem(f"{shown(path)} isn't a regular file. Name a Python program.")
        with path.open("rb"):
            pass
    except OSError as error:
        raise Problem(f"{shown(path)} can't be read: {error.strerror}. Name another file.") from None


def _checked_output(output: Path, *inputs: Path | None) -> None:
    """Raise Problem for a file that must not or can't be written."""
    try:
        if output.exists():
            for one in filter(None, inputs):
                if output.samefile(one):
                    raise Problem(f"`-o {shown(output)}` would overwrite {shown(one)}. Name another file.")
            os.close(os.open(output, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)))
        else:
            tempfile.TemporaryFile(dir=output.resolve().parent).close()
    except OSError as error:
        raise Problem(f"{shown(output)} can't be written: {error.strerror}. Name another file.") from None


def view(trace: Trace, source: str, language: str, size: int, words: Mapping[str, str]) -> str:
    """Return a trace as a page of at most `size` bytes. Raises Problem if that can't be."""
    from weaver.player.page import page

    try:
        return page(trace, source, language, size, words)
    except ValueError as error:
        raise Problem(str(error)) from None


class _Tracing(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            said = f"`weaver trace` has no option `{error.option_name}`. Put your program's own after `--`."
            raise click.UsageError(said, ctx) from None


@click.command("trace", cls=_Tracing)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--json", "as_json", is_flag=True, help="Print the whole state after every step as JSON.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the page here.")
@click.option(
    "--words",
    type=click.Path(path_type=Path),
    help="A file of texts in another language, such as words/ko.yml.",
)
@click.option(
    "--steps",
    default=DEFAULT.steps,
    show_default=True,
    help="Steps to keep, roughly: in a loop, the first and last.",
)
@click.option(
    "--elements", default=DEFAULT.elements, show_default=True, help="Largest tensor to list, in elements."
)
@click.option(
    "--seconds",
    default=DEFAULT.seconds,
    show_default=True,
    help="Processor time that the program may use; it may be idle three times as long.",
)
@click.option("--bytes", "size", default=DEFAULT.bytes, show_default=True, help="Maximum size of the page.")
def command(
    file: Path,
    arguments: tuple[str, ...],
    as_json: bool,
    output: Path | None,
    words: Path | None,
    steps: int,
    elements: int,
    seconds: float,
    size: int,
) -> None:
    """Run FILE and show what each line did to its tensors.

    FILE is your program; put its ARGUMENTS after `--`. The page needs no server and no network. It opens in
    your browser or, with `-o`, is written to a file.
    """
    try:
        _trace(file, arguments, as_json, output, words, limits(steps, elements, size, seconds))
    except Problem as problem:
        raise click.ClickException(str(problem)) from None


def _trace(
    file: Path,
    arguments: tuple[str, ...],
    as_json: bool,
    output: Path | None,
    words: Path | None,
    limits: Limits,
) -> None:
    from weaver.recording.program import read_source
    from weaver.tracing import full
    from weaver.tracing.run import trace

    if not has_torch():
        raise Problem("`weaver trace` needs torch, which isn't installed. Install it: pip install torch")
    tag, said = language(words)
    _checked_folder()
    _checked_input(file)
    if output:
        _checked_output(output, file, words)
    source = read_source(str(file))
    if not as_json:
        view(Trace("", str(file)), source, tag, limits.bytes, said)  # what no run would make smaller
    with ProgressLine(shown(file)) as progress:
        traced = trace(file, arguments, limits, progress.hear)
        progress.say("Drawing the page")
        text = (
            json.dumps(full.spell_out(traced), indent=1)
            if as_json
            else view(traced, source, tag, limits.bytes, said)
        )
    if as_json and not output:
        click.echo(text)
    else:
        target = output or Path(tempfile.mkdtemp(prefix="weaver-trace-"), f"{file.stem}.html")
        try:
            target.write_bytes(f"{text}\n".encode())
        except OSError as error:
            raise Problem(f"{shown(target)} can't be written: {error.strerror}. Name another file.") from None
        size = f"{len(traced.steps)} steps, {len(text.encode()) / 1000:.0f} kB"
        click.echo(f"{click.format_filename(shown(target))}: {size}")
        if not output:
            webbrowser.open(target.as_uri())
    for sentence in lost(traced, said):
        click.secho(sentence, fg="red", err=True)
    sys.exit(bool(traced.stopped and not traced.steps))
