"""What torch keeps to itself and the recorder relies on: each reliance asked of torch."""

import pytest
import torch

from weaver.graph.worker import tensors
from weaver.graph.worker import torch_private as private


@pytest.fixture
def node():
    x = torch.tensor(3.0, requires_grad=True)
    return (x * x).grad_fn


def test_nodes_are_numbered_in_the_order_in_which_they_are_made(node):
    later = torch.ones(1, requires_grad=True).exp().grad_fn
    assert private.sequence_number(later) > private.sequence_number(node)


def test_what_a_node_saved_is_found_by_name_until_it_is_freed(node):
    assert [private.saved_name(one) for one in private.saved_attributes(node)] == ["other", "self"]
    value, problem = private.unpack(node, "_saved_self")
    assert value.item() == 3.0 and problem is None and private.holds_a_tensor(node, "_saved_self")
    torch.autograd.backward(torch.ones((), requires_grad=True).sin())
    y = torch.ones((), requires_grad=True).exp()
    y.backward()
    problem = private.unpack_again(y.grad_fn, "result")
    assert private.is_freed(problem) and private.versions(problem) is None


def test_the_version_that_was_met_is_read_from_what_torch_says():
    y = torch.ones((), requires_grad=True).exp()
    with torch.no_grad():
        y += 1
    assert private.version(y) == 1
    assert private.versions(private.unpack_again(y.grad_fn, "result")) == (0, 1)


def test_a_custom_function_is_known_and_whether_it_saved_something():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    node = Double.apply(torch.ones(1, requires_grad=True)).grad_fn
    assert tensors.is_custom(node) and private.saved_nothing(node)


def test_hooks_for_saved_tensors_are_seen_and_left_alone():
    assert not private.has_saved_tensor_hooks()
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        assert private.has_saved_tensor_hooks()


def test_hooks_of_a_tensor_are_counted_and_a_shared_storage_is_seen():
    x = torch.ones(4, requires_grad=True)
    assert not private.hooks(x)
    x.register_hook(lambda grad: None)
    assert len(private.hooks(x)) == 1
    assert private.storage(x) == private.storage(x[1:]) != private.storage(x.clone())


def test_the_doors_lead_every_backward_and_every_custom_forward_past_us_and_close():
    engine, forward, seen = private.EngineDoor(), private.ForwardDoor(), []
    before = torch.autograd._engine_run_backward, torch.autograd.Function.__dict__["apply"]

    def backward(*args, **kwargs):
        seen.append("backward")
        return engine.engine(*args, **kwargs)

    def apply(function, *args):
        seen.append("forward")
        return forward.forward(function, *args)

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    engine.open(backward)
    forward.open(apply)
    try:
        x = torch.ones((), requires_grad=True)
        x.exp().backward()
        torch.autograd.grad(x.exp(), x)
        Double.apply(x)
    finally:
        engine.close()
        forward.close()
    assert seen == ["backward", "backward", "forward"]
    assert (torch.autograd._engine_run_backward, torch.autograd.Function.__dict__["apply"]) == before


def test_a_forward_that_torch_called_is_known_from_one_that_the_program_called():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(private.in_custom_forward())
            return x * 2

    class Layer(torch.nn.Module):
        def forward(self, x):
            seen.append(private.in_custom_forward())
            return x

    seen = []
    Double.apply(Layer()(torch.ones(1, requires_grad=True)))
    assert seen == [False, True]


def test_what_torch_compile_does_to_find_a_graph_is_known():
    seen = []
    backward = torch.autograd._engine_run_backward

    def watched(*args, **kwargs):
        seen.append(private.is_compiling())
        return backward(*args, **kwargs)

    x = torch.ones(1, requires_grad=True)
    torch.autograd._engine_run_backward = watched
    try:
        torch.compile(lambda x: x * 2, backend="aot_eager")(x).backward()
    finally:
        torch.autograd._engine_run_backward = backward
    assert seen == [True, False]
