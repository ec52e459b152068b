"""Why a gradient is None after a backward pass: said where a line reads it, or the program ends without it."""

import pytest
from support.trace.warm import traced

START = "import torch\nx = torch.tensor([2.0], requires_grad=True)\nw = torch.tensor([3.0], requires_grad=True)\n"
END = "loss.sum().backward()\nprint(x.grad)\n"


def missing(source):
    """Return what the steps of a program say about gradients that are None."""
    steps = traced("program.py", START + source)[0].steps
    return [(one.name, one.why, one.line, one.by) for step in steps for one in step.missing]


CUTS = {  # kind -> the lines that lead to the loss, of which one cuts; that line; what cut; lines that don't
    "detach": ("y = x * 2\nd = y.detach()\nloss = d * w\n", 5, "detach()", "y = x * 2\nd = y.clone()\nloss = d * w\n"),
    "detach in the loss": ("y = x * 2\nloss = y.detach() * w\n", 5, "detach()", "y = x * 2\nloss = y.detach() * w + y\n"),
    "data": ("d = x.data\nloss = d * w\n", 4, ".data", "d = x\nloss = d * w\n"),
    "no_grad": ("with torch.no_grad():\n    h = x * 2\nloss = h * w\n", 5, "torch.no_grad()", "with torch.enable_grad():\n    h = x * 2\nloss = h * w\n"),
    "inference_mode": ("with torch.inference_mode():\n    h = x * 2\nloss = h.clone() * w\n", 5, "torch.inference_mode()", "h = x * 2\nloss = h.clone() * w\n"),
    "item": ("v = x.item()\nloss = v * w\n", 4, "item()", "v = 2.0\nloss = v * w * x\n"),
    "item, calculated with": ("v = x.item()\nu = v * 2\ny = torch.tensor(u)\nloss = y * w\n", 4, "item()", "v = x * 2\nloss = v * w\n"),
    "NumPy": ("a = x.detach().numpy()\nb = torch.from_numpy(a) * 2\nloss = b * w\n", 4, "numpy()", "b = x * 2\nloss = b * w\n"),
    "new tensor": ("y = torch.tensor([x, w])\nloss = y * w\n", 4, "torch.tensor()", "y = torch.stack([x, w])\nloss = y * w\n"),
    "new leaf": ("y = torch.tensor(x.item() * 3, requires_grad=True)\nloss = y * w\n", 4, "item()", "y = x * 3\nloss = y * w\n"),
    "made a leaf later": ("y = x.detach()\ny.requires_grad_()\nloss = y * w\n", 4, "detach()", "y = x.clone()\nloss = y * w\n"),
    "no derivative": ("y = (x > 1).float()\nloss = y * w\n", 4, "", "y = x.relu()\nloss = y * w\n"),
    "in a function": ("def f(t):\n    return t.detach() * 2\nh = f(x)\nloss = h * w\n", 5, "detach()", "def f(t):\n    return t * 2\nh = f(x)\nloss = h * w\n"),
}


@pytest.mark.parametrize("kind", CUTS)
def test_the_line_that_cut_the_path_is_named(kind):
    source, line, by, _ = CUTS[kind]
    assert ("x", "cut" if by else "operation", line, by) in missing(source + END)


@pytest.mark.parametrize("kind", CUTS)
def test_nothing_is_said_where_the_path_is_whole(kind):
    assert missing(CUTS[kind][-1] + END) == []


def test_a_program_that_ends_without_a_gradient_says_so_in_its_last_step():
    source = "y = x.detach() * w\ny.backward()\n"
    steps = traced("program.py", START + source)[0].steps
    assert [len(step.missing) for step in steps] == [0, 0, 0, 0, 1]
    assert missing("y = x * w\ny.backward()\n") == []


def test_where_an_optimizer_has_stepped_the_end_tells_only_of_what_it_holds():
    cut = "y = x.detach() * w\ny.backward()\n"
    both, one = "opt = torch.optim.SGD([x, w])\n", "opt = torch.optim.SGD([w])\n"
    assert [name for name, *_ in missing(both + cut + "opt.step()\n")] == ["x"]
    assert missing(one + cut + "opt.step()\n") == []
    assert [name for name, *_ in missing(one + cut)] == ["x"]
    assert [name for name, *_ in missing(one + cut + "opt.step()\nprint(x.grad)\n")] == ["x"]


def test_of_a_tensor_that_the_line_replaces_the_gradient_was_read_before():
    step = "x = x - 0.1 * x.grad\n"
    assert missing("(x * w).backward()\n" + step) == []
    again = missing("(x * w).backward()\n" + step + "(x * w).backward()\nprint(x.grad)\n")
    assert again == [("x", "intermediate", None, "")]


def test_an_intermediate_tensor_keeps_no_gradient():
    read = "loss = y * w\nloss.backward()\nprint(y.grad)\n"
    assert missing("y = x * 2\n" + read) == [("y", "intermediate", None, "")]
    assert missing("y = x * 2\ny.retain_grad()\n" + read) == []


def test_a_tensor_that_requires_no_gradient_has_none():
    read = "loss = y * w * x\nloss.backward()\nprint(y.grad)\n"
    assert missing("y = torch.ones(1)\n" + read) == [("y", "plain", None, "")]
    assert missing("y = (x * 2).detach()\n" + read) == [("y", "made", 4, "detach()")]
    assert missing("y = torch.ones(1, requires_grad=True)\n" + read) == []


def test_a_leaf_that_the_loss_was_not_made_of_is_apart_from_it():
    assert missing("loss = w * 2\n" + END) == [("x", "apart", None, "")]
    assert missing("other = x * 2\nloss = w * 2\n" + END) == [("x", "apart", None, "")]


@pytest.mark.parametrize(
    "source",
    [
        "print(x.grad)\n",  # no pass yet
        "(x * w).backward()\nx.grad = None\nprint(x.grad)\n",
        "opt = torch.optim.SGD([x], lr=0.1)\n(x * w).backward()\nopt.zero_grad()\nprint(x.grad)\n",
        "(x * w).backward()\nnew = torch.ones(1, requires_grad=True)\nprint(new.grad)\n",
        "torch.autograd.grad(x * w, [x, w])\nprint(x.grad)\n",
        "(w * 2).backward()\ntorch.autograd.grad(x * w, x)\nprint(x.grad)\n",
        "(x * w).backward()\nw.grad = None\n(x * 2).backward()\nprint(w.grad)\n",
    ],
)
def test_nothing_is_said_of_a_gradient_that_was_cleared_or_not_yet_asked_for(source):
    assert missing(source) == []


def test_an_error_about_none_has_the_reason_with_it():
    found = traced("program.py", START + "y = x.detach() * w\ny.backward()\nx.data -= 0.1 * x.grad\n")[0]
    assert found.error.startswith("TypeError")
    assert [(one.why, one.line) for one in found.steps[-1].missing] == [("cut", 4)]


STARTS = {  # what keeps the engine from starting -> the lines before; the line that cut; what cut there
    "detach": ("y = (x * 2).detach()\nloss = y * 3\n", 4, "detach()"),
    "two lines": ("y = x * 2\nz = y.detach()\nloss = z + 1\n", 5, "detach()"),
    "no_grad": ("with torch.no_grad():\n    y = x * 2\nloss = y * 3\n", 5, "torch.no_grad()"),
    "nothing": ("loss = torch.ones(1) * 3\n", None, ""),
}


@pytest.mark.parametrize("kind", STARTS)
def test_where_the_engine_cannot_start_the_line_that_cut_is_named(kind):
    source, line, by = STARTS[kind]
    expected = [("loss", "start", line, by)] if line else []
    assert missing(source + "loss.backward()\n") == expected


def test_what_a_line_cuts_is_named_rather_than_an_operation_that_never_had_a_derivative():
    source = "above = (x > 1).float()\nvalue = x.detach()\nloss = above * w + value * w\n"
    assert ("x", "cut", 5, "detach()") in missing(source + END)
