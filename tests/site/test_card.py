"""The picture of a page for links to it: what it shows, and that it is reproducible."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from support.html import NASTY
from support.project import answer, ask, result, show

from weaver.execution.snippets.source import Snippet
from weaver.pages.parser import parse
from weaver.site.card import card, svg

PROGRAM = "import torch\n\nx = torch.tensor(3.0, requires_grad=True)\ny = x**2\ny.backward()\nprint(x.grad)\n"


def drawn(code, *printed, recorded=""):
    """Return the rows of text in the picture of a program that `printed` lines, and the picture as SVG."""
    [directive] = parse("{{ snippet t/x }}", "x.md").directives
    picture = svg(directive, show({"t/x": Snippet("t/x", Path("x.py"), code)}, {"t/x": result(*printed)}), recorded)
    return [re.sub("<[^>]*>", "", row) for row in re.findall(r"<text x=.*?</text>", picture)], picture


def test_a_card_shows_a_program_its_name_its_output_and_the_torch_version():
    rows, _ = drawn(PROGRAM, "tensor(6.)")
    assert rows == ["t/x.py", *filter(None, PROGRAM.split("\n")), "torch 2.13.0", "tensor(6.)"]


def test_long_text_is_cut_so_that_it_fits_into_the_picture():
    rows, picture = drawn("\n".join(f"x{n} = {'1' * 120}" for n in range(40)), *["a" * 500] * 9)
    assert "…" in rows and any(row.endswith("1…") for row in rows)
    sizes = [float(size) for size in re.findall(r"font: ([\d.]+)px", picture)]
    heights = [float(y) for y in re.findall(r'<text x="\d+" y="([\d.]+)"', picture)]
    assert min(heights) > min(sizes) and max(heights) < 630
    assert max(len(row) for row in rows) * sizes[0] * 0.602 <= 1200 - 2 * 50 + sizes[0]


@pytest.mark.parametrize(
    ("code", "text"),
    [*(("print(1)\n", text) for text in NASTY.values()), ("", "")],
    ids=[*NASTY, "an empty program"],
)
def test_every_program_and_output_can_be_drawn(code, text):
    page = parse("# T { #t }\n\n{{ snippet t/x }}\n", "x.md")
    _, data = card(page, show({"t/x": Snippet("t/x", Path("x.py"), code)}, {"t/x": result(text)}))
    assert Image.open(io.BytesIO(data)).size == (1200, 630)


def test_the_card_shows_the_programs_graph():
    program = Snippet("t/x", Path("x.py"), PROGRAM)
    found = ask(program, "graph:y")
    page = parse("# T { #t }\n\n{{ snippet t/x }}\n\n{{ graph t/x y }}\n", "x.md")
    one = card(page, show({"t/x": program}, {"t/x": found}))
    two = card(parse("{{ snippet t/x }}\n", "x.md"), show({"t/x": program}, {"t/x": found}))
    assert one[0] != two[0] and one == card(page, show({"t/x": program}, {"t/x": found}))
    assert "PowBackward0" in drawn(PROGRAM, "1", recorded=answer(found, "graph:y")[0])[1]


def test_a_page_without_a_program_has_no_card_and_programs_with_outputs_come_before_questions():
    assert card(parse("# T { #t }\n\ntext\n", "x.md"), show({}, {})) is None
    text = "{{ question t/q x }}\n- 1\n\nWhy.\n{{ end }}\n\n{{ snippet t/x }}\n"
    snippets = {name: Snippet(name, Path("x.py"), "x = 2\n") for name in ("t/q", "t/x")}
    results = {name: result("1") for name in snippets}
    assert "t-x" in card(parse(text, "x.md"), show(snippets, results))[0]
