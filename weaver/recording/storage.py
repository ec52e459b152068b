"""Which tensors lie in the same storage, and on which of its elements, as a program left them."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from torch import empty

from weaver.recording import tensors as t
from weaver.recording.calculation import number
from weaver.recording.facts import aside, plain
from weaver.recording.identity import Storages
from weaver.recording.memory import Covered, Memory
from weaver.recording.torch_private import version

LARGEST = 12  # elements of the largest storage that is drawn


def memory(named: Mapping[str, Any]) -> Memory:
    """Return the storages of tensors, by their names.

    Raises ValueError for a storage that is too large, TypeError for what is no tensor.
    """
    numbers, storages, tensors = Storages(), {}, []
    with aside():
        for name, tensor in named.items():
            if not t.is_tensor(tensor):
                raise TypeError(f"{name} isn't a tensor")
            flat = empty(0, dtype=t.dtype(tensor), device=t.device(tensor))
            flat = t.set_storage(flat, t.untyped_storage(tensor))
            if t.numel(flat) > LARGEST:
                raise ValueError(f"the storage of {name} has {t.numel(flat)} elements, more than {LARGEST}")
            storage = numbers.number(tensor)
            storages[storage] = tuple(number(plain(one)) for one in t.tolist(flat))
            steps = [
                [i * stride for i in range(size)]
                for size, stride in zip(t.shape(tensor), t.stride(tensor), strict=True)
            ]
            elements = tuple(t.storage_offset(tensor) + sum(at) for at in product(*steps))
            tensors.append(Covered(name, list(storages).index(storage), elements, version(tensor)))
    return Memory(tuple(storages.values()), tuple(tensors))
