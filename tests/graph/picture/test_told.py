"""What is told of a graph: only what happened."""

import re

from support.graphs import PROGRAMS, graph
from support.project import WORDS, answer, ask

from weaver.execution.snippets.source import Snippet
from weaver.graph.picture.sentences import tell
from weaver.graph.picture.svg import box_lines, draw
from weaver.graph.recorded import Graph, read


def said(graph, name):
    """Return what stands in the box that the reader calls `name`, and its kind."""
    [box] = [box for box in graph.boxes if box.name == name]
    return box.kind, [text for _, text in box_lines(box)]


def sentences(name, language="en"):
    return " ".join(text for text, _ in tell(graph(name), WORDS[language]))


def test_a_custom_function_that_saved_nothing_shows_nothing_saved():
    z = graph("a_function_that_saves_nothing")
    assert said(z, "y") == ("operation", ["y = 6", "DoubleBackward"])
    assert [saved.name for saved in z.box(z.roots[0]).saved] == ["other", "self"]
    assert "saved_tensors" not in sentences("a_function_that_saves_nothing")


def test_behind_a_saved_tensor_hook_too_a_function_that_saved_nothing_shows_nothing():
    source = PROGRAMS["a_function_that_saves_nothing"].source
    hooks = "with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):\n    "
    for call in ("y = Double", "z = y"):
        source = source.replace(call, hooks + call)
    snippet = Snippet("t/hooks", PROGRAMS["no_grad"].path, source)
    z = read(answer(ask(snippet, "graph:z"), "graph:z")[0], Graph)
    assert said(z, "y") == ("operation", ["y = 6", "DoubleBackward"])


def test_at_a_leaf_that_was_frozen_nothing_is_added():
    z = graph("a_leaf_frozen_before_backward")
    assert [z.box(step.at).name for step in z.steps if step.frozen] == ["w"]
    told = sentences("a_leaf_frozen_before_backward")
    assert (
        "<code>2</code> arrives at <code>w</code>. It has <code>requires_grad=False</code>, so nothing is added"
        in told
    )
    assert "<code>None</code> → <code>None</code>" not in told
    korean = sentences("a_leaf_frozen_before_backward", "ko")
    assert "<code>requires_grad=False</code>이므로 <code>.grad</code>에 더하지 않습니다." in korean


def test_what_a_hook_takes_from_a_leaf_and_what_never_arrives_is_told():
    assert "which a hook then empties" in sentences("a_gradient_that_a_hook_takes")
    told = sentences("a_gradient_that_is_none")
    assert "<code>MulBackward0</code> receives no gradient." in told
    assert "No gradient arrives at <code>x</code>, so nothing is added" in told


def test_a_backward_pass_that_begins_in_the_middle_of_the_picture_says_where():
    told = sentences("a_backward_from_the_middle")
    assert told.count("The backward pass starts") == 1
    assert "The backward pass starts: <code>PowBackward0</code> gets the gradient <code>1</code>." in told
    middle = graph("a_backward_from_the_middle")
    curves = re.search(r'class="backward" d="([^"]+)"', draw(middle))[1].count("M")
    assert curves == 2 * sum(edge.grad is not None for edge in middle.edges) + 1  # each has a label, but the start


def test_a_pass_that_only_comes_through_does_not_start_there():
    told = " ".join(text for text, _ in tell(graph("retained_gradients", "y"), WORDS["en"]))
    assert "The backward pass starts" not in told and "receives the gradient" in told


def test_inside_forward_recording_is_off_by_itself():
    z = graph("a_mask_made_in_forward")
    assert {edge.why for edge in z.edges if edge.kind == "cut"} == {"forward"}
    told = sentences("a_mask_made_in_forward")
    assert "operations inside <code>forward</code> aren't recorded" in told and "no_grad" not in told
    source = PROGRAMS["a_mask_made_in_forward"].source
    source = source.replace("y, mask =", "with torch.no_grad():\n    y, mask =").replace("z.backward()\n", "")
    snippet = Snippet("t/off", PROGRAMS["no_grad"].path, source)
    z = read(answer(ask(snippet, "graph:mask"), "graph:mask")[0], Graph)
    assert {edge.why for edge in z.edges if edge.kind == "cut"} == {"no_grad"}


def test_a_sparse_matrix_is_drawn():
    z = graph("a_sparse_matrix")
    assert [box.node for box in z.boxes if box.node] == ["SparseMmReduceImplBackward0", "SumBackward0"]
