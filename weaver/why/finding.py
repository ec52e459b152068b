"""What was found in a run."""

from dataclasses import dataclass, field
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is."""

    FAILS = "fails"  # it caused an error
    WRONG = "wrong"  # it's probably not what was meant
    NOTE = "note"  # it's good to know
    FACT = "fact"  # nothing's wrong: it's what the program does


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that `line` caused. `at` is the line that shows it, if that's a different one.

    `name` and `case` choose its sentences in `words`, which `fields` fill; the step-through shows it at the
    step with the index `step`. What's said may hold for more (`is_least`) in runs that weren't watched.
    """

    name: str
    severity: Severity
    line: int
    step: int
    at: int | None = None
    case: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    is_least: bool = False
