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
