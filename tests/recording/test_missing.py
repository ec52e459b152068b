"""A trace in a torch that lacks something the recorder asks for: all the steps, and what isn't told."""

import json
import subprocess
import sys

RECORD = """import importlib, json, os, sys
import torch
for number, lacks in enumerate(sys.argv[2:]):  # each in a fork that hasn't loaded the recorder yet
    if not os.fork():
        break
    assert os.wait()[1] == 0
else:
    sys.exit()
owner, _, name = lacks.rpartition('.')
found = importlib.import_module('torch._C._dynamo.eval_frame') if 'dynamo' in owner else torch
for part in [] if 'dynamo' in owner else owner.split('.'):
    found = getattr(found, part)
delattr(found, name)
from weaver.recording.limits import Limits
from weaver.player.words import note
from weaver.recording.program import Script, take_output
from weaver.recording.record import Recording
with open(sys.argv[1]) as file:
    program = Script(sys.argv[1], file.read())
recording = Recording(program, Limits(), take_output(f'output{number}').path)
recording.run()
recording.stop()
trace = recording.end()
with open(f'told{number}.json', 'w') as file:
    json.dump([trace.error, [step.line for step in trace.steps], [note(one) for one in trace.notes]], file)
"""
PROGRAM = """import torch
x = torch.ones(2, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    y = (x * x).sum()
y.backward()
print(x.grad)
"""
HOOKS = "_C._autograd._top_saved_tensors_default_hooks"


LACKS = {  # what is gone -> what a note names
    HOOKS: HOOKS,
    "_C._autograd.SavedTensor.unpack_hook": HOOKS,
    "_C._DisableTorchDispatch": "_C._DisableTorchDispatch",
    "_C._get_dispatch_mode": "_C._get_dispatch_mode",
    "_C._dynamo.eval_frame.set_code_exec_strategy": None,  # skip_code is there instead
}


def test_what_torch_lacks_is_said_and_everything_else_recorded(tmp_path):
    (tmp_path / "record.py").write_text(RECORD)
    (tmp_path / "p.py").write_text(PROGRAM)
    command = [sys.executable, "record.py", "p.py", *LACKS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    for number, (lacks, told) in enumerate(LACKS.items()):
        error, lines, notes = json.loads((tmp_path / f"told{number}.json").read_text())
        assert error is None and set(lines) == set(range(1, 7)), lacks
        sentence = f"This version of torch has no torch.{told}, so some information isn't shown."
        assert notes == ([sentence] if told else []), lacks
