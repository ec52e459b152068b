"""Which elements of which storages tensors cover, as plain data without torch."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Covered:
    """What a tensor covers of a storage: `elements` are indices into it, in the tensor's order."""

    name: str
    storage: int
    elements: tuple[int, ...]
    version: int | None


@dataclass(frozen=True, slots=True)
class Memory:
    """Storages as the texts of their elements, and the tensors that lie on them."""

    storages: tuple[tuple[str, ...], ...]
    tensors: tuple[Covered, ...]
