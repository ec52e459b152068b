"""The alternatives that a program offers behind its lines.

    y = x * x.detach()  # or: x * x | x.detach() * x
    w = torch.tensor(2.0, requires_grad=True)  # values: -1.0, 0.0, 2.0
    z = w.detach().clone()  # instead of .detach(): nothing
    z.backward()  # or: z.backward(retain_graph=True) raises RuntimeError

The file is a program as it stands. An alternative stands for what is marked, or for the value of its line,
or for the whole line, if it is a statement.
"""

import ast
import io
import re
import tokenize
from dataclasses import dataclass

from weaver.problem import Problem

MOST_PLACES = 2
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
