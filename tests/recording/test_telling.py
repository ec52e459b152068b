"""What the view of a trace says of lines that are easily told wrongly."""

import json

import pytest
from support.trace.sentences import codes, told
from support.trace.warm import traced

from weaver.player import view
from weaver.player.shorten import shorten
from weaver.player.words import ENGLISH
from weaver.recording import compact
from weaver.recording.limits import Limits
from weaver.recording.model import Range

START = "import torch\nfrom torch import nn\n"
GAPS = """({ trace, lines, words }) => {
  const { moments } = weaverTrace.replay(trace), teller = new weaverTrace.Teller({ trace }, words, moments);
  teller.lines = lines;
  return moments.filter(({ kind }) => kind === "gap").map((moment) => teller.tell(moment, moment));
}"""


@pytest.fixture(scope="module")
def say(browser):
    """A function that returns what is said of a program: [(line, key, what fills its places)]."""
    page = browser.new_page()
    page.add_script_tag(content=view.whole_script())

    def say(source, **limits):
        source = START + source
        moments = told(page, traced("program.py", source, Limits(**limits))[0], source)
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


def test_an_argument_may_be_unpacked_by_the_first_line_under_its_own_name(say):
    forward = "def f(inputs):\n    inputs, (hx, cx) = inputs\n    return inputs * hx\n"
    said = say(forward + "y = f((torch.ones(2, requires_grad=True), (torch.ones(1), torch.ones(1))))\n")
    assert of(said, 4, "nothing")
    assert [given["nodes"]["codes"] for given in of(said, 5, "recorded")] == [["MulBackward0"]]


def test_the_call_that_starts_the_engine_is_backward_and_not_zero_grad(say):
    said = say("w = torch.ones(1, requires_grad=True)\nopt = torch.optim.SGD([w])\nloss = w * 2\nopt.zero_grad(); loss.backward()\n")
    assert [given["call"] for given in of(said, 6, "start")] == ["backward()"]


def test_batch_norm_writes_its_buffers_and_is_recorded_apart_from_that(say):
    said = say("bn = nn.BatchNorm1d(2)\ny = bn(torch.ones(3, 2))\n")
    keys = [key for line, key, _ in said if line == 4]
    written = {name for given in of(said, 4, "version") for name in codes(given["name"])}
    assert "also_recorded" not in keys
    assert written <= {"bn.running_mean", "bn.running_var", "bn.num_batches_tracked"}


def test_what_cut_is_called_as_in_the_line_that_did_it(say):
    kept = "class Kept:\n    def put(self, x):\n        self.last = x.data\nkept, w = Kept(), torch.ones(1, requires_grad=True)\ny = w * 2\n"
    [given] = [given for line, key, given in say(kept + "kept.put(y)\n") if (line, key) == (8, "cut_detach")]
    assert (codes(given["before"]), given["why"]) == (["y"], ".data")


def test_freezing_is_a_change(say):
    said = say("net = nn.Linear(1, 1)\nfor p in net.parameters():\n    p.requires_grad = False\n")
    assert len(of(said, 5, "requires_false")) == 2 and of(said, 5, "nothing") == []


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
    assert [key for line, key, _ in said if line == 4 and key.startswith("defined")] == []
    assert of(said, 3, "defined_class") == [{"name": "Data"}]


def test_a_cut_is_told_of_the_tensor_that_was_cut(say):
    source = "net = nn.Linear(2, 2)\nfake = net(torch.ones(1, 2))\n"
    assert [key for _, key, _ in say(source) if key.startswith("cut")] == []
    said = say(source + "out = net(fake.detach())\n")
    assert [codes(given["before"]) for _, key, given in said if key in ("inner_cut", "cut_detach")] == [["fake"]]


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


def test_what_is_cut_off_from_several_tensors_is_told_of_each(say):
    made = "low = torch.rand(3, requires_grad=True) * 2\nhigh = torch.rand(3, requires_grad=True) * 3\n"
    said = say(made + "inside = torch.ge(low, 0.5) * torch.le(low, high)\n")
    assert [codes(given["before"]) for given in of(said, 5, "cut_operation")] == [["low", "high"]]


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


def test_a_call_that_may_reach_a_parameter_without_a_name_there_is_not_said_to_change_nothing(say):
    source = "class Stepper:\n    def __init__(self, params):\n        self.opt = torch.optim.SGD(params, lr=0.1)\n"
    source += "    def step(self):\n        self.opt.step()\n        n = 1\ndef main():\n    w = torch.ones(1, requires_grad=True)\n"
    source += "    stepper = Stepper([w])\n    w.sum().backward()\n    stepper.step()\nmain()\n"
    said = say(source)
    assert of(said, 7, "nothing") == [] and of(said, 7, "ran") and of(said, 8, "nothing")
    assert [codes(given["name"]) for given in of(said, 13, "version")] == [["w"]]


@pytest.mark.parametrize(("passed", "told"), [("torch.zeros(2)", [("handed", "x")]), ("y.detach()", [("handed", "x"), ("cut_detach", "t")])])
def test_an_argument_is_told_where_the_first_line_reads_it_or_it_was_detached(say, passed, told):
    source = "w = torch.ones(2, requires_grad=True)\ndef f(x, t):\n    x = x.sum()\n    return x + t.sum()\ny = w * 2\nf(torch.ones(2), PASSED)\n"
    said = say(source.replace("PASSED", passed), acts=True)
    assert [(key, given["name"]) for line, key, given in said if line == 5 and "name" in given] == told


def test_an_argument_that_its_line_replaces_was_passed_in_as_it_was(say):
    said = say("def f(x):\n    x = x.sum()\n    return x\nf(torch.ones(2))\n")
    assert [given["value"] for given in of(said, 4, "handed")] == ["[1, 1]"]


def test_what_a_comprehension_detaches_is_cut_off(say):
    source = "w = torch.ones(2, requires_grad=True)\nhidden = (w * 2, w * 3)\nhidden = tuple(h.detach() for h in hidden)\n"
    assert [codes(given["name"]) for given in of(say(source), 5, "cut_detach")] == [["hidden[0]"], ["hidden[1]"]]


@pytest.mark.parametrize(("graph", "cut"), [("", [["g"]]), (", create_graph=True", [])])
def test_what_grad_returns_without_a_graph_is_told_from_what_it_returns_with_one(say, graph, cut):
    source = f"w = torch.ones(2, requires_grad=True)\ny = (w * w).sum()\ng = torch.autograd.grad(y, w{graph})[0]\n"
    assert [codes(given["name"]) for given in of(say(source), 5, "cut_backward")] == cut


def test_a_write_that_the_parameter_counts_is_not_said_to_go_unnoticed_by_an_alias(say):
    said = say("w = torch.ones(2, requires_grad=True)\nt = w.data\nwith torch.no_grad():\n    w += 1\n")
    assert of(said, 6, "version") and of(said, 6, "silent") == []


def test_a_node_that_was_made_in_a_gap_is_in_no_iteration(browser):
    source = START + "w = torch.ones(2, requires_grad=True)\nx = w * 1\nfor i in range(300):\n    x = x * 1\nx.sum().backward()\n"
    trace = traced("program.py", source, Limits(steps=40))[0]
    page = browser.new_page()
    page.add_script_tag(content=view.whole_script())
    moments = told(page, trace, source)
    page.close()
    visits = [one["loops"] for one in moments if one["event"] == "visit"]
    kept = {step.loops[0][1] for step in trace.steps if step.line == 6 and step.loops and not step.gap}
    assert len(visits) == 303 and {loops[0][1] for loops in visits if loops} <= kept


def test_a_gap_within_a_pass_says_that_nodes_are_missing_too(browser):
    source = "from torch.utils.checkpoint import checkpoint\nw = torch.ones(2, requires_grad=True)\ndef f(x):\n    for i in range(100):\n        x = x.sin()\n    return x\n"
    source += "y = checkpoint(f, w, use_reentrant=False)\n(y * 2).sum().backward()\n"
    trace = traced("program.py", START + source, Limits(steps=60))[0]
    page = browser.new_page()
    page.add_script_tag(content=view.whole_script())
    given = {"trace": json.loads(compact.write(trace)), "lines": (START + source).split("\n"), "words": ENGLISH}
    gaps = page.evaluate(GAPS, given)
    page.close()
    assert [ENGLISH["gap_pass"] in text for text in gaps] == [False, True]


def test_a_gap_counts_the_steps_that_are_left_out():
    steps = traced("program.py", START + "x = torch.ones(1)\nfor i in range(900):\n    y = x * i\n")[0].steps
    gaps = [step.gap.steps for step in steps if step.gap]
    assert gaps and len(steps) + sum(gaps) == 2 + 1 + 901 + 900


def test_a_result_whose_node_is_beyond_the_limit_is_told_and_not_called_no_change(say):
    source = "x = torch.ones(2, requires_grad=True)\ny = x * 2\nkept = []\nfor i in range(30):\n    y = y * 2\n    kept.append(y)\nz = y.sum()\n"
    said = say(source, nodes=10)
    [given] = of(said, 9, "results")
    assert codes(given["results"])[::2] == ["z", "SumBackward0"] and of(said, 9, "node_hidden")
    assert of(said, 9, "nothing") == [] and of(say(source), 9, "results") == []


def test_a_call_tells_all_its_results(say):
    source = "lin = nn.Linear(2, 2)\ndef model(x):\n    y = lin(x)\n    return y.sum(), y, y.detach().max()\n"
    said = say(source + "loss, out, top = model(torch.ones(1, 2))\n")
    [given] = of(said, 7, "results")
    assert [code for code in codes(given["results"]) if code in ("loss", "out", "top")] == ["loss", "out", "top"]
    assert "out = shape (1, 2) (AddmmBackward0)" in given["results"]["text"] or "out = [" in given["results"]["text"]


def test_another_storage_is_a_change(say):
    said = say("w = torch.ones(100)\nv = w[:2]\nw.data = w.data.flip(0)\nw.data.copy_(w.flip(0))\nprint(len(w))\n")
    assert [codes(given["name"]) for given in of(said, 5, "moved")] == [["w"]] and of(said, 5, "silent") == []
    keys = [[key for line, key, _ in said if line == at] for at in (6, 7)]
    assert keys == [["ran"], ["printed_ran"]]


def test_nothing_changed_only_where_all_is_listed_or_nothing_is_called(say):
    assert of(say("w = torch.ones(3)\nw.tolist()\n"), 4, "nothing") != []
    said = say("w = torch.ones(100)\nw.tolist()\n1 == 1\n")
    assert of(said, 4, "nothing") == [] and of(said, 4, "ran") and of(said, 5, "nothing")


LATER = {"(x * 1).sum().backward()\n": [], "y.backward()\n": [{"node": "PowBackward0", "old": 0}]}


@pytest.mark.parametrize("later", LATER)
def test_what_a_node_saved_is_told_of_a_write_only_if_a_pass_meets_the_node(say, later):
    said = say("x = torch.ones(2, requires_grad=True)\nh = x * 1\ny = (h ** 2).sum()\nh += 1\n" + later)
    assert of(said, 6, "had_saved") == LATER[later]


def test_what_an_expression_without_a_name_is_cut_off_from_is_told(say):
    start = "x = torch.ones(2, requires_grad=True)\nq = x * 2\n"
    said = say(start + "z = x + (q - x).detach()\n")
    [given] = of(said, 5, "inner_cut")
    assert codes(given["before"]) == ["q"] and given["why"] == "detach"
    assert of(say(start + "r = q\nz = q + (r - x.detach()).detach()\n"), 6, "inner_cut") != []
    assert "q" not in str(of(say(start + "r = q\nz = q + (r - 1).detach()\n"), 6, "inner_cut"))


def test_every_tensor_that_a_line_wrote_to_is_told(say):
    source = "a, b, c = torch.zeros(2), torch.zeros(2), torch.zeros(2)\na += 1\ndef put():\n    a.add_(1); b.add_(1); c.add_(1)\nput()\n"
    said = say(source)
    [given] = of(said, 6, "versions")
    assert given["names"]["text"] == "a (1 → 2), b (0 → 1), c (0 → 1)" and of(said, 6, "version") == []
    assert [codes(given["name"]) for given in of(say("a, b = torch.zeros(2), torch.zeros(2)\na += 1; b += 1\n"), 4, "version")] == [["a", "b"]]


def test_of_two_switches_the_one_around_the_line_is_named(say):
    source = "w = torch.ones(1, requires_grad=True)\n@torch.no_grad()\ndef f(x):\n    y = x * 2\n    return y\n"
    source += "with torch.set_grad_enabled(False):\n    z = w * 3\n    a = f(w)\n"
    told = {(codes(given["name"])[0], given["why"]) for _, key, given in say(source) if key == "cut_no_grad"}
    assert told == {("z", "torch.set_grad_enabled(False)"), ("y", "torch.no_grad()"), ("a", "torch.no_grad()")}


def test_a_block_is_entered_or_left(say):
    source = "def f():\n    for i in range(2):\n        with torch.no_grad():\n            if i:\n                return i\nf()\n"
    sides = [key for line, key, _ in say(source) if line == 5]
    assert sides == ["with_entered", "with_left"] * 2
    both = "def g():\n    with torch.no_grad():\n        yield 1\n        yield 2\nlist(zip(g(), g()))\n"
    sides = [key for line, key, _ in say(both) if line == 4]
    assert "with_left" not in sides[:2] and set(sides) <= {"with_entered", "with_left", "with_line"}


GRADIENTS = {
    "(x * 0).sum()": "shape (5, 9), all 0",
    "(x * torch.arange(45.0).view(5, 9)).sum()": "shape (5, 9), 0 … 44",
    "(x.repeat(2, 1) * torch.cat([torch.zeros(5, 9), torch.arange(45.0).view(5, 9)])).sum()": "shape (10, 9), 0 … 44",
    "(x * torch.tensor([float('nan')] + [1.0] * 8)).sum()": "shape (5, 9), 1 … 1, nan × 5",
    "(x * torch.tensor([float('inf')] + [2.0] * 8)).sum()": "shape (5, 9), 2 … 2, ±inf × 5",
}


@pytest.mark.parametrize("loss", GRADIENTS)
def test_a_gradient_that_is_not_written_out_is_told_by_its_range(say, loss):
    said = say(f"x = torch.ones(5, 9, requires_grad=True)\nloss = {loss}\nloss.backward()\n")
    assert GRADIENTS[loss] in [given["passed"] for _, key, given in said if key.startswith("passed")]


def test_a_leaf_has_the_name_that_the_caller_of_backward_has_for_it(say):
    source = (
        "class Scale(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n"
        "    @staticmethod\n    def backward(ctx, grad):\n        both = grad * 2\n        return both\n"
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.last = nn.Linear(1, 1)\n"
        "    def forward(self, x):\n        return self.last(Scale.apply(x))\n"
        "def main():\n    net, w = Net(), torch.ones(1, 1, requires_grad=True)\n    net(w).sum().backward()\nmain()\n"
    )
    leaves = {codes(given["to"])[-1] for _, key, given in say(source) if key.startswith("passed") and "weight" in given["to"]["text"]}
    leaves |= {given["name"] for _, key, given in say(source) if key.startswith("leaf_first")}
    assert "net.last.weight" in leaves and not any(name.startswith("self.") for name in leaves)


def test_running_statistics_are_the_kernels_and_another_silent_write_is_not(say):
    said = say("bn = nn.BatchNorm1d(2)\ndef f(x):\n    y = bn(x)\n    return y\nf(torch.rand(3, 2))\nbn.running_mean.data.add_(1)\n")
    assert [codes(given["name"]) for given in of(said, 7, "running")] == [["bn.running_mean", "bn.running_var"]]
    assert of(said, 7, "silent") == [] and [codes(given["name"]) for given in of(said, 8, "silent_harmless")] == [["bn.running_mean"]]


def test_a_write_to_a_view_is_recorded_as_the_write_and_not_as_the_views_new_node(say):
    said = say("w = torch.ones(2, 3, requires_grad=True)\nx = (w * 2).view(6)\nx[:2] = 0\n")
    told = [codes(given["nodes"]) for line, key, given in said if line == 5 and "nodes" in given]
    assert told == [["CopySlices"]]


def test_what_a_checkpoint_keeps_instead_is_not_said_to_be_saved(say):
    source = "from torch.utils.checkpoint import checkpoint\nw = torch.ones(2, requires_grad=True)\ndef f(x):\n    y = x.exp() * x.sin() * x.cos()\n    return y\n"
    said = say(source + "z = checkpoint(f, w, use_reentrant=False)\n")
    assert of(said, 6, "recorded") and of(said, 6, "saved") == of(said, 6, "saved_many") == []


SCALES = """w = torch.ones(3, requires_grad=True)
(w * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
norm = torch.nn.utils.clip_grad_norm_([w], 1.0)
w.grad[0] = 5.0
(w * w.grad.detach()).sum().backward()
"""


def test_what_all_gradients_were_multiplied_by_is_told_and_not_of_what_the_engine_adds(say):
    said = say(SCALES)
    assert [given["n"] for given in of(said, 5, "grads_scaled")] == ["0.26726"] and of(said, 5, "plain_new") == []
    assert of(said, 6, "grads_scaled") == of(said, 7, "grads_scaled") == []


def test_what_makes_a_gradient_zero_is_told_by_its_name(say):
    source = """x, head = torch.ones(2, 3), torch.nn.Linear(3, 1)
torch.nn.init.zeros_(head.weight)
body = torch.nn.Linear(3, 3)
head(body(x)).sum().backward()
"""
    assert {codes(given["name"])[0] for given in of(say(source), 6, "zeroed")} == {"head.weight"}


def test_what_is_cut_off_is_told_by_its_name_where_a_function_or_a_call_on_its_result_detaches(say):
    source = """w = torch.ones(2, requires_grad=True)
def same(h):
    return h
def packed(h):
    return [tuple(v.detach() for v in x) for x in h]
y = w * 2
y = same(y).detach()
h = [(w * 1, w * 3)]
h = packed(h)
"""
    said = say(source)
    cut = [(line, codes(given["name"])) for line, key, given in said if key == "cut_detach"]
    assert cut == [(9, ["y"]), (11, ["h[0][0]"]), (11, ["h[0][1]"])]


SETS = """total, rate = 0.0, 0.5
for t in reversed(range(3)):
    total += rate * t
    if t == 1:
        pass
    elif t > 1:
        total += 1
net = nn.Linear(2, 1)
net.eval()
"""


def test_numbers_that_a_line_sets_are_told(say):
    said = say(SETS, acts=True)
    assert codes(of(said, 3, "set")[0]["numbers"]) == ["total = 0", "rate = 0.5"]
    assert [codes(given["numbers"]) for given in of(said, 4, "set")] == [["t = 2"], ["t = 1"], ["t = 0"]]
    assert [codes(given["numbers"]) for given in of(said, 5, "set")] == [["total = 1"], ["total = 2.5"], ["total = 2.5"]]


def test_which_way_a_condition_sends_the_program_is_told(say):
    keys = [(line, key) for line, key, _ in say(SETS, acts=True) if key.startswith("condition")]
    ways = {6: ["false", "true", "false"], 8: ["true", "false"]}
    assert {line: [key.removeprefix("condition_") for at, key in keys if at == line] for line in ways} == ways


def test_a_mode_is_told_by_the_module_that_is_put_into_it(say):
    assert [given["module"] for given in of(say(SETS, acts=True), 11, "mode_evaluation")] == ["Linear"]


def test_a_backward_pass_calls_a_parameter_by_its_own_name_and_not_by_that_of_a_loop(say):
    source = "net = nn.Linear(2, 1)\nfor p in net.parameters():\n    pass\nnet(torch.ones(1, 2)).sum().backward()\n"
    arrived = [given["name"] for given in of(say(source), 6, "leaf_first")]
    assert sorted(arrived) == ["net.bias", "net.weight"]


PASSES = """w = torch.ones(1, requires_grad=True)
for i in range(40):
    loss = (w * i).sum()
    loss.backward()
    w.grad = None
"""


def test_a_gap_says_how_often_the_engine_ran_in_it(say):
    said = say(PASSES, steps=60)
    watched = len(of(said, 6, "start"))
    assert sum(given["n"] for _, key, given in said if key == "gap_passes") == 40 - watched > 0


def test_a_learning_rate_that_a_line_changes_is_told():
    source = """import torch
w = torch.ones(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
w.sum().backward()
optimizer.step()
scheduler.step()
"""
    steps = traced("program.py", source, Limits(acts=True))[0].steps
    assert {step.line: step.numbers for step in steps if step.numbers} == {7: {"optimizer.param_groups[0]['lr']": 0.5}}


def test_new_values_that_no_pass_meets_are_told_without_a_warning(say):
    source = "w = torch.ones(2, requires_grad=True)\nloss = (w * w).sum()\nw.data.add_(1)\nloss.backward()\nw.data.add_(1)\n"
    said = say(source)
    assert of(said, 5, "silent") and not of(said, 5, "silent_harmless")
    assert of(said, 7, "silent_harmless") and not of(said, 7, "silent")


def test_a_generator_that_is_closed_runs_no_line(say):
    source = """def items():
    for k in range(3):
        yield torch.ones(1) * k
for x in items():
    break
del x
"""
    assert [line for line, key, _ in say(source) if line == 5] == [5]


OFF = """w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    x = torch.zeros(2)
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y):
        z = y * 2
        return z
    @staticmethod
    def backward(ctx, grad):
        h = grad * 2
        return h
Double.apply(torch.ones(2, requires_grad=True)).sum().backward()
Double.apply(torch.ones(2))
"""


def test_why_nothing_is_recorded_is_told_of_what_has_no_gradient(say):
    found = [(line, key) for line, key, _ in say(OFF, acts=True) if key.startswith("plain_")]
    assert found == [(5, "plain_off"), (13, "plain_backward"), (9, "plain_forward")]


def test_which_gradients_are_all_zero_at_first_is_told_of_the_pass(say):
    source = "one, two = nn.Linear(2, 2), nn.Linear(2, 1)\nnn.init.zeros_(two.weight)\ntwo(one(torch.ones(1, 2))).sum().backward()\n"
    [given] = of(say(source, acts=True), 5, "grads_zero")
    assert codes(given["names"]) == ["one.weight.grad", "one.bias.grad"]


def test_a_whole_number_is_told_with_all_its_digits(say):
    said = say("n = 1234567\nt = 1795786740.25\nm = 2.5\n", acts=True)
    assert [codes(given["numbers"]) for _, key, given in said if key == "set"] == [["n = 1234567"], ["t = 1.7958e+9"], ["m = 2.5"]]


def test_how_many_gradients_an_optimizer_had_is_told(say):
    setup = "net = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1), nn.Linear(2, 1)])\nnn.init.zeros_(net[1].weight)\n"
    train = "opt = torch.optim.Adam(net.parameters())\nnet[1](net[0](torch.ones(1, 2))).sum().backward()\nopt.step()\n"
    [given] = of(say(setup + train, acts=True), 7, "update_some")
    assert given == {"by": "Adam", "n": 4, "all": 6, "zero": 2, "none": 2}
    [given] = of(say(setup + train, acts=True), 7, "update_without")
    assert codes(given["names"]) == ["net.2.weight", "net.2.bias"]


def test_gradients_that_are_reset_where_no_name_leads_to_them_are_counted(say):
    setup = "def empty(one):\n    one.zero_grad()\ndef train():\n    net = nn.Linear(2, 1)\n    opt = torch.optim.Adam(net.parameters())\n"
    said = say(setup + "    empty(opt)\n    net(torch.ones(1, 2)).sum().backward()\n    empty(opt)\ntrain()\n", acts=True)
    assert of(said, 4, "emptied_none") and [given["n"] for given in of(said, 4, "emptied")] == [2]


def test_a_gradient_of_a_parameter_that_is_held_twice_is_reset_once(say):
    setup = "def empty(one):\n    one.zero_grad()\ndef train():\n    net = nn.Linear(2, 1)\n    opt = torch.optim.SGD([net.bias, net.bias], lr=0.1)\n"
    said = say(setup + "    net(torch.ones(1, 2)).sum().backward()\n    empty(opt)\ntrain()\n", acts=True)
    assert [given["n"] for given in of(said, 4, "emptied")] == [1]


def test_what_a_scaler_divides_gradients_by_is_told(say):
    setup = "def empty(one, opt):\n    one.unscale_(opt)\ndef train():\n    net = nn.Linear(2, 1)\n    opt = torch.optim.Adam(net.parameters())\n"
    train = "    scaler = torch.amp.GradScaler('cpu', init_scale=8.0)\n    scaler.scale(net(torch.ones(1, 2)).sum()).backward()\n    empty(scaler, opt)\ntrain()\n"
    [given] = of(say(setup + train, acts=True), 4, "unscaled")
    assert given == {"n": 2, "by": "8.0"}


def test_writes_that_follow_each_other_in_a_line_are_all_told(say):
    said = say("w = torch.ones(2, requires_grad=True)\nx = w * 2\nx.mul_(3).exp_()\n", acts=True)
    [given] = of(said, 5, "also_recorded")
    assert codes(given["nodes"]) == ["MulBackward0", "ExpBackward0"]


@pytest.mark.parametrize(("rate", "times"), [("0.0", 1), ("0.1", 0), ("numpy.float64(0)", 1)])
def test_an_optimizer_with_a_learning_rate_of_0_is_told(say, rate, times):
    start = f"import numpy; net = nn.Linear(2, 1)\nopt = torch.optim.SGD(net.parameters(), lr={rate})\n"
    said = say(start + "net(torch.ones(1, 2)).sum().backward()\nopt.step()\n", acts=True)
    assert len(of(said, 6, "update_still")) == times and of(said, 6, "update")


def test_new_values_of_an_inference_tensor_are_told_without_a_version(say):
    said = say("with torch.inference_mode():\n    score = torch.zeros(1)\n    score += 1\n", acts=True)
    assert [codes(given["name"]) for given in of(said, 5, "silent_inference")] == [["score"]]
    assert not of(said, 5, "silent") + of(said, 5, "silent_harmless")


def test_what_a_later_node_saves_is_not_in_danger_of_an_earlier_write(say):
    source = "x = torch.ones(2, requires_grad=True)\nfor _ in range(3):\n    g, = torch.autograd.grad((x * x).sum(), x)\n    x.data += g\n"
    said = say(source, acts=True)
    assert len(of(said, 6, "silent_harmless")) == 3 and not of(said, 6, "silent")


HIDING = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(9)])
    def both(self, x):
        z = x * self.parts[0]
        return z, z + 1
    def loss(self, x):
        z, p = self.both(x)
        return p.sum()
net = Net()
for _ in range(2):
    net.loss(torch.ones(2)).backward()
"""


def test_an_argument_that_was_hidden_before_is_no_result_of_its_line(say):
    results = of(say(HIDING, acts=True, tensors=14), 11, "results")
    assert [codes(given["results"])[::3] for given in results] == [["z", "p"]] * 2


def test_what_detach_cut_off_from_the_result_of_a_function_is_told(say):
    source = "w = torch.ones(2, requires_grad=True)\ndef f(x):\n    e = x.exp()\n    return e / e.sum()\na = f(w).detach()\nb = f(w)\n"
    [given] = of(say(source, acts=True), 7, "cut_detach")
    assert (codes(given["name"]), codes(given["before"])) == (["a"], ["DivBackward0"])


def test_a_gradient_that_the_program_sets_itself_is_not_called_unreached(say):
    train = "w, v = (torch.ones(1, requires_grad=True) for _ in range(2))\n(w * 2).backward()\n"
    assert of(say(train + "print(v.grad)\n"), 5, "none_apart")
    assert of(say(train + "print(v.grad)\nv._grad = w.grad\n"), 5, "none_apart") == []


def test_a_number_that_a_node_saved_as_a_setting_makes_no_gradient_zero(say):
    source = "conv = nn.Conv2d(1, 1, 3)\nnn.init.zeros_(conv.weight)\nx = torch.ones(1, 1, 5, 5, requires_grad=True)\nconv(x * 2).sum().backward()\n"
    assert [codes(given["name"]) for given in of(say(source, acts=True), 6, "zeroed")] == [["conv.weight"]]


def test_what_no_grad_cuts_is_told_of_an_item_that_a_variable_chooses(say):
    source = "w = torch.ones(2, requires_grad=True)\nhids = [w * 2, w * 3]\nfor i in range(2):\n    with torch.no_grad():\n        kept = hids[i] + 1\n"
    told = of(say(source, acts=True), 7, "cut_no_grad")
    assert [codes(given["before"]) for given in told] == [["hids[0]"], ["hids[1]"]]
    moved = source.replace("kept = hids[i] + 1", "kept, i = hids[i] + 1, 1 - i")
    assert of(say(moved, acts=True), 7, "cut_no_grad") == []


def test_a_pass_that_is_recorded_itself_is_told_where_it_starts(say):
    source = "w = torch.ones(2, requires_grad=True)\nloss = (w ** 2).sum()\n"
    split = "g, = torch.autograd.grad(\n    loss, w, {})\n"
    said = say(source + split.format("create_graph=True") + "g.sum().backward(\n)\n", acts=True)
    assert [line for line, key, _ in said if key == "start_recorded"] == [5]
    said = say(source + split.format("retain_graph=True") + "loss.backward(create_graph=True)\n", acts=True)
    assert [line for line, key, _ in said if key == "start_recorded"] == [7]
    both = "g, = torch.autograd.grad(loss, w, create_graph=True); g.sum().backward()\n"
    assert not [key for _, key, _ in say(source + both, acts=True) if key == "start_recorded"]


@pytest.mark.parametrize(("needs", "told"), [(True, [{}]), (False, [])])
def test_a_detached_argument_is_told_of_the_line_that_passes_it_if_it_needed_a_gradient(say, needs, told):
    source = f"def f(x):\n    return x * 2\nw = torch.ones(2, requires_grad={needs}) * 1\ny = f(w.detach())\n"
    assert of(say(source, acts=True), 6, "inner_detach") == told


def test_a_parameter_that_detach_made_a_constant_in_place_is_not_cut_off_from_itself(say):
    made = "def made():\n    net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))\n    for param in net.parameters():\n        param.detach_()\n    return net\n"
    said = say(made + "slow = made()\nfor one in slow.parameters():\n    one.mul_(0.5)\n", acts=True, tensors=3)
    assert of(said, 9, "cut_detach") == [] and len(of(said, 10, "version")) == 4


def test_a_leaf_is_not_called_by_a_name_that_leads_elsewhere_by_now(say):
    run = "def run(loss):\n    loss.backward()\nw = torch.ones(2, requires_grad=True)\n"
    kept = of(say(run + "run((w * 2).sum())\n", acts=True), 4, "leaf_first")
    moved = of(say(run + "w = w * 2\nrun(w.sum())\n", acts=True), 4, "leaf_first")
    assert [given["grad"] for given in kept] == ["w.grad"] and [given["grad"] for given in moved] == [".grad"]


def test_all_values_were_multiplied_only_if_their_mean_was_too(say):
    source = "w = torch.ones(200, requires_grad=True)\n(w * torch.arange(1.0, 201.0)).sum().backward()\n"
    alike = of(say(source + "w.grad.mul_(3)\n", acts=True), 5, "grads_scaled")
    ends = "w.grad.mul_(torch.tensor([3.0] + [2.0] * 198 + [3.0]))\n"
    assert [given["n"] for given in alike] == ["3"] and of(say(source + ends, acts=True), 5, "grads_scaled") == []


def test_of_a_brief_step_the_leaves_are_shown_and_the_nodes_are_counted():
    trace = traced("program.py", START + PASSES, Limits(acts=True))[0]
    at = next(at for at, step in enumerate(trace.steps) if step.events)
    short = shorten(trace, [*range(at + 1), len(trace.steps) - 1], [at])
    kinds = [(event.kind, event.node[0]) for event in short.steps[at].events]
    assert (kinds, short.steps[at].skipped) == ([("start", "n"), ("visit", "l")], 3)


def test_how_many_elements_of_a_gradient_are_zero_is_told(say):
    source = "x = torch.arange(100.0, requires_grad=True)\n(x * 2).clamp(max=50).pow(2).sum().backward()\n"
    received = [codes(given["received"])[0] for given in of(say(source, acts=True), 4, "leaf_first")]
    assert received == ["shape (100,), 0 … 200, 0 × 75"]


def test_what_a_returned_call_is_given_detached_is_told(say):
    source = "def f(a, b):\n    return torch.stack([a.detach(), b.detach()]) * a\ndef g(a):\n    return (a * 2).detach()\n"
    said = say(source + "w = torch.ones(2, requires_grad=True)\nx, y = w * 1, w * 2\nz = f(x, y)\nz = g(x) * w\n")
    assert [codes(given["before"]) for given in of(said, 4, "inner_cut")] == [["b"]]
    assert of(said, 6, "inner_cut") == []


def test_an_attribute_that_is_another_name_is_told_in_a_method_too(say):
    source = "class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(1, 1)\n        self.b = nn.Identity()\n        self.b.old = self.a\n        self.w = self.a.weight\n        self.c = nn.Sequential(self.a)\nm = M()\n"
    told = [(line, given["name"], given["other"]) for line, key, given in say(source) if key == "same_new" and line in (8, 9, 10)]
    assert told == [(8, "self.b.old", "self.a"), (9, "self.w", "self.a.weight")]


def test_leaves_that_were_hidden_are_not_a_lines_result(say):
    source = "nets = [nn.Linear(1, 1) for _ in range(150)]\nnet = nets.pop()\ndel nets[100:]\nsgd = torch.optim.SGD(nets[0].parameters())\n"
    assert not [given for line, key, given in say(source) if key == "results" and line > 3]


def test_where_the_other_gradients_are_all_none_only_that_is_told(say):
    setup = "net = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1)])\nopt = torch.optim.Adam(net.parameters())\n"
    [given] = of(say(setup + "net[0](torch.ones(1, 2)).sum().backward()\nopt.step()\n", acts=True), 6, "update_none")
    assert (given["n"], given["none"]) == (2, 2)


def test_a_view_that_was_made_without_recording_is_told_with_its_cut(say):
    source = "w = torch.ones(2, requires_grad=True)\ny = w * 2\nwith torch.no_grad():\n    v = y.view(1, 2)\n    own = torch.zeros(1, requires_grad=True)\n"
    said = say(source, acts=True)
    assert [codes(given["name"]) for _, key, given in said if key == "leaf_new"] == [["w"], ["own"]]  # v gets no gradient
    assert [(codes(given["name"]), codes(given["before"])) for given in of(said, 6, "cut_no_grad")] == [(["v"], ["y"])]


def test_what_a_custom_function_expands_is_no_new_leaf(say):
    own = "class Own(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        wide = x.expand(2, 2)\n        return wide.sum()\n    @staticmethod\n    def backward(ctx, grad):\n        return grad.expand(2)\n"
    said = say(own + "w = torch.ones(2, requires_grad=True)\nOwn.apply(w).backward()\n", acts=True)
    assert [line for line, key, _ in said if key == "leaf_new"] == [11]


def test_a_gradient_of_zeros_that_two_names_lead_to_is_counted_once(say):
    source = "net = nn.Linear(2, 1)\nsame = net\nx = torch.zeros(1, 2)\nnet(x).sum().backward()\n"
    [given] = of(say(source, acts=True), 6, "grads_zero")
    assert given["names"]["count"] == 1


def test_a_module_whose_parts_are_in_another_mode_is_not_said_to_be_in_it_already(say):
    source = "net = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))\nnet[1].eval()\nnet.train()\nnet.train()\n"
    said = say(source, acts=True)
    assert (len(of(said, 5, "mode_training")), len(of(said, 6, "mode_training_before"))) == (1, 1)


def test_one_value_that_two_names_lead_to_is_not_all_values(say):
    source = "w = torch.ones(4, requires_grad=True)\nv = w\n(w * torch.tensor([0.0, 3, 0, 0])).sum().backward()\n"
    said = say(source + "w.grad.data *= torch.tensor([1.0, 2, 3, 4])\n")
    assert of(said, 6, "grad_set") and of(said, 6, "grads_scaled") == []


def test_a_condition_on_the_same_line_sets_nothing_for_sure(say):
    said = say("def f(rate=None):\n    if rate is None: rate = 0.5\n    return rate\nf(0.2)\nrate = 0.3\n", acts=True)
    assert of(said, 4, "set") == [] and [codes(given["numbers"]) for given in of(said, 7, "set")] == [["rate = 0.3"]]


def test_a_node_is_told_also_of_what_no_name_leads_to(say):
    kept = "class Kept:\n    pass\n"
    source = f"{kept}one = Kept()\nw = torch.ones(2, requires_grad=True)\nsetattr(one, 'deep', Kept())\nsetattr(one.deep, 'y', w * 2)\n"
    said = say(source + "one.deep.y.sum().backward()\n")
    assert [given["nodes"]["codes"] for given in of(said, 8, "recorded")] == [["MulBackward0"]]


MADE = "class Layer(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = nn.Parameter(torch.ones(2))\n    def forward(self, x):\n        w = self.w * 2\n        self.w = nn.Parameter(w)\n        return (self.w * x).sum()\nLayer()(torch.ones(2)).backward()\n"


def test_a_parameter_made_from_what_was_computed_is_a_new_leaf(say):
    [given] = of(say(MADE), 9, "cut_parameter")
    assert (codes(given["name"]), codes(given["before"])) == (["self.w"], ["w"])


def test_a_loop_on_one_line_is_not_told_by_its_iterations(say):
    said = say("rates = [{}, {}, {}]\nfor one in rates: one['lr'] = 0.1\nfor _ in []: pass\n", acts=True)
    assert {key for line, key, _ in said if line in (4, 5)} == {"ran"}


def test_a_lambda_in_a_loops_header_is_not_told_as_an_iteration(say):
    said = say("for f in [lambda x: x, *map(lambda n: n + 1, range(2))]: pass\nfor x in map(lambda n: n + 1,\n             range(2)):\n    pass\n")
    assert "loop_line" not in {key for line, key, _ in said if line == 3}


def test_gradients_that_are_added_up_are_told_where_they_arrive(say):
    source = "w = torch.ones(300, requires_grad=True)\nh = w * 2\n((h * 3).sum() + (h * 4).sum()).backward()\n"
    found = [(key, line) for line, key, _ in say(source, acts=True) if key == "summed"]
    assert found == [("summed", 5)]


def test_clipping_that_clips_nothing_is_told(say):
    source = "w = torch.ones(2, requires_grad=True)\n(w * 2).sum().backward()\n"
    clip = "torch.nn.utils.clip_grad_norm_([w], MOST)\n"
    assert of(say(source + clip.replace("MOST", "9.0"), acts=True), 5, "clip_none")
    assert of(say(source + clip.replace("MOST", "0.5"), acts=True), 5, "clip_none") == []


def test_where_values_leave_torch_is_told_of_what_requires_a_gradient(say):
    source = "w = torch.ones(300, requires_grad=GRAD)\nprint; w.data.numpy()\n"
    assert of(say(source.replace("GRAD", "True"), acts=True), 4, "left")
    assert of(say(source.replace("GRAD", "False"), acts=True), 4, "left") == []


def test_the_end_of_a_program_is_no_error(say):
    said = say("import sys\nfor _ in range(2):\n    sys.exit()\n")
    assert of(said, 5, "exits") and not [key for _, key, _ in said if key == "raised"]


def test_what_a_node_saved_is_named_as_it_saved_it_where_no_name_leads_there(say):
    source = "w = torch.ones(2, requires_grad=True)\n(w * torch.zeros(2).requires_grad_()).sum().backward()\n"
    [given] = [given for _, key, given in say(source, acts=True) if key.startswith("zeroed")]
    assert codes(given["name"]) == ["other"]


def test_a_number_is_not_rounded_twice():
    steps = traced("program.py", f"{START}loss, rate = torch.tensor(9.82625008), torch.tensor(0.000125)\n", Limits())[0].steps
    assert [steps[-1].tensors[name].value for name in ("loss", "rate")] == [9.8262501, 0.000125]


def test_what_was_hidden_before_a_line_is_counted_with_a_plus_after_it(say):
    said = say("kept = [torch.ones(1) for _ in range(80)]\ndel kept[:]\nfew = [torch.ones(1) for _ in range(9)]\ndel few[:]\n", acts=True)
    assert [given["names"]["text"].split()[-1] for line in (4, 6) for given in of(said, line, "gone")] == ["(64+)", "(9)"]


def test_of_two_names_on_self_the_one_in_the_line_is_told(say):
    source = """class Trainer:
    def __init__(self):
        self.held = self.model = nn.Linear(2, 1)
    @torch.no_grad()
    def run(self, x):
        y = self.model(x)
        return y
Trainer().run(torch.ones(2))
"""
    [given] = of(say(source, acts=True), 8, "cut_no_grad")
    assert codes(given["before"]) == ["self.model.weight", "self.model.bias"]


def test_parameters_that_a_call_without_recording_used_may_be_more_than_are_known(say):
    source = "net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))\nwith torch.no_grad():\n    y = net(torch.ones(2))\n"
    [given] = of(say(source, acts=True), 5, "cut_no_grad")
    assert given["before"]["text"] == "net.0.weight, net.0.bias, net.1.weight … (4+)"


OWN_BACKWARD = """def through(x):
    y = net(x)
    return y
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, gradient):
        LINE
            through(gradient)
        return gradient
net = nn.Linear(2, 2)
Own.apply(net(torch.ones(2))).sum().backward()
"""


@pytest.mark.parametrize(("line", "key"), [("with torch.no_grad():", "cut_no_grad"), ("if True:", "cut_backward")])
def test_what_a_custom_backward_computes_is_cut_off_by_its_own_switch_if_it_has_one(say, line, key):
    said = say(OWN_BACKWARD.replace("LINE", line), acts=True)
    cuts = [one for at, one, given in said if at == 4 and one.startswith("cut_")]
    assert cuts == [key]


def test_gradients_go_by_the_models_names_also_where_a_groups_are_there(say):
    start = "net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nfor g in opt.param_groups:\n    g['lr'] = 0.2\n"
    [given] = of(say(start + "net(torch.ones(2)).sum().backward()\n"), 7, "grads_set")
    assert all(name.startswith("net.") for name in codes(given["names"]))


AWAY = "w = torch.ones(2, requires_grad=True)\nx = w * 2\nLINE\n"


@pytest.mark.parametrize(
    ("line", "key", "name"),
    [
        ("str(x.detach().sum())", "cut_away", "x"),
        ("str(x.data)", "cut_away", "x"),
        ("x.retain_grad()", "kept", "x"),
        ("x.register_hook(lambda g: g * 2)", "hooked", "x"),
    ],
)
def test_what_a_line_without_a_result_does_to_a_tensors_gradient_is_told(say, line, key, name):
    [given] = of(say(AWAY.replace("LINE", line), acts=True), 5, key)
    assert codes(given["name"]) == [name]
    assert key != "cut_away" or given["by"] in ("detach()", ".data")


@pytest.mark.parametrize(
    "line",
    [
        "w.retain_grad()",
        "f = lambda: x.detach()",
        "[x.detach() for _ in ()]",
        "str(w.data.shape)",
        "str(x.detach() if len(x) > 5 else x)",
        "str(len(x) < 5 and x or x.data)",
    ],
)
def test_what_changes_nothing_for_gradients_is_not_told_as_a_cut(say, line):
    assert not {key for at, key, _ in say(AWAY.replace("LINE", line), acts=True) if at == 5} & {"cut_away", "kept", "hooked"}


def test_a_line_that_may_have_jumped_is_told_without_the_jump(say):
    said = say("for i in range(3):\n    if i > 7: break\nif i > 5: raise ValueError\n", acts=True)
    assert [codes(given["line"]) for at, key, given in said if at in (4, 5) and "line" in given] == [["if i > 7:"]] * 3 + [["if i > 5:"]]


def test_a_line_after_which_python_warns_is_not_said_to_print(say):
    said = say("print('program.py:1: UserWarning: old')\nprint(1)\n", acts=True)
    assert [key for at, key, _ in said if at in (3, 4)] == ["warned", "printed"]


def test_what_is_given_another_storage_by_data_is_not_called_cut(say):
    said = say("w = torch.ones(2, requires_grad=True)\nkept = w.detach()\nw.data = kept\ny = w.data\n", acts=True)
    assert not any(key == "cut_away" for at, key, _ in said if at == 5)


def test_of_a_pass_with_very_many_nodes_the_gradients_at_later_ones_are_ranges():
    source = "import torch\nx = torch.ones(16, requires_grad=True)\nfor _ in range(400):\n    x = x * 1.0\nx.sum().backward()\n"
    events = [event for step in traced("program.py", source, Limits())[0].steps for event in step.events]
    visits = [event for event in events if event.kind == "visit"]
    assert [type(visits[at].passed[0]) for at in (1, 350)] == [list, Range]


def test_a_batch_is_said_to_require_no_gradient_once_and_not_in_each_iteration(say):
    source = "w = nn.Parameter(torch.ones(1))\nfor i in range(3):\n    x = torch.ones(1) * i\n    (x * w).backward()\n"
    assert [line for line, key, _ in say(source) if key == "plain_new"] == [5]


def test_what_batch_normalization_counts_is_no_write_that_is_told(say):
    source = "net = nn.BatchNorm1d(2)\nnet(torch.randn(4, 2)).sum().backward()\nnet.num_batches_tracked += 1\n"
    assert [key for _, key, _ in say(source) if key in ("version", "versions")] == []


def test_parts_that_cancel_are_not_shown_beside_what_rounding_leaves_of_them(say):
    source = "x = torch.ones(1, requires_grad=True)\n(x * 1.0000001 - x).backward()\n(x * 3 - x).backward()\n"
    arrived = ["".join(codes(given["received"])) for _, key, given in say(source) if key in ("leaf_first", "leaf_sum")]
    assert [" + " in one for one in arrived] == [False, True]


def test_a_line_that_puts_several_modules_into_a_mode_does_not_name_one(say):
    source = "nets = [nn.Linear(1, 1), nn.ReLU()]\n[net.eval() for net in nets]\nnets[0].eval()\n"
    assert [line for line, key, _ in say(source, acts=True) if key.startswith("mode_")] == [5]


def test_a_tensor_that_torch_detach_cut_off_is_not_said_to_have_no_derivative(say):
    source = "w = torch.ones(2, requires_grad=True)\nx = w * 2\nx = torch.detach(x)\ny = (x + w).sum()\ny.backward()\n"
    assert [key for line, key, _ in say(source) if line == 5 and key.startswith("cut_")] == ["cut_detach"]


@pytest.mark.parametrize("use", ["y = w * CUT", "def f(t):\n    return t * w\ny = f(CUT)", "y = [one * w for one in [CUT]][0]"])
def test_torch_detach_cuts_as_the_method_does(use):
    source = f"{START}w = torch.ones(2, requires_grad=True)\nx = w * 2\n{use}\n"
    function, method = (traced("program.py", source.replace("CUT", by))[0].edges for by in ("torch.detach(x)", "x.detach()"))
    assert function == method and "detach" in {one.why for one in method}
