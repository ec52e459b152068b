"""Watching changes nothing, whatever a program's objects do, and says so where it sees less."""

import subprocess
import sys

import pytest
from support.trace.warm import plain, traced

from weaver.player.words import note
from weaver.tracing.run import Program, trace

SUBCLASS = "import torch\nclass T(torch.Tensor):\n{}\nx = torch.ones(2).as_subclass(T)\ny = x.requires_grad_()\nz = (y * 2).sum()\nz.backward()\nprint('end')\n"
RAISES = "    {0} = property(lambda self: print('{0} was asked'))\n"
HOSTILE = {
    **{
        name: SUBCLASS.format(RAISES.format(name))
        for name in ("shape", "grad_fn", "requires_grad", "is_leaf", "dtype", "layout", "grad", "_version")
    },
    **{
        name: SUBCLASS.format(
            f"    def {name}(self, *a, **k): print('{name} was called'); raise ValueError\n"
        )
        for name in ("tolist", "numel", "is_inference", "__eq__", "__repr__", "__bool__", "__len__")
    },
    "getattribute": SUBCLASS.format(
        "    def __getattribute__(self, name): print(name, 'was asked'); return super().__getattribute__(name)\n"
    ),
    "class": SUBCLASS.format(
        "    __class__ = property(lambda self: print('its class was asked') or torch.Tensor)\n"
    ),
    "torch_function": SUBCLASS.format(
        "    @classmethod\n    def __torch_function__(cls, f, types, args=(), kwargs=None):\n"
        "        print(getattr(f, '__name__', f))\n        return super().__torch_function__(f, types, args, kwargs or {})\n"
    ),
    "patched tolist": "import torch\ntorch.Tensor.tolist = torch.Tensor.numel = None\nx = torch.ones(2, requires_grad=True)\n(x * 2).sum().backward()\nprint('end')\n",
    "ctx": "import torch\nclass C(torch.autograd.Function):\n  @staticmethod\n  def forward(ctx, x):\n    ctx.name = 'c'; ctx.variable = x; ctx._saved_x = 3\n    return x * 2\n"
    "  @staticmethod\n  def backward(ctx, g):\n    return g * 2\nx = torch.ones(1, requires_grad=True)\nC.apply(x).backward()\nprint(x.grad)\n",
    "object": "import torch\nclass Meta(type):\n  def __getattribute__(c, n): print(n, 'of the class'); return super().__getattribute__(n)\n"
    "class A(metaclass=Meta):\n  def __getattribute__(s, n): print(n); raise ValueError\n  __dict__ = property(lambda s: print('its dict'))\na = A()\nb = [A()]\nc = {'k': a}\nprint('end')\n",
    "module": "import torch\nclass M(torch.nn.Module):\n  def __init__(s):\n    super().__init__(); s.w = torch.nn.Parameter(torch.ones(1))\n"
    "  def __getattribute__(s, n): print(n); return super().__getattribute__(n)\nm = M()\nprint('end')\n",
    "containers": "import torch\nclass L(list):\n  def __len__(s): print('len'); return 9\nclass D(dict):\n  def __len__(s): print('len'); return 9\n"
    "  def __eq__(s, o): print('eq')\na, b = L([torch.ones(1)]), D(k=torch.ones(1))\nglobals()[1] = torch.ones(1)\nprint('end')\n",
    "error": "class E(Exception):\n  def __str__(self): print('told'); return 'text'\ntry:\n  raise E\nexcept E:\n  print('caught')\ntry:\n  raise ValueError(type('R', (), {'__repr__': lambda s: print('asked')})())\nexcept ValueError:\n  pass\nraise E\n",
    "hook": "import torch\nclass H:\n  def __getattr__(self, name): print(name); raise AttributeError(name)\n  def __call__(self, g): return g * 2\nx = torch.ones(1, requires_grad=True)\nx.register_hook(H())\n(x * 2).backward()\nprint(x.grad)\n",
    "finaliser": "import gc, torch\nclass F:\n  def __init__(s): s.me = s\n  def __del__(s): seen.add(torch.is_grad_enabled())\nseen = set()\ngc.set_threshold(5)\nfor i in range(50):\n  F(); x = torch.ones(1)\ngc.collect()\nprint(seen)\n",
    "functions": "import os, time, math, weakref, ast, sys\nos.fstat = os.stat = os.pread = os.open = time.thread_time = math.isfinite = weakref.ref = ast.walk = None\nimport torch\nx = torch.ones(1)\nprint('end')\n",
    "traceback": "import torch, traceback\nx = torch.ones(1, requires_grad=True)\ny = x**2\nfor call in (y.backward, lambda: torch.autograd.grad(y, x), y.backward):\n"
    "  try:\n    call()\n  except RuntimeError as error:\n    traceback.print_exc(); print(len(traceback.extract_tb(error.__traceback__)))\nprint('end')\n",
    "json": "import json\njson.dumps = json.loads = json.JSONEncoder = None\nprint('end')\n",
}


def printed(source, found):
    return (
        "".join((step.gap.printed if step.gap else "") + step.printed for step in found.steps)
        + found.printed_at_end
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_of_the_program_runs_because_it_is_watched(name):
    source = HOSTILE[name]
    error, said, _ = plain("program.py", source)
    found = traced("program.py", source)[0]
    assert (found.error, printed(source, found), found.notes) == (error, said, [])
    assert found.steps[-1].line == len(source.splitlines()) or error


BROKEN = {
    "builtins": "import builtins\nx = 1\nfor name in ('len', 'isinstance', 'type', 'getattr', 'sorted', 'map', 'open', 'next', 'str', 'issubclass'):\n  setattr(builtins, name, None)\nx = 2\n",
    "descriptors": "import os, sys\nprint('said')\nsys.stdout.flush()\nos.closerange(0, 256)\nx = 2\n",
    "stdout": "import sys\nprint('said')\nsys.stdout = sys.stderr = None\nx = 2\n",
    "excepthook": "import sys\nsys.excepthook = None\nraise ValueError('\\ud800')\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_a_program_breaks_the_recorder_does_without(name, tmp_path):
    path = tmp_path / "p.py"
    path.write_text(BROKEN[name])
    alone = subprocess.run([sys.executable, path], capture_output=True, text=True)
    found = trace(Program(path))[0]
    assert found.steps[-1].line == len(BROKEN[name].splitlines())
    assert (found.stopped, found.notes) == (None, [])
    assert printed(path, found) == alone.stdout
    assert found.error == (r"ValueError: \ud800" if name == "excepthook" else None)


def test_a_program_that_sets_the_trace_function_is_told_about():
    source = "import sys\nx = 1\nkept = sys.gettrace()\nsys.settrace(None)\nx = 2\nx = 3\n"
    found = traced("program.py", source)[0]
    assert [(one.why, one.line) for one in found.notes] == [("settrace", 4)]
    assert note(found.notes[0]) == (
        "On line 4, Python stopped calling the recorder: the program set its own trace function, as debuggers and coverage tools do, or ran out of stack. Lines that ran after it may be missing."
    )


def test_a_failure_of_the_recorder_is_a_sentence_and_the_program_goes_on(monkeypatch):
    from weaver.recording import reach

    source = "import torch\nx = 1\nx = torch.ones(1)\nprint('end')\n"
    monkeypatch.setattr(reach.Reach, "_add", None)
    found = traced("program.py", source)[0]
    assert [step.line for step in found.steps] == [1, 2]
    assert printed(source, found) == "end\n"
    assert note(found.notes[0]) == (
        "Recording failed after line 3 with TypeError: 'NoneType' object is not callable. Nothing after that is shown."
    )


def test_a_signal_that_arrives_while_something_is_noted_raises_in_the_program(monkeypatch):
    from weaver.recording import reach

    source = "import signal\ndef late(*_):\n  raise TimeoutError\nsignal.signal(signal.SIGALRM, late)\ntry:\n  x = 1\n  x = 2\nexcept TimeoutError:\n  print('late')\n"
    plainly = reach.Reach.find

    def find(self, names):
        import signal

        if names.get("x") == 1:
            signal.raise_signal(signal.SIGALRM)
        return plainly(self, names)

    monkeypatch.setattr(reach.Reach, "find", find)
    found = traced("program.py", source)[0]
    assert (found.error, [(one.why, one.line) for one in found.notes]) == (None, [("interrupted", 6)])
    assert printed(source, found) == "late\n"


def test_all_modules_of_a_container_are_heard_of_where_the_first_has_too_many_tensors():
    from torch import nn

    from weaver.recording.limits import Limits
    from weaver.recording.reach import Reach

    heard = []
    reach = Reach({}, Limits(tensors=2), on_crowded=lambda name, module: heard.append(name))
    models = {"body": nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)), "head": nn.Linear(2, 1)}
    found, hidden = reach.find({"models": models, "more": [nn.Linear(1, 1)]})
    assert [*found] == ["models['body'].0.weight", "models['body'].0.bias"]
    assert heard == ["models['body'].0", "models['body'].1", "models['body']", "models['head']", "more[0]"]
    assert hidden == {"models": 1}
