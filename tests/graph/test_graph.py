"""The graph of a run: what is recorded, folded, compared, laid out, drawn and told."""

import base64
import io
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import pairwise

import pytest
from PIL import Image
from support.project import answer, ask, cases, warm_runner

from weaver.execution.snippets.source import Snippet
from weaver.graph.picture import storage
from weaver.graph.picture.figure import figure
from weaver.graph.picture.layout import lay_out
from weaver.graph.picture.model import LARGEST, Box, Edge, Graph, TooLarge, differing, fold, read
from weaver.graph.picture.png import STYLE, image
from weaver.graph.picture.sentences import tell
from weaver.graph.picture.svg import box_lines, draw, label_lines
from weaver.render.words import WORDS

PROGRAMS = {program.name: program for program in cases("graphs")}
ASKED = {
    "create_graph": "g",
    "max_along_a_dimension": "z, indices",
    "a_deep_network": "loss",
    "an_inference_tensor": "y",
    "integers": "y",
    "a_step_of_an_optimizer": "loss",
    "a_write_through_data": "z, c",
}
DRAWABLE = sorted(PROGRAMS.keys() - {"ten_thousand_nodes"})
every_program = pytest.mark.parametrize("name", DRAWABLE)


@cache
def recorded(name, variables=None):
    """Return what was recorded of a program in `cases/graphs`, run as the build runs it."""
    look = f"graph:{variables or ASKED.get(name, 'z')}"
    result = ask(PROGRAMS[name], look)
    assert result.failure is None
    text, error = answer(result, look)
    assert error is None, error
    return text


def graph(name, variables=None):
    return read(recorded(name, variables))


def said(graph, name):
    """Return what stands in the box that the reader calls `name`, and its kind."""
    [box] = [box for box in graph.boxes if box.name == name]
    return box.kind, [text for _, text in box_lines(box)]


def edges(graph, kind):
    """Return the edges of a kind as (name of the start, name of the end, gradient, local derivative)."""
    return [
        (graph.box(edge.start).name, graph.box(edge.end).name, edge.grad, edge.local)
        for edge in graph.edges
        if edge.kind == kind
    ]


def values(graph):
    return [box.outputs[0].value for box in graph.boxes]


def test_values_gradients_and_local_derivatives_are_those_of_the_run():
    z = graph("a_sum_of_two_paths")
    assert values(z) == ["5", "125", "4.8283", "25", "5", "9.8283"]
    assert [
        (z.box(e.start).outputs[0].value, z.box(e.end).node, e.received, e.grad, e.local) for e in z.edges
    ] == [
        ("5", "PowBackward0", "0.008", "0.6", "75"),
        ("125", "LogBackward0", "1", "0.008", "0.008"),
        ("5", "PowBackward0", "0.1", "1", "10"),
        ("25", "SqrtBackward0", "1", "0.1", "0.1"),
        ("4.8283", "AddBackward0", "1", "1", "1"),
        ("5", "AddBackward0", "1", "1", "1"),
    ]
    assert said(z, "x") == ("leaf", ["x = 5", "AccumulateGrad", ".grad = 1.6"])


def test_steps_come_in_the_order_in_which_the_engine_ran():
    z = graph("a_sum_of_two_paths")
    order = [(z.box(step.at).name, step.received) for step in z.steps]
    assert order[0] == ("z", ("1",)) and order[-1] == ("x", ("1.6",))
    assert [name for name, _ in order[1:-1]] in (
        ["SqrtBackward0", "PowBackward0", "LogBackward0", "PowBackward0"],
        ["LogBackward0", "PowBackward0", "SqrtBackward0", "PowBackward0"],
    )
    assert (z.steps[-1].before, z.steps[-1].after) == (None, "1.6")


def test_another_number_in_the_program_changes_every_number_of_the_picture():
    other = Snippet(
        "t/other",
        PROGRAMS["a_sum_of_two_paths"].path,
        PROGRAMS["a_sum_of_two_paths"].source.replace("5.0", "2.0"),
    )
    result = ask(other, "graph:z")
    z = read(answer(result, "graph:z")[0])
    assert values(z) == ["2", "8", "2.0794", "4", "2", "4.0794"]
    assert {(e.grad, e.local) for e in z.edges} == {
        ("1", "1"),
        ("0.125", "0.125"),
        ("1.5", "12"),
        ("0.25", "0.25"),
        ("1", "4"),
    }
    assert said(z, "x")[1][-1] == ".grad = 2.5"


def test_a_leaf_used_twice_is_one_box_with_two_edges():
    assert edges(graph("a_leaf_used_twice"), "recorded") == [("x", "z", "3", "3"), ("x", "z", "3", "3")]
    assert said(graph("a_leaf_used_twice"), "x")[1][-1] == ".grad = 6"


def test_two_leaves_each_have_their_own_derivative():
    assert edges(graph("two_leaves"), "recorded") == [("x", "z", "12", "12"), ("q", "z", "5.5452", "5.5452")]
    assert graph("two_leaves").boxes[-1].operation == "pow.Tensor_Tensor"


def test_a_broadcast_gives_each_leaf_a_gradient_of_its_own_shape():
    z = graph("a_broadcast")
    assert [box.outputs[0].shape for box in z.boxes] == [(2, 1), (3,), (2, 3), ()]
    assert [edge[2] for edge in edges(z, "recorded")] == ["[[3], [3]]", "[2, 2, 2]", "(2, 3)"]


def test_a_view_written_in_place_puts_copy_slices_into_the_graph_of_its_base():
    z = graph("a_view_written_in_place")
    assert [box.node for box in z.boxes] == [None, "MulBackward0", "CopySlices", "SumBackward0"]
    assert values(z) == ["[1, 1, 1]", "[2, 2, 2]", "[2, 6, 6]", "14"]
    assert said(z, "x")[1][-1] == ".grad = [2, 6, 6]"


def test_a_saved_tensor_that_was_changed_shows_both_versions():
    z = graph("a_saved_tensor_changed")
    assert said(z, "y") == ("operation", ["y = 2 → 3", "SqrtBackward0", "result", "result._version 0 → 1"])


def test_a_detach_is_a_cut_edge_and_the_second_path_is_whole():
    z = graph("a_detach_beside_a_second_path")
    assert [edge[:2] for edge in edges(z, "cut")] == [("y", "d")]
    assert next(edge.why for edge in z.edges if edge.kind == "cut") == "detach"
    assert ("y", "z", "1", "1") in edges(z, "recorded")
    assert ("x", "y", "6", "6") in edges(z, "recorded")
    assert said(z, "d") == ("unrecorded", ["d = 9", "detach"])
    assert said(z, "x")[1][-1] == ".grad = 15"
    assert [sorted(z.box(id).name for id in group) for group in z.shares] == [["d", "y"]]


def test_behind_a_new_leaf_what_it_was_cut_from_is_shown():
    z = graph("a_new_leaf_after_a_detach")
    assert [edge[:2] for edge in edges(z, "cut")] == [("y", "d")]
    assert said(z, "d") == ("leaf", ["d = 9", "AccumulateGrad", ".grad = 2"])
    assert said(z, "x")[1][-1] == ".grad = None"


def test_a_name_that_was_deleted_still_names_its_box():
    assert [box.name for box in graph("a_name_deleted").boxes] == ["x", "y", "z"]


def test_after_backward_what_a_node_saved_is_marked_as_freed():
    assert [(box.name, box.freed) for box in graph("a_freed_graph").boxes] == [
        ("x", False),
        ("PowBackward0", True),
        ("z", True),
    ]
    assert [saved.value for box in graph("a_freed_graph").boxes for saved in box.saved if saved.tensor] == [
        "3",
        "8103.1",
    ]


def test_each_backward_pass_can_be_asked_for():
    first, second = graph("a_kept_graph", "z, backward=1"), graph("a_kept_graph", "z, backward=2")
    assert [(said(g, "x")[1][-1], said(g, "z")[0], g.box(g.roots[0]).freed) for g in (first, second)] == [
        (".grad = 6", "operation", False),
        (".grad = 12", "operation", True),
    ]
    assert (second.steps[-1].before, second.steps[-1].after) == ("6", "12")
    look = "graph:z, backward=3"
    result = ask(PROGRAMS["a_kept_graph"], look)
    assert answer(result, look)[1] == "IndexError: backward=3, but 2 backward passes went through this graph"


def test_a_custom_function_is_one_node_with_what_it_saved():
    z = graph("a_custom_function")
    assert [box.node for box in z.boxes] == [None, "SquareBackward", "MulBackward0"]
    assert said(z, "y") == ("operation", ["y = 9", "SquareBackward", "saved_tensors[0]"])
    assert edges(z, "recorded") == [("x", "y", "30", "6"), ("y", "z", "5", "5")]


def test_with_create_graph_the_gradient_has_a_graph_of_its_own():
    g = graph("create_graph")
    assert said(g, "g")[1][:2] == ["g = 27", "MulBackward0"]
    assert said(g, "x")[1][-1] == ".grad = 18"
    assert not edges(g, "cut")


def test_a_deep_network_is_folded_to_few_boxes():
    whole = graph("a_deep_network")
    loss = fold(whole)
    assert len(whole.boxes) > 100 and len(loss.boxes) < 12
    [folded] = [box for box in loss.boxes if box.kind == "folded"]
    assert box_lines(folded)[0] == ("value", f"× {folded.times}")
    assert len([box for box in whole.boxes if box.node == "AddmmBackward0"]) == 20
    assert any("net.0.weight" in text for box in loss.boxes for _, text in box_lines(box))


def test_each_output_of_a_node_has_its_own_value_and_integers_no_way_back():
    z = graph("max_along_a_dimension")
    assert said(z, "values")[1][:2] == ["values = [2, 4]", "MaxBackward0"]
    assert said(z, "indices") == ("unrecorded", ["indices = [1, 0]", "int64", "max"])
    assert [edge[:2] for edge in edges(z, "cut")] == [("x", "indices")]
    z = graph("unbind")
    assert said(z, "a")[1][:4] == ["a = 1", "b = 2", "c = 3", "UnbindBackward0"]
    assert [edge.output for edge in z.edges if z.box(edge.start).name == "a"] == [0, 2]
    assert [step.received for step in z.steps if z.box(step.at).name == "a"] == [("3", None, "1")]


def test_under_no_grad_the_edge_is_cut_where_recording_stopped():
    z = graph("no_grad")
    assert [
        (edge.why, z.box(edge.start).name, z.box(edge.end).name) for edge in z.edges if edge.kind == "cut"
    ] == [("no_grad", "x", "y")]
    assert edges(z, "constant") == [("y", "u", None, None), ("u", "z", None, None)]
    assert said(z, "x")[1][-1] == ".grad = None"


def test_a_tensor_that_needs_no_gradient_is_a_constant():
    z = graph("a_leaf_without_grad")
    assert said(z, "x") == ("constant", ["x = 3"])
    assert edges(z, "constant") == [("x", "z", None, None)]
    assert said(z, "w")[1][-1] == ".grad = 3"


def test_what_a_hook_did_is_seen_between_what_was_passed_and_what_arrived():
    z = graph("a_hook")
    assert "hook × 1" in said(z, "y")[1]
    assert ("y", "z", "2", "2") in edges(z, "recorded")
    assert [step.received for step in z.steps if z.box(step.at).name == "y"] == [("20",)]


def test_inference_tensors_integers_and_complex_numbers_are_drawn_as_what_they_are():
    assert said(graph("an_inference_tensor"), "y") == ("unrecorded", ["y = 6", "mul", "is_inference()"])
    assert [edge.why for edge in graph("an_inference_tensor").edges] == ["inference_mode"]
    assert said(graph("integers"), "y") == ("unrecorded", ["y = [2, 4]", "int64", "mul"])
    assert said(graph("a_complex_tensor"), "x") == (
        "leaf",
        ["x = 1+2j", "complex64", "AccumulateGrad", ".grad = 2+4j"],
    )


def test_a_graph_of_ten_thousand_nodes_is_refused_with_its_size():
    program = PROGRAMS["ten_thousand_nodes"]
    result = ask(program, "graph:z")
    assert result.failure is None
    assert answer(result, "graph:z") == (
        None,
        "ValueError: the graph has 10001 nodes and tensors, more than 1000",
    )


def test_a_leaf_that_an_optimizer_moves_has_the_value_that_went_in():
    loss = graph("a_step_of_an_optimizer")
    assert said(loss, "w")[1][0] == "w = 2.6 → 2.28"
    assert loss.passes == 1


def test_a_checkpoint_is_not_unpacked_by_looking_at_it():
    assert said(graph("a_checkpoint"), "x")[1][-1] == ".grad = 806.86"


def test_a_write_through_data_is_seen_though_no_version_moved():
    z = graph("a_write_through_data")
    assert said(z, "y")[1][0] == "y = [0.95257] → [0]"
    assert all(saved.now == saved.version for box in z.boxes for saved in box.saved)


def test_a_tensor_in_the_middle_keeps_its_gradient_if_asked_to():
    assert said(graph("retained_gradients"), "y")[1][-1] == ".grad = 2"


def test_what_died_with_its_names_is_drawn_as_freed():
    source = "import torch\n\nx = torch.tensor(3.0, requires_grad=True)\nd = (x * x).detach()\nz = d * x\n"
    snippet = Snippet("t/dead", PROGRAMS["no_grad"].path, source)
    z = read(answer(ask(snippet, "graph:z"), "graph:z")[0])
    [dead] = [box for box in z.boxes if box.node and box.name != "z"]
    assert dead.freed and not [text for kind, text in box_lines(dead) if kind == "changed"]


def test_a_program_that_ends_in_an_error_of_backward_is_drawn():
    source = "# raises: RuntimeError\nimport torch\n\nx = torch.ones((), requires_grad=True)\nz = x.exp()\nz.backward()\nz.backward()\n"
    snippet = Snippet("t/raises", PROGRAMS["no_grad"].path, source, "RuntimeError")
    result = ask(snippet, "graph:z")
    assert result.failure is None
    z = read(answer(result, "graph:z")[0])
    assert z.box(z.roots[0]).freed and said(z, "x")[1][-1] == ".grad = 2.7183"


@every_program
def test_watching_changes_no_output(name):
    program = PROGRAMS[name]
    printing = f"{program.source}\nprint(*[f'{{k}} = {{v}}' for k, v in list(globals().items()) if torch.is_tensor(v)])\n"
    snippet = Snippet(f"t/{name}", program.path, printing)
    look = f"graph:{ASKED.get(name, 'z')}"
    plain = warm_runner().run([snippet])[snippet.name]
    watched = ask(snippet, look)
    assert watched.failure is None and answer(watched, look)[1] is None
    assert watched.lines == plain.lines != ()


def test_a_program_that_prints_something_else_when_watched_is_refused():
    source = "import torch\n\nx = torch.ones(2)\nprint(torch.autograd._engine_run_backward.__name__)\n"
    snippet = Snippet("t/looks_at_the_engine", PROGRAMS["no_grad"].path, source)
    assert warm_runner().run([snippet])[snippet.name].failure is None
    result = ask(snippet, "graph:x")
    assert result.failure and result.failure.startswith("prints something else while its graph is recorded")


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


@every_program
def test_nothing_in_the_picture_overlaps(name):
    boxes = [
        tuple(float(rect.get(key)) for key in ("x", "y", "width", "height"))
        for rect in ElementTree.fromstring(draw(fold(graph(name)))).iter("rect")
    ]
    for i, (x, y, width, height) in enumerate(boxes):
        for left, top, wide, high in boxes[:i]:
            assert x >= left + wide or left >= x + width or y >= top + high or top >= y + height


@every_program
@pytest.mark.parametrize("language", WORDS)
def test_the_steps_name_only_parts_that_the_picture_has(name, language):
    folded = fold(graph(name))
    picture, steps = draw(folded), tell(folded, WORDS[language])
    assert len(steps) >= len(folded.boxes)
    for sentence, parts in steps:
        assert sentence and "{" not in sentence
        for part in parts:
            assert f'data-part="{part}"' in picture or part.startswith("e")


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
    [told] = [text for text, _ in tell(z, WORDS["en"]) if text.count("The way back") == 2]
    assert re.findall(r"The way back to <code>(\w+)</code>", told) == ["a", "b"]


def test_every_gradient_of_the_picture_appears_in_a_step():
    folded = fold(graph("a_sum_of_two_paths"))
    parts = [part for _, parts in tell(folded, WORDS["en"]) for part in parts]
    assert {part for part in re.findall(r'data-part="(.*?)"', draw(folded))} - {"g1", "g2"} <= set(parts)


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
    page = figure(
        [("1", recorded("a_kept_graph", "z, backward=1")), ("2", recorded("a_kept_graph", "z, backward=2"))],
        WORDS["ko"],
    )
    assert page.count("differs") >= 4 and WORDS["ko"]["graph_key_differs"] in page


def test_a_graph_that_folding_cannot_make_small_is_refused():
    boxes = tuple(Box(f"n{i}", "operation", node=f"Node{i}") for i in range(LARGEST + 1))
    line = tuple(Edge(a.id, b.id, "recorded") for a, b in pairwise(boxes))
    with pytest.raises(TooLarge, match=str(LARGEST + 1)):
        fold(Graph(boxes, line, (boxes[-1].id,)))


def test_the_layout_goes_from_top_to_bottom():
    layout = lay_out({"a": (50, 20), "b": (50, 20), "c": (70, 30)}, [("a", "c"), ("b", "c")])
    assert layout.centres["a"][1] == layout.centres["b"][1] < layout.centres["c"][1]
    assert len(layout.curves) == 2 and all(len(curve) % 3 == 1 for curve in layout.curves)


MEMORY = """import torch
x = torch.arange(6.0)
v = x[1:4]
t = x.view(2, 3).t()
c = x.clone()
"""


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
    plain = {"edge", "forward", "operation", "recorded", "saved", "wide"}  # as any line or text is
    assert classes - styled <= plain
