"""Numbers for tensors and storages; one that died never gives its number to another."""

from collections.abc import Iterator
from itertools import count
from weakref import ref

from torch import Tensor

from weaver.recording import tensors as t
from weaver.recording import torch_private as private
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401


class Identity:
    """Numbers for tensors, which live no longer for it."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[ref, int]] = {}  # id(tensor) -> (weak reference, its number)
        self.given = 0  # numbers so far

    def number(self, tensor: Tensor) -> int:
        """Return the tensor's number."""
        reference, number = self._known.get(id(tensor), (None, -1))
        if reference is None or reference() is not tensor:
            number = self.given
            self.given += 1
            self._known[id(tensor)] = ref(tensor), number
        return number

    def alive(self) -> Iterator[Tensor]:
        """Yield the tensors that have a number and are still there, in the order of their first sight."""
        for reference, _ in list(self._known.values()):
            if (tensor := reference()) is not None:
                yield tensor

    def forget_the_dead(self) -> None:
        """Drop what is kept of tensors that are gone."""
        self._known = {key: known for key, known in self._known.items() if known[0]() is not None}


class Storages:
    """Numbers for storages."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[private.StorageWeakRef, int]] = {}
        self._count = count()

    def number(self, tensor: Tensor) -> int | None:
        """Return the number of the tensor's storage, None if it has none."""
        try:
            storage = t.untyped_storage(tensor)
        except (RuntimeError, NotImplementedError):
            return None
        address = private.storage_address(storage)
        reference, number = self._known.get(address, (None, -1))
        if reference is None or reference.expired():
            reference, number = private.StorageWeakRef(storage), next(self._count)
            self._known[address] = reference, number
        return number

    def forget_the_dead(self) -> None:
        """Drop what is kept of storages that are gone."""
        self._known = {key: known for key, known in self._known.items() if not known[0].expired()}
