"""What torch keeps to itself and the recorder relies on: each reliance asked of torch."""

import pytest
import torch

from weaver.recording import tensors
from weaver.recording import torch_private as private


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
    assert value.item() == 3.0 and problem is None
    torch.autograd.backward(torch.ones((), requires_grad=True).sin())
    y = torch.ones((), requires_grad=True).exp()
    y.backward()
    problem = private.unpack(y.grad_fn, "_saved_result")[1]
    assert private.is_freed(problem) and private.versions(problem) is None


def test_the_version_that_was_met_is_read_from_what_torch_says():
    y = torch.ones((), requires_grad=True).exp()
    with torch.no_grad():
        y += 1
    assert private.version(y) == 1
    assert private.versions(private.unpack(y.grad_fn, "_saved_result")[1]) == (0, 1)


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
    address, view, other = (private.storage_address(one.untyped_storage()) for one in (x, x[1:], x.clone()))
    assert address == view != other


def test_the_door_leads_every_backward_past_us_and_closes():
    door, seen = private.EngineDoor(), []
    before = torch.autograd._engine_run_backward

    def backward(*args, **kwargs):
        seen.append("backward")
        return door.engine(*args, **kwargs)

    door.open(backward)
    try:
        x = torch.ones((), requires_grad=True)
        x.exp().backward()
        torch.autograd.grad(x.exp(), x)
    finally:
        door.close()
    assert seen == ["backward", "backward"]
    assert torch.autograd._engine_run_backward == before


def test_the_innermost_mode_is_the_last_that_was_entered():
    class Mode(private.TorchDispatchMode):
        pass

    with Mode() as outer:
        assert private.is_innermost(outer)
        with Mode() as inner:
            assert private.is_innermost(inner) and not private.is_innermost(outer)


def test_the_members_of_a_module_are_found_without_asking_it():
    model = torch.nn.BatchNorm1d(2)
    model.inner = torch.nn.Linear(1, 1)
    assert list(private.module_members(vars(model))) == [
        *("weight", "bias", "running_mean", "running_var", "num_batches_tracked", "inner")
    ]


def test_what_an_lstm_works_in_is_known_by_its_name():
    node = torch.nn.LSTM(1, 1)(torch.ones(1, 1, 1))[0].grad_fn
    found = [one for one in private.saved_attributes(node) if private.is_workspace(node, one)]
    assert found == ["_saved_result3"] * ("Mkldnn" in tensors.node_name(node))


def test_a_storage_that_died_is_known_to_be_dead():
    x = torch.ones(2)
    reference = private.StorageWeakRef(x.untyped_storage())
    assert not reference.expired()
    del x
    assert reference.expired()


def test_the_door_leads_every_custom_forward_past_us_and_closes():
    door, seen = private.ForwardDoor(), []
    before = torch.autograd.Function.__dict__["apply"]

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append("forward")
            return x * 2

    def apply(function, *args):
        seen.append("apply")
        return door.forward(function, *args)

    door.open(apply)
    try:
        Double.apply(torch.ones(()))
    finally:
        door.close()
    assert seen == ["apply", "forward"] and torch.autograd.Function.__dict__["apply"] == before


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
