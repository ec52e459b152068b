"""`python -m weaver trace FILE`, and what `%%trace` has in common with it."""

import importlib.machinery
import json
import math
import os
import re
import stat
import sys
import tempfile
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import click

from weaver.execution.launch import has_torch
from weaver.player.words import ENGLISH, note, stopped
from weaver.problem import Problem, shown
from weaver.recording.model import PLACE, Limits, Trace
from weaver.site.words import words as read_words
from weaver.tracing import full
from weaver.tracing.process import Told
from weaver.tracing.run import Program, trace

LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")
ALLOWED = {"steps": (4, 100_000), "elements": (1, 10_000), "bytes": (1, 1 << 30), "looks": (1, 1 << 40)}
DEFAULT = Limits()
UNLIMITED = 1e9  # seconds: more than thirty years
FROM = "Watch only from a line (`120`), a call (`train_step`), or a later time of it (`train_step@3`)."
TO = "Watch only until this line or call has ended, written in the same way."
PROGRAM = click.Path(exists=True, dir_okay=False, path_type=Path)


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


def checked(limits: Limits) -> Limits:
    """Return the limits of a trace. Raises Problem for one that can't be."""
    for name, (least, most) in ALLOWED.items():
        value = getattr(limits, name)
        if value is not None and not least <= value <= most:
            raise Problem(f"`--{name}` must be a number from {least:,} to {most:,}, not {value:,}.")
    if not 0 < limits.seconds < math.inf:
        raise Problem(f"`--seconds` must be a positive number of seconds, not `{limits.seconds:g}`.")
    for name, said in (("from", limits.start), ("to", limits.end)):
        if said and not PLACE.fullmatch(said):
            wanted = "a line, 120, or a function, train_step, or a time that it runs, train_step@3"
            raise Problem(f"`--{name} {said}` must be {wanted}.")
    return limits


def lost(trace: Trace, words: Mapping[str, str]) -> list[str]:
    """Return what isn't in a trace, and why, as sentences."""
    ended = [stopped(trace.stopped, words)] if trace.stopped else []
    return ended + [note(one, words) for one in trace.notes]


class ProgressLine:
    """One line on a terminal about what is being done; nothing if stderr isn't a terminal.

    While the program runs, the terminal is its own.
    """

    def __init__(self) -> None:
        self.is_shown = sys.stderr is not None and sys.stderr.isatty()

    def say(self, text: str) -> None:
        """Show a text instead of the one before."""
        if self.is_shown:
            with suppress(OSError):
                sys.stderr.write(f"\r\x1b[K{text}")
                sys.stderr.flush()

    def hear(self, told: "Told") -> None:
        """Show how far a recording is."""
        said = {"folder": "Loading torch", "writing": "Collecting the recording"}.get(told.state)
        if said or told.state == "begun":
            self.say(said or "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.say("")


def find(module: str) -> tuple[str, Path]:
    """Return the name and file of a module, or of a package's `__main__`, without running anything of it.

    Raises Problem if there's none.
    """
    folders: Sequence[str] | None = [os.getcwd(), *sys.path]
    parts, found = [*module.split("."), "__main__"], None
    for number, part in enumerate(parts):
        if folders is None:
            parts = parts[:number]
            break
        found = importlib.machinery.PathFinder.find_spec(part, folders)
        folders = found.submodule_search_locations if found else None
    if not (found and found.origin and found.origin.endswith(".py")):
        raise Problem(f"There's no module `{module}` here. Change to the folder that holds it.")
    return ".".join(parts), Path(found.origin)


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


@dataclass(frozen=True, slots=True)
class Order:
    """What the command is to do with a program's trace."""

    program: Program
    as_json: bool
    output: Path | None
    opens: bool
    words: Path | None
    limits: Limits

    @property
    def is_printed(self) -> bool:
        """Whether the trace itself goes to stdout."""
        return self.as_json and not self.output


@click.command("trace", cls=_Tracing)
@click.argument("file", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "module", help="Trace a module, as `python -m` runs it, instead of FILE.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the page here.")
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole state after every step as JSON.")
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
@click.option("--from", "start", default="", metavar="PLACE", help=FROM)
@click.option("--to", "end", default="", metavar="PLACE", help=TO)
@click.option("--first-nan", is_flag=True, help="Watch until the first nan, and keep the steps before it.")
@click.option(
    "--looks",
    default=DEFAULT.looks,
    show_default=True,
    help="Tensors to read before few iterations are watched.",
)
@click.option("--all", "every", is_flag=True, help="Watch every line, however long that takes.")
@click.option(
    "--elements", default=DEFAULT.elements, show_default=True, help="Largest tensor to list, in elements."
)
@click.option("--seconds", type=float, help="Stop the program after so much processor time.")
@click.option("--bytes", "size", default=DEFAULT.bytes, show_default=True, help="Maximum size of the page.")
@click.pass_context
def command(
    context: click.Context,
    file: str | None,
    arguments: tuple[str, ...],
    module: str | None,
    output: Path | None,
    opens: bool,
    as_json: bool,
    words: Path | None,
    steps: int,
    start: str,
    end: str,
    first_nan: bool,
    looks: int | None,
    every: bool,
    elements: int,
    seconds: float | None,
    size: int,
) -> None:
    """Run FILE and show what each line did to its tensors.

    FILE is your program; put its ARGUMENTS after `--`. It runs as it does on its own: its output appears at
    once, it can read from the terminal, and its exit code is the command's. When it ends, even by an error or
    Ctrl-C, the page is written to FILE.trace.html or where `-o` says. It needs no server and no network.
    """
    if module:
        arguments = (file, *arguments) if file else arguments
    elif not file:
        raise click.UsageError("Missing argument 'FILE'.", context)
    try:
        if module:
            name, path = find(module)
        else:
            name, path = "", PROGRAM.convert(file or "", context.command.params[0], context)
        program = Program(path, arguments, name)
        wanted = Limits(
            steps=steps,
            elements=elements,
            bytes=size,
            seconds=UNLIMITED if seconds is None else seconds,
            looks=None if every else looks,
            start=start,
            end=end,
            first_nan=first_nan,
        )
        order = Order(program, as_json, output, opens, words, checked(wanted))
        code = _trace(order)
    except Problem as problem:
        raise click.ClickException(str(problem)) from None
    sys.exit(code)


def _trace(order: Order) -> int:
    """Trace a program, write its page, and return its exit code."""
    from weaver.recording.program import read_source

    if not has_torch():
        raise Problem("`weaver trace` needs torch, which isn't installed. Install it: pip install torch")
    tag, said = language(order.words)
    _checked_folder()
    path, size = order.program.path, order.limits.bytes
    _checked_input(path)
    target = order.output or Path(f"{path.stem}.{'json' if order.as_json else 'trace.html'}")
    if not order.is_printed:
        _checked_output(target, path, order.words)
    source = read_source(str(path))
    if not order.as_json:
        view(Trace("", str(path)), source, tag, size, said)  # what no run would make smaller
    with ProgressLine() as progress:
        traced, code = trace(order.program, order.limits, progress.hear, is_live=not order.is_printed)
        progress.say("Drawing the page")
        spelled = json.dumps(full.spell_out(traced), indent=1) if order.as_json else ""
        text = spelled or view(traced, source, tag, size, said)
    if order.is_printed:
        click.echo(text)
    else:
        _write(target, f"{text}\n", traced)
    if order.opens:
        webbrowser.open(target.absolute().as_uri())
    for sentence in lost(traced, said):
        click.secho(sentence, fg="red", err=True)
    return code


def _write(target: Path, text: str, traced: Trace) -> None:
    """Write a page, and say where it is."""
    try:
        target.write_bytes(text.encode())
    except OSError as error:
        raise Problem(f"{shown(target)} can't be written: {error.strerror}. Name another file.") from None
    size = f"{len(traced.steps)} steps, {len(text.encode()) / 1000:.0f} kB"
    click.echo(f"{click.format_filename(shown(target))}: {size}", err=True)
