"""The lab: a program in cells, which run one after the other in one kernel; and what came of it."""

from dataclasses import dataclass
from typing import Any, ClassVar

from weaver.execution.contract import Outcome


@dataclass(frozen=True)
class Lab:
    """The program of a lab: its name, `labs/gan`, and the code of its cells."""

    name: str
    cells: tuple[str, ...]


class LabOutcome(Outcome, frozen=True, kw_only=True):
    """What came of a lab.

    Of each cell `outputs` has the outputs as nbformat describes them, and `html` the same as HTML,
    in which pictures have no description yet; `pictures` are those, by file name, as SVG. `failed` is
    the number of the cell that the failure speaks of, from 1, or None if it is the lab; `line` is that
    of the cell, from 1, where it raised.
    """

    noun: ClassVar[str] = "lab"
    outputs: tuple[list[dict[str, Any]], ...] = ()
    html: tuple[str, ...] = ()
    pictures: dict[str, bytes] = {}
    failed: int | None = None
    line: int | None = None


def printed(outputs: list[dict[str, Any]]) -> str:
    """Return what a cell's outputs say in text, of those that nbformat describes so."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
    pictures = ["image/png" in output.get("data", {}) for output in outputs]
    return "".join(
        text if text.endswith("\n") else f"{text}\n"
        for text, picture in zip(texts, pictures, strict=True)
        if text and not picture
    )
