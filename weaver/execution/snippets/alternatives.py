"""The complete programs that the alternatives in a file make: of two places, every combination."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from weaver.execution.snippets.offers import Place
from weaver.execution.snippets.spots import meaning
from weaver.problem import Problem, nearest, quoted

MOST_VARIANTS = 24


@dataclass(frozen=True)
class Version:
    """A complete program: what was chosen at each place, its code, and the error that it announces.

    `origin` are the lines of the file that its lines are from, `ends` for each place its last line here.
    """

    choice: tuple[int, ...]
    code: str
    raises: str | None
    origin: tuple[int, ...]
    ends: tuple[int, ...]


def versions(source: str, raises: str | None, found: tuple[Place, ...], path: str) -> Iterator[Version]:
    """Yield the program of each choice, in order; `raises` is what the file's first line announces.

    Raises Problem for what is no Python, for two that are equal, and for too many.
    """
    choices = list(product(*(range(len(place.options)) for place in found)))
    if len(choices) > MOST_VARIANTS:
        where, most = f"{path}:{found[0].line}", f"at most {MOST_VARIANTS} are allowed"
        raise Problem(f"{where}: {len(choices)} variants; {most}. Offer fewer.")
    _check_conditions(found, path)
    known: dict[str, str] = {}
    for choice in choices:
        version = _version(source, raises, found, choice)
        changed = [place for place, at in zip(found, choice, strict=True) if at != place.own]
        where = f"{path}:{changed[-1].line if changed else found[0].line}"
        label = label_of(found, choice)
        meaning = _meaning(version, label, where)
        if meaning in known:
            raise Problem(
                f"{where}: {quoted(label)} makes the same program as {quoted(known[meaning])}. Remove one."
            )
        known[meaning] = label
        yield version


def label_of(found: Iterable[Place], choice: Iterable[int]) -> str:
    """Return what was chosen, in words: `x.detach() * x`; of two places, both."""
    return "; ".join(place.options[at].text for place, at in zip(found, choice, strict=True))


def _version(source: str, raises: str | None, found: tuple[Place, ...], choice: tuple[int, ...]) -> Version:
    at = {place.line: index for index, place in enumerate(found)}
    hidden = {line for place in found for line in range(place.line + 1, place.last + 1)}
    code: list[str] = []
    origin: list[int] = []
    ends = [0] * len(found)
    for number, line in enumerate(source.split("\n"), 1):
        if number in hidden or (number == 1 and raises):
            continue
        index = at.get(number)
        new = [line] if index is None else found[index].lines(choice[index])
        code += new
        origin += [number] * len(new)
        if index is not None:
            ends[index] = max(len(code), 1)
    announced = _announced(raises, found, choice)
    return Version(choice, "\n".join(code), announced, tuple(origin), tuple(ends))


def _announced(raises: str | None, found: tuple[Place, ...], choice: tuple[int, ...]) -> str | None:
    """Return the error that a choice announces: that of the file if it is its own, else an alternative's."""
    if all(at == place.own for place, at in zip(found, choice, strict=True)):
        return raises
    chosen = [place.options[at] for place, at in zip(found, choice, strict=True)]
    for option in reversed(chosen):
        others = {other.text for other in chosen if other is not option}
        if option.raises and (option.given is None or option.given in others):
            return option.raises
    return None


def _check_conditions(found: tuple[Place, ...], path: str) -> None:
    """Raise Problem for an error declared with an alternative that the other place doesn't offer."""
    for place in found:
        others = [option.text for other in found if other is not place for option in other.options]
        for option in place.options:
            if option.given is not None and option.given not in others:
                near = nearest(option.given, others)
                raise Problem(
                    f"{path}:{place.line}: no other place offers `{option.given}`. Name an alternative of "
                    f"the other place after `with`.{near}"
                )
            if option.raises and place.options[place.own] is option and not option.given:
                raise Problem(
                    f"{path}:{place.line}: declare the unmodified program's error on its first line: "
                    f"`# raises: {option.raises}`."
                )


def _meaning(version: Version, label: str, where: str) -> str:
    """Return what is equal for programs that do the same. Raises Problem if it is no Python."""
    try:
        return meaning(version.code)
    except SyntaxError as error:
        if version.raises and version.raises in ("SyntaxError", "IndentationError"):
            return version.code
        problem = f"with {quoted(label)} the program isn't valid Python ({error.msg})"
        raise Problem(f"{where}: {problem}. Fix the alternative.") from None
