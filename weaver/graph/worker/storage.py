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
    from weaver.graph.worker import torch_private as private  # when torch is there
    from weaver.graph.worker.values import number

    storages, tensors = {}, []
    for name, tensor in evaluate(argument, namespace):
        if not hasattr(tensor, "untyped_storage"):
            raise TypeError(f"{name} isn't a tensor")
        storage = tensor.untyped_storage()
        flat = tensor.detach().new_empty(0).set_(storage)
        if len(flat) > LARGEST:
            raise ValueError(f"the storage of {name} has {len(flat)} elements, more than {LARGEST}")
        index = list(storages).index(storage.data_ptr()) if storage.data_ptr() in storages else len(storages)
        storages.setdefault(storage.data_ptr(), tuple(map(number, flat.tolist())))
        steps = [
            [i * stride for i in range(size)]
            for size, stride in zip(tensor.shape, tensor.stride(), strict=True)
        ]
        elements = tuple(tensor.storage_offset() + sum(at) for at in product(*steps))
        tensors.append(Lying(name, index, elements, private.version(tensor)))
    return write(Memory(tuple(storages.values()), tuple(tensors)))
