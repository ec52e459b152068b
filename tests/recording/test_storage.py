"""The storages of tensors are read by torch's own methods, whatever a program made of them."""

import pytest
import torch

from weaver.recording.storage import memory

ASKED = (
    "untyped_storage", "detach", "new_empty", "set_", "tolist", "shape", "stride", "storage_offset", "_version"
)  # fmt: skip


def refuse(*_):
    raise AssertionError("the program's own code was asked")


def test_none_of_a_tensors_own_code_runs():
    names = {name: property(refuse) for name in ASKED}
    hostile = type("Hostile", (torch.Tensor,), {**names, "__torch_function__": classmethod(refuse)})
    plain = torch.arange(4.0)
    tensor = torch.Tensor.as_subclass(plain, hostile)
    found = memory({"x": tensor, "y": plain[1:]})
    assert found == memory({"x": plain, "y": plain[1:]})
    assert found.storages == (("0", "1", "2", "3"),)


def test_what_is_no_tensor_is_refused():
    with pytest.raises(TypeError, match="x isn't a tensor"):
        memory({"x": type("Like", (), {"untyped_storage": None})()})
