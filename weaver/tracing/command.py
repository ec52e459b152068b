"""`python -m weaver trace FILE`, and what `%%trace` has in common with it."""

import json
import sys
import webbrowser
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from weaver.execution.launch import has_torch
from weaver.player.remarks import Remark
from weaver.player.words import note, stopped
from weaver.problem import Problem, shown
from weaver.recording.limits import Limits
from weaver.recording.model import Trace
from weaver.terminal import ProgressLine
from weaver.tracing import full
from weaver.tracing.checks import (
    checked_folder,
    checked_input,
    checked_limits,
    checked_output,
    find_included,
    find_module,
    finding_words,
    language,
)
from weaver.tracing.process import Told
from weaver.tracing.run import Program, trace
from weaver.why.finding import Finding
from weaver.why.report import FindingsReport
from weaver.why.run import WatchedRun

DEFAULT = Limits()
UNLIMITED = 1e9  # seconds: more than thirty years
FROM = "Watch only from a line (`120`), a call (`train_step`), or a later time of it (`train_step@3`)."
TO = "Watch only until this line or call has ended, written in the same way."
PROGRAM = click.Path(exists=True, dir_okay=False, path_type=Path)


def lost(trace: Trace, words: Mapping[str, str]) -> list[str]:
    """Return what isn't in a trace, and why, as sentences."""
    ended = [stopped(trace.stopped, words)] if trace.stopped else []
    return ended + [note(one, words) for one in trace.notes]


def tell(progress: ProgressLine, told: Told) -> None:
    """Show how far a recording is."""
    said = {"folder": "Loading torch", "writing": "Collecting the recording"}.get(told.state)
    if said or told.state == "begun":
        progress.say(said or "")


def report(
    trace: Trace,
    source: str,
    words: Path | None,
    found: list[Finding],
    site: str = "",
    ignored: Collection[str] = (),
) -> FindingsReport:
    """Return what was `found` in a trace, in the language of a file of words."""
    return FindingsReport(WatchedRun(trace, source), found, finding_words(words), site, ignored)


def view(
    trace: Trace,
    source: str,
    language: str,
    size: int,
    words: Mapping[str, str],
    found: FindingsReport | None = None,
    name: str = "",
) -> str:
    """Return a trace as a page of at most `size` bytes, with what was found. Raises Problem if that can't be.

    If the program ended well, the page opens where the worst of it is seen. Its title has the `name`.
    """
    from weaver.player.page import page

    remarks: list[Remark] = []
    opens: int | None = None
    if found:
        for one in (*found.found, *found.facts):
            heading, said = found.words[one.severity], tuple(found.told(one))
            place, code = found.place(one.line), found.code(one.line)
            remarks.append(Remark(heading, place, code, said, one.step, one in found.facts))
        if trace.steps and found.unexplained and str(trace.error).partition(":")[0] != "KeyboardInterrupt":
            remarks.insert(0, _failure(trace, found))
        opens = None if trace.error else next((one.step for one in found.found), None)
    try:
        return page(trace, source, language, size, words, remarks, opens, name)
    except ValueError as error:
        raise Problem(str(error)) from None


def _failure(trace: Trace, found: FindingsReport) -> Remark:
    """Return where the program failed and by what error, if no finding explains it."""
    step, error = found.run.failed_at, str(trace.error).splitlines()[0]
    line = trace.steps[step].line
    return Remark(found.unexplained, found.place(line), found.code(line), (error,), step)


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
    help="Steps to keep, roughly; iterations in the middle of a loop go first.",
)
@click.option("--from", "start", default="", metavar="PLACE", help=FROM)
@click.option("--to", "end", default="", metavar="PLACE", help=TO)
@click.option("--first-nan", is_flag=True, help="Watch until the first nan, and keep the steps before it.")
@click.option(
    "--optimizer-state", "optimizers", is_flag=True, help="Show what optimizers keep, such as momentum."
)
@click.option(
    "--include",
    multiple=True,
    metavar="MODULE",
    help="Step into this module or folder as well; files below FILE's folder are stepped into anyway.",
)
@click.option(
    "--looks",
    default=DEFAULT.looks,
    show_default=True,
    help="After reading this many tensors, watch only some iterations of each loop.",
)
@click.option("--all", "every", is_flag=True, help="Watch every line, however long that takes.")
@click.option(
    "--elements", default=DEFAULT.elements, show_default=True, help="Largest tensor to list, in elements."
)
@click.option("--seconds", type=float, help="Stop the program after so much processor time.")
@click.option(
    "--bytes",
    "size",
    default=DEFAULT.bytes,
    show_default=True,
    help="Maximum size of the page, in which the recording is compressed.",
)
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
    optimizers: bool,
    include: tuple[str, ...],
    looks: int | None,
    every: bool,
    elements: int,
    seconds: float | None,
    size: int,
) -> None:
    """Run FILE and show what each line did to its tensors.

    FILE is your program; put its ARGUMENTS after `--`. It runs as it does on its own: its output appears at
    once, it can read from the terminal, and its exit code is the command's. When it ends, even by an error or
    Ctrl-C, the page is written to the program's name with `.trace.html`, in the current folder, or where `-o`
    says. It needs no server and no network. What's wrong in it is at its top, but of a long run `weaver why`
    watches more.
    """
    try:
        asked = program(context, file, arguments, module, include)
        wanted = Limits(
            steps=steps,
            elements=elements,
            bytes=size,
            seconds=UNLIMITED if seconds is None else seconds,
            looks=None if every else looks,
            start=start,
            end=end,
            first_nan=first_nan,
            optimizers=optimizers,
            acts=True,
        )
        order = Order(asked, as_json, output, opens, words, checked_limits(wanted))
        code = _trace(order)
    except Problem as problem:
        raise click.ClickException(str(problem)) from None
    sys.exit(code)


def program(
    context: click.Context,
    file: str | None,
    arguments: tuple[str, ...],
    module: str | None,
    include: tuple[str, ...],
) -> Program:
    """Return the program that a command's FILE or `-m` names. Raises Problem or UsageError for none."""
    if module:
        name, path = find_module(module)
        arguments = (file, *arguments) if file else arguments
    elif file:
        name, path = "", PROGRAM.convert(file, context.command.params[0], context)
    else:
        raise click.UsageError("Missing argument 'FILE'.", context)
    return Program(path, arguments, name, tuple(map(find_included, include)))


def _trace(order: Order) -> int:
    """Trace a program, write its page, and return its exit code."""
    from weaver.recording.program import read_source

    if not has_torch():
        raise Problem("`weaver trace` needs torch, which isn't installed. Install it: pip install torch")
    tag, said = language(order.words)
    checked_folder()
    path, size = order.program.path, order.limits.bytes
    checked_input(path)
    target = order.output or Path(f"{order.program.name}.{'json' if order.as_json else 'trace.html'}")
    if not order.is_printed:
        checked_output(target, path, order.words)
    source = read_source(str(path))
    if not order.as_json:
        view(Trace("", str(path)), source, tag, size, said)  # what no run would make smaller
    with ProgressLine() as progress:
        traced, code, found = trace(
            order.program, order.limits, partial(tell, progress), is_live=not order.is_printed
        )
        progress.say("Drawing the page")
        spelled = json.dumps(full.spell_out(traced), indent=1) if order.as_json else ""
        about = report(traced, source, order.words, found)
        text = spelled or view(traced, source, tag, size, said, about, order.program.title)
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
    steps = len(traced.steps) + sum(step.gap.recorded for step in traced.steps if step.gap)
    size = f"{steps} step{'s' * (steps != 1)} recorded, {len(text.encode()) / 1000:.0f} kB"
    click.echo(f"{click.format_filename(shown(target))}: {size}", err=True)
