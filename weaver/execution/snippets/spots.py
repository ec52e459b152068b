"""A line of a program, and where in it something stands: a number, a marked part, a value."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from weaver.problem import Problem
from weaver.syntax import expression, parsed

NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
NOTHING = "nothing"


def meaning(code: str) -> str:
    """Return what is equal for programs that do the same. Raises SyntaxError if it isn't Python."""
    try:
        return ast.dump(parsed(code))
    except RecursionError:
        raise SyntaxError("nested too deeply") from None


class File:
    """A program's lines, tokens and tree; `tree` is None if it isn't Python, which its run will show."""

    def __init__(self, source: str):
        self.lines = source.split("\n")
        self.tokens = list(tokens_of(source))
        self.tree: ast.Module | None = None
        with suppress(SyntaxError):
            self.tree = parsed(source)

    @property
    def comments(self) -> Iterator[tuple[int, int, str]]:
        """The comments, each with its line and column."""
        for token in self.tokens:
            if token.type == tokenize.COMMENT:
                yield *token.start, token.string

    def nodes(self, number: int) -> list[ast.expr | ast.stmt]:
        """Return the expressions and statements that begin on a line."""
        found = ast.walk(self.tree) if self.tree else ()
        return [one for one in found if isinstance(one, ast.expr | ast.stmt) and one.lineno == number]


def tokens_of(code: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of a program, as far as it has any."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(code).readline)
    except (tokenize.TokenError, SyntaxError):
        return  # the program's own mistake, which its run will show


@dataclass(frozen=True)
class CodeLine:
    """A line that offers something: its file, its number, its code, and its place for messages."""

    file: File = field(repr=False)
    number: int
    code: str
    where: str

    def with_(self, start: int, end: int, text: str) -> str:
        """Return the whole program with another text between two columns of the line."""
        lines = list(self.file.lines)
        lines[self.number - 1] = self.code[:start] + text + self.code[end:]
        return "\n".join(lines)


def marked(line: CodeLine, part: str) -> tuple[int, int]:
    """Return the columns of a part of a line that begins and ends where tokens do."""
    here = [token for token in line.file.tokens if token.start[0] == line.number == token.end[0]]
    starts, ends = {token.start[1] for token in here}, {token.end[1] for token in here}
    found = [at for at in starts if line.code.startswith(part, at) and at + len(part) in ends]
    if len(found) != 1:
        times = "appears more than once in this line" if found else "isn't in this line"
        raise Problem(f"{line.where}: `{part}` {times}. Quote enough of the line to match one place.")
    return found[0], found[0] + len(part)


def figure(line: CodeLine, named: str | None) -> tuple[int, int]:
    """Return the columns of the one number of a line, or of the one that is named, with its sign."""
    if line.file.tree is None:
        raise Problem(f"{line.where}: the program isn't valid Python. Fix it first.")
    signed: dict[int, tuple[int, int]] = {}  # of each number, by its end: its columns with its sign
    bare: list[tuple[int, int]] = []  # and without
    for node in line.file.nodes(line.number):
        has_sign = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd)
        span = node.col_offset, node.end_col_offset or 0
        text = "".join(line.code[slice(*span)].split())
        number = node.operand if isinstance(node, ast.UnaryOp) and has_sign else node
        if isinstance(number, ast.Constant) and NUMBER.fullmatch(text):
            signed.setdefault(span[1], span)  # a sign comes before what it is the sign of
            bare += [] if has_sign else [span]
    spans = list(signed.values())
    if named:
        spans = [span for span in {*spans, *bare} if line.code[slice(*span)] == named]
        if len(spans) != 1:
            times = "appears more than once in this line" if spans else "isn't a decimal number in this line"
            raise Problem(f"{line.where}: `{named}` {times}. Name one that appears only once.")
    if len(spans) != 1:
        raise Problem(
            f"{line.where}: {len(spans) or 'no'} decimal numbers in this line. Say which one the "
            "values replace: `# values of 0.1: ...`."
        )
    return spans[0]


def whole(line: CodeLine, options: Sequence[str]) -> tuple[int, int]:
    """Return which columns of a line alternatives stand for that mark none: its value, or all of it."""
    stripped = line.code.lstrip()
    indent = len(line.code) - len(stripped)
    body: list[ast.stmt] = []
    with suppress(SyntaxError):
        body = parsed(f"{stripped} pass" if stripped.endswith(":") else stripped).body
    if not body or not _is_statement(line):
        raise Problem(
            f"{line.where}: this line isn't a complete statement. Say what the alternatives replace: "
            "`# instead of x: ...`."
        )
    value = _value(body[0]) if len(body) == 1 else None
    values = [text for text in options if is_expression(text)]
    allowed = [] if value is None else values
    lost = [text for text in options if text not in allowed and not text.endswith(":")]
    if stripped.endswith(":") and lost:
        raise Problem(
            f"{line.where}: `{lost[0]}` can't replace `{stripped}`, which begins a block. Write "
            f"{'' if value is None else 'a value, or '}a line that ends with `:`."
        )
    if value is None or not values:
        return indent, len(line.code)
    if len(values) < len(options) and not isinstance(body[0], ast.Expr):
        other = next(text for text in options if text not in values)
        raise Problem(
            f"{line.where}: `{values[0]}` replaces a value, but `{other}` replaces the whole line. "
            "Write only lines, or only values."
        )
    return indent + value.col_offset, indent + (value.end_col_offset or 0)


def _is_statement(line: CodeLine) -> bool:
    """Tell whether a line is a whole statement, or the whole first line of one."""
    if line.file.tree is None:
        return True  # which is the program's own mistake
    found = [node for node in line.file.nodes(line.number) if isinstance(node, ast.stmt)]
    inside = [getattr(node, "body", None) for node in found]
    return bool(found) and all(
        node.end_lineno == line.number or (body and body[0].lineno > line.number)
        for node, body in zip(found, inside, strict=True)
    )


def _value(statement: ast.stmt) -> ast.expr | None:
    """Return the value that a statement assigns, returns, tests or goes through, if it has one."""
    match statement:
        case ast.With(items=[ast.withitem(context_expr=value)]):
            return value
        case ast.For(iter=value) | ast.While(test=value) | ast.If(test=value):
            return value
        case ast.Assign() | ast.AnnAssign() | ast.Return() | ast.Expr():
            return statement.value
    return None


def is_expression(text: str) -> bool:
    """Tell whether an alternative is a value."""
    if text == NOTHING:
        return False
    try:
        expression(text)
    except SyntaxError:
        return False
    return True
