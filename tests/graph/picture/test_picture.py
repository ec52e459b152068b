"""The picture of a recorded graph: folded, compared, laid out, drawn and told."""

import base64
import io
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from PIL import Image
from support.graphs import DRAWABLE, PROGRAMS, every_program, graph, recorded
from support.project import WORDS, answer, ask

from weaver.execution.snippets.source import Snippet
from weaver.graph.picture import storage
from weaver.graph.picture.figure import Panel, differing, figure
from weaver.graph.picture.fold import LARGEST, TooLarge, fold
from weaver.graph.picture.layout import lay_out
from weaver.graph.picture.png import STYLE, image
from weaver.graph.picture.sentences import tell
from weaver.graph.picture.svg import SMALL, TEXT, box_lines, draw, label_lines
from weaver.graph.recorded import Graph, GraphBox, GraphEdge

MEMORY = """import torch
x = torch.arange(6.0)
v = x[1:4]
t = x.view(2, 3).t()
c = x.clone()
"""

# What stands in the box that the reader calls by the name
LINES = {
    ("a_sum_of_two_paths", "x"): ["x = 5", "AccumulateGrad", ".grad = 1.6"],
    ("a_saved_tensor_changed", "y"): ["y = 2 → 3", "SqrtBackward0", "result", "result._version 0 → 1"],
    ("a_detach_beside_a_second_path", "d"): ["d = 9", "detach"],
    ("a_new_leaf_after_a_detach", "d"): ["d = 9", "AccumulateGrad", ".grad = 2"],
    ("a_new_leaf_after_a_detach", "x"): ["x = 3", "AccumulateGrad", ".grad = None"],
    ("a_custom_function", "y"): ["y = 9", "SquareBackward", "saved_tensors[0]"],
    ("max_along_a_dimension", "indices"): ["indices = [1, 0]", "int64", "max"],
    ("unbind", "a"): ["a = 1", "b = 2", "c = 3", "UnbindBackward0"],
    ("a_leaf_without_grad", "x"): ["x = 3"],
    ("a_hook", "y"): ["y = 9", "PowBackward0", "self", "hook × 1"],
    ("an_inference_tensor", "y"): ["y = 6", "mul", "is_inference()"],
    ("integers", "y"): ["y = [2, 4]", "int64", "mul"],
    ("a_complex_tensor", "x"): ["x = 1+2j", "complex64", "AccumulateGrad", ".grad = 2+4j"],
    ("a_write_through_data", "y"): ["y = [0.95257] → [0]", "SigmoidBackward0", "result"],
    ("a_step_of_an_optimizer", "w"): ["w = 2.6 → 2.28", "AccumulateGrad", ".grad = 3.2"],
    ("create_graph", "g"): ["g = 27", "MulBackward0", "self"],
}


@pytest.mark.parametrize("name, box", LINES)
def test_a_box_says_what_was_noted(name, box):
    [found] = [one for one in graph(name).boxes if one.name == box]
    assert [text for _, text in box_lines(found)] == LINES[name, box]


def test_a_deep_network_is_folded_to_few_boxes():
    whole = graph("a_deep_network")
    loss = fold(whole)
    assert len(whole.boxes) > 100 and len(loss.boxes) < 12
    [folded] = [box for box in loss.boxes if box.kind == "folded"]
    assert box_lines(folded)[0] == ("value", f"× {folded.times}")
    assert len([box for box in whole.boxes if box.node == "AddmmBackward0"]) == 20
    assert any("net.0.weight" in text for box in loss.boxes for _, text in box_lines(box))


@every_program
def test_the_picture_is_well_formed_says_everything_and_is_the_same_each_time(name):
    folded = fold(graph(name))
    picture = draw(folded)
    assert picture == draw(folded)
    texts = [
        "".join(text.itertext()).removeprefix("▪ ") for text in ElementTree.fromstring(picture).iter("text")
    ]
    said = [text for box in folded.boxes for _, text in box_lines(box)]
    said += [text for edge in folded.edges for _, text in label_lines(edge, folded)]
    assert not [text for text in said if text not in texts]
    assert "style=" not in picture and "id=" not in picture.replace("data-", "")


def frames(picture):
    """Return where the boxes of a picture are: the left, the top, the width and the height of each."""
    paths = "".join(path.get("d") for path in picture.iter("path") if "box" in path.get("class"))
    found = re.findall(r"M(\S+) ([-\d.]+)h([\d.]+)a([\d.]+) ([\d.]+) [-\d. ]+v([\d.]+)", paths)
    numbers = [list(map(float, one)) for one in found]
    return [(x - rx, y, width + 2 * rx, height + 2 * ry) for x, y, width, rx, ry, height in numbers]


@every_program
def test_nothing_in_the_picture_overlaps(name):
    folded = fold(graph(name))
    picture = ElementTree.fromstring(draw(folded))
    boxes = frames(picture)
    assert len(boxes) == len(folded.boxes)
    inside = sum(len(box_lines(box)) for box in folded.boxes)
    for label in list(picture.iter("text"))[inside:]:  # those on edges come last
        size = SMALL if label.get("class") in ("local", "cut") else TEXT
        width = 0.6 * size * len(label.text)
        boxes.append((float(label.get("x")) - width / 2, float(label.get("y")) - 0.8 * size, width, size))
    for i, (x, y, width, height) in enumerate(boxes):
        for left, top, wide, high in boxes[:i]:
            assert x >= left + wide or left >= x + width or y >= top + high or top >= y + height


@every_program
@pytest.mark.parametrize("language", WORDS)
def test_there_is_a_sentence_for_each_box_and_for_each_turn_of_the_engine(name, language):
    folded = fold(graph(name))
    steps = tell(folded, WORDS[language])
    assert all(sentence and not {"{", "\n"} & set(sentence) for sentence, _ in steps)
    assert [step for _, step in steps][: len(folded.boxes)] == [None] * len(folded.boxes)
    turns = [step.visit for _, step in steps if step]
    assert turns == sorted(set(turns)) and (not folded.steps or turns)


def test_each_of_two_changed_tensors_is_told_by_its_own_name():
    [told] = [
        text for text, _ in tell(graph("two_saved_tensors_changed"), WORDS["en"]) if "was saved" in text
    ]
    assert re.findall(r"<code>(\w+)</code> was saved at version 0 and is now at version 1", told) == [
        "other",
        "self",
    ]


def test_each_of_two_cuts_names_what_it_was_cut_from():
    z = graph("two_cuts")
    [told] = [text for text, _ in tell(z, WORDS["en"]) if text.count("The path back") == 2]
    assert re.findall(r"The path back to <code>(\w+)</code>", told) == ["a", "b"]


def test_every_gradient_of_the_picture_appears_in_a_step():
    folded = fold(graph("a_sum_of_two_paths"))
    told = " ".join(sentence for sentence, _ in tell(folded, WORDS["en"]))
    gradients = re.findall(r'class="grad">([^<=]+)<', draw(folded))
    assert gradients and all(f"{one}</code>" in told for one in gradients)


def test_a_leaf_says_from_what_its_gradient_is_summed():
    told = [sentence for sentence, _ in tell(graph("a_sum_of_two_paths"), WORDS["en"])]
    assert told[-1] == (
        "<code>0.6 + 1</code> = <code>1.6</code> arrives at <code>x</code>. "
        "<code>AccumulateGrad</code> adds it to <code>.grad</code>: <code>None</code> → <code>1.6</code>."
    )
    assert "<code>0.008 × 75 = 0.6</code>" in " ".join(told)


def test_two_graphs_are_marked_where_they_differ():
    first, second = graph("a_kept_graph", "z, backward=1"), graph("a_kept_graph", "z, backward=2")
    marked = differing(second, [first])
    assert {second.box(id).name for id in marked if isinstance(id, str)} == {"x", "z"}
    assert differing(first, [first]) == set()
    panels = [Panel(number, recorded("a_kept_graph", f"z, backward={number}")) for number in "12"]
    page = figure(panels, WORDS["ko"])
    assert page.count("differs") >= 4 and WORDS["ko"]["graph_key_differs"] in page


def test_a_variant_is_marked_where_it_differs_from_the_first():
    first, second = (recorded("a_kept_graph", f"z, backward={number}") for number in (1, 2))
    alone, same, other = (figure([Panel("1", second)], WORDS["en"], before) for before in ((), [second], [first]))
    assert alone.count("differs") == same.count("differs") == 0 < other.count("differs")


def test_a_graph_that_folding_cannot_make_small_is_refused():
    boxes = tuple(GraphBox(f"n{i}", "operation", node=f"Node{i}") for i in range(LARGEST + 1))
    line = tuple(GraphEdge(a.id, b.id, "recorded") for a, b in pairwise(boxes))
    with pytest.raises(TooLarge, match=str(LARGEST + 1)):
        fold(Graph(boxes, line, (boxes[-1].id,)))


def test_the_layout_goes_from_top_to_bottom():
    layout = lay_out({"a": (50, 20), "b": (50, 20), "c": (70, 30)}, [("a", "c"), ("b", "c")])
    assert layout.centres["a"][1] == layout.centres["b"][1] < layout.centres["c"][1]
    assert len(layout.curves) == 2 and all(len(curve) % 3 == 1 for curve in layout.curves)


def test_tensors_in_one_storage_lie_under_the_same_strip():
    snippet = Snippet("t/memory", PROGRAMS["no_grad"].path, MEMORY)
    result = ask(snippet, "memory:x, v, t, c")
    seen, error = answer(result, "memory:x, v, t, c")
    assert error is None
    told = storage.tell(seen, WORDS["en"])
    assert [re.findall("<code>(.)</code>", sentence) for sentence in told] == [["x", "v", "t"], ["c"]]
    assert "<code>t</code> [0, 3, 1, 4, 2, 5] (_version 0)" in told[0]
    rects = list(ElementTree.fromstring(storage.draw(seen)).iter("rect"))
    assert [rect.get("class") for rect in rects].count("covered") == 6 + 3 + 6 + 6


@pytest.mark.parametrize("variables", [None, "x"])
def test_a_png_is_the_picture_in_the_themes_colours_with_two_dots_to_a_pixel(variables):
    svg = draw(graph("a_leaf_used_twice", variables))
    found = re.fullmatch(
        r'<img src="data:image/png;base64,([^"]+)" width="(\d+)" alt="a &lt; b">', image(svg, "a < b")
    )
    picture = Image.open(io.BytesIO(base64.b64decode(found[1]))).convert("RGB")
    assert abs(picture.width - 2 * int(found[2])) <= 2
    colours = {colour for _, colour in picture.getcolors(1 << 20)}
    assert {(255, 255, 255), (0xDC, 0xEC, 0xF3), (0x1A, 0x5F, 0x7A)} <= colours  # paper, a leaf, its line


def test_every_class_of_a_picture_has_a_style_outside_of_the_page():
    drawn = "".join(draw(fold(graph(name))) for name in DRAWABLE)
    classes = set(" ".join(re.findall(r'class="([^"]+)"', drawn)).split())
    styled = set(re.findall(r"\.([a-z]+)", STYLE))
    plain = {"forward", "operation", "saved", "wide"}  # as any line or text is
    assert classes - styled <= plain
