"""Why a program's run cannot be published: an ordered table of rules, each with its sentence.

A rule's name is that of its case, or folder of cases, in `tests/cases/refused/`.
"""

import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from weaver.execution import launch
from weaver.execution.changes import doubts, never_same, spelled
from weaver.execution.normalise import one_line
from weaver.execution.protocol import Ended, Mode, Raised, Report, Run
from weaver.execution.publishable import missing_package, unfit, unseeded_numbers
from weaver.execution.snippets.source import Snippet
from weaver.execution.timer import repair, sentence
from weaver.problem import quoted

MOST_CAUSES = 3  # that a message names
OUTPUT_LIMIT = 1 << 20  # bytes of output that are kept; a page with more is a mistake
IMPORTED = re.compile(r"^\s*(?:import|from)\s+([\w.]+)", re.MULTILINE)
MEASURING = {"gc", "inspect", "resource", "sys", "time", "tracemalloc", "warnings", "weakref"}
Lines = Sequence[tuple[str, int | None]]  # text, line of the file
# How watching can change what is printed, and the repair
DRAWN = (
    "prints something different while its graph is recorded for a picture: {}. Draw the graph of a program "
    "that doesn't inspect warnings, references or memory."
)
TRACED = (
    "prints something different while it is traced line by line: {}. Make its output independent of tracing."
)


@dataclass(frozen=True)
class Case:
    """What the rules look at: a snippet, its run, the run's output as it would be shown.

    `lines` are (text, line of the file or None), `watched` those of each further run by its mode, None
    for one that did not live to report; `limit` is the seconds of processor time that it was given.
    `elsewhere` are the lines of a run in another world (see `changes`), or a sentence on why there are none;
    None if it wasn't needed. `is_drawn` says that a page shows a graph of it.
    """

    snippet: Snippet
    run: Run
    lines: Lines
    watched: Mapping[Mode, Lines | None]
    limit: float
    elsewhere: Lines | str | None = None
    is_drawn: bool = False

    @property
    def raised(self) -> Raised | None:
        return self.run.report.raised if self.run.report else None

    @property
    def report(self) -> Report:
        """What the program reported: it did, as the rule `leaves_before_its_end` has made sure."""
        assert self.run.report
        return self.run.report


@dataclass(frozen=True)
class Refusal:
    """The rule that was broken, a sentence without its subject, the line of the file if one is at fault."""

    rule: str
    sentence: str
    line: int | None = None


Broken = Iterator[str | tuple[str, int | None]]  # nothing, or first a sentence, with its line if it has one
RULES: dict[str, Callable[[Case], Broken]] = {}


def refusal(case: Case) -> Refusal | None:
    """Return the first rule of the table that the run breaks, or None if it can be published."""
    for name, rule in RULES.items():
        for broken in rule(case):
            sentence, line = broken if isinstance(broken, tuple) else (broken, None)
            return Refusal(name, sentence, line)
    return None


def _rule(function: Callable[[Case], Broken]) -> Callable[[Case], Broken]:
    """Put a rule at the table's end: those below may rely on those above."""
    RULES[function.__name__] = function
    return function


@_rule
def prints_too_much(case: Case) -> Broken:
    if len(case.run.output) > OUTPUT_LIMIT:
        yield f"printed more than {OUTPUT_LIMIT >> 20} MiB, the limit. Print less."


@_rule
def never_ends(case: Case) -> Broken:
    if over := case.run.over:
        yield f"{sentence(over, case.limit)} and was stopped. {repair(over, '`limit`')}"


@_rule
def kills_the_server(case: Case) -> Broken:
    if case.run.ended is Ended.SERVER_DIED:
        yield (
            "was running when the process that starts the snippets died. "
            "Remove whatever kills other processes."
        )
    if case.run.ended is Ended.NEVER_BEGAN:
        yield "wasn't run: the process that starts the snippets died. See its output above."


@_rule
def ended_by_a_signal(case: Case) -> Broken:
    if case.run.ended is Ended.SIGNALLED:
        try:
            name = signal.Signals(case.run.code).name
        except ValueError:
            name = f"signal {case.run.code}"
        yield f"was killed by {name}. Remove whatever kills the process."


@_rule
def leaves_before_its_end(case: Case) -> Broken:
    if case.run.report is None:
        if (largest := launch.largest_file()) < launch.FILE_LIMIT:
            yield f"couldn't write its report: `ulimit -f` limits files to {largest >> 10} KiB. Increase it."
        yield f"exited early with code {case.run.code}, as `os._exit` does. Make it run to its last line."


@_rule
def leaves_a_process(case: Case) -> Broken:
    if case.run.left_processes:
        yield "left a process running when it ended. Wait for that process, or end it."


@_rule
def sys_exit_before_the_end(case: Case) -> Broken:
    raised = case.raised
    if raised and raised.type == "SystemExit" and case.snippet.raises is None:
        said = f"ended early with `{raised.text.strip()}`. Remove what raises it, such as `sys.exit()`."
        yield said, raised.line


@_rule
def misses_a_package(case: Case) -> Broken:
    raised = case.raised
    if raised and case.snippet.raises is None and (missing := missing_package(raised.text)):
        yield missing, raised.line


@_rule
def undeclared_exception(case: Case) -> Broken:
    raised = case.raised
    if raised and case.snippet.raises is None:
        yield (
            (
                f"raised an undeclared error: {one_line(raised.text)} "
                f"Fix it, or {case.snippet.announcing(raised.type)}."
            ),
            raised.line,
        )


@_rule
def announced_error_does_not_come(case: Case) -> Broken:
    if case.snippet.raises and not case.raised:
        announced = case.snippet.raises
        where = "its first line" if case.snippet.is_own else f"` raises {announced}`"
        yield f"declares {announced} but didn't raise it. Remove {where}, or make the program raise it.", 1


@_rule
def announced_error_of_another_type(case: Case) -> Broken:
    raised = case.raised
    if raised and raised.type != case.snippet.raises:
        yield (
            (
                f"declares {case.snippet.raises} but raised {raised.type}: {one_line(raised.text)} "
                f"Fix the declaration{' on its first line' if case.snippet.is_own else ''}, or the program."
            ),
            raised.line,
        )


@_rule
def prints_what_cannot_be_published(case: Case) -> Broken:
    paths = case.report.folder, str(case.snippet.path.resolve())
    for text, line in case.lines:
        if found := unfit(text, paths):
            yield f"printed {found}", line


@_rule
def output_that_is_not_utf8(case: Case) -> Broken:
    try:
        case.run.output.decode("utf-8")
    except UnicodeDecodeError as error:
        yield f"printed bytes that aren't UTF-8 (byte {error.start} of its output). Print text."


@_rule
def unseeded(case: Case) -> Broken:
    if names := case.report.unseeded:
        yield f"drew {unseeded_numbers(names)}"


@_rule
def changes_from_run_to_run(case: Case) -> Broken:
    """What a program printed must come again in another world; what it used there says why it didn't."""
    for _, name, at in never_same([case.snippet.source], clocks=False):
        said = f"uses {spelled(name)}, which differs in every run. Seed or sort it, or write a fixed value."
        yield said, case.snippet.line_of_file(at)
    other = case.elsewhere
    if isinstance(other, str):
        other = other.partition(" Fix it, or")[0]
        yield f"ends differently in a second run: it {other} It depends on {_causes(case)}. Remove that."
        return
    if other is None or same(other, case.lines):
        return
    difference, line = _difference(case.lines, other)
    yield (
        (
            f"prints something different in every run or on another machine: {difference}. "
            f"It depends on {_causes(case, line)}. Seed it, or print something "
            "that doesn't change, such as a comparison."
        ),
        line,
    )


@_rule
def imports_its_neighbour(case: Case) -> Broken:
    if siblings := case.report.siblings:
        yield (
            f"imports {', '.join(siblings)} from its own folder. A snippet must be self-contained: "
            "copy what it needs into it."
        )


def _ends_when_drawn(case: Case) -> Broken:
    for one in case.run.again if case.is_drawn else ():
        for rule in never_ends, kills_the_server, ended_by_a_signal, leaves_before_its_end:
            for broken in rule(replace(case, run=one)):
                yield f"{broken} That happened while its graph was recorded for a picture."


@_rule
def prints_another_thing_when_watched(case: Case) -> Broken:
    yield from _ends_when_drawn(case)  # which prints less, but that isn't the cause
    for lines in case.watched.values():
        # a trace that cannot be made costs a button, no more; so does that of a program which measures
        is_excused = not case.is_drawn and (lines is None or measures(case.snippet.source))
        if not is_excused and not same(lines, case.lines):
            difference, _ = _difference(case.lines, lines or ())
            yield (DRAWN if case.is_drawn else TRACED).format(difference)


@_rule
def file_in_the_working_directory(case: Case) -> Broken:
    if files := case.report.files:
        yield f"wrote into its working directory: {', '.join(files)}. Use a temporary file, or no file."


def _difference(lines: Lines, others: Lines) -> tuple[str, int | None]:
    """Return what the first of two outputs has where another thing comes in the second, and its line."""
    pairs = zip_longest(lines, others, fillvalue=("nothing", None))
    (text, line), (now, _) = next((one, two) for one, two in pairs if one[0] != two[0])
    return f"{quoted(text)}, then {quoted(now)}", line


def _causes(case: Case, line: int | None = None) -> str:
    """Return, in words, what can make a line's output change; without such a thing there, the program's."""
    found = doubts(case.snippet.source)
    here = [one for one in found if one[1] == line] or found
    parts = {(name.rpartition(".")[0], at) for name, at in here}
    here = [one for one in here if one not in parts]  # `datetime.datetime` is part of its `now`
    return " or ".join(
        f"{spelled(name)} (line {case.snippet.line_of_file(at)})" for name, at in here[:MOST_CAUSES]
    )


def same(lines: Lines | None, others: Lines) -> bool:
    """Tell whether two runs printed the same; one that did not live to report did not."""
    return lines is not None and [text for text, _ in lines] == [text for text, _ in others]


def measures(source: str) -> bool:
    """Tell whether a program may look at what watching changes: references, warnings, memory, time."""
    return any(name.split(".")[0] in MEASURING for name in IMPORTED.findall(source))
