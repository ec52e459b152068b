"""What a run of a snippet means: its output line by line, or why it cannot be published."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import ClassVar

import msgspec

from weaver.execution.contract import Outcome
from weaver.execution.normalise import normalise
from weaver.execution.protocol import TRACE, WHY, Answer, Mode, Run
from weaver.execution.publishable import published
from weaver.execution.refusals import OUTPUT_LIMIT, Case, Lines, refusal, same
from weaver.execution.snippets.source import Snippet

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Line(msgspec.Struct, frozen=True):
    """One line of output: its text, the line of the file that printed it, and its kind.

    `source` is None where no line is known to have printed it (`os.write`, a child process).
    `kind` is `out`, `err` (stderr) or `raised` (the last line of the announced error).
    """

    text: str
    source: int | None
    kind: str


class Result(Outcome, frozen=True, kw_only=True):
    """What came of a snippet.

    `error` is the end of the traceback where the program raised. `rule` names the refusal if it
    failed; `failure_line` is the line of the file that the failure speaks of.
    """

    noun: ClassVar[str] = "snippet"
    lines: tuple[Line, ...] = ()
    error: str | None = None
    rule: str | None = None
    failure_line: int | None = None

    @property
    def message(self) -> str | None:
        """The error or, if there is none, the first warning: its class and text, on one line."""
        warned = (re.search(r"\w+Warning: .*", line.text) for line in self.lines if line.kind == "err")
        return self.error or next((warning[0] for warning in warned if warning), None)

    @property
    def trace(self) -> str | None:
        """What each line did, in the compact form of a trace; None if that is not known."""
        return next((answer.text for answer in self.answers if answer.query == TRACE), None)

    @property
    def untraced(self) -> str:
        """Why there is no trace, in words."""
        error = next((answer.error for answer in self.answers if answer.query == TRACE), None)
        return error or "it prints something different while it is recorded, or ends before its last line"

    @property
    def output(self) -> str:
        """The whole output as one text, as the `.out` file beside the snippet holds it."""
        return "".join(f"{line.text}\n" for line in self.lines)


def judge(
    snippet: Snippet, run: Run, limit: float, elsewhere: "Result | None" = None, is_drawn: bool = False
) -> Result:
    """Turn a run of a snippet, which had `limit` seconds of processor time, into a Result.

    `is_drawn` says that a page shows a graph of it. `elsewhere` is what came of it in another world, if there
    is anything in it that could change: what differs there isn't published.
    """
    lines = tuple(_lines(run))
    watched = {one.modes[-1]: _texts(_lines(one)) if one.report else None for one in run.again}
    other = (elsewhere.failure or _texts(elsewhere.lines)) if elsewhere else None
    refused = refusal(Case(snippet, run, _texts(lines), watched, limit, other, is_drawn))
    report = run.report
    answers = tuple(_answers(snippet, run, watched, _texts(lines)))
    if elsewhere:
        answers = tuple(_unless_changed(answer, elsewhere) for answer in answers)
    return Result(
        lines=lines,
        answers=answers,
        names=report.names if report else (),
        error=normalise(report.raised.text).rstrip("\n") if report and report.raised else None,
        failure=refused.sentence if refused else None,
        failure_line=refused.line if refused else None,
        rule=refused.rule if refused else None,
    )


def _unless_changed(answer: Answer, elsewhere: Result) -> Answer:
    """Return an answer that is an error, or the same in another world; else that it isn't."""
    other = next((one for one in elsewhere.answers if one.query == answer.query), None)
    if answer.error or other is None or (other.text, other.error) == (answer.text, answer.error):
        return answer
    if answer.query in (TRACE, WHY) and other.text and answer.text and is_rounding(answer.text, other.text):
        return answer
    return Answer(answer.query, None, "it differs in every run")


def is_rounding(one: str, other: str) -> bool:
    """Tell whether two traces differ only in how another processor rounds sums."""
    if NUMBER.split(one) != NUMBER.split(other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(_is_near(float(left), float(right)) for left, right in pairs if left != right)


def _is_near(left: float, right: float) -> bool:
    if left.is_integer() and right.is_integer():  # numbers of processes and the like
        return False
    return math.isclose(left, right, rel_tol=1e-4, abs_tol=1e-6)


def _texts(lines: Iterable[Line]) -> Lines:
    return [(line.text, line.source) for line in lines]


def _answers(
    snippet: Snippet, run: Run, watched: Mapping[Mode, Lines | None], lines: Lines
) -> Iterator[Answer]:
    """Yield the answers of the run, and of further ones that printed the same, as they can be published."""
    truthful = [one for one in run.again if same(watched[one.modes[-1]], lines)]
    answered = set()
    for report in (one.report for one in (run, *truthful) if one.report):
        for answer in report.answers or ():
            if answer.query not in answered:
                yield published(answer, (report.folder, str(snippet.path.resolve())))
                answered.add(answer.query)


def _lines(run: Run) -> Iterator[Line]:
    """Yield the output's lines, each with the line of the file that began it."""
    output, writes = run.output[:OUTPUT_LIMIT], run.report.writes if run.report else ()
    pieces: list[tuple[bytes, int | None, str]] = []  # with source line and kind, in order
    end = 0
    for write in sorted(writes, key=lambda write: write.start):
        if write.start > end:
            pieces.append((output[end : write.start], None, "out"))
        data = b"" if write.kind == "traceback" else output[max(write.start, end) : write.end]
        pieces.append((data, write.line, write.kind))
        end = max(end, write.end)
    pieces.append((output[end:], None, "out"))
    raised = run.report.raised if run.report else None
    text, source, kind = "", None, "out"
    for (piece_source, piece_kind), group in groupby(pieces, key=lambda piece: piece[1:]):
        if piece_kind == "traceback" and raised:
            if text:  # a line that the error cut short
                yield Line(text, source, kind)
                text = ""
            piece, piece_source, piece_kind = raised.text, raised.line, "raised"
        else:
            piece = b"".join(data for data, *_ in group).decode("utf-8", errors="replace")
        for part in re.findall(r"[^\n]*\n|[^\n]+", normalise(piece)):
            if not text:
                source, kind = piece_source, piece_kind
            text += part
            if text.endswith("\n"):
                yield Line(text[:-1], source, kind)
                text = ""
    if text:
        yield Line(text, source, kind)
