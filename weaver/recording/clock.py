"""Which line made a node: torch numbers nodes as they are made, in each thread."""

from _thread import get_ident
from bisect import bisect_right

from weaver.recording.nodes import Turn
from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.torch_private import next_sequence_number

NOBODY: Turn = [-1]
REMEMBERED = 10_000  # lines that made nodes


class Clock:
    """Maps the sequence numbers of nodes, by thread, to the turns in which they were made."""

    def __init__(self) -> None:
        self._threads: dict[int, tuple[list[int], list[Turn]]] = {}

    def mark(self, turn: Turn | None) -> None:
        """Note that from now on nodes are made in this turn, None if in one that is no step's."""
        number = next_sequence_number()
        if number is None:
            return
        starts, turns = self._threads.setdefault(get_ident(), ([-1], [NOBODY]))
        if starts[-1] == number:
            turns[-1] = turn or NOBODY
            return
        starts.append(number)
        turns.append(turn or NOBODY)
        if len(starts) > REMEMBERED:
            del starts[1 : REMEMBERED // 2], turns[1 : REMEMBERED // 2]
            turns[0] = NOBODY

    def turn(self, number: int) -> Turn | None:
        """Return the turn in which a node with this sequence number was made; None where nobody can tell."""
        starts, turns = self._threads.get(get_ident(), ((), ()))
        return turns[bisect_right(starts, number) - 1] if turns else None
