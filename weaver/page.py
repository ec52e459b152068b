"""What a page says: its headings and directives; and the page with each directive replaced."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from weaver.problem import Problem, nearest

FENCE = re.compile(r" {0,3}(?:[>\-*+]\s+|\d+\.\s+|\s{4})*(`{3,}|~{3,})(.*)")
TOKENS = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)|\{\{(?P<directive>.*?)\}\}")
HEADING = re.compile(r"(#{1,6})\s+(.*?)(?:\s+\{(?P<attributes>[^{}]*)\})?\s*")
PRIVATE = re.compile("[\ue000-\uf8ff]")  # where the engine marks the place of a directive
CHOICE = re.compile(r"\s*[-*+]\s+(.*\S)\s*")


@dataclass(frozen=True)
class Kind:
    """A directive's rules: alone on its line or not, with an argument or not, with a body or not."""

    block: bool
    argument: bool | None  # None: may have one
    body: bool = False
    usage: str = ""


KINDS = {
    "snippet": Kind(block=True, argument=False, usage="{{ snippet topic/lesson }}"),
    "value": Kind(block=False, argument=True, usage="{{ value topic/lesson x.grad }}"),
    "table": Kind(block=True, argument=True, usage="{{ table topic/lesson rows | t.is_leaf | t.grad_fn }}"),
    "question": Kind(block=True, argument=None, body=True, usage="{{ question topic/lesson x.grad }}"),
}


@dataclass(frozen=True)
class Directive:
    """One directive of a page: `{{ kind name argument }}` on a line of it.

    `wrong` are the wrong choices of a question. The end of a body is a directive of its own, of
    the kind `end`, with the rest as in the directive that it ends.
    """

    kind: str
    name: str
    argument: str
    page: str
    line: int
    wrong: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands: `docs/ko/detach.md:41`."""
        return f"{self.page}:{self.line}"

    @property
    def look(self) -> str | None:
        """What it asks of the snippet's variables (see `child.LOOKS`), or None."""
        if not self.argument:
            return None
        return f"{'table' if self.kind == 'table' else 'value'}:{self.argument}"


@dataclass(frozen=True)
class Heading:
    """A heading: its level, its text, its explicit id (None if it has none), its line."""

    level: int
    text: str
    id: str | None
    line: int


@dataclass(frozen=True)
class Page:
    """A parsed page: its text in `parts`, strings and directives in order, and what stands in it."""

    path: str
    parts: tuple[str | Directive, ...]
    headings: tuple[Heading, ...]
    fences: tuple[str, ...]

    @property
    def directives(self) -> list[Directive]:
        """The directives, without the ends of bodies."""
        return [part for part in self.parts if isinstance(part, Directive) and part.kind != "end"]

    def weave(self, render: Callable[[Directive], str]) -> str:
        """Return the page's text with each directive replaced by what `render` makes of it."""
        return "".join(part if isinstance(part, str) else render(part) for part in self.parts)


def parse(text: str, path: str, first_line: int = 1) -> Page:
    """Parse a page's Markdown; `path` and the line `first_line` that it begins on are for messages.

    Code, in fences and between backticks, is left alone. Raises Problem with the place for
    braces that are no directive, and for a directive that breaks its kind's rules.
    """
    parts, headings, fences = [], [], []
    fence = question = None
    for number, line in enumerate(re.findall(r"[^\n]*\n|[^\n]+", text), first_line):
        bare = line.rstrip("\n")
        if private := PRIVATE.search(line):
            raise Problem(f"{path}:{number}: the private character U+{ord(private[0]):04X}. Take it out.")
        opening = FENCE.fullmatch(bare)
        if fence:
            if opening and opening[1].startswith(fence) and not opening[2].strip():
                fence = None
            parts.append(line)
            continue
        if opening:
            fence = opening[1]
            fences.append(opening[2].strip())
            parts.append(line)
            continue
        if heading := HEADING.fullmatch(bare):
            ids = re.search(r"#([\w-]+)", heading["attributes"] or "")
            headings.append(Heading(len(heading[1]), heading[2], ids and ids[1], number))
        if question and (choice := CHOICE.fullmatch(bare)) and not question["wrong_done"]:
            question["wrong"].append(choice[1])
            continue
        if question and question["wrong"] and not bare.strip():
            question["wrong_done"] = True
        tokens = list(_tokens(line, path, number))
        if heading and heading[1] == "#" and len(tokens) > 1:
            raise Problem(f"{path}:{number}: the page's title holds a directive. Move it below the title.")
        for part in tokens:
            if not isinstance(part, Directive):
                parts.append(part)
            elif part.kind == "end":
                if not question:
                    raise Problem(f"{part.place}: `{{{{ end }}}}` ends nothing. Take it out.")
                done = _complete(parts, question)
                parts.append(Directive("end", done.name, done.argument, path, number, done.wrong))
                question = None
            else:
                if part.kind == "question":
                    if question:
                        raise _unended(question["directive"])
                    question = {"directive": part, "at": len(parts), "wrong": [], "wrong_done": False}
                parts.append(part)
    if question:
        raise _unended(question["directive"])
    return Page(path, tuple(parts), tuple(headings), tuple(fences))


def _unended(directive):
    return Problem(f"{directive.place}: the question has no end. Write `{{{{ end }}}}` on a line after it.")


def _complete(parts, question):
    """Put the collected choices into the question that has just ended; return it."""
    opened = question["directive"]
    if not question["wrong"]:
        raise Problem(f"{opened.place}: the question has no wrong choices. List them below it: `- 6.0`.")
    done = Directive(
        "question", opened.name, opened.argument, opened.page, opened.line, tuple(question["wrong"])
    )
    parts[question["at"]] = done
    return done


def _tokens(line, path, number) -> Iterable[str | Directive]:
    """Split a line into text and directives."""
    end = 0
    for token in TOKENS.finditer(line):
        if token["directive"] is None:
            continue
        alone = not (line[: token.start()] + line[token.end() :]).strip()
        directive = _directive(token["directive"].strip(), alone, path, number)
        yield line[end : token.start()]
        yield directive
        end = token.end()
    yield line[end:]


def _directive(inside, alone, path, number):
    kind, _, rest = inside.partition(" ")
    place = f"{path}:{number}"
    if kind == "end" and not rest:
        return Directive("end", "", "", path, number)
    if kind not in KINDS:
        raise Problem(f"{place}: there is no directive `{kind}`.{nearest(kind, [*KINDS, 'end'])}")
    rules = KINDS[kind]
    name, _, argument = rest.strip().partition(" ")
    argument = argument.strip()
    usage = f"Write `{rules.usage}`."
    if not name:
        raise Problem(f"{place}: `{{{{ {inside} }}}}` names no snippet. {usage}")
    if rules.block and not alone:
        raise Problem(f"{place}: a {kind} stands alone on its line. Move what stands beside it.")
    if rules.argument is True and not argument:
        raise Problem(f"{place}: `{{{{ {inside} }}}}` lacks an expression. {usage}")
    if rules.argument is False and argument:
        raise Problem(f"{place}: a {kind} has no option `{argument}`. {usage}")
    return Directive(kind, name, argument, path, number)
