"""The alternatives that a program offers after its lines.

    y = x * x.detach()  # or: x * x | x.detach() * x
    w = torch.tensor(2.0, requires_grad=True)  # values: -1.0, 0.0, 2.0
    z = w.detach().clone()  # instead of .detach(): nothing
    z.backward()  # or: z.backward(retain_graph=True) raises RuntimeError

Long ones have a line each, below:

    w = torch.ones(3) * 0.01  # or:
    # | torch.nn.Parameter(torch.ones(3) * 0.01)
    # | torch.ones(3, requires_grad=True) * 0.01 raises ValueError

The unmodified file is a program. An alternative stands for what is marked, or for the value of its line,
or for the whole line, if it is a statement.
"""

import ast
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from weaver.execution.snippets.spots import (
    NOTHING,
    NUMBER,
    CodeLine,
    File,
    figure,
    is_expression,
    marked,
    meaning,
    tokens_of,
    whole,
)
from weaver.problem import Problem
from weaver.syntax import parsed

MOST_PLACES = 2
OFFER = re.compile(
    r"# (?:or|(?P<number>values)(?: of (?P<figure>.+?))?|instead of (?P<part>.+?)): +(?P<rest>\S.*)"
)
ALMOST = re.compile(r"#\s*(?:or|values?(?:\s+of\b.*?)?|instead(?:\s+of\b.*?)?)\s*:", re.IGNORECASE)
BELOW = re.compile(r"\s*# \|(.*)")
OPTION = re.compile(r"(?P<text>.+?)(?: raises (?P<raises>[A-Za-z_]\w*)(?: with (?P<given>.+))?)?")
BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
USAGE = "`# or: x * x | x + x`, `# instead of .detach(): nothing` or `# values: -1.0, 0.0, 1.0`"


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

    `last` is the line on which its offer ends. `options` are in the order in which they are shown, `own` the
    number of the program's own among them; `is_number` says that they are numbers, and in order.
    """

    line: int
    last: int
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
            statements = parsed(code.strip()).body
        except SyntaxError:
            return [code]
        if len(statements) < 2:
            return [code]
        return [f"{indent}{ast.get_source_segment(code.strip(), one)}" for one in statements]


def places(source: str, path: str) -> tuple[Place, ...]:
    """Return the places of a file that offer alternatives. Raises Problem with the line for a mistake."""
    if not ALMOST.search(source):
        return ()
    file = File(source)
    found: list[Place] = []
    for number, column, comment in file.comments:
        where, code = f"{path}:{number}", file.lines[number - 1][:column].rstrip()
        if BELOW.match(comment) and not code and not (found and number <= found[-1].last):
            raise Problem(
                f"{where}: `{comment}` doesn't continue an offer. Move it right below the line that offers "
                "alternatives, or remove it."
            )
        if not ALMOST.search(comment) or (found and number <= found[-1].last):
            continue
        below = [one[1].strip() for one in takewhile(bool, map(BELOW.fullmatch, file.lines[number:])) if one]
        offer = OFFER.fullmatch(_joined(comment.rstrip(), below))
        if not offer:
            raise Problem(f"{where}: `{comment}` offers no alternatives. Write {USAGE}.")
        if not code.strip():
            raise Problem(
                f"{where}: alternatives must be at the end of the line that they replace. Move them there."
            )
        found.append(_place(CodeLine(file, number, code, where), offer, number + len(below)))
    if len(found) > MOST_PLACES:
        raise Problem(
            f"{path}:{found[MOST_PLACES].line}: a third place with alternatives, but only two are allowed. "
            "Remove one."
        )
    return tuple(found)


def _joined(comment: str, below: list[str]) -> str:
    """Return an offer on one line, with the alternatives that the lines below it add."""
    if not below:
        return comment
    return f"{comment}{' ' if comment.endswith(':') else ' | '}{' | '.join(below)}"


def _place(line: CodeLine, offer: re.Match[str], last: int) -> Place:
    numeric = bool(offer["number"])
    options = list(_options(offer["rest"], numeric, line.where))
    part = offer["part"]
    if part:
        start, end = marked(line, part)
    elif numeric:
        start, end = figure(line, offer["figure"])
    else:
        start, end = whole(line, [option.text for option in options])
    own = line.code[start:end]
    if numeric:
        at = _own("".join(own.split()), options, line.where)
        options[at] = Option(own, options[at].raises, options[at].given)
    else:
        at, options = 0, [Option(own), *options]
    if not part:
        _want_meaning(line, start, end, options)
    return Place(line.number, last, line.code[:start], line.code[end:], tuple(options), at, numeric)


def _options(rest: str, numeric: bool, where: str) -> Iterator[Option]:
    """Yield the alternatives of a comment; only separators outside of strings and brackets count."""
    separator = "," if numeric else " | "
    masked, is_open = _masked(rest, where)
    if is_open and separator in masked:
        raise Problem(
            f"{where}: a bracket in `{rest}` isn't closed, so it's unclear where an alternative "
            "ends. Close it."
        )
    end = 0
    for piece in f"{masked} ".split(separator):
        start, end = end, end + len(piece) + len(separator)
        start += len(piece) - len(piece.lstrip())
        found = OPTION.fullmatch(piece.strip())
        if not found:
            raise Problem(f"{where}: an alternative is empty. Write `{NOTHING}` for none, or remove it.")
        spans = map(found.span, ("text", "raises", "given"))  # equal ends of a part that isn't there
        text, raises, given = (rest[start + first : start + last] for first, last in spans)
        yield Option(text, raises or None, given or None)


def _masked(rest: str, where: str) -> tuple[str, bool]:
    """Return a text with strings and what is in brackets blotted out, and whether a bracket has no end."""
    text, depth = list(rest), 0
    inside: list[tokenize.TokenInfo] = []
    for token in tokens_of(rest):
        if token.type == tokenize.COMMENT:
            raise Problem(
                f"{where}: `{token.string}` inside an alternative. A line can have only one offer: move the "
                "other to another line, or separate alternatives with ` | `."
            )
        depth += BRACKETS.get(token.string, 0) if token.type == tokenize.OP else 0
        if token.type not in (tokenize.OP, tokenize.NAME, tokenize.NUMBER, tokenize.ERRORTOKEN):
            text[token.start[1] : token.end[1]] = "_" * (token.end[1] - token.start[1])
        inside += [token] if depth > 0 else []
    for token in inside if depth <= 0 else ():
        text[token.start[1] : token.end[1]] = "_" * (token.end[1] - token.start[1])
    return "".join(text)[: len(rest)], depth > 0


def _want_meaning(line: CodeLine, start: int, end: int, options: Iterable[Option]) -> None:
    """Raise Problem for an alternative that its surroundings would tear apart: `-2` in `3 ** 2 ** x`."""
    for option in options:
        if not is_expression(option.text):
            continue
        try:
            apart = meaning(line.with_(start, end, f"({option.text})"))
            is_same = meaning(line.with_(start, end, option.text)) == apart
        except SyntaxError:
            continue  # what isn't Python is told by its run, or by `versions`
        is_same = is_same and not (line.code[:start][-1:] in ("-", "+") and option.text[:1] in ("-", "+"))
        if not is_same:
            raise Problem(
                f"{line.where}: `{option.text}` doesn't parse as a single value here. Put it, or the "
                "program's own value, in parentheses."
            )


def _own(own: str, options: Iterable[Option], where: str) -> int:
    for option in options:
        if not NUMBER.fullmatch(option.text):
            raise Problem(
                f"{where}: `{option.text}` isn't a number. Write `# or: ...` instead of `# values: ...`."
            )
    texts = [option.text for option in options]
    if own not in texts:
        raise Problem(f"{where}: the program's own value, `{own}`, isn't listed. Add it in order.")
    if len(texts) < 2:
        raise Problem(f"{where}: `{own}` is the only value. Add another one.")
    values = [float(text) for text in texts]
    if values != sorted(values):
        raise Problem(f"{where}: the values aren't in order. Sort them from smallest to largest.")
    return texts.index(own)
