"""The global random generators: which of them a program draws from though nothing seeded them."""

import random
import sys
from typing import Any, cast

import numpy.random

SEED = 0x5EED0F0A  # a seed no program sets: a generator that still has it was never seeded
REFILLS = 512  # of a twister's 624 words, after which a program that draws more is believed to have seeded it
State = tuple[tuple[int, ...], int]  # a Mersenne twister's 624 words, and the position in them


class Generators:
    """Python's and NumPy's generators, and torch's if it's loaded, in a known state to begin with."""

    def __init__(self, seed: int):
        self.seed = SEED + seed
        random.seed(self.seed)
        numpy.random.seed(self.seed % 2**32)
        self.torch = sys.modules.get("torch")
        if self.torch:
            self.torch.default_generator.manual_seed(self.seed)  # `torch.manual_seed` looks for devices, too
        self.before = _twisters()

    def drawn_from(self) -> list[str]:
        """Return the names of the generators that were drawn from though nothing seeded them."""
        moved = ["torch"] if self._has_torch_moved() else []
        now = _twisters()
        return moved + [name for name, before in self.before.items() if _leads_to(before, now[name])]

    def _has_torch_moved(self) -> bool:
        if not self.torch or self.torch.default_generator.initial_seed() != self.seed:
            return False
        fresh = self.torch.Generator().manual_seed(self.seed).get_state()
        return not self.torch.default_generator.get_state().equal(fresh)


def _twisters() -> dict[str, State]:
    python, numpys = random.getstate()[1], cast(tuple[Any, ...], numpy.random.get_state())
    return {"random": (python[:-1], python[-1]), "numpy": (tuple(numpys[1].tolist()), numpys[2])}


def _leads_to(before: State, now: State) -> bool:
    """Tell whether drawing from a twister in the state `before` leads to another state, `now`."""
    if now == before:
        return False
    twin = random.Random()
    twin.setstate((3, (*before[0], before[1]), None))
    for _ in range(REFILLS):
        if twin.getstate()[1][:-1] == now[0]:
            return True
        twin.getrandbits(32 * len(now[0]))
    return False
