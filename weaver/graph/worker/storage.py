"""Which tensors lie in the same storage, and on which of its elements, as a program left them."""

from itertools import product

from weaver.graph.recorded import Lying, Memory, write
from weaver.graph.variables import evaluate

LARGEST = 12  # elements of the largest storage that is drawn


def see(argument: str, namespace: dict) -> str:
    """Return the `Memory` of the tensors `a, b` as the program left them, as JSON.

    Raises ValueError for a storage that is too large, TypeError for what is no tensor, and what
    evaluating raises.
    """
    from torch import empty  # when torch is there

    from weaver.graph.worker import tensors as t
    from weaver.graph.worker import torch_private as private
    from weaver.graph.worker.values import number

    storages, tensors = {}, []
    named = list(evaluate(argument, namespace))
    with private.no_dispatch(), private.no_torch_function():
        for name, tensor in named:
            if not t.is_tensor(tensor):
                raise TypeError(f"{name} isn't a tensor")
            storage = t.untyped_storage(tensor)
            flat = t.set_storage(empty(0, dtype=t.dtype(tensor), device=t.device(tensor)), storage)
            if t.numel(flat) > LARGEST:
                raise ValueError(f"the storage of {name} has {t.numel(flat)} elements, more than {LARGEST}")
            address = t.storage_address(storage)
            storages.setdefault(address, tuple(map(number, t.tolist(flat))))
            steps = [
                [i * stride for i in range(size)]
                for size, stride in zip(t.shape(tensor), t.stride(tensor), strict=True)
            ]
            elements = tuple(t.storage_offset(tensor) + sum(at) for at in product(*steps))
            tensors.append(Lying(name, list(storages).index(address), elements, private.version(tensor)))
    return write(Memory(tuple(storages.values()), tuple(tensors)))
