"""A process of its own: a lab's cells run in a Jupyter kernel, and mkdocs-jupyter renders what they gave."""

import base64
import contextlib
import hashlib
import io
import json
import os
import re
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat
from mkdocs_jupyter import config, convert
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from weaver.normalise import normalise
from weaver.result import ADDRESS

PROBE = """import json
from weaver.child import look_at
print(json.dumps([look_at({looks!r}, globals()), sorted(name for name in globals() if name[0] != "_")]))
"""
END = "<!-- end of the cell -->"
PICTURE = re.compile(r'<img [^>]*src="data:image/png;base64,([^"]*)"[^>]*>')
FILE = re.compile(r"\S*[/\\]ipykernel_\d+[/\\]\d+\.py")  # where a warning says that a cell is


def run(job: dict) -> dict:
    """Run the cells of `job` and return what `lab.Outcome` is made of.

    `job` has `name` of the lab, `cells` (their code), `looks` (what is asked of the variables when
    the last has run, see `child.LOOKS`), `limit` (seconds that a cell may take) and `folder`, an
    empty one to work in.
    """
    probe = PROBE.format(looks=job["looks"])
    notebook = new_notebook(cells=[new_code_cell(code) for code in (*job["cells"], probe)])
    client = NotebookClient(
        notebook,
        timeout=job["limit"],
        kernel_name="python3",
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": job["folder"]}},
    )
    number = 0
    with client.setup_kernel():
        try:
            for number, cell in enumerate(notebook.cells, 1):
                client.execute_cell(cell, number - 1)
        except CellTimeoutError:
            return {"failure": f"takes longer than {job['limit']:g} s", "failed": number}
        except DeadKernelError:
            return {"failure": "ends the kernel that it runs in", "failed": number}
        except CellExecutionError as error:
            return {"failure": f"raises {error.ename}: {error.evalue}", "failed": number}
    seen = notebook.cells.pop().outputs
    for number, cell in enumerate(notebook.cells, 1):
        for output in cell.outputs:
            output.pop("execution_count", None)
            if output.output_type == "stream":
                output.text = normalise(FILE.sub(f"{job['name']}.ipynb", output.text))
            if ADDRESS.search(output.get("text", "") or output.get("data", {}).get("text/plain", "")):
                return {
                    "failure": "prints an address in memory, which differs in every run",
                    "failed": number,
                }
    values, names = json.loads(seen[0].text)
    html, pictures = _render(notebook, job["name"].split("/")[-1])
    outputs = [cell.outputs for cell in notebook.cells]
    return {"outputs": outputs, "html": html, "pictures": pictures, "values": values, "names": names}


def _render(notebook, name):
    """Return each cell's outputs as HTML, and the pictures that it names: file name -> base64."""
    config.settings.templates_dir = str(Path(__file__).parent / "templates")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lab.ipynb")
        nbformat.write(notebook, path)
        html = convert.nb2html(str(path), execute=False, allow_errors=False)
    pictures = {}

    def put(match):
        data = _packed(base64.b64decode(match[1]))
        file = f"{name}-{hashlib.sha256(data).hexdigest()[:8]}.png"
        pictures[file] = base64.b64encode(data).decode()
        width, height = struct.unpack(">II", data[16:24])
        return f'<img src="{file}" alt="" width="{width}" height="{height}" loading="lazy">'

    *cells, _ = PICTURE.sub(put, html).split(END)  # behind the last stand the styles of the notebook
    return [cell.strip() for cell in cells], pictures


def _packed(data):
    """Return a PNG with a palette of 256 colours, a third of its size: a plot has few, and their edges."""
    packed = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(256).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def _end_with(parent):
    """End when the process that wants the answer has: it was killed, or stopped by its user."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with, args=[os.getppid()], daemon=True).start()
    with contextlib.redirect_stdout(sys.stderr):
        report = run(json.load(sys.stdin))
    json.dump(report, sys.stdout)
