"""The alternatives that a program offers behind its lines, and the complete programs that they make.

    y = x * x.detach()  # or: x * x | x.detach() * x
    w = torch.tensor(2.0, requires_grad=True)  # values: -1.0, 0.0, 2.0
    z = w.detach().clone()  # instead of .detach(): nothing
    z.backward()  # or: z.backward(retain_graph=True) raises RuntimeError

The file is a program as it stands: that is the first variant. An alternative stands for what is marked,
or for the value of its line, or for the whole line, if it is a statement.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from weaver.problem import Problem, nearest

MOST_PLACES, MOST_VARIANTS = 2, 24
OFFER = re.compile(
    r"# (?:or|(?P<number>values)(?: of (?P<figure>.+?))?|instead of (?P<part>.+?)): +(?P<rest>\S.*)"
)
ALMOST = re.compile(r"#\s*(?:or|values?(?:\s+of\b.*?)?|instead(?:\s+of\b.*?)?)\s*:", re.IGNORECASE)
OPTION = re.compile(r"(?P<text>.+?)(?: raises (?P<raises>[A-Za-z_]\w*)(?: with (?P<given>.+))?)?")
NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
NOTHING = "nothing"
USAGE = "`# or: x * x | x + x`, `# instead of .detach(): nothing` or `# values: -1.0, 0.0, 1.0`"
HOLLOW = (ast.With, ast.While, ast.If, ast.For)  # what a line that ends with a colon may begin


@dataclass(frozen=True)
class Option:
    """One of a place's alternatives: its text, and the error that it announces.

    `given` is the alternative of the other place with which alone that error comes; None: with each.
    """

    text: str
    raises: str | None = None
    given: str | None = None


@dataclass(frozen=True)
class Place:
    """A line of a file that offers alternatives: what stands before and behind the part that they replace.

    `options` are in the order in which they are shown, `own` the number of the program's own among them;
    `is_number` says that they are numbers, and in order.
    """

    line: int
    before: str
    after: str
    options: tuple[Option, ...]
    own: int
    is_number: bool

    @property
    def around(self) -> str:
        """The line, with dots in the place of what is replaced."""
        whole = f"{self.before.strip()} … {self.after.strip()}".strip()
        return re.sub(r"(?<=[(\[.]) | (?=[).\],])", "", whole) if self.before.strip() + self.after else ""

    def lines(self, choice: int) -> list[str]:
        """Return the program's lines if an alternative is chosen; statements between `;` have one each."""
        text = self.options[choice].text
        code = self.before + ("" if text == NOTHING else text) + self.after
        if not code.strip():
            return []
        indent = code[: len(code) - len(code.lstrip())]
        try:
            statements = ast.parse(code.strip()).body
        except SyntaxError:
            return [code]
        if len(statements) < 2:
            return [code]
        return [f"{indent}{ast.get_source_segment(code.strip(), one)}" for one in statements]


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


def places(source: str, path: str) -> tuple[Place, ...]:
    """Return the places of a file that offer alternatives. Raises Problem with the line for a mistake."""
    if not ALMOST.search(source):
        return ()
    lines, found = source.split("\n"), []
    for comment in _comments(source):
        number, column = comment.start
        if not ALMOST.match(comment.string):
            continue
        where = f"{path}:{number}"
        offer = OFFER.fullmatch(comment.string.rstrip())
        if not offer:
            raise Problem(f"{where}: `{comment.string}` offers no alternatives. Write {USAGE}.")
        code = lines[number - 1][:column].rstrip()
        if not code.strip():
            raise Problem(f"{where}: alternatives stand behind the line that they replace. Move them there.")
        found.append(_place(number, code, offer, where, _is_statement(source, number)))
    if len(found) > MOST_PLACES:
        raise Problem(
            f"{path}:{found[MOST_PLACES].line}: a third place with alternatives. A reader can hold two: take one out."
        )
    return tuple(found)


def versions(source: str, raises: str | None, found: tuple[Place, ...], path: str) -> Iterator[Version]:
    """Yield the program of each choice, in order; `raises` is what the file's first line announces.

    Raises Problem for what is no Python, for two that are equal, and for too many.
    """
    choices = list(product(*(range(len(place.options)) for place in found)))
    if len(choices) > MOST_VARIANTS:
        raise Problem(
            f"{path}:{found[0].line}: {len(choices)} variants are more than {MOST_VARIANTS}. Offer less."
        )
    _check_conditions(found, path)
    known: dict[str, str] = {}
    for choice in choices:
        version = _version(source, raises, found, choice)
        changed = [place for place, at in zip(found, choice, strict=True) if at != place.own]
        where = f"{path}:{changed[-1].line if changed else found[0].line}"
        label = label_of(found, choice)
        meaning = _meaning(version, label, where)
        if meaning in known:
            raise Problem(f"{where}: `{label}` makes the same program as `{known[meaning]}`. Take one out.")
        known[meaning] = label
        yield version


def label_of(found: Iterable[Place], choice: Iterable[int]) -> str:
    """Return what was chosen, in words: `x.detach() * x`; of two places, both."""
    return "; ".join(place.options[at].text for place, at in zip(found, choice, strict=True))


def _comments(source):
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token
    except (tokenize.TokenError, SyntaxError):
        return  # the program's own mistake, which its run will show


def _is_statement(source, number):
    """Tell whether a line holds a statement from its beginning to its end, or the whole of one's first line."""
    try:
        nodes = [node for node in ast.walk(ast.parse(source)) if getattr(node, "lineno", None) == number]
    except (SyntaxError, ValueError):
        return True  # which is the program's own mistake
    found = [node for node in nodes if isinstance(node, ast.stmt)]
    return bool(found) and all(
        node.end_lineno == number or (getattr(node, "body", None) and node.body[0].lineno > number)
        for node in found
    )


def _place(number, code, offer, where, is_statement):
    numeric = bool(offer["number"])
    separator = ", " if numeric else " | "
    matches = [
        OPTION.fullmatch(text.strip())
        for text in offer["rest"].split(separator.strip() if numeric else separator)
    ]
    if None in matches:
        raise Problem(f"{where}: an alternative is empty. Write `{NOTHING}` for none, or take it out.")
    options = [Option(*match.group("text", "raises", "given")) for match in matches]
    part = offer["part"] or offer["figure"]
    if part:
        start, end = _marked(code, part, where)
    elif numeric:
        start, end = _figure(code, where)
    else:
        start, end = _whole(code, options, where, is_statement)
    before, own, after = code[:start], code[start:end], code[end:]
    if numeric:
        return Place(number, before, after, tuple(options), _own(own, options, where), True)
    return Place(number, before, after, (Option(own), *options), 0, False)


def _marked(code, part, where):
    if code.count(part) != 1:
        times = "is not in this line" if part not in code else "stands there more than once"
        raise Problem(f"{where}: `{part}` {times}. Write as much of the line as marks one place.")
    start = code.index(part)
    return start, start + len(part)


def _figure(code, where):
    """Return where the one number of a line stands, with its sign."""
    tokens = list(_tokens(code))
    found = [index for index, token in enumerate(tokens) if token.type == tokenize.NUMBER]
    if len(found) != 1:
        raise Problem(
            f"{where}: {len(found) or 'no'} numbers in this line. Say which one the values are of: `# values of 0.1: ...`."
        )
    token = tokens[found[0]]
    sign = tokens[found[0] - 1] if found[0] else None
    before = tokens[found[0] - 2].string if found[0] > 1 else "("
    is_signed = (
        sign and sign.string in "+-" and sign.end == token.start and before in ("(", ",", "=", "[", "return")
    )
    return (sign if is_signed else token).start[1], token.end[1]


def _tokens(code):
    try:
        yield from tokenize.generate_tokens(io.StringIO(code.strip("\n")).readline)
    except (tokenize.TokenError, SyntaxError):
        return  # a part of a statement that goes on; what came before is known


def _own(own, options, where):
    for option in options:
        if not NUMBER.fullmatch(option.text):
            raise Problem(f"{where}: `{option.text}` is no number. Write `# or: ...` for what is none.")
    texts = [option.text for option in options]
    if own not in texts:
        raise Problem(f"{where}: the values lack the program's own, `{own}`. Write it where it belongs.")
    return texts.index(own)


def _whole(code, options, where, is_statement):
    """Return which part of a line alternatives stand for that mark none: its value, or all of it."""
    stripped = code.lstrip()
    indent = len(code) - len(stripped)
    try:
        body = ast.parse(f"{stripped} pass" if stripped.endswith(":") else stripped).body
    except SyntaxError:
        body = []
    if not body or not is_statement:
        raise Problem(
            f"{where}: this line is no statement. Say what the alternatives replace: `# instead of x: ...`."
        )
    value = _value(body[0]) if len(body) == 1 else None
    values = [option.text for option in options if _is_expression(option.text)]
    if value is None or not values:
        return indent, len(code)
    if len(values) < len(options) and not isinstance(body[0], ast.Expr):
        raise Problem(
            f"{where}: `{values[0]}` stands for a value, and another alternative for the whole line. "
            "Write whole lines, or values."
        )
    return indent + value.col_offset, indent + value.end_col_offset


def _value(statement):
    if isinstance(statement, ast.With):
        return statement.items[0].context_expr if len(statement.items) == 1 else None
    if isinstance(statement, HOLLOW):
        return statement.iter if isinstance(statement, ast.For) else statement.test
    return getattr(statement, "value", None) if not isinstance(statement, ast.AugAssign) else None


def _is_expression(text):
    if text == NOTHING:
        return False
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def _version(source, raises, found, choice):
    at = {place.line: index for index, place in enumerate(found)}
    code, origin, ends = [], [], [0] * len(found)
    for number, line in enumerate(source.split("\n"), 1):
        if number == 1 and raises:
            continue
        index = at.get(number)
        new = [line] if index is None else found[index].lines(choice[index])
        code += new
        origin += [number] * len(new)
        if index is not None:
            ends[index] = max(len(code), 1)
    announced = _announced(raises, found, choice)
    return Version(choice, "\n".join(code), announced, tuple(origin), tuple(ends))


def _announced(raises, found, choice):
    """Return the error that a choice announces: that of the file if it is its own, else an alternative's."""
    if all(at == place.own for place, at in zip(found, choice, strict=True)):
        return raises
    chosen = [place.options[at] for place, at in zip(found, choice, strict=True)]
    for option in reversed(chosen):
        others = {other.text for other in chosen if other is not option}
        if option.raises and (option.given is None or option.given in others):
            return option.raises
    return None


def _check_conditions(found, path):
    """Raise Problem for an error that is announced with an alternative that the other place does not offer."""
    for place in found:
        others = [option.text for other in found if other is not place for option in other.options]
        for option in place.options:
            if option.given is not None and option.given not in others:
                raise Problem(
                    f"{path}:{place.line}: no other place offers `{option.given}`.{nearest(option.given, others)}"
                )
            if option.raises and place.options[place.own] is option and not option.given:
                raise Problem(
                    f"{path}:{place.line}: what the program raises as it stands, its first line announces: "
                    f"`# raises: {option.raises}`."
                )


def _meaning(version, label, where):
    """Return what is equal for programs that do the same. Raises Problem if it is no Python."""
    try:
        return ast.dump(ast.parse(version.code))
    except (SyntaxError, ValueError) as error:
        if version.raises and version.raises in ("SyntaxError", "IndentationError"):
            return version.code
        raise Problem(
            f"{where}: with `{label}` the program is no Python ({error}). Mend the alternative."
        ) from None
