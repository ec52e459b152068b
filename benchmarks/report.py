"""Measurements -> medians, ratios, tables. Nothing here runs or writes anything."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from operator import sub, truediv
from statistics import median

SCENES = {"cold": "cold", "unchanged": "nothing changed", "changed": "one changed"}
IMPORT = "import torch"
BEFORE = "before"  # the weaver of another commit, as a contestant


class Results:
    """All measurements: each has `contestant`, `size`, `scene`, `round`, `wall`, `cpu` and `peak`.

    Whatever is reported is a median over the rounds. A ratio or a difference is taken within
    each round, in which all met the same machine, and its median is reported.
    """

    def __init__(self, measurements: Iterable[dict]):
        self.measurements = list(measurements)
        builds = [m for m in self.measurements if m["contestant"] != IMPORT]
        self.sizes = sorted({m["size"] for m in builds})
        self.contestants = {n: [] for n in self.sizes}
        for m in builds:
            if m["contestant"] not in self.contestants[m["size"]]:
                self.contestants[m["size"]].append(m["contestant"])

    def series(self, unit: str, contestant: str, size: int = 0, scene: str = IMPORT) -> list[float]:
        """Return what was measured in each round."""
        at = (contestant, size, scene)
        return [m[unit] for m in self.measurements if (m["contestant"], m["size"], m["scene"]) == at]

    def median(self, *series: tuple, of: Callable[..., float] = float) -> float:
        """Return the median over the rounds of what `of` makes of the values of `series` in a round."""
        return median(map(of, *(self.series(*one) for one in series)))

    def ratios(self) -> list[dict]:
        """Return what matters: each has `name`, `goal` (or None), a value per N, and one `overall`."""
        exec_is_there = "markdown-exec" in self.contestants[self.sizes[0]]
        rows = []

        def add(name, goal, value):
            values = {n: value(n) for n in self.sizes}
            rows.append({"name": name, "goal": goal, "values": values, "overall": None})

        def times(other, scene):
            return lambda n: self.median(("wall", "weaver", n, scene), ("wall", other, n, scene), of=truediv)

        def beyond(n):
            builds = (("wall", name, n, "changed") for name in ("weaver", "static"))
            return self.median(*builds, ("wall", IMPORT), of=lambda weaver, *floor: weaver - sum(floor))

        if exec_is_there:
            add("cold: weaver / markdown-exec", 1.15, times("markdown-exec", "cold"))
        add("nothing changed: weaver / static", 1.05, times("static", "unchanged"))
        add("one changed: weaver - static - import torch (s)", 0.3, beyond)
        for scene, title in SCENES.items() if BEFORE in self.contestants[self.sizes[0]] else ():
            add(f"{title}: weaver / before", 1, times(BEFORE, scene))
        add("largest process of weaver (MiB)", 300, lambda n: self.peak("weaver", n))
        if len(self.sizes) > 1:
            rows.append(self._slopes("weaver", 0.02))
            rows.append(self._slopes("weaver", None, "static"))
            if exec_is_there:
                rows.append(self._slopes("markdown-exec", None))
        return rows

    def _slopes(self, contestant, goal, floor=None):
        """Return the row on the processor seconds per snippet more, without those of `floor`."""

        def slope(small, large):
            return self.slope(contestant, small, large) - (self.slope(floor, small, large) if floor else 0)

        values = {self.sizes[0]: None} | {large: slope(small, large) for small, large in pairwise(self.sizes)}
        name = f"cpu s per extra snippet: {contestant}{f' - {floor}' if floor else ''}"
        overall = slope(self.sizes[0], self.sizes[-1])
        return {"name": name, "goal": goal, "values": values, "overall": overall}

    def peak(self, contestant: str, size: int) -> float:
        """Return the MiB of the largest process in any of the scenes."""
        return max(self.median(("peak", contestant, size, scene)) for scene in SCENES)

    def slope(self, contestant: str, small: int, large: int) -> float:
        """Return the processor seconds that a cold build takes per snippet more."""
        ends = (("cpu", contestant, n, "cold") for n in (large, small))
        return self.median(*ends, of=sub) / (large - small)

    def tables(self) -> str:
        """Return the medians and the ratios as two tables, readable as they are and as Markdown."""
        head = [f"{title}: {unit}" for unit in ("s", "cpu s") for title in SCENES.values()]
        medians = [["N", "contestant", *head, "peak MiB"]]
        for n, contestants in self.contestants.items():
            for name in contestants:
                builds = [(unit, name, n, scene) for unit in ("wall", "cpu") for scene in SCENES]
                figures = [f"{self.median(build):.2f}" for build in builds]
                medians.append([n, name, *figures, f"{self.peak(name, n):.0f}"])
        wall, cpu, peak = (self.median((unit, IMPORT)) for unit in ("wall", "cpu", "peak"))
        matter = [["what matters", *(f"N={n}" for n in self.sizes), "overall", "goal"]]
        for row in self.ratios():
            shown = [_number(value) for value in (*row["values"].values(), row["overall"])]
            matter.append([row["name"], *shown, f"<= {row['goal']:g}" if row["goal"] else ""])
        alone = f"`import torch` alone: {wall:.2f} s, {cpu:.2f} cpu s, {peak:.0f} MiB."
        return f"{_table(medians)}\n\n{alone}\n\n{_table(matter)}"


def _number(value):
    return "" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.3f}"


def _table(rows):
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    rows = [rows[0], ["-" * width for width in widths], *rows[1:]]
    lines = [[str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
