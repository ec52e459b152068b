"""What the view of a trace says of lines that are easily told wrongly."""

import pytest
from support.trace.sentences import codes, told
from support.trace.warm import traced

from weaver.player import view

START = "import torch\nfrom torch import nn\n"


@pytest.fixture(scope="module")
def say(browser):
    """A function that returns what is said of a program: [(line, key, what fills its places)]."""
    page = browser.new_page()
    page.add_script_tag(content=view.script())

    def say(source):
        source = START + source
        moments = told(page, traced("program.py", source)[0], source)
        return [(one["line"], key, given) for one in moments for key, given in one["said"][0]]

    yield say
    page.close()


def of(said, line, key):
    """Return what fills the places of the sentences with a key about a line."""
    return [given for at, one, given in said if (at, one) == (line, key)]


def test_a_line_that_calls_a_function_is_compared_with_its_own_frame(say):
    said = say("w = torch.ones(1, requires_grad=True)\ndef f(t):\n    v = t + 1\n    return v.sum()\nloss = f(w * 2)\n")
    assert [codes(given["name"]) for _, key, given in said if key == "leaf_new"] == [["w"]]
    assert [given["name"] for given in of(said, 5, "handed")] == ["t"]
    assert of(said, 7, "handed") == []


def test_the_call_that_starts_the_engine_is_backward_and_not_zero_grad(say):
    said = say("w = torch.ones(1, requires_grad=True)\nopt = torch.optim.SGD([w])\nloss = w * 2\nopt.zero_grad(); loss.backward()\n")
    assert [given["call"] for given in of(said, 6, "start")] == ["backward()"]


def test_batch_norm_writes_its_buffers_and_is_recorded_apart_from_that(say):
    said = say("bn = nn.BatchNorm1d(2)\ny = bn(torch.ones(3, 2))\n")
    keys = [key for line, key, _ in said if line == 4]
    written = {name for given in of(said, 4, "version") for name in codes(given["name"])}
    assert "also_recorded" not in keys
    assert written <= {"bn.running_mean", "bn.running_var", "bn.num_batches_tracked"}


def test_freezing_is_a_change(say):
    said = say("net = nn.Linear(1, 1)\nfor p in net.parameters():\n    p.requires_grad = False\n")
    assert len(of(said, 5, "requires_not")) == 2 and of(said, 5, "nothing") == []


def test_an_engine_that_ran_has_started(say):
    said = say("w = torch.zeros(1, requires_grad=True)\nwith torch.autograd.detect_anomaly(check_nan=True):\n    (w.sqrt() * 0).sum().backward()\n")
    keys = [key for _, key, _ in said]
    assert {"failed", "failed_after"} & set(keys) and "failed_start" not in keys


def test_a_large_gradient_changes_without_going_from_a_shape_to_the_same(say):
    said = say("w = torch.ones(9, 9, requires_grad=True)\nfor _ in range(2):\n    (w * 2).sum().backward()\n")
    assert [given for _, key, given in said if key == "grad_set" and given["old"] == given["new"]] == []
    assert [key for line, key, _ in said if line == 5 and key == "grads_set"]


def test_a_function_on_one_line_returns_when_it_is_called(say):
    said = say("class Data:\n    def __len__(self): return 32\nn = len(Data())\n")
    assert [given["function"] for given in of(said, 4, "returned")] == ["__len__"]
    assert of(said, 4, "defined") == []


def test_a_cut_is_told_of_the_tensor_that_was_cut(say):
    source = "net = nn.Linear(2, 2)\nfake = net(torch.ones(1, 2))\n"
    assert [key for _, key, _ in say(source) if key.startswith("cut")] == []
    said = say(source + "out = net(fake.detach())\n")
    assert [given["before"] for _, key, given in said if key in ("inner_cut", "cut_detach")] == ["fake"]


def test_what_the_loop_variable_of_another_frame_is_called_names_no_gradient(say):
    said = say("def f(x):\n    return x ** 2\nx = torch.ones(2, requires_grad=True)\ntorch.autograd.functional.jacobian(f, x)\n")
    targets = {name for _, key, given in said if key.startswith("passed") for name in codes(given.get("to", ""))}
    assert "x" not in targets


def test_a_node_that_a_look_at_a_view_makes_is_not_the_lines(say):
    said = say("x = torch.ones(2, requires_grad=True)\ny = x * 1\nv = y[0]\ny += 1\n")
    [given] = of(said, 6, "also_recorded")
    assert codes(given["nodes"]) == ["AddBackward0"]


def test_no_leaf_is_new_where_nothing_is_called(say):
    said = say("from types import SimpleNamespace\nbox = SimpleNamespace(w=torch.ones(1, requires_grad=True))\na = box.w\n")
    assert of(said, 5, "leaf_new") == []


def test_a_parameter_deep_in_a_model_is_looked_at(say):
    source = "net = nn.Linear(1, 1)\nfor _ in range(6):\n    net = nn.Sequential(net)\nopt = torch.optim.SGD(net.parameters(), lr=1.0)\n"
    said = say(source + "net(torch.ones(1, 1)).sum().backward()\nopt.step()\n")
    assert of(said, 8, "nothing") == [] and of(said, 8, "version") != []


def test_the_line_that_wrote_is_the_one_after_the_tensor_was_saved(say):
    said = say("x = torch.ones(2, requires_grad=True)\nb = torch.ones(2)\nb.add_(1)\ny = x * b\nb.mul_(2)\ny.sum().backward()\n")
    assert [given["line"] for _, key, given in said if key == "failed_written"] == [7]


def test_the_pass_that_freed_is_the_one_that_went_through_the_node(say):
    source = "x = torch.ones(2, requires_grad=True)\none, other = (x * x).sum(), (x * x).sum()\none.backward()\nother.backward()\none.backward()\n"
    assert [given["line"] for _, key, given in say(source) if key == "failed_freed"] == [5]


def test_of_two_cuts_the_one_on_the_way_to_the_leaf_is_named(say):
    source = "a, b, c = (torch.ones(1, requires_grad=True) for _ in range(3))\nd = a.detach()\ne = b.data\nloss = d * e * c\nloss.backward()\n"
    said = say(source + "print(a.grad)\nprint(b.grad)\n")
    cuts = {(line, *codes(given["name"])): given["line"] for line, key, given in said if key == "none_cut"}
    assert cuts[8, "a"] == 4 and cuts[9, "b"] == 5


def test_gradients_that_one_line_cut_are_told_in_one_sentence(say):
    source = "net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))\nw = torch.ones(1, requires_grad=True)\n"
    cut = "h = net(torch.ones(1, 1)).detach()\n"
    for line, quoted in [(cut, [cut.strip()]), (f"{cut.strip()}.add(0.0).sub(0.0)\n", [])]:
        said = say(source + line + "loss = (h * w).sum()\nloss.backward()\n")
        [given] = [given for _, key, given in said if key == "none_cut"]
        assert codes(given["name"]) == ["net.0.weight", "net.0.bias"] and given["name"]["text"].endswith(" and 2 more")
        assert codes(given["at"]) == quoted and "This" not in given["at"]["text"] and given["line"] == 5


START_ERRORS = {
    "h = x.detach() * 2\nh.sum().backward()\n": None,
    "x.requires_grad_(False)\nloss = x.sum()\nloss.backward()\n": ("failed_frozen", 4),
}


@pytest.mark.parametrize("source", START_ERRORS)
def test_a_run_that_cannot_start_never_starts_and_says_which_line_froze(say, source):
    said = say("x = torch.ones(2, requires_grad=True)\n" + source)
    keys = {key: given.get("line") for _, key, given in said}
    assert "failed_plain" in keys and "start" not in keys
    key, line = START_ERRORS[source] or ("failed_plain", None)
    assert keys[key] == line


def test_a_write_is_not_told_of_a_name_that_leads_to_another_tensor_now(say):
    said = say("x = torch.ones(2, requires_grad=True)\ny = x * 1\nz = x * 2\nz += 1\ny = z\n")
    assert [given["name"] for given in of(said, 6, "version")] != [] and of(said, 7, "version") == []


def test_a_gap_counts_the_steps_that_are_left_out():
    steps = traced("program.py", START + "x = torch.ones(1)\nfor i in range(900):\n    y = x * i\n")[0].steps
    gaps = [step.gap.steps for step in steps if step.gap]
    assert gaps and len(steps) + sum(gaps) == 2 + 1 + 901 + 900
