"""A process of its own: a lab's cells run in a Jupyter kernel, and mkdocs-jupyter renders what they gave."""

import ast
import base64
import hashlib
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from mkdocs_jupyter import config, convert
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat.v4 import new_code_cell, new_notebook

from weaver.escape import visible
from weaver.execution import answers, launch, protocol
from weaver.execution.labs import kernel, plots
from weaver.execution.labs.model import LabOutcome
from weaver.execution.normalise import normalise, one_line
from weaver.execution.protocol import LabJob, Seen
from weaver.execution.publishable import missing_package, published, unfit, unseeded_numbers
from weaver.execution.refusals import OUTPUT_LIMIT
from weaver.execution.snippets.supervision import adopt_orphans, end_orphans, outlives, set_mark
from weaver.execution.timer import TICK, Over, Timer, children, family, repair, sentence

Node = Any  # of a notebook, a dictionary whose keys are attributes too
OURS = f"__import__({kernel.__name__!r}, fromlist=['_'])"  # which puts no name among the cells'
PROBE = f"{OURS}.report({{queries!r}}, {{path!r}}, {{limit!r}})\n"
NEVER = 10**9  # seconds
LONGEST = 100  # bytes of a socket's path, almost
STARTING = 300.0  # seconds of processor time until a kernel, with torch loaded, takes its first cell
SVG = "image/svg+xml"
PNG = b"\x89PNG\r\n\x1a\n"  # how one begins
PICTURES_LIMIT = 16 * OUTPUT_LIMIT  # characters of a cell's pictures
END = "<!-- end of the cell -->"
PICTURE = re.compile(r'<img [^>]*src="data:image/png;base64,([^"]*)"[^>]*>')
FILE = re.compile(r"\S*[/\\]ipykernel_\d+[/\\]\d+\.py")  # where a warning says that a cell is
PLACE = re.compile(r" \(\d+\.py, line \d+\)$")  # where a SyntaxError says that it is
AT = re.compile(r"Cell In\[\d+\], line (\d+)")  # and a traceback
COLOUR = re.compile(r"\x1b\[[\d;]*m")
SHOWN = {"text/plain", "image/png", SVG}
ENDED = {
    "too much": f"prints more than {OUTPUT_LIMIT >> 20} MiB, the limit. Print less.",
    "odd": "returns something that isn't text as text/plain. Print it instead.",
    "dead": "kills its kernel. Remove whatever kills the process.",
    "raised": "raises {error} Fix it in all languages.",
}


def run(job: LabJob) -> LabOutcome:
    """Run the cells of a lab, and then ask its variables; they work in a folder in the job's."""
    for number, code in enumerate(job.cells, 1):
        if error := _no_python(code):
            return LabOutcome(failure=ENDED["raised"].format(error=error[0]), failed=number, line=error[1])
    seen, work = Path(job.folder, "seen.json"), Path(job.folder, "work")
    work.mkdir()
    probe = PROBE.format(queries=protocol.write(job.queries).decode(), path=str(seen), limit=job.limit)
    notebook = new_notebook(cells=[new_code_cell(code) for code in (*job.cells, probe)])
    failed = _execute(notebook, job)
    if not work.is_dir():
        return LabOutcome(failure="removes its working directory. Keep that folder.")
    if failed:
        return failed
    notebook.cells.pop()
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.outputs:
            if failure := _tidy(output, number, job):
                return LabOutcome(failure=failure, failed=number)
    found = protocol.read(seen.read_bytes(), Seen)
    if found.unseeded:
        return LabOutcome(failure=f"draws {unseeded_numbers(found.unseeded)}")
    if files := sorted(os.listdir(work)):
        return LabOutcome(
            failure=f"writes into its working directory: {', '.join(files)}. Use a temporary file."
        )
    html, pictures = _render(notebook, job)
    return LabOutcome(
        outputs=tuple([dict(output) for output in cell.outputs] for cell in notebook.cells),
        html=html,
        pictures=pictures,
        answers=tuple(published(answer, [job.folder]) for answer in found.answers),
        names=found.names,
    )


def _no_python(code: str) -> tuple[str, int] | None:
    """Return why a cell is not Python, and the line: what Jupyter takes beyond it no reader can paste."""
    try:
        compile(code, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError) as error:
        said = one_line(f"{type(error).__name__}: {getattr(error, 'msg', error)}")
        return said, getattr(error, "lineno", 1)
    return None


class _Guard:
    """Ends the kernel, with what it started, when the time of what it does is over."""

    def __init__(self) -> None:
        self.over: Over | None = None
        self.watch(STARTING)
        threading.Thread(target=self._look, daemon=True).start()

    def watch(self, limit: float) -> None:
        """Give it `limit` seconds of processor time from now on."""
        self.timer = Timer(limit, self._kernel)

    def failure(self, limit: float) -> str | None:
        """Return why it was ended, if it was, and what to do."""
        return f"{sentence(self.over, limit)}. {repair(self.over, '`lab_limit`')}" if self.over else None

    def _kernel(self) -> list[int]:
        return family(*children(os.getpid()))

    def _look(self) -> None:
        while not (over := self.timer.look()):
            time.sleep(TICK)
        self.over = over
        for pid in self._kernel():
            with suppress(OSError):  # it has ended
                os.kill(pid, signal.SIGKILL)


class _Client(NotebookClient):
    """A client that ends the kernel when a cell prints too much."""

    said, drawn, is_too_much = 0, 0, False

    def create_kernel_manager(self) -> Any:
        """Have the kernel listen to files, not ports: another process may take a port that's free now."""
        manager = super().create_kernel_manager()
        path = str(Path(self.resources["metadata"]["path"]).parent / "s")
        if os.name == "posix" and len(os.fsencode(path)) < LONGEST:
            manager.transport, manager.ip = "ipc", path
        return manager

    def process_message(self, msg: Node, cell: Node, cell_index: int) -> Node | None:
        content = msg["content"]
        if msg["msg_type"] == "execute_input":
            self.said = self.drawn = 0
        self.said += len(content.get("text", "")) + len(str(content.get("data", {}).get("text/plain", "")))
        self.drawn += sum(len(str(content.get("data", {}).get(kind, ""))) for kind in ("image/png", SVG))
        if self.said > OUTPUT_LIMIT or self.drawn > PICTURES_LIMIT:
            if not self.is_too_much:
                os.kill(self.km.provisioner.pid, signal.SIGKILL)
            self.is_too_much = True
            return None
        return super().process_message(msg, cell, cell_index)


def _execute(notebook: Node, job: LabJob) -> LabOutcome | None:
    """Run all cells, the last of which is the probe; return the failure, or None."""
    used = [name for name in kernel.LOADED if any(name in code for code in job.cells)]
    client = _Client(
        notebook,
        startup_timeout=NEVER,  # the guard ends what hangs
        iopub_timeout=NEVER,  # what the cell printed would be lost
        extra_arguments=[f'--IPKernelApp.exec_lines=["{OURS}.begin({used})"]'],
        kernel_name="python3",
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": str(Path(job.folder, "work"))}},
    )
    guard, limits = _Guard(), [job.limit] * len(job.cells)
    number, line = 0, None
    # a kernel repeats to its own stdout what cells print
    with client.setup_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        set_mark(client.km.provisioner.pid, 0)
        limits.append(answers.allowance(job.limit, len(job.queries)))  # for the probe
        try:
            for number, (cell, limit) in enumerate(zip(notebook.cells, limits, strict=True), 1):
                guard.watch(limit)
                client.execute_cell(cell, number - 1)
            return None
        except nbformat.ValidationError:
            failure = ENDED["odd"]
        except DeadKernelError:
            failure = guard.failure(job.limit) or ENDED["too much" if client.is_too_much else "dead"]
        except CellExecutionError as raised:
            error = one_line(f"{raised.ename}: {PLACE.sub('', raised.evalue)}".rstrip(": "))
            failure = missing_package(error) or ENDED["raised"].format(error=error)
            line = next((int(at) for at in AT.findall(COLOUR.sub("", raised.traceback))), None)
    if number > len(job.cells):
        asked = ", ".join(f"`{query.argument}`" for query in job.queries)
        return LabOutcome(failure=f"can't evaluate {asked}: it {failure}")
    return LabOutcome(failure=failure, failed=number, line=line)


def _tidy(output: Node, number: int, job: LabJob) -> str | None:
    """Make an output the same in every run; return why it cannot be published, or None."""
    if output.output_type == "execute_result":
        output.execution_count = number
    data = output.get("data", {})
    if others := sorted(data.keys() - (SHOWN if _is_drawn(data) else {"text/plain"})):
        return f"returns {', '.join(others)}, which a page can't show. Print text, or draw with matplotlib."
    if output.output_type == "stream":
        output.text = normalise(FILE.sub(f"{job.name}.ipynb", output.text))
    found = unfit(output.get("text") or output.get("data", {}).get("text/plain", ""), [job.folder])
    if found and output.output_type == "execute_result":
        return f"ends with a value: Jupyter printed {found} After drawing, end with `plt.show()`."
    return found and f"printed {found}"


def _is_drawn(data: Node) -> bool:
    """Tell whether an output is a plot by matplotlib, which comes as PNG and as SVG."""
    with suppress(KeyError, TypeError, ValueError):
        png = base64.b64decode(data["image/png"])
        return png.startswith(PNG) and len(png) > len(PNG) + 16 and isinstance(data[SVG], str)
    return False


def _render(notebook: Node, job: LabJob) -> tuple[tuple[str, ...], dict[str, bytes]]:
    """Return each cell's outputs as HTML, and the pictures that it names: file name -> SVG.

    In the notebook itself the same pictures stay as PNG, which every reader of notebooks shows.
    """
    config.settings.templates_dir = str(Path(__file__).parent / "templates")
    drawn = {}  # PNG, as base64 -> SVG
    for output in (output for cell in notebook.cells for output in cell.outputs):
        if svg := output.get("data", {}).pop(SVG, None):
            drawn[output.data["image/png"].strip()] = plots.tidy(svg).encode()
    notebook = deepcopy(notebook)
    for output in (output for cell in notebook.cells for output in cell.outputs):
        if "text" in output:
            output.text = visible(output.text)
        elif "text/plain" in output.data:
            output.data["text/plain"] = visible(output.data["text/plain"])
    path = Path(job.folder, "lab.ipynb")
    nbformat.write(notebook, path)
    html = convert.nb2html(str(path), execute=False, allow_errors=False)
    pictures = {}

    def put(match: re.Match[str]) -> str:
        data = drawn[match[1].strip()]
        file = f"{job.name.split('/')[-1]}-{hashlib.sha256(data).hexdigest()[:8]}.svg"
        pictures[file] = data
        width, height = struct.unpack(">II", base64.b64decode(match[1])[16:24])
        return f'<img src="{file}" alt="" width="{width}" height="{height}" loading="lazy">'

    *cells, _ = PICTURE.sub(put, html).split(END)  # behind the last stand the styles of the notebook
    return tuple(cell.strip() for cell in cells), pictures


def _end_with(parent: int) -> None:
    """End when the process that wants the answer has: it was killed, or stopped by its user."""
    while os.getppid() == parent:
        time.sleep(0.2)
    _end()


def _end(*_: object) -> None:
    end_orphans()
    os._exit(1)


def _write(answer: int, data: bytes) -> None:
    while data:
        data = data[os.write(answer, data) :]


if __name__ == "__main__":
    answer = os.dup(1)  # out of the reach of whatever prints
    os.dup2(2, 1)
    adopt_orphans()
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with, args=[int(sys.argv[1])], daemon=True).start()
    launch.limit_files()
    outcome = run(protocol.read(sys.stdin.buffer.read(), LabJob))
    if outlives() and not outcome.failure:
        outcome = LabOutcome(
            failure="left a process running after its last cell. Wait for that process, or end it."
        )
    end_orphans()
    _write(answer, protocol.write(outcome))
    os._exit(0)
