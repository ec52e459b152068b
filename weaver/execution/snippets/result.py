"""What a run of a snippet means: its output line by line, or why it cannot be published."""

import re
import signal
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import groupby

from weaver.execution.normalise import normalise
from weaver.execution.snippets.source import Snippet

OUTPUT_LIMIT = 1 << 20  # bytes of output that are kept; a page with more is a mistake
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
SEEDING = {"torch": "torch.manual_seed(0)", "random": "random.seed(0)", "numpy": "numpy.random.seed(0)"}
TRACEBACK = "Traceback (most recent call last):"


@dataclass(frozen=True)
class Line:
    """One line of output: its text, the line of the file that printed it, and its kind.

    `source` is None where no line is known to have printed it (`os.write`, a child process).
    `kind` is `out`, `err` (stderr) or `raised` (the last line of the announced error).
    """

    text: str
    source: int | None
    kind: str


@dataclass(frozen=True)
class Result:
    """What came of a snippet.

    `values` maps each expression that a page asks for to its text and None, or to None and the
    error that evaluating it raised; `names` are the variables that there are. `error` is the end
    of the traceback where the program raised. `failure` is a sentence without its place, or None if
    the result can be published; `failure_line` is the line of the file that it speaks of.
    """

    lines: tuple[Line, ...]
    values: dict[str, tuple[str | None, str | None]]
    names: tuple[str, ...] = ()
    error: str | None = None
    failure: str | None = None
    failure_line: int | None = None

    @property
    def message(self) -> str | None:
        """The error or, if there is none, the first warning: its class and text, on one line."""
        warned = (re.search(r"\w+Warning: .*", line.text) for line in self.lines if line.kind == "err")
        return self.error or next((warning[0] for warning in warned if warning), None)

    @property
    def output(self) -> str:
        """The whole output as one text, as the `.out` file beside the snippet holds it."""
        return "".join(f"{line.text}\n" for line in self.lines)

    def to_json(self) -> dict:
        """Return plain data from which `from_json` makes an equal result."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict) -> "Result":
        """Return the result that `to_json` made `data` of. Raises TypeError or KeyError if it is not."""
        lines = tuple(Line(**line) for line in data["lines"])
        values = {look: tuple(value) for look, value in data["values"].items()}
        return cls(**{**data, "lines": lines, "values": values, "names": tuple(data["names"])})


def judge(snippet: Snippet, report: dict, output: bytes, limit: float) -> Result:
    """Turn what the child reported and what it wrote into a Result.

    `report` holds `ended` (how the process ended) and, where the child lived to write it, what
    `worker.run` reports; `output` is all bytes that reached stdout and stderr, in order; `limit`
    is the time limit in seconds.
    """
    raised = report.get("raised")
    lines = tuple(_lines(output[:OUTPUT_LIMIT], report))
    seen = {**report.get("values", {}), **report.get("watched", {}).get("values", {})}
    values = {look: (text and normalise(text), error) for look, (text, error) in seen.items()}
    failure, place = _failure(snippet, report, output, lines, values, limit)
    return Result(
        lines=lines,
        values=values,
        names=tuple(report.get("names", ())),
        error=raised and normalise(raised["text"]).rstrip("\n"),
        failure=failure,
        failure_line=place,
    )


def _lines(output: bytes, report: dict):
    """Yield the output's lines, each with the line of the file that began it."""
    raised = report.get("raised")
    pieces = []  # (bytes, source line, kind), in the order in which they were written
    end = 0
    for start, stop, source, kind in sorted(report.get("writes", [])):
        if start > end:
            pieces.append((output[end:start], None, "out"))
        data = b"" if kind == "traceback" else output[max(start, end) : stop]
        pieces.append((data, source, kind))
        end = max(end, stop)
    pieces.append((output[end:], None, "out"))
    text, source, kind = "", None, "out"
    for (piece_source, piece_kind), group in groupby(pieces, key=lambda piece: piece[1:]):
        if piece_kind == "traceback":
            if text:  # a line that the error cut short
                yield Line(text, source, kind)
                text = ""
            piece = raised["text"]
            piece_source, piece_kind = raised["line"], "raised"
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


def _failure(snippet, report, output, lines, values, limit):
    """Return why the run cannot be published, and the line of the file; (None, None) if it can."""
    raised, announced = report.get("raised"), snippet.raises
    at = raised and raised["line"]
    if len(output) > OUTPUT_LIMIT:
        return f"printed more than {OUTPUT_LIMIT >> 20} MiB, the limit. Print less.", None
    if report["ended"] == "late":
        return f"was still running after {limit:g} s and was stopped. Make it end, or raise the limit.", None
    if report["ended"] == "server":
        return "ran when the process that starts the snippets died. Let it kill no process but its own.", None
    if report["ended"] == "never":
        return "was not run: the process that starts the snippets ended. What it said stands above.", None
    if report["ended"] < 0:
        try:
            name = signal.Signals(-report["ended"]).name
        except ValueError:
            name = f"signal {-report['ended']}"
        return f"was ended by {name} before its end. Take out what kills the process.", None
    if "exit" not in report:
        return (
            f"ended with exit code {report['ended']} before its end, as `os._exit` does. "
            "Let it run to its last line."
        ), None
    if report["left"]:
        return "left a process running after its end. Wait for it, or end it.", None
    if raised and raised["type"] == "SystemExit" and announced is None:
        return f"left by SystemExit ({raised['text'].strip()}) before its end. Take that out.", at
    if raised and announced is None:
        return (
            f"raised an error that it does not announce: {one_line(raised['text'])} "
            f"Mend it, or write `# raises: {raised['type']}` as its first line."
        ), at
    if announced and not raised:
        return f"announces {announced} and ran to its end. Take its first line out, or let it raise.", 1
    if raised and raised["type"] != announced:
        return (
            f"announces {announced} and raised {raised['type']}: {one_line(raised['text'])} "
            "Mend the announcement on its first line, or the program."
        ), at
    shown = [(line.text, line.source) for line in lines]
    for text, place in shown + [(text or "", None) for text, _ in values.values()]:
        if failure := unfit(text, (report["folder"], str(snippet.path.resolve()))):
            return failure, place
    try:
        output.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"printed bytes that are not UTF-8 (byte {error.start} of its output). Print text.", None
    if report["unseeded"]:
        return (
            f"drew random numbers from {' and '.join(report['unseeded'])} without a seed, so its output "
            "changes from run to run. Seed first: "
            f"{' and '.join(f'`{SEEDING[name]}`' for name in report['unseeded'])}."
        ), None
    if report["siblings"]:
        return (
            f"imports {', '.join(report['siblings'])} from beside it. A snippet is a complete program: "
            "write what it needs into it."
        ), None
    if "watched" in report and not _same(report["watched"], lines):
        return (
            "prints something else while its graph is recorded for a picture. Draw the graph of a program "
            "that does not look at warnings, references or memory."
        ), None
    if report["files"]:
        return (
            f"wrote into its working directory: {', '.join(report['files'])}. "
            "Use a temporary file, or no file."
        ), None
    return None, None


def unfit(text: str, paths: Iterable[str]) -> str | None:
    """Return why a text cannot be published, or None; `paths` are those of the program and its folder."""
    if TRACEBACK in text:
        return "printed a traceback, of a thread or a finaliser. Mend what failed there."
    if address := ADDRESS.search(text):
        return (
            f"printed an address, {address[0]}, which changes from run to run. "
            "Print a comparison, a name or a shape instead."
        )
    if any(path in text for path in paths):
        return "printed a path of this machine. Print a name or a comparison instead."
    return None


def _same(watched, lines):
    """Tell whether the second run, which was watched, printed the same; frames of a traceback apart."""
    again = _lines(watched["output"].encode("latin-1")[:OUTPUT_LIMIT], watched)
    return "exit" in watched and [line.text for line in again] == [line.text for line in lines]


def one_line(text: str) -> str:
    """Shorten an error's text to one line that ends like a sentence."""
    line = " ".join(normalise(text).split())
    line = line if len(line) <= 200 else line[:199] + "…"
    return line if line.endswith((".", "…")) else line + "."
