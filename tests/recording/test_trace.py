"""What a trace says of a program, and that watching it changes nothing."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from support.sampled import param
from support.trace.oracle import differences, snippets, unlike_gradients
from support.trace.programs import KINDS, generated
from support.trace.warm import plain, traced

from weaver.recording import compact
from weaver.recording.limits import Limits
from weaver.recording.model import Range, Stopped
from weaver.tracing.full import spell_out
from weaver.tracing.run import Program, trace

ROOT = Path(__file__).parents[2]
SAMPLE = random.Random(1).sample(snippets(), 12) + generated(2 * len(KINDS))
IN_EACH_RUN = SAMPLE[:4] + SAMPLE[-len(KINDS) :]  # four snippets, and one generated program of each kind
REFUSED = ROOT / "tests/cases/refused"


def steps_of(source, **limits):
    found = traced("program.py", source, Limits(**limits))[0]
    return found.steps


def lines(source):
    return [(step.line, step.depth) for step in steps_of(source)]


@pytest.fixture(
    scope="module",
    params=[param(one, id=Path(one[0]).name, each=one in IN_EACH_RUN) for one in SAMPLE],
)
def program(request):
    """The path and the source of one program of the sample."""
    return request.param


def test_the_state_after_a_line_is_that_of_a_run_cut_off_there(program):
    assert differences(*program) == []


def test_what_is_read_back_is_what_was_written(program):
    trace = traced(*program)[0]
    assert compact.read(compact.write(trace)) == trace
    json.dumps(spell_out(trace), allow_nan=False)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = (1 +\n  2)\nb = 3; c = 4\n", [(1, 0), (3, 0)]),
        ("for i in range(2):\n  i\n", [(1, 0), (2, 0), (1, 0), (2, 0), (1, 0)]),
        ("for i in range(2): i\n", [(1, 0)] * 3),  # the last finds that there is nothing more
        ("i = 2\nwhile i:\n  i -= 1\n", [(1, 0), (2, 0), (3, 0), (2, 0), (3, 0), (2, 0)]),
        ("i = 0\nwhile True:\n  i += 1\n  if i > 1: break\n", [(1, 0), *[(2, 0), (3, 0), (4, 0)] * 2]),
        ("def f(x):\n  y = x\n  return y\nf(1)\n", [(1, 0), (2, 1), (3, 1), (4, 0)]),
        ("def f(n):\n  return f(n - 1) if n else 0\nf(1)\n", [(1, 0), (2, 2), (2, 1), (3, 0)]),
        ("f = lambda x: x\nf(1)\n", [(1, 0), (1, 1), (2, 0)]),
        ("a = [i for i in range(3)]\nb = sum(i for i in a)\n", [(1, 0), (2, 0)]),
        ("class A:\n  x = 1\n  y = 2\n", [(1, 0)]),
        ("import functools\n@functools.cache\ndef f():\n  pass\n", [(1, 0), (3, 0)]),
        (
            "try:\n  1 / 0\nexcept ValueError:\n  pass\nexcept ZeroDivisionError:\n  a = 1\n",
            [(2, 0), (3, 0), (5, 0), (6, 0)],
        ),
        ("def g():\n  yield 1\n  yield 2\nlist(g())\n", [(1, 0), (2, 1), (3, 1), (4, 0)]),
        ("exec('a = 1\\nb = 2')\n", [(1, 0)]),
        ("import contextlib\nwith contextlib.nullcontext():\n  a = 1\n", [(1, 0), (2, 0), (3, 0), (2, 0)]),
    ],
)
def test_a_step_is_a_line_that_ran(source, expected):
    assert lines(source) == expected


def test_a_module_beside_the_program_is_imported_in_a_step_and_its_functions_are_stepped_into(tmp_path, monkeypatch):
    (tmp_path / "beside.py").write_text("import torch\ndef f(x):\n    y = x * 2\n    return y\n")
    (tmp_path / "main.py").write_text(
        "import sys, beside, torch\na = beside.f(torch.ones(1))\nprint(ascii(sys.argv[1:]), __name__)\n"
        "import inspect, os\nos.chdir('/')\nprint(sys.argv[0], __file__, inspect.getsource(sys.modules[__name__])[:10])\n"
    )
    monkeypatch.chdir(tmp_path.parent)
    name = os.path.join(tmp_path.name, "main.py")
    found = trace(Program(Path(name), ["--fast", os.fsdecode(b"\xff")]))[0]
    assert [step.line for step in found.steps] == [1, 9, 10, 2, 3, 4, 5, 6]
    assert [(one.name, one.first, one.text[:12]) for one in found.files] == [("beside.py", 7, "import torch")]
    assert [(step.depth, step.function) for step in found.steps[1:3]] == [(1, "f"), (1, "f")]
    assert found.steps[2].tensors["y"].value == [2.0]
    assert found.steps[4].printed == r"['--fast', '\udcff'] __main__" + "\n"
    assert found.steps[-1].printed == f"{name} {tmp_path / 'main.py'} import sys\n"
    assert found.program == name


def test_a_name_in_a_container_a_module_or_an_object_leads_to_its_tensors():
    source = (
        "import torch\nclass Box: pass\nb = Box(); b.w = torch.ones(1)\n"
        "d = {'a': [torch.ones(2)]}\nnet = torch.nn.Sequential(torch.nn.Linear(1, 1))\n"
        "def f(x):\n  z = x + 1\n  return None\nf(b.w)\n"
    )
    found = steps_of(source)
    assert list(found[-1].tensors) == ["b.w", "d['a'][0]", "net.0.weight", "net.0.bias"]
    assert {"x", "z"} <= found[-2].tensors.keys()


def test_a_large_tensor_is_told_by_its_range_and_nan_and_inf_are_text():
    source = "import torch\nx = torch.arange(100.0)\nx[3] = float('nan'); x[4] = float('inf')\ny = x[3:5]\n"
    state = steps_of(source)[-1].tensors
    assert state["x"].value == Range((100,), 0.0, 99.0, "nan", 1, 1)
    assert state["y"].value == ["nan", "inf"]
    assert state["x"].storage == state["y"].storage


def test_the_range_of_a_sparse_gradient_counts_what_it_does_not_hold():
    source = (
        "import torch\nemb = torch.nn.Embedding(40, 2, sparse=True)\n"
        "emb(torch.tensor([1, 1, 3])).sum().backward()\nemb(torch.tensor([1])).sum().backward()\n"
    )
    first, second = (step.tensors["emb.weight.grad"].value for step in steps_of(source)[-2:])
    assert first == Range((40, 2), 0.0, 2.0, 6 / 80)
    assert second == Range((40, 2), 0.0, 3.0, 8 / 80)


def test_the_mean_of_large_numbers_is_one_of_them():
    x = steps_of("import torch\nx = torch.full((100,), -1e38)\n")[-1].tensors["x"].value
    assert x.mean == pytest.approx(-1e38)


def test_a_sparse_gradient_is_told_by_its_kind():
    source = "import torch\ntable = torch.nn.Embedding(9, 2, sparse=True)\ntable(torch.tensor([1, 1, 4])).sum().backward()\n"
    state = traced("program.py", source, Limits())[0].steps[-1].tensors
    assert {name: one.dtype for name, one in state.items()} == {"table.weight": "float32", "table.weight.grad": "sparse float32"}


def test_a_nested_tensor_is_told_by_its_kind_and_what_follows_is_recorded():
    source = "import torch\nx = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])\ny = x * 2\n"
    state = steps_of(source)[-1].tensors
    assert [(one.value, one.shape, one.dtype) for one in state.values()] == [(None, (), "nested float32")] * 2


def test_an_error_says_which_version_was_saved_and_which_was_met():
    source = "import torch\nx = torch.ones(2, requires_grad=True)\ny = x.sigmoid()\ny.zero_()\ny.sum().backward()\n"
    found = traced("program.py", source)[0]
    failed = found.steps[-1].events[-1]
    names = {node.id: node.name for node in found.nodes}
    assert (failed.kind, failed.name, failed.wanted, failed.met) == ("failed", "result", 0, 1)
    assert names[failed.node] == "SigmoidBackward0"
    assert found.error.startswith("RuntimeError: one of the variables needed")


def test_a_node_says_what_it_saved_in_which_version_and_where_that_is():
    source = "import torch\nx = torch.ones(2)\nx += 2\nw = torch.ones(2, requires_grad=True)\ny = w * x\n"
    found = traced("program.py", source)[0]
    [node] = [one for one in found.nodes if one.name == "MulBackward0"]
    place = found.steps[-1].tensors["x"].place
    assert [(one.name, one.value, one.version, one.place) for one in node.saved] == [
        ("other", [3, 3], 1, place)
    ]


def test_hooks_are_noted_where_they_fire():
    source = (
        "import torch\nx = torch.ones(1, requires_grad=True)\ny = x * 2\ngot = []\nx.register_hook(got.append)\n"
        "y.register_hook(lambda g: g * 5)\ny.grad_fn.register_prehook(lambda g: None)\ny.grad_fn.register_hook(lambda a, b: None)\n"
        "x.register_post_accumulate_grad_hook(lambda p: None)\ny.backward()\n"
    )
    found = traced("program.py", source)[0]
    events = [event for step in found.steps for event in step.events]
    hooks = [(event.of, event.received) for event in events if event.kind == "hook"]
    assert hooks == [
        ("tensor", [[1.0]]),
        ("node before", [[5.0]]),
        ("node after", [[5.0]]),
        ("tensor", [[10.0]]),
        ("post-accumulate", [[10.0]]),
    ]
    assert [event.after for event in events if event.kind == "visit"][-1] == [10.0]


def test_what_autograd_cannot_follow_is_an_edge():
    source = (
        "import torch\nx = torch.ones(1, requires_grad=True)\nd = x.detach()\ny = x * d\n"
        "with torch.no_grad():\n  n = x * 2\nz = x.detach() * x\n"
    )
    found = traced("program.py", source)[0]
    state = found.steps[-1].tensors
    edges = {(edge.start, edge.end): edge.why for edge in found.edges}
    assert edges[state["x"].place, state["d"].place] == "detach"
    assert edges[state["x"].place, state["n"].place] == "no_grad"
    assert edges[state["d"].place, state["y"].place.split(".")[0]] == "constant"
    assert list(edges.values()).count("detach") == 2


def test_the_gradients_of_the_engines_steps_are_those_of_autograd_grad():
    found = [unlike_gradients(*program) for program in SAMPLE]
    assert [sentence for _, sentences in found for sentence in sentences] == []
    assert sum(compared for compared, _ in found) > 20


@pytest.mark.parametrize("loop", ["for f in fs: x = f(x)", "for f in fs: x = f(\n  x)", "for f in fs: x = f(x); y = x * 2"])
def test_each_iteration_of_a_loop_on_one_line_is_a_step(loop):
    source = f"import torch\nfs = [torch.exp, torch.sin, torch.cos]\nx = torch.ones(1)\n{loop}\n"
    steps = traced("program.py", source)[0].steps
    assert [step.loops for step in steps if step.loops] == [((4, number),) for number in range(4)]


def test_of_a_long_loop_the_first_and_the_last_iterations_stay():
    source = (
        "import torch\nx = torch.zeros(1)\nfor i in range(500):\n  x = x + 1\n  if i > 498: print('last')\n"
    )
    found = steps_of(source, steps=60)
    kept = [step.loops[0][1] for step in found if step.loops and step.line == 4]
    assert len(found) <= 75
    assert kept[:3] == [0, 1, 2] and kept[-3:] == [497, 498, 499]
    left = sum(step.gap.iterations for step in found if step.gap)
    assert left + len(kept) == 500
    assert found[-1].tensors["x"].value == [500.0]


@pytest.mark.parametrize("after", ["", "y = x\n"], ids=["the end", "more"])
def test_a_loop_that_is_passed_over_shows_what_it_left(after):
    source = f"import torch\nx = torch.zeros(1)\nfor i in range(50):\n  x = x + 1\n{after}"
    found = steps_of(source, looks=12)
    at = -2 if after else -1
    assert [step.line for step in found[at:]] == [3, *([5] if after else [])]
    assert found[at].tensors["x"].value == [50.0] and found[at].gap.iterations == 18
    assert differences("program.py", source) == []


def test_zeros_that_take_no_memory_are_read():
    source = (
        "import torch\nfrom torch.utils._python_dispatch import TorchDispatchMode\nclass Count(TorchDispatchMode):\n"
        "  def __torch_dispatch__(self, f, types, args=(), kwargs=None):\n    result = f(*args, **(kwargs or {}))\n"
        "    return result\nA = torch.ones(NUMBER, 2)\nwith Count():\n"
        "  J = torch.func.jacfwd(lambda x: (A @ x.sin()).exp())(torch.ones(2))\n"
    )
    for number in (2, 200):  # both ways of reading: all elements, and the range
        assert differences("program.py", source.replace("NUMBER", str(number))) == []


def test_what_is_at_its_default_is_left_out_beside_a_number_too():
    """A reader of the text would take the name of the field for a nan."""
    source = "import torch\na = torch.ones((), requires_grad=True)\nx = torch.ones(100, requires_grad=True)\n(a + x * 1).sum().backward()\n"
    text = compact.write(traced("program.py", source)[0])
    assert '"passed":[100.0,{' in text.replace(" ", "") and '"nan"' not in text


def test_a_tensor_is_shown_with_its_gradient_or_not_at_all():
    """Otherwise a gradient that doesn't fit in would look as if it were None."""
    code = "import torch\nw = torch.ones(2, requires_grad=True)\n(w * w).sum().backward()\n"
    names = [set(steps_of(code, tensors=n)[-1].tensors) for n in (1, 2)]
    assert names == [set(), {"w", "w.grad"}]


def test_a_container_says_how_much_of_it_is_hidden():
    found = steps_of("import torch\nd = {i: torch.ones(1) for i in range(1000)}\n", items=10)
    assert len(found[-1].tensors) == 10
    assert found[-1].hidden == {"d": 990}


def test_nothing_lives_longer_and_nothing_is_counted_for_being_watched():
    source = (
        "import torch, weakref, sys\nx = torch.ones(2, requires_grad=True)\ny = x * 2\nr = weakref.ref(y)\n"
        "z = y.sum()\nn = weakref.ref(z)\ndel z\nprint(n())\ndel y\nprint(r())\n"
        "print(x._version, x.register_hook(print).id, sys.getrefcount(x), torch.rand(1))\n"
    )
    error, printed, _ = plain("program.py", source)
    found = traced("program.py", source)[0]
    assert found.error == error
    said = "".join(step.printed for step in found.steps)
    assert said.rsplit("tensor", 1)[0] == printed.rsplit("tensor", 1)[0]


@pytest.mark.parametrize(
    "hooked",
    [
        "layer = torch.nn.Linear(2, 1)\nlayer.register_full_backward_hook(lambda *_: None)\ny = layer(torch.ones(2))\n",
        "x = torch.ones(1, requires_grad=True)\nx.register_hook(lambda g: warnings.warn('seen', stacklevel=5))\ny = x * 2\n",
    ],
    ids=["of a module", "of a tensor"],
)
def test_a_warning_names_the_line_that_it_names_without_us(hooked):
    source = (
        f"import torch, warnings\n{hooked}with warnings.catch_warnings(record=True) as given:\n"
        "    warnings.simplefilter('always')\n    y.backward()\nprint(given[0].filename, given[0].lineno)\n"
    )
    assert plain("program.py", source)[1] == "program.py 7\n"
    assert "".join(step.printed for step in traced("program.py", source)[0].steps) == "program.py 7\n"


def test_what_torch_compile_does_is_no_step_and_is_left_alone():
    source = (
        "import torch\ndef cube(x):\n    return x**3\nx = torch.tensor(2.0, requires_grad=True)\n"
        "y = torch.compile(cube, backend='aot_eager')(x); y.backward(); print(x.grad, y.grad_fn.name())\n"
    )
    assert differences("program.py", source) == []
    assert unlike_gradients("program.py", source) == (2, [])


def test_gradients_are_compared_also_after_a_call_of_the_engine_that_failed():
    source = (
        "import torch\nx = torch.ones(1, requires_grad=True)\ny = (x * x).sum()\ny.backward()\n"
        "try:\n    y.backward()\nexcept RuntimeError:\n    pass\n(x * 5).sum().backward()\n"
    )
    assert unlike_gradients("program.py", source) == (3, [])


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("leaves_before_its_end/os_exit", Stopped("exit", 3)),
        ("ended_by_a_signal/segmentation_fault", Stopped("signal", 11)),
        ("kills_the_server/kills_the_server", Stopped("signal", 9)),
        ("never_ends/endless_loop", Stopped("used", 2)),
        ("never_ends/deadlock", Stopped("idle", 6)),
    ],
)
def test_a_program_that_does_not_end_well_says_how_it_ended(name, end):
    assert trace(Program(REFUSED / f"{name}.py"), Limits(seconds=2))[0].stopped == end


def test_the_command_prints_the_state_after_each_line(tmp_path):
    path = tmp_path / "p.py"
    path.write_text(
        "import torch\nx = torch.tensor(2.0, requires_grad=True)\nx.log().backward()\nprint(x.grad)\n"
    )
    said = subprocess.run(
        [sys.executable, "-m", "weaver", "trace", str(path), "--json"], capture_output=True, text=True
    )
    data = json.loads(said.stdout)
    assert data["error"] is None
    assert [step["line"] for step in data["steps"]] == [1, 2, 3, 4]
    assert data["steps"][2]["tensors"]["x"]["grad"] == 0.5
    assert [event["node"] for event in data["steps"][2]["engine"] if event["kind"] == "visit"] == [
        "LogBackward0",
        "AccumulateGrad",
    ]
    assert data["steps"][3]["printed"] == "tensor(0.5000)\n"


def test_of_a_loop_that_costs_too_much_ever_rarer_iterations_are_watched():
    source = "import torch\nx = torch.zeros(1)\nfor i in range(50):\n  x = x + 1\n  y = x * 2\n"
    found = steps_of(source, looks=12)
    assert [step.loops[0][1] for step in found if step.line == 5] == [0, 1, 2, 3, 7, 15]
    assert found[-1].tensors["x"].value == [50.0]


def test_a_step_after_every_fourth_iteration_is_watched_although_the_budget_is_spent():
    source = "import torch\nx = torch.zeros(1)\nfor i in range(50):\n  x = x + 1\n  if (i + 1) % 4 == 0:\n    x = x * 0\n"
    assert [step.loops[0][1] for step in steps_of(source, looks=12) if step.line == 6] == [3, 7, 15, 31]


def test_iterations_are_watched_whole_of_the_loop_that_the_budget_can_pay_for():
    source = (
        "import torch\ndef step(w):\n  for k in range(2):\n    w = w + 1\n  return w\ndef main():\n"
        "  w = torch.zeros(1)\n  for epoch in range(3):\n    for i in range(40):\n      w = step(w)\n"
        "      if i == 29 and epoch == 1:\n        w = w * 0\n    w = w - 1\nmain()\n"
    )
    found = steps_of(source, looks=60)
    inner = [step.loops[:2] for step in found if step.line == 4]
    batches = sorted({(epoch * 40 + i) for (_, epoch), (_, i) in inner})
    assert batches[:3] == [0, 1, 2] and {7, 15, 31} < {*batches} and len(batches) < 12
    assert all(inner.count(one) == 2 for one in inner)
    assert [step.loops[1][1] for step in found if step.line == 12] == [29]
    assert next(step.loops[0][1] for step in found if step.line == 13) == 0


def test_an_error_is_seen_although_nothing_else_was_watched():
    source = "import torch\nx = torch.zeros(1)\nfor i in range(50):\n  x = x + 1\n  y = [1] * 60 + [0]\n  z = 1 / y[i + 11 if i > 48 else 0]\n"
    found = steps_of(source, looks=12)
    assert found[-1].raised == "ZeroDivisionError: division by zero" and found[-1].line == 6
    assert found[-1].tensors["x"].value == [50.0]


PARTS = "import torch\nx = torch.zeros(1)\ndef f(x):\n  y = x + 1\n  return y\nfor i in range(9):\n  x = f(x)\n  z = x * 2\nx = x * 0\n"


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("9", "", [9]),
        ("", "2", [1, 2]),
        ("8@9", "", [8, 6, 9]),
        ("f@3", "f@3", [4, 5, 7]),
        ("7@2", "7@2", [4, 5, 7]),
        ("6@4", "6@5", [6, 4, 5, 7, 8, 6]),
        ("f@20", "", []),
    ],
)
def test_only_the_part_that_is_asked_for_is_watched(start, end, expected):
    assert [step.line for step in steps_of(PARTS, start=start, end=end)] == expected


def test_the_first_nan_is_watched_with_what_leads_to_it():
    source = "import torch\nx = torch.ones(1)\nfor i in range(300):\n  y = x / (i - 200)\n  z = y * 0\n  x = x + 1\nx = 0\n"
    found = steps_of(source, first_nan=True, steps=40)
    assert [(step.line, step.loops[0][1]) for step in found if step.loops][-4:] == [(3, 200), (4, 200), (5, 200), (6, 200)]
    assert found[-1].line == 6 and found[-2].tensors["z"].value == ["nan"]


def test_what_an_optimizer_keeps_is_shown_on_request():
    source = "import torch\nw = torch.ones(1, requires_grad=True)\no = torch.optim.SGD([w], lr=1, momentum=0.5)\nw.sum().backward()\no.step()\n"
    assert "o.state[0]['momentum_buffer']" not in steps_of(source)[-1].tensors
    kept = steps_of(source, optimizers=True)[-1].tensors["o.state[0]['momentum_buffer']"]
    assert (kept.value, kept.requires_grad) == ([1.0], False)


def test_a_workspace_of_a_library_has_a_shape_and_no_value():
    found = traced("program.py", "import torch\ny, _ = torch.nn.LSTM(2, 3)(torch.ones(4, 1, 2))\n")[0]
    [node] = [node for node in found.nodes if node.name.startswith("MkldnnRnn")]
    [saved] = [saved.value for saved in node.saved if saved.name == "result3"]
    assert saved.shape and saved.mean is None


def test_the_limit_of_nodes_counts_those_that_are_alive():
    start = "import torch\nx = torch.ones(1, requires_grad=True)\nkept = []\nfor i in range(60):\n    a = x * 2\n    b = a * 2\n"
    done = traced("program.py", start + "    b.backward()\n", Limits(nodes=30))[0]
    kept = traced("program.py", start + "    kept.append(b)\n", Limits(nodes=30))[0]
    assert (done.nodes_hidden, len(done.nodes)) == (0, 120)
    assert kept.nodes_hidden and len(kept.nodes) < 60


def test_a_loop_that_prepares_data_is_watched_for_a_while_and_what_comes_after_it_is():
    source = (
        "import torch\nw = torch.zeros(1)\nrows = []\nfor i in range(200):\n  rows.append(i)\n"
        "for row in rows:\n  w = w + row\n  if row == 60:\n    w = w * 2\n"
    )
    found = steps_of(source, steps=2000)
    watched = [step.loops[0][1] for step in found if step.line == 5]
    assert watched[:32] == [*range(32)] and watched[32:] == [63, 127]
    assert len([step for step in found if step.line == 7]) == 200
    assert found[-1].tensors["w"].value == [21730.0]


def test_a_line_that_runs_late_for_the_first_time_is_watched_in_a_loop_without_tensors():
    source = "import torch\nrows = []\nfor i in range(100):\n  rows.append(i)\n  if i == 77:\n    w = torch.ones(1)\n"
    found = steps_of(source, steps=2000)
    assert [(step.line, step.loops[0][1]) for step in found if "w" in step.tensors][:1] == [(6, 77)]


def test_a_model_is_shown_although_a_dataset_before_it_has_more_tensors_than_are_shown():
    source = "import torch\nrows = [torch.ones(1) for _ in range(9)]\nnet = torch.nn.Linear(1, 1)\nx = rows[0]\n"
    assert {"net.weight", "net.bias", "x"} <= {*steps_of(source, tensors=5)[-1].tensors}


def test_a_pass_within_a_hook_leaves_the_outer_one_every_node():
    source = (
        "import torch\nw, x = torch.ones(2, requires_grad=True), torch.ones(2)\ny = torch.tanh(w * x)\n"
        "z = torch.exp(y)\nagain = (w * 3).exp().sum()\n"
        "z.register_hook(lambda g: g + torch.autograd.grad(again, w, retain_graph=True)[0])\nz.sum().backward()\n"
    )
    visits = {}
    for event in (one for step in steps_of(source) for one in step.events if one.kind == "visit"):
        visits.setdefault(event.run, []).append(event.node[0])
    assert [len(one) for one in visits.values()] == [5, 3]  # Sum, Exp, Tanh, Mul, the leaf; Sum, Exp, Mul
    assert visits[0].count("l") == 1


def test_the_header_of_a_while_loop_begins_its_iteration():
    source = "i = j = 0\nwhile i < 3:\n  i += 1\n  if i == 2:\n    continue\n  while j < i:\n    j += 1\nwhile i < 5: i += 1\n"
    found = [(step.line, *(number for _, number in step.loops)) for step in steps_of(source)]
    assert [one for one in found if one[0] == 2] == [(2, 0), (2, 1), (2, 2), (2, 3)]
    assert [one for one in found if one[0] == 3] == [(3, 0), (3, 1), (3, 2)]
    assert [one for one in found if one[0] == 7] == [(7, 0, 0), (7, 2, 0), (7, 2, 1)]
    assert [one for one in found if one[0] == 8] == [(8, 0), (8, 1)]


def test_what_is_new_late_is_watched_although_what_is_known_cost_the_budget():
    source = (
        "import torch\ndef known():\n  x = torch.zeros(1)\n  for k in range(30):\n    x = x + 1\n  return x\n"
        "def late():\n  return torch.ones(3)\nfor i in range(40):\n  if i % 10 == 0:\n    a = known()\n"
        "  if i == 30:\n    b = late()\n"
    )
    assert 13 in [step.line for step in steps_of(source, looks=50)]


def test_a_view_made_without_gradients_is_read_after_its_base_was_written():
    source = """import torch

weight = torch.nn.Parameter(torch.ones(2))
with torch.no_grad():
    row = weight[0]
weight.sum().backward()
torch.optim.SGD([weight], lr=0.5).step()
print(float(weight[0]))
"""
    found = traced("program.py", source)[0]
    row = found.steps[-1].tensors["row"]
    assert (found.notes, row.value, row.version) == ([], 0.5, 1)


@pytest.mark.parametrize(
    "made, write",
    [
        ("torch.zeros(100)", "x.data[3] = 1"),
        ("torch.zeros(100)", "x.numpy()[3] = 1"),
        ("torch.zeros(10, 10).t()", "x.data[3, 3] = 1"),
        ("torch.zeros(100).expand(2, 100)[0]", "x.data[3] = 1"),
        ("torch.zeros(5000)", "x.numpy()[3] = 1"),
        ("torch.zeros(100, dtype=torch.int64)", "x.numpy()[3] = 1"),
        ("torch.zeros(100, dtype=torch.bfloat16)", "x.data[3] = 1"),
    ],
)
def test_a_write_that_raises_no_version_is_seen_in_what_has_more_elements_than_are_listed(made, write):
    before, after = (one.tensors["x"] for one in steps_of(f"import torch\nx = {made}\n{write}\n")[-2:])
    assert (before.version, before.value.max) == (after.version, 0) and after.value.max == 1


def test_tensors_that_a_transform_wraps_are_read_as_before():
    source = "import torch\ndef f(x):\n    y = x * 2\n    return y.sum()\ng = torch.func.grad(f)(torch.ones(100))\nh = torch.vmap(f)(torch.ones(2, 100))\n"
    assert steps_of(source)[-1].tensors["h"].value == [200, 200]
