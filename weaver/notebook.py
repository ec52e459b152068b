"""`%%trace` and `%%why` in a notebook: run a cell in its namespace; show the trace, or what's wrong."""

import ast
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from html import escape
from pathlib import Path
from typing import Any, TextIO

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from weaver.problem import Problem
from weaver.recording.limits import Limits
from weaver.recording.lines import SourceLines
from weaver.recording.model import Trace
from weaver.recording.objects import error_line
from weaver.recording.program import ProgramEnd, Script, own_frames
from weaver.recording.record import Recording
from weaver.tracing import command as tracing
from weaver.tracing.checks import checked_limits, language
from weaver.why import command as why
from weaver.why.finding import Finding
from weaver.why.findings import find_with_facts
from weaver.why.run import WatchedRun

HEIGHT = 660  # pixels of the view below a cell
LIMITS = Limits()
NOTHING = "Nothing has been traced yet. Write %%trace in the first line of a cell, and run the cell."

AWAITS = "A watched cell can't await outside a function. Await in another cell."


class _Copied:
    """A stream that copies what's written to it into a file, named by its descriptor."""

    def __init__(self, stream: TextIO, descriptor: int) -> None:
        self.stream, self.descriptor = stream, descriptor

    def write(self, text: str) -> int:
        os.write(self.descriptor, text.encode("utf-8", "backslashreplace"))
        return self.stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@magics_class
class Tracing(Magics):
    """The magics of one notebook; `last` is the last HTML shown."""

    last: str | None = None

    @magic_arguments()
    @argument("--words", type=Path, help="a file of texts in another language, such as words/ko.yml")
    @argument(
        "--steps",
        type=int,
        default=LIMITS.steps,
        help="steps to keep, roughly; iterations in the middle of a loop go first",
    )
    @argument("--elements", type=int, default=LIMITS.elements, help="largest tensor to list, in elements")
    @argument("--from", dest="start", default="", help=tracing.FROM)
    @argument("--to", dest="end", default="", help=tracing.TO)
    @argument("--first-nan", action="store_true", help="watch until the first nan")
    @argument("--optimizer-state", dest="optimizers", action="store_true", help="show what optimizers keep")
    @argument("--all", dest="every", action="store_true", help="watch every line, however long that takes")
    @argument(
        "--bytes",
        type=int,
        default=LIMITS.bytes,
        help="maximum size of the view, in which the recording is compressed",
    )
    @line_cell_magic
    def trace(self, line: str, cell: str | None = None) -> None:
        """Run a cell and show what each line did to its tensors; `%trace` shows the last trace again."""
        if cell is None:
            return _show(self.last) if self.last else print(NOTHING)
        asked = parse_argstring(self.trace, line)
        try:
            wanted = Limits(
                steps=asked.steps,
                elements=asked.elements,
                bytes=asked.bytes,
                looks=None if asked.every else LIMITS.looks,
                start=asked.start,
                end=asked.end,
                first_nan=asked.first_nan,
                optimizers=asked.optimizers,
                acts=True,
            )
            limits = checked_limits(wanted)
            tag, said = language(asked.words)
            tracing.view(Trace("", ""), cell, tag, limits.bytes, said)  # is even an empty one too large?
        except Problem as problem:
            raise UsageError(str(problem)) from None
        __tracebackhide__ = "__ipython_bottom__"  # tracebacks leave out the frames up to here
        trace, error = self._run(cell, limits)
        try:
            report = tracing.report(trace, cell, asked.words, _found(trace, cell))
            self.last = tracing.view(trace, cell, tag, limits.bytes, said, report)
            _show(self.last)
        except Problem as problem:
            print(problem, file=sys.stderr)
        if error is not None:
            raise error

    @magic_arguments()
    @argument("--words", type=Path, help="a file of texts in another language, such as words/ko.yml")
    @argument("--ignore", action="append", default=[], help="leave out findings of this name")
    @argument("--site", default="", help="the address of the documentation, for links")
    @cell_magic
    def why(self, line: str, cell: str) -> None:
        """Run a cell, and say what's wrong with its training."""
        asked = parse_argstring(self.why, line)
        try:
            language(asked.words)
        except Problem as problem:
            raise UsageError(str(problem)) from None
        __tracebackhide__ = "__ipython_bottom__"
        trace, error = self._run(cell, why.LIMITS)
        found = _found(trace, cell)
        for text, _ in tracing.report(trace, cell, asked.words, found, asked.site, asked.ignore).lines():
            print(text)
        if error is not None:
            raise error

    def _run(self, cell: str, limits: Limits) -> tuple[Trace, BaseException | None]:
        __tracebackhide__ = True
        try:
            return run(self.shell, cell, limits)
        except SyntaxError as error:
            if "await" in str(error) or "asynchronous" in str(error):
                raise UsageError(AWAITS) from None
            raise error.with_traceback(None) from None


def load(shell: Any) -> None:
    """Register the magics."""
    shell.register_magics(Tracing)


def run(shell: Any, cell: str, limits: Limits) -> tuple[Trace, BaseException | None]:
    """Run a cell as IPython does, and record it; return its trace, and the error that ended it or None.

    Raises SyntaxError if the cell isn't Python.
    """
    code = shell.transform_cell(cell)
    number = len(shell.history_manager.input_hist_parsed) - 1
    path = shell.compile.cache(code, number, raw_code=cell)
    tree = shell.compile.ast_parse(code, path)
    trees = _parts(tree, shell.displayhook.semicolon_at_end_of_expression(cell))
    parts = [shell.compile(tree, path, mode) for tree, mode in trees]
    with tempfile.NamedTemporaryFile() as file:
        output, error = file.fileno(), None
        recording = Recording(Script(path, cell), limits, file.name)
        streams = redirect_stdout(_Copied(sys.stdout, output)), redirect_stderr(_Copied(sys.stderr, output))
        with streams[0], streams[1]:
            try:
                with recording.watching(shell.user_module, SourceLines(code), set(shell.user_ns_hidden)):
                    for part in parts:
                        exec(part, shell.user_global_ns, shell.user_ns)
            except BaseException as raised:
                error = raised.with_traceback(own_frames(raised.__traceback__, path))
                recording.ended = ProgramEnd(error_line(error, qualified=True))
        trace = recording.end()
    trace.program = f"In [{number}]"
    return trace, error


def _parts(tree: ast.Module, is_quiet: bool) -> Iterator[tuple[ast.Module | ast.Interactive, str]]:
    """Yield a cell's statements and how to compile them: the value of an expression at its end is shown."""
    shown = [tree.body.pop()] if not is_quiet and tree.body and isinstance(tree.body[-1], ast.Expr) else []
    yield tree, "exec"
    if shown:
        yield ast.Interactive(shown), "single"


def _found(trace: Trace, cell: str) -> list[Finding]:
    return find_with_facts(WatchedRun(trace, cell))


def _show(html: str) -> None:
    """Show the view in a frame of its own, which a saved notebook opens again."""
    size = f'width="100%" height="{HEIGHT}" style="border:0"'
    frame = f'<iframe srcdoc="{escape(html)}" title="%%trace" {size}></iframe>'
    display({"text/html": f"<div>{frame}</div>", "text/plain": "A trace, shown as HTML."}, raw=True)
