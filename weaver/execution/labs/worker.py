"""A process of its own: a lab's cells run in a Jupyter kernel, and mkdocs-jupyter renders what they gave."""

import base64
import contextlib
import hashlib
import io
import os
import re
import struct
import sys
import tempfile
import threading
import time
from copy import deepcopy
from pathlib import Path

import nbformat
from mkdocs_jupyter import config, convert
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from weaver.escape import visible
from weaver.execution import protocol
from weaver.execution.labs.model import LabOutcome
from weaver.execution.normalise import normalise, one_line
from weaver.execution.protocol import Answer, LabJob, Seen
from weaver.execution.refusals import unfit
from weaver.execution.snippets import worker as snippets

PROBE = f"import {snippets.__name__} as _worker\n_worker.report_on_kernel({{queries!r}}, {{path!r}})\n"
END = "<!-- end of the cell -->"
PICTURE = re.compile(r'<img [^>]*src="data:image/png;base64,([^"]*)"[^>]*>')
FILE = re.compile(r"\S*[/\\]ipykernel_\d+[/\\]\d+\.py")  # where a warning says that a cell is
PLACE = re.compile(r" \(\d+\.py, line \d+\)$")  # where a SyntaxError says that it is
AT = re.compile(r"Cell In\[\d+\], line (\d+)")  # and a traceback
COLOUR = re.compile(r"\x1b\[[\d;]*m")
SHOWN = {"text/plain", "image/png"}
ENDED = {
    "late": "takes longer than {limit:g} s. Make it end, or raise `lab_limit` in mkdocs.yml.",
    "dead": "ends the kernel that it runs in. Take out what kills the process.",
    "raised": "raises {error} Mend it, in all languages.",
}


def run(job: LabJob) -> LabOutcome:
    """Run the cells of a lab, and then ask its variables; the job's folder is where they work."""
    seen = Path(job.folder, "seen.json")
    probe = PROBE.format(queries=protocol.write(job.queries).decode(), path=str(seen))
    notebook = new_notebook(cells=[new_code_cell(code) for code in (*job.cells, probe)])
    if failed := _execute(notebook, job):
        return failed
    notebook.cells.pop()
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.outputs:
            if failure := _tidy(output, number, job):
                return LabOutcome(failure=failure, failed=number)
    found = protocol.read(seen.read_bytes(), Seen)
    answers = [Answer(one.query, one.text and normalise(one.text), one.error) for one in found.answers]
    for one in answers:
        if failure := unfit(one.text or "", [job.folder]):
            return LabOutcome(failure=f"has a value for `{one.query.argument}` that {failure}")
    html, pictures = _render(notebook, job.name.split("/")[-1])
    outputs = tuple([dict(output) for output in cell.outputs] for cell in notebook.cells)
    return LabOutcome(
        outputs=outputs, html=html, pictures=pictures, answers=tuple(answers), names=found.names
    )


def _execute(notebook, job):
    """Run all cells, the last of which is the probe; return the failure, or None."""
    client = NotebookClient(
        notebook,
        timeout=job.limit,
        kernel_name="python3",
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": job.folder}},
    )
    number, error, line = 0, "", None
    with client.setup_kernel():
        try:
            for number, cell in enumerate(notebook.cells, 1):
                client.execute_cell(cell, number - 1)
            return None
        except CellTimeoutError:
            ended = "late"
        except DeadKernelError:
            ended = "dead"
        except CellExecutionError as raised:
            ended = "raised"
            error = one_line(f"{raised.ename}: {PLACE.sub('', raised.evalue)}")
            line = next((int(at) for at in AT.findall(COLOUR.sub("", raised.traceback))), None)
    failure = ENDED[ended].format(limit=job.limit, error=error)
    if number > len(job.cells):
        asked = ", ".join(f"`{query.argument}`" for query in job.queries)
        return LabOutcome(failure=f"cannot be asked for {asked}: it {failure}")
    return LabOutcome(failure=failure, failed=number, line=line)


def _tidy(output, number, job):
    """Make an output the same in every run; return why it cannot be published, or None."""
    if output.output_type == "execute_result":
        output.execution_count = number
    if others := sorted(output.get("data", {}).keys() - SHOWN):
        return f"gives {', '.join(others)}, which a page cannot show. Print text, or draw with matplotlib."
    if output.output_type == "stream":
        output.text = normalise(FILE.sub(f"{job.name}.ipynb", output.text))
    failure = unfit(output.get("text") or output.get("data", {}).get("text/plain", ""), [job.folder])
    if failure and output.output_type == "execute_result":
        return f"ends in a value: Jupyter {failure} After a drawing, end with `plt.show()`."
    return failure


def _render(notebook, name):
    """Return each cell's outputs as HTML, and the pictures that it names: file name -> PNG."""
    config.settings.templates_dir = str(Path(__file__).parent / "templates")
    notebook = deepcopy(notebook)
    for output in (output for cell in notebook.cells for output in cell.outputs):
        if "text" in output:
            output.text = visible(output.text)
        elif "text/plain" in output.data:
            output.data["text/plain"] = visible(output.data["text/plain"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lab.ipynb")
        nbformat.write(notebook, path)
        html = convert.nb2html(str(path), execute=False, allow_errors=False)
    pictures = {}

    def put(match):
        data = _packed(base64.b64decode(match[1]))
        file = f"{name}-{hashlib.sha256(data).hexdigest()[:8]}.png"
        pictures[file] = data
        width, height = struct.unpack(">II", data[16:24])
        return f'<img src="{file}" alt="" width="{width}" height="{height}" loading="lazy">'

    *cells, _ = PICTURE.sub(put, html).split(END)  # behind the last stand the styles of the notebook
    return tuple(cell.strip() for cell in cells), pictures


def _packed(data):
    """Return a PNG with a palette of 256 colours, a third of its size: a plot has few, and their edges."""
    packed = io.BytesIO()
    picture = Image.open(io.BytesIO(data)).convert("RGBA")
    paper = Image.new("RGBA", picture.size, "white")
    paper.alpha_composite(picture)
    paper.convert("RGB").quantize(256).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def _end_with(parent):
    """End when the process that wants the answer has: it was killed, or stopped by its user."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with, args=[int(sys.argv[1])], daemon=True).start()
    with contextlib.redirect_stdout(sys.stderr):
        outcome = run(protocol.read(sys.stdin.buffer.read(), LabJob))
    sys.stdout.buffer.write(protocol.write(outcome))
