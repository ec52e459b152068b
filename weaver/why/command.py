"""`python -m weaver why FILE`."""

import json
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from weaver.execution.launch import has_torch
from weaver.problem import Problem, shown
from weaver.recording.limits import Limits
from weaver.recording.program import read_source
from weaver.terminal import ProgressLine
from weaver.tracing import command as tracing
from weaver.tracing.checks import checked_folder, checked_input, checked_output, language
from weaver.tracing.run import Program, trace
from weaver.why.report import FindingsReport

# More than a page needs: what's left out can't be found
LIMITS = Limits(acts=True, steps=2000, nodes=8000, looks=120_000, seconds=tracing.UNLIMITED)


@dataclass(frozen=True, slots=True)
class Question:
    """What the command should do with a program's findings."""

    program: Program
    step_through: Path | None
    as_json: bool
    words: Path | None
    site: str
    ignored: tuple[str, ...]


@click.command("why")
@click.argument("file", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "module", help="Run a module, as `python -m` runs it, instead of FILE.")
@click.option(
    "--step-through",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the step-through of the run here, with the findings.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON, not the program's output.")
@click.option(
    "--words",
    "language_file",
    type=click.Path(path_type=Path),
    help="A file of texts in another language, such as words/ko.yml.",
)
@click.option(
    "--include",
    multiple=True,
    metavar="MODULE",
    help="Watch this module or folder as well; files below FILE's folder are watched anyway.",
)
@click.option("--ignore", multiple=True, metavar="NAME", help="Leave out these findings: `retain`.")
@click.option("--site", envvar="SITE_URL", default="", help="The address of this documentation, for links.")
@click.pass_context
def command(
    context: click.Context,
    file: str | None,
    arguments: tuple[str, ...],
    module: str | None,
    step_through: Path | None,
    as_json: bool,
    language_file: Path | None,
    include: tuple[str, ...],
    ignore: tuple[str, ...],
    site: str,
) -> None:
    """Run FILE, a training program, and say what's wrong with it.

    FILE is your program; put its ARGUMENTS after `--`. It runs as it does on its own. When it has ended, the
    command says what it found: the line that causes it, what to do, and where it's explained. It says only
    what it saw. The exit code is 0 if nothing is wrong, and 1 if something is.
    """
    try:
        program = tracing.program(context, file, arguments, module, include)
        report = _why(Question(program, step_through, as_json, language_file, site, ignore))
    except Problem as problem:
        raise click.ClickException(str(problem)) from None
    sys.exit(report.is_wrong)


def _why(order: Question) -> FindingsReport:
    """Run a program under watch, print what was found, and return it."""
    if not has_torch():
        raise Problem("`weaver why` needs torch, which isn't installed. Install it: pip install torch")
    tag, said = language(order.words)
    checked_folder()
    path = order.program.path
    checked_input(path)
    if order.step_through:
        checked_output(order.step_through, path, order.words)
    source = read_source(str(path))
    with ProgressLine() as progress:
        hear = partial(tracing.tell, progress)
        traced, _, found = trace(order.program, LIMITS, hear, is_live=not order.as_json)
        progress.say("Looking for what's wrong")
        report = tracing.report(traced, source, order.words, found, order.site, order.ignored)
    if order.as_json:
        click.echo(json.dumps(report.data(), indent=1, ensure_ascii=False))
    else:
        click.echo()
        for text, color in report.lines():
            click.secho(text, fg=color)
    if order.step_through:
        page = tracing.view(traced, source, tag, Limits().bytes, said, report, order.program.title)
        order.step_through.write_text(f"{page}\n", "utf-8")
        click.echo(shown(order.step_through), err=True)
    for sentence in tracing.lost(traced, said):
        click.secho(sentence, fg="red", err=True)
    return report
