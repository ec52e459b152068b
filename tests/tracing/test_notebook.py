"""`%%trace` in a real kernel, and its view in a real browser, as a saved notebook has it."""

from html import unescape

import nbformat
import pytest
from support.project import hear
from support.trace.trace_view import unpacked
from support.wait import execute

CELLS = {
    "before": "%load_ext weaver\nimport torch\nx = torch.tensor(3.0, requires_grad=True)",
    "none": "%trace",
    "detach": "%%trace\ny = x * x.detach()\ny.backward()\nprint(x.grad)\ny",
    "after": "print(y, x.grad, torch.autograd._engine_run_backward.__module__, __import__('sys').gettrace())",
    "again": "%trace",
    "error": "%%trace --words words/ko.yml\nz = x.exp()\nz.zero_()\nz.backward()\nprint('no')",
    "quiet": "%%trace --steps 20\n!echo shell\nfor i in range(100):\n    x = x * 1\nx;",
    "part": "%%trace --from 2@2 --to 2@2\nfor i in range(9):\n    x = x * 1",
    "remark": "%%trace\n# nothing to run",
    "wrong": "%%trace\nx = = 1",
    "awaits": "%%trace\nimport asyncio\nawait asyncio.sleep(0)",
    "no words": "%%trace --words words/nowhere.yml\nx",
    "unknown": "%%trace --colour red\nx",
    "why": "%%why\nw = torch.ones(2, requires_grad=True)\nloss = (w * 2).detach().sum()\nloss.backward()",
    "healthy": "%%why --words words/ko.yml\nw.sum().backward()",
}


@pytest.fixture(scope="module")
def outputs():
    """What each cell gave, read from the notebook as it is saved."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS.values()])
    execute(notebook, allow_errors=True)
    saved = nbformat.reads(nbformat.writes(notebook), as_version=4)
    return {name: cell.outputs for name, cell in zip(CELLS, saved.cells, strict=True)}


def html(outputs):
    [found] = [one.data["text/html"] for one in outputs if "text/html" in one.get("data", {})]
    return found


def test_a_cell_runs_in_the_notebooks_namespace_and_shows_what_it_would(outputs):
    printed, value, _ = outputs["detach"]
    assert printed.text == "tensor(3.)\n"
    assert value.data["text/plain"] == "tensor(9., grad_fn=<MulBackward0>)"
    [after] = outputs["after"]
    assert after.text == "tensor(9., grad_fn=<MulBackward0>) tensor(3.) torch.autograd.graph None\n"
    assert [one.output_type for one in outputs["quiet"]] == ["stream", "display_data"]


def test_the_last_view_is_shown_again_and_without_one_it_is_said_what_to_do(outputs):
    assert html(outputs["again"]) == html(outputs["detach"])
    assert [one.output_type for one in outputs["remark"]] == ["display_data"]
    assert outputs["none"][0].text.startswith("Nothing has been traced yet. Write %%trace in the first line")


def test_a_part_of_a_cell_is_watched_if_asked_for(outputs):
    data = unpacked(unescape(html(outputs["part"])))[0]
    assert [(step["l"], step["i"]) for step in data["trace"]["steps"]] == [(2, [[1, 1]])]


def test_an_error_is_shown_and_stays_one(outputs):
    view, error = outputs["error"]
    assert "text/html" in view.data
    assert (error.ename, "modified by an inplace operation" in error.evalue) == ("RuntimeError", True)
    text = "".join(error.traceback)
    assert "z.backward()" in text and "/weaver/" not in text
    assert [one.ename for one in outputs["wrong"]] == ["SyntaxError"]
    [awaits] = outputs["awaits"]
    assert awaits.text.startswith("UsageError: A watched cell can't await outside a function. Await in another cell")
    [unknown] = outputs["no words"]
    assert unknown.text.startswith("UsageError: There's no words file words/nowhere.yml.")
    assert "unrecognized arguments: --colour" in str(outputs["unknown"])


def test_the_view_opens_in_a_frame_and_knows_what_was_there_before(outputs, browser):
    page, wrong = browser.new_page(), []
    hear(page, "about:", wrong)
    page.set_content("".join(html(outputs[name]) for name in ("detach", "error", "quiet")))
    detach, error, quiet = (one.content_frame for one in page.locator("iframe").all())
    assert detach.locator("h1").inner_text() == "Step through: In [3]"
    detach.locator("input[type=range]").focus()
    page.keyboard.press("Home")
    assert detach.locator(".wt-name").all_inner_texts() == ["x"]
    page.keyboard.press("ArrowRight")
    assert [one.split("\n")[0].split()[0] for one in detach.locator(".wt-changed").all_inner_texts()] == ["y"]
    page.keyboard.press("End")
    assert detach.locator(".wt-bar output").inner_text() == "8 / 8"
    assert detach.locator("samp").inner_text() == "tensor(3.)\n"
    error.locator("input[type=range]").focus()
    page.keyboard.press("End")
    assert "오류가 발생했습니다" in error.locator(".wt-sentence").inner_text()
    quiet.locator("input[type=range]").focus()
    page.keyboard.press("End")
    assert quiet.locator("samp").inner_text() == "shell\n"
    page.close()
    assert wrong == []


def test_what_is_wrong_with_a_cell_is_said_below_it_and_its_error_stays_one(outputs):
    said, error = outputs["why"]
    assert "loss = (w * 2).detach().sum()" in said.text and "cut off here by `detach()`" in said.text
    assert error.output_type == "error" and "does not require grad" in error.evalue
    assert "찾은 문제가 없습니다" in outputs["healthy"][0].text
