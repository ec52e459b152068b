"""A trace with fewer steps."""

from support.trace.warm import traced

from weaver.player.shorten import shorten


def test_what_a_kept_step_is_cut_off_from_stays_also_without_a_name():
    source = "import torch\nw = torch.ones(2, requires_grad=True)\ndef f():\n    return (w * 2).exp()\ny = f().detach()\nprint(y)\n"
    trace = traced("program.py", source)[0]
    kept = [at for at, step in enumerate(trace.steps) if step.line != 4]
    short = shorten(trace, kept)
    [edge] = [edge for edge in short.edges if edge.why == "detach"]
    assert edge.end == short.steps[-1].tensors["y"].place
    assert edge.start.partition(".")[0] in {node.id for node in short.nodes}


HOOKED = """import torch
w = torch.ones(2, requires_grad=True)
def hook(grad):
    return grad * 2
y = w * 3
y.register_hook(hook)
y.exp().sum().backward()
"""


def test_of_a_pass_that_a_hook_parts_in_two_both_are_brief_so_that_no_node_is_left_out_unsaid():
    trace = traced("program.py", HOOKED)[0]
    every = range(len(trace.steps))
    [inner] = [at for at in every if trace.steps[at].line == 4]
    assert trace.steps[inner].events and trace.steps[-1].events
    short = shorten(trace, every, brief=[inner])
    assert [event.kind for event in short.steps[inner].events] == ["start"]
    assert {event.kind for event in short.steps[-1].events} == {"visit"}
    assert all((event.node or "")[0] == "l" for event in short.steps[-1].events)
    assert short.steps[-1].skipped == 4
