"""The global random generators: which of them a program draws from though nothing seeded them."""

import random
import sys

SEED = 0x5EED0F0A  # a seed no program sets: a generator that still has it was never seeded


class Generators:
    """Python's and NumPy's generators, and torch's, in a known state to begin with.

    Without `with_torch` it isn't loaded, and not looked at.
    """

    def __init__(self, seed: int, with_torch: bool):
        import numpy.random

        known = SEED + seed
        self.torch_seed = known if with_torch else None
        if with_torch:
            import torch

            torch.manual_seed(known)
        random.seed(known)
        numpy.random.seed(known % 2**32)
        self.numpy = numpy.random.get_state
        self.before = self._words()

    def _words(self):
        """Return the 624 words and the position of Python's and NumPy's Mersenne twisters."""
        python, numpy = random.getstate()[1], self.numpy()
        return {"random": (python[:-1], python[-1]), "numpy": (tuple(numpy[1].tolist()), numpy[2])}

    def drawn_from(self) -> list[str]:
        """Return the names of the generators that were drawn from though nothing seeded them."""
        moved = ["torch"] if self._torch_moved() else []
        for name, now in self._words().items():
            if now != self.before[name] and self._reaches(self.before[name], now):
                moved.append(name)
        return moved

    def _torch_moved(self):
        torch = sys.modules.get("torch")
        if torch is None or self.torch_seed is None:
            return False
        if torch.default_generator.initial_seed() != self.torch_seed:
            return False
        fresh = torch.Generator().manual_seed(self.torch_seed).get_state()
        return not bool((torch.default_generator.get_state() == fresh).all())

    @staticmethod
    def _reaches(before, now, rounds=512):
        """Tell whether drawing from the twister `before` leads to `now`, within `rounds` refills."""
        twin = random.Random()
        twin.setstate((3, (*before[0], before[1]), None))
        for _ in range(rounds):
            if twin.getstate()[1][:-1] == now[0]:
                return True
            for _ in range(624):
                twin.getrandbits(32)
        return False
