"""What is noted of a program with tensors, without changing it: values, gradients, cuts, the engine's steps."""

from support.graphs import ASKED, PROGRAMS, every_program, graph
from support.project import answer, ask, warm_runner

from weaver.execution.snippets.source import Snippet
from weaver.graph.recorded import Graph, read


def box(graph, name):
    """Return the box that the reader calls `name`."""
    [box] = [box for box in graph.boxes if box.name == name]
    return box


def value(graph, name):
    """Return the value that `name` had when it was computed."""
    return box(graph, name).outputs[0].value


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
    assert (box(z, "x").kind, box(z, "x").grad) == ("leaf", "1.6")


def test_steps_come_in_the_order_in_which_the_engine_ran():
    z = graph("a_sum_of_two_paths")
    order = [(z.box(step.at).name, step.received) for step in z.steps]
    assert order[0] == ("z", ("1",)) and order[-1] == ("x", ("1.6",))
    assert [name for name, _ in order[1:-1]] in (
        ["SqrtBackward0", "PowBackward0", "LogBackward0", "PowBackward0"],
        ["LogBackward0", "PowBackward0", "SqrtBackward0", "PowBackward0"],
    )
    assert (z.steps[-1].before, z.steps[-1].after) == (None, "1.6")


def test_another_number_in_the_program_changes_every_number_that_is_noted():
    other = Snippet(
        "t/other",
        PROGRAMS["a_sum_of_two_paths"].path,
        PROGRAMS["a_sum_of_two_paths"].source.replace("5.0", "2.0"),
    )
    result = ask(other, "graph:z")
    z = read(answer(result, "graph:z")[0], Graph)
    assert values(z) == ["2", "8", "2.0794", "4", "2", "4.0794"]
    assert {(e.grad, e.local) for e in z.edges} == {
        ("1", "1"),
        ("0.125", "0.125"),
        ("1.5", "12"),
        ("0.25", "0.25"),
        ("1", "4"),
    }
    assert box(z, "x").grad == "2.5"


def test_a_leaf_used_twice_is_one_box_with_two_edges():
    assert edges(graph("a_leaf_used_twice"), "recorded") == [("x", "z", "3", "3"), ("x", "z", "3", "3")]
    assert box(graph("a_leaf_used_twice"), "x").grad == "6"


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
    assert box(z, "x").grad == "[2, 6, 6]"


def test_a_saved_tensor_that_was_changed_shows_both_versions():
    z = graph("a_saved_tensor_changed")
    y = box(z, "y")
    assert (y.kind, y.node, y.outputs[0].value, y.outputs[0].now) == ("operation", "SqrtBackward0", "2", "3")
    assert [(saved.name, saved.version, saved.now) for saved in y.saved if saved.tensor] == [("result", 0, 1)]


def test_a_detach_is_a_cut_edge_and_the_second_path_is_whole():
    z = graph("a_detach_beside_a_second_path")
    assert [edge[:2] for edge in edges(z, "cut")] == [("y", "d")]
    assert next(edge.why for edge in z.edges if edge.kind == "cut") == "detach"
    assert ("y", "z", "1", "1") in edges(z, "recorded")
    assert ("x", "y", "6", "6") in edges(z, "recorded")
    assert (box(z, "d").kind, box(z, "d").verb, value(z, "d")) == ("unrecorded", "detach", "9")
    assert box(z, "x").grad == "15"
    assert [sorted(z.box(id).name for id in group) for group in z.shares] == [["d", "y"]]


def test_behind_a_new_leaf_what_it_was_cut_from_is_shown():
    z = graph("a_new_leaf_after_a_detach")
    assert [edge[:2] for edge in edges(z, "cut")] == [("y", "d")]
    assert (box(z, "d").kind, value(z, "d"), box(z, "d").grad) == ("leaf", "9", "2")
    assert box(z, "x").keeps and box(z, "x").grad is None


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
    assert [(box(g, "x").grad, box(g, "z").kind, g.box(g.roots[0]).freed) for g in (first, second)] == [
        ("6", "operation", False),
        ("12", "operation", True),
    ]
    assert (second.steps[-1].before, second.steps[-1].after) == ("6", "12")
    look = "graph:z, backward=3"
    result = ask(PROGRAMS["a_kept_graph"], look)
    assert answer(result, look)[1] == "IndexError: backward=3, but 2 backward passes went through this graph"


def test_a_custom_function_is_one_node_with_what_it_saved():
    z = graph("a_custom_function")
    assert [box.node for box in z.boxes] == [None, "SquareBackward", "MulBackward0"]
    assert (value(z, "y"), [saved.name for saved in box(z, "y").saved if saved.tensor]) == ("9", ["saved_tensors[0]"])
    assert edges(z, "recorded") == [("x", "y", "30", "6"), ("y", "z", "5", "5")]


def test_with_create_graph_the_gradient_has_a_graph_of_its_own():
    g = graph("create_graph")
    assert (value(g, "g"), box(g, "g").node) == ("27", "MulBackward0")
    assert box(g, "x").grad == "18"
    assert not edges(g, "cut")


def test_each_output_of_a_node_has_its_own_value_and_integers_no_way_back():
    z = graph("max_along_a_dimension")
    assert (value(z, "values"), box(z, "values").node) == ("[2, 4]", "MaxBackward0")
    indices = box(z, "indices")
    assert (indices.kind, indices.verb, indices.outputs[0].dtype) == ("unrecorded", "max", "int64")
    assert value(z, "indices") == "[1, 0]"
    assert [edge[:2] for edge in edges(z, "cut")] == [("x", "indices")]
    z = graph("unbind")
    assert [(output.names, output.value) for output in box(z, "a").outputs] == [
        (("a",), "1"),
        (("b",), "2"),
        (("c",), "3"),
    ]
    assert box(z, "a").node == "UnbindBackward0"
    assert [edge.output for edge in z.edges if z.box(edge.start).name == "a"] == [0, 2]
    assert [step.received for step in z.steps if z.box(step.at).name == "a"] == [("3", None, "1")]


def test_under_no_grad_the_edge_is_cut_where_recording_stopped():
    z = graph("no_grad")
    assert [
        (edge.why, z.box(edge.start).name, z.box(edge.end).name) for edge in z.edges if edge.kind == "cut"
    ] == [("no_grad", "x", "y")]
    assert edges(z, "constant") == [("y", "u", None, None), ("u", "z", None, None)]
    assert box(z, "x").keeps and box(z, "x").grad is None


def test_a_tensor_that_needs_no_gradient_is_a_constant():
    z = graph("a_leaf_without_grad")
    assert (box(z, "x").kind, value(z, "x"), box(z, "x").keeps) == ("constant", "3", False)
    assert edges(z, "constant") == [("x", "z", None, None)]
    assert box(z, "w").grad == "3"


def test_what_a_hook_did_is_seen_between_what_was_passed_and_what_arrived():
    z = graph("a_hook")
    assert box(z, "y").hooks == 1
    assert ("y", "z", "2", "2") in edges(z, "recorded")
    assert [step.received for step in z.steps if z.box(step.at).name == "y"] == [("20",)]


def test_inference_tensors_integers_and_complex_numbers_are_noted_as_what_they_are():
    y = box(graph("an_inference_tensor"), "y")
    assert (y.kind, y.verb, y.inference, y.outputs[0].value) == ("unrecorded", "mul", True, "6")
    assert [edge.why for edge in graph("an_inference_tensor").edges] == ["inference_mode"]
    y = box(graph("integers"), "y")
    assert (y.kind, y.verb, y.outputs[0].dtype, y.outputs[0].value) == ("unrecorded", "mul", "int64", "[2, 4]")
    x = box(graph("a_complex_tensor"), "x")
    assert (x.kind, x.outputs[0].dtype, x.outputs[0].value, x.grad) == ("leaf", "complex64", "1+2j", "2+4j")


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
    assert (value(loss, "w"), box(loss, "w").outputs[0].now) == ("2.6", "2.28")


def test_a_checkpoint_is_not_unpacked_by_looking_at_it():
    assert box(graph("a_checkpoint"), "x").grad == "806.86"


def test_a_write_through_data_is_seen_though_no_version_moved():
    z = graph("a_write_through_data")
    assert (value(z, "y"), box(z, "y").outputs[0].now) == ("[0.95257]", "[0]")
    assert all(saved.now == saved.version for box in z.boxes for saved in box.saved)


def test_a_tensor_in_the_middle_keeps_its_gradient_if_asked_to():
    assert box(graph("retained_gradients"), "y").grad == "2"


def test_what_died_with_its_names_is_freed():
    source = "import torch\n\nx = torch.tensor(3.0, requires_grad=True)\nd = (x * x).detach()\nz = d * x\n"
    snippet = Snippet("t/dead", PROGRAMS["no_grad"].path, source)
    z = read(answer(ask(snippet, "graph:z"), "graph:z")[0], Graph)
    [dead] = [box for box in z.boxes if box.node and box.name != "z"]
    assert dead.freed and all(saved.now == saved.version for saved in dead.saved if saved.tensor)


def test_a_program_that_ends_in_an_error_of_backward_is_noted():
    source = "# raises: RuntimeError\nimport torch\n\nx = torch.ones((), requires_grad=True)\nz = x.exp()\nz.backward()\nz.backward()\n"
    snippet = Snippet("t/raises", PROGRAMS["no_grad"].path, source, "RuntimeError")
    result = ask(snippet, "graph:z")
    assert result.failure is None
    z = read(answer(result, "graph:z")[0], Graph)
    assert z.box(z.roots[0]).freed and box(z, "x").grad == "2.7183"


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
    assert result.failure and "graph is recorded for a picture: `_engine_run_backward`, then" in result.failure
