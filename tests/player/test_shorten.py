"""A trace with fewer steps."""

from support.trace.warm import traced

from weaver.player.shorten import shorten


def test_what_a_kept_step_is_cut_off_from_stays_also_without_a_name():
    source = "import torch\nw = torch.ones(2, requires_grad=True)\ny = (w * 2).exp().detach()\nz = w + 1\nprint(y)\n"
    trace = traced("program.py", source)[0]
    short = shorten(trace, [0, 1, 2, 4])
    [edge] = [edge for edge in short.edges if edge.why == "detach"]
    assert (edge.end, edge.start.partition(".")[0] in {node.id for node in short.nodes}) == (short.steps[2].tensors["y"].place, True)
