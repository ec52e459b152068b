"""Names of parameters for a sentence, by the modules that they are in."""

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import takewhile
from types import MappingProxyType

NONE: Mapping[str, str] = MappingProxyType({})
MOST = 4  # groups that are named
MANY = 12  # names of one kind: up to so many, the first MOST say more than their modules
FEW = 2  # parameters that are named, if a group's name would say more


def _count(owners: dict[str, list[str]], depth: int) -> int:
    return len({tuple(path[:depth]) for path in owners.values()})


def groups(
    names: Iterable[str],
    count: int = 0,
    others: Mapping[str, str] = NONE,
    also: Collection[str] = (),
    every: Collection[str] = (),
    is_least: bool = False,
) -> str:
    """Return parameters' names for a sentence, the largest modules first: `model.encoder.*` (12).

    If they're in several groups, but all in modules with one name, it's that: `net.*.skip.*` (8). If that's
    more than MOST groups, or if not all of their `count` have a name, it ends with their number. Of a group
    without a name for all there may be more: `model.encoder.*` (12+). If `others`, names of further
    leaves, are in a group, it says of how many these are: `model.encoder.*` (11 of 12), or only (11+) if some
    `also` have another name in it. `every` are all leaves' names: a pattern that others fit too isn't used.
    If it `is_least`, there may be more of them.
    """
    parts = {name: re.findall(r"\[[^\]]*\]|[^.\[]+", name) for name in sorted({*names} - {""})}
    lasts, firsts = ({path[at] for path in parts.values()} for at in (-1, 0))
    if len(lasts) == len(firsts) == 1 and len(parts) > MOST:  # weights without the biases
        columns = zip(*parts.values(), strict=False)
        shared = _joined(one[0] for one in takewhile(lambda one: len({*one}) == 1, columns))
        alike = {one for one in every if _is_in(shared, one) and one.endswith(f".{min(lasts)}")}
        if alike <= parts.keys():
            return f"`{shared}.*.{min(lasts)}` ({len(parts)})"
        if len(parts) <= MANY:
            return ", ".join(f"`{name}`" for name in [*parts][:MOST]) + f", … ({len(parts)})"
    owners = {name: path[:-1] or path for name, path in parts.items()}
    depth = max(map(len, owners.values()), default=0)
    least = 2 if any(path[0] == "self" for path in owners.values()) else 1  # which says nothing
    while depth > least and _count(owners, depth) > MOST:
        if _count(owners, depth - 1) == 1 and depth - 1 <= least:  # the whole model
            break
        depth -= 1
    found: dict[str, list[str]] = {}
    for name, path in owners.items():
        found.setdefault(_joined(path[:depth]), []).append(name)
    largest = sorted(found.items(), key=lambda one: -len(one[1]))
    count = max(count, len(parts))
    # What they share says more where their modules are too many to name, or have other parameters as well
    is_partial = any(_is_in(group, name) for group in found for name in others)
    is_shared = len(found) > MOST or (len(found) > 1 and len(parts) > MOST and is_partial)
    if is_shared and count == len(parts) and (part := _shared([*owners.values()])):
        return f"`{part}.*` ({count})"
    plus = "+" if is_least or count > len(parts) else ""
    shown = [
        ", ".join(f"`{name}`" for name in all)
        if len(all) == 1 or (len(all) <= FEW and any(_is_in(group, one) for one in (*found, *others)))
        else f"`{group}.*` ({_of(group, all, others, also).removesuffix(plus)}{plus})"
        for group, all in largest
    ]
    text = ", ".join(shown[:MOST])
    if len(shown) > MOST or count > len(parts):
        return f"{text}, … ({count}{'+' * is_least})"
    return f"{text}, …" if is_least and "+)" not in text else text


def _shared(paths: list[list[str]]) -> str:
    """Return what all paths have beside their beginning, such as `net.*.skip`; "" if they share no more."""
    columns = zip(*paths, strict=False)
    begin = [one[0] for one in takewhile(lambda one: len({*one}) == 1, columns)]
    within = set.intersection(*({*path[len(begin) :]} for path in paths))
    part = next((one for one in paths[0][len(begin) :] if one in within and one.isidentifier()), "")
    return f"{_joined(begin)}.*.{part}" if part and begin else ""


def _joined(path: Iterable[str]) -> str:
    return ".".join(path).replace(".[", "[")


def _of(group: str, names: list[str], others: Mapping[str, str], also: Collection[str]) -> str:
    more = len({leaf for name, leaf in others.items() if _is_in(group, name)})
    is_sure = not any(_is_in(group, name) for name in {*also} - {*names})
    return f"{len(names)} of {len(names) + more}" if more and is_sure else f"{len(names)}{'+' * bool(more)}"


def _is_in(group: str, name: str) -> bool:
    return name.startswith((f"{group}.", f"{group}["))
