"""What people write as YAML, read through types: a sentence with its line for each mistake."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import yaml

from weaver.problem import Problem, nearest

T = TypeVar("T")
STEPS = re.compile(r"\.(\w+)|\[(\d+)\]")
NAMES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a group of keys",
    "date": "a date",
    "datetime": "a date",
    "null": "empty",
}


class Document:
    """A YAML document: `data`, and where each part of it is.

    `path` and the line `first_line` that the text begins on are for messages. Raises Problem, with the
    line, for what is no YAML and for a duplicate key.
    """

    def __init__(self, text: str, path: str, first_line: int = 1):
        self.path, self.first_line = path, first_line
        try:
            self._tree = yaml.compose(text, yaml.CSafeLoader)
            self.data: Any = yaml.load(text, yaml.CSafeLoader)
        except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            said = getattr(error, "problem", None) or str(error)
            raise Problem(
                f"{path}:{first_line + (mark.line if mark else 0)}: not valid YAML ({said}). Quote text that "
                "contains `: ` or ` #`, or begins with punctuation."
            ) from None
        if key := _duplicate(self._tree):
            line = first_line + key.start_mark.line
            raise Problem(f"{path}:{line}: duplicate key `{key.value}`. Remove one.")

    def place(self, *steps: str) -> str:
        """Return where the part is that keys and numbers lead to, as far as they lead."""
        node, line = self._tree, 0
        for step in steps:
            pairs: list[tuple[Any, Any]] = []
            if isinstance(node, yaml.SequenceNode):
                pairs = [(item, item) for item in node.value[int(step) :]]
            elif isinstance(node, yaml.MappingNode):
                pairs = [(key, value) for key, value in node.value if key.value == step]
            if not pairs:
                break
            line, node = pairs[0][0].start_mark.line, pairs[0][1]
        return f"{self.path}:{self.first_line + line}"

    def convert(self, kind: type[T], *steps: str) -> T:
        """Return the part that keys lead to as `kind`. Raises Problem with its line if it is none."""
        part = self.data
        for step in steps:
            part = part[step]
        return convert(part, kind, self.place, steps)


def convert(part: Any, kind: type[T], place: Callable[..., str], steps: tuple[str, ...] = ()) -> T:
    """Return plain data as `kind`; `place(*steps)` is where the part of it is that `steps` lead to.

    Raises Problem with the place and a sentence if the data is none of that kind.
    """
    try:
        return msgspec.convert(part, kind)
    except msgspec.ValidationError as error:
        said, _, at = str(error).partition(" - at `")
        inner = (*steps, *(key or number for key, number in STEPS.findall(at)))
        sentence = _sentence(said, ".".join(map(str, inner)), kind, at.startswith("key`"))
        raise Problem(f"{place(*inner)}: {sentence}") from None


def _sentence(said: str, path: str, kind: Any, is_of_key: bool) -> str:
    """Return what msgspec said of the part at a path, in our words, with what to do."""
    name = ("a key of " if is_of_key else "") + (f"`{path}`" if path else "this")
    if said.endswith("of length >= 1"):
        return f"{name} is empty. Write it."
    if kinds := re.fullmatch(r"Expected `([^`]+)`(?:, got `(\w+)`)?", said):
        wanted = [NAMES.get(one, one) for one in kinds[1].split(" | ") if one != "null"]
        is_plain = "text" in wanted and kinds[2] not in ("array", "object", "null")
        got = f" is {NAMES.get(kinds[2], kinds[2])}, but" if kinds[2] else ""
        repair = "Put it in quotes." if is_plain else "Fix it."
        return f"{name}{got} should be {' or '.join(wanted)}. {repair}"
    if lacks := re.fullmatch(r"Object missing required field `(.+)`", said):
        return f"{name} lacks `{lacks[1]}`. Write it."
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", said):
        return f"{name} has no `{unknown[1]}`.{nearest(unknown[1], kind.__struct_encode_fields__)}"
    return f"{name}: {said}. Fix it."


def _duplicate(tree: yaml.Node | None) -> yaml.ScalarNode | None:
    """Return the first key that is twice in one mapping; None if none is."""
    todo, done = [tree], set()
    while todo:
        node = todo.pop()
        if id(node) in done:  # an alias leads to a part again
            continue
        done.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            todo += node.value
        elif isinstance(node, yaml.MappingNode):
            keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode) and key.value != "<<"]
            names = [key.value for key in keys]
            if twice := [key for number, key in enumerate(keys) if key.value in names[:number]]:
                return twice[0]
            todo += [value for _, value in node.value]
    return None
