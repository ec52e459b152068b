"""The lab: a program in cells, which run one after the other in one kernel; and what came of it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Lab:
    """The program of a lab: its name, `labs/gan`, and the code of its cells."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of a lab.

    Of each cell `outputs` has the outputs as nbformat describes them, and `html` the same as HTML,
    in which pictures have no description yet; `pictures` are those, by file name, in base64.
    `values` and `names` are as in `result.Result`. `failure` is a sentence without its subject, or
    None; `failed` is the number of the cell that it speaks of, from 1, or None if it is the lab;
    `line` is that of the cell, from 1, where it raised.
    """

    outputs: list[list[dict[str, Any]]] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    failure: str | None = None
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
