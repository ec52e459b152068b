"""What is recorded and drawn of torch's own operators."""

import pytest
from support.sampled import param
from support.trace.operators import check, operators
from support.trace.warm import forked

PARTS = 16  # of all operators; each run has a FEW
FEW = (
    "max.reduction_with_dim",
    "split.list_args",
    "index_put",
    "fft.rfft",
    "linalg.eigh",
    "nn.functional.layer_norm",
)


@pytest.mark.parametrize(
    "part", [param(None, id="few", each=True), *(param(n, id=f"part-{n}", each=False) for n in range(PARTS))]
)
def test_an_operator_is_drawn_as_its_nodes_are_and_its_gradients_are_autograd_s(part):
    def work(folder):  # in a fork, as the database changes the process that imports it
        names = FEW if part is None else [*operators()][part::PARTS]
        return [f"{name} {one}" for name in names for one in check(name).differs]

    assert forked(work) == []
