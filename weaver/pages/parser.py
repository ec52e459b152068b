"""A page's Markdown, read line by line: its headings, directives and cells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import PurePosixPath

from weaver.directives import KINDS
from weaver.directives.body import BodyDirective, EndDirective
from weaver.directives.cell import CellDirective
from weaver.directives.directive import Argument, Directive
from weaver.escape import visible
from weaver.execution.snippets.source import NAME
from weaver.pages import front_matter
from weaver.pages.code_spans import FENCE, Columns, by_line, closes, fences
from weaver.pages.model import Heading, Page
from weaver.problem import Problem, a, nearest, quoted

# what was meant to be a directive: other braces, or not as many
ALMOST = re.compile(
    rf"[{{｛]+\s*(?P<kind>{'|'.join(KINDS)})\s+{NAME.pattern}[^{{}}｛｝]*[}}｝]+|{{{{|｛\s?[{{｛]|{{\s?｛"
)
HEADING = re.compile(r" {0,3}(#{1,6})(.*)")
ATTRIBUTES = re.compile(r"(?:^|(?<=\s))\{([^{}]*)\}$")
IDS = re.compile(r"(?<![\w#-])(?:#|id=[\"']?)([\w-]+)")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)")
# what no page holds: control characters, and those by which the engine marks the place of a directive
FORBIDDEN = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\U000f0000-\U0010ffff]")
# the fence of a cell of a lab, as jupytext writes it: python, and what is said about the cell
CELL_FENCE = re.compile(r'python(?: alt="(?P<alt>[^"]+)"| (?P<measured>tags=\["measured"\])){0,2}')
SPACE = re.compile(r"\s")  # also a no-break one, which looks like any other
CHOICE = re.compile(r"\s*[-*+]\s+(.*\S)\s*")


def parse(text: str, path: str) -> Page:
    """Parse a page's Markdown; `path` is for messages.

    Code, in fences and between backticks, and comments are left alone; so is front matter. In a lab, a
    page whose front matter has `jupyter`, each fence is a cell; the lab's name is that of its folder and
    file. Raises Problem with the place for front matter that is none, for braces that are no directive, for
    a directive that breaks its kind's rules, and for what would hide a directive or a heading from us but
    not from Markdown.
    """
    lines = re.findall(r"[^\n]*\n|[^\n]+", re.sub("\r\n?", "\n", text.removeprefix("\ufeff")))
    for number, line in enumerate(lines, 1):
        if found := FORBIDDEN.search(line):
            kind = "private" if found[0] > "\x9f" else "control"
            raise Problem(f"{path}:{number}: the {kind} character U+{ord(found[0]):04X}. Remove it.")
    front = front_matter.read(lines, path)
    parser, body, at = _Parser(path, front.says.jupyter is not None), lines[len(front.lines) :], 0
    code = by_line(body)
    for mark, group in groupby(fences(body)):
        end = at + len(list(group))
        parser.number = len(front.lines) + at + 1
        if mark:
            parser.take_fence(mark, body[at:end])
        else:
            for line, columns in zip(body[at:end], code[at:end], strict=True):
                parser.take_line(line, columns)
                parser.number += 1
        at = end
    parser.finish()
    parts, headings, infos = tuple(parser.parts), tuple(parser.headings), tuple(parser.fences)
    return Page(path, front, "".join(body), parts, headings, infos)


@dataclass
class _Open:
    """A directive whose body goes on: its index among the parts, its indentation, its choices."""

    directive: BodyDirective
    at: int
    indent: str
    wrong: list[str] = field(default_factory=list)
    is_listed: bool = False  # whether the list of choices has ended

    @property
    def named(self) -> str:
        return f"the {self.directive.kind} of line {self.directive.line}"


class _Parser:
    """Takes a page's text line by line, fences whole; `number` is the line's."""

    def __init__(self, path: str, is_lab: bool):
        self.path, self.is_lab, self.number = path, is_lab, 0
        self.parts: list[str | Directive] = []
        self.headings: list[Heading] = []
        self.fences: list[str] = []  # what follows their marks
        self.cells = 0
        self.open: _Open | None = None
        self.about: dict[str, str] = {}  # the programs that questions are about -> their places
        self.above = ""  # the line above

    def _problem(self, sentence: str) -> Problem:
        return Problem(f"{self.path}:{self.number}: {sentence}")

    def take_fence(self, mark: re.Match[str], lines: Sequence[str]) -> None:
        """Take a fence with the lines of its marks; in a lab it's a cell."""
        self.above = lines[-1].rstrip()
        if self.is_lab:
            self.parts += ["\n", self._cell(mark[2].strip(), lines), "\n"]
        else:
            self.fences.append(mark[2].strip())
            self.parts += lines
        if len(lines) == 1 or not closes(mark, lines[-1]):
            raise self._problem("the code fence isn't closed. Close it with the marks that open it.")

    def _cell(self, info: str, lines: Sequence[str]) -> CellDirective:
        """Return the cell that a fence of a lab is."""
        cell = CELL_FENCE.fullmatch(info)
        if not cell or not lines[0].startswith(("`", "~")):
            raise self._problem(
                f"`{lines[0].rstrip()}` doesn't start a cell. Begin the line with the backticks "
                'and `python`, followed at most by `alt="what its picture shows"` and `tags=["measured"]`.'
            )
        if self.open:
            raise self._problem("a cell inside an answer. Move it after `{{ end }}`.")
        for number, line in enumerate(lines[1:-1], self.number + 1):
            if FENCE.fullmatch(line.rstrip()):
                raise self._problem(f"the fence isn't closed before line {number}. Close it there.")
            if line.startswith(("%", "!")):
                bare = line.rstrip()
                raise Problem(f"{self.path}:{number}: `{bare}` is for Jupyter, not Python. Remove it.")
        self.cells += 1
        name = "/".join(PurePosixPath(self.path).with_suffix("").parts[-2:])
        about = self.cells, cell["alt"] or "", bool(cell["measured"])
        return CellDirective(name, "".join(lines[1:-1]), self.path, self.number, *about)

    def take_line(self, line: str, code: Columns) -> None:
        """Take a line of text; `code` are the columns of it that are code or a comment."""
        bare = line.rstrip()
        if not self._take_choice(bare):
            self._take_text(line, bare, code)
        self.above = bare

    def _take_choice(self, bare: str) -> bool:
        """Take a wrong choice of the directive that is open; tell whether the line is one."""
        if not self.open or self.open.is_listed:
            return False
        if choice := CHOICE.fullmatch(bare):
            if "`" in choice[1] or "{{" in choice[1] or choice[1] in self.open.wrong:
                raise self._problem(f"choices must be plain text and unique. Fix `{choice[1]}`.")
            self.open.wrong.append(choice[1])
        else:  # where choices are optional, they are right below it
            self.open.is_listed = not self.open.directive.wants_choices or bool(self.open.wrong and not bare)
        return bool(choice)

    def _take_text(self, line: str, bare: str, code: Columns) -> None:
        if line.startswith(("<<<<<<< ", ">>>>>>> ")):
            raise self._problem(f"`{bare}` is an unresolved merge conflict. Resolve it.")
        if self.is_lab and bare.startswith("```"):
            raise self._problem("a backtick after the opening marks, so this isn't a fence. Remove it.")
        tokens = list(self._tokens(line, code))
        directives = [token for token in tokens if isinstance(token, Directive)]
        if heading := HEADING.fullmatch(bare):
            self._take_heading(heading[1], heading[2])
            if heading[1] == "#" and directives:
                raise self._problem("the page's title contains a directive. Move it below the title.")
        elif UNDERLINE.fullmatch(bare) and self.above and not self.above.lstrip().startswith(("|", "#")):
            raise self._problem("an underlined heading. Write `## ` before its text instead.")
        if self.open and bare and not line.startswith(self.open.indent):
            raise self._problem(
                f"the list or quotation ends inside {self.open.named}. Indent it like that line, up to "
                "`{{ end }}`."
            )
        around = ["\n"] if directives and directives[0].is_block else []  # a block is a paragraph of its own
        self.parts += around
        for token in tokens:
            if isinstance(token, Directive):
                self._take_directive(token, line[: len(line) - len(line.lstrip(" \t>"))])
            else:
                self.parts.append(token)
        self.parts += around

    def _take_heading(self, marks: str, text: str) -> None:
        attributes = ATTRIBUTES.search(text)
        ids = IDS.findall(attributes[1]) if attributes else []
        text = text[: attributes.start()] if attributes else text
        last = ids[-1] if ids else None  # the one that counts
        self.headings.append(Heading(len(marks), text.strip(), last, self.number))

    def _take_directive(self, directive: Directive, indent: str) -> None:
        if isinstance(directive, EndDirective):
            directive = replace(directive, ends=self._close())
        elif isinstance(directive, BodyDirective):
            self._want_place(directive)
            self.open = _Open(directive, len(self.parts), indent)
        elif self.open and directive.shows_program:
            inside = self.open.directive.inside
            raise self._problem(f"{a(directive.kind)} inside {inside}. Move it after `{{{{ end }}}}`.")
        elif self.open and self.open.directive.flips:
            begun = self.open.directive
            follows = any(name == begun.name for name, _ in directive.asks)
            directive = replace(directive, within=begun if follows else None)
        self.parts.append(directive)

    def _close(self) -> BodyDirective:
        """End the body that is open; return its directive with its choices."""
        if not self.open:
            raise self._problem("`{{ end }}` has no matching block. Remove it.")
        begun, wrong = self.open.directive, tuple(self.open.wrong)
        if not wrong and begun.wants_choices:
            raise begun.problem(f"the {begun.kind} has no wrong choices. List them below it: `- 6.0`.")
        self.parts[self.open.at] = begun = replace(begun, wrong=wrong)
        self.open = None
        return begun

    def _want_place(self, directive: BodyDirective) -> None:
        """Raise Problem for a body inside another, and for a second question about a program."""
        if self.open:
            raise self._problem(
                f"{a(directive.kind)} inside {self.open.named}. Close that one first, with `{{{{ end }}}}`."
            )
        if directive.wants_choices:  # links find it by its program
            place = self.about.setdefault(directive.name, directive.place)
            if place != directive.place:
                raise self._problem(
                    f"{place} already asks about `{directive.name}`. Ask only once, or about another program."
                )

    def finish(self) -> None:
        """Raise Problem if the body of a directive is still open."""
        if self.open:
            begun = self.open.directive
            raise begun.problem(f"the {begun.kind} isn't closed. Write `{{{{ end }}}}` on a line after it.")

    def _tokens(self, line: str, code: Columns) -> Iterator[str | Directive]:
        """Split a line into text and directives; `code` are the columns of it that are left alone."""
        seen = line
        for start, end in code:
            seen = seen[:start] + " " * (end - start) + seen[end:]
        end = 0
        while (start := seen.find("{{", end)) >= 0 and (close := seen.find("}}", start + 2)) >= 0:
            is_alone = not (line[:start] + line[close + 2 :]).strip()
            self._want_braces(seen[end:start])
            yield line[end:start]
            yield self._directive(line[start + 2 : close], is_alone, "$" in line)
            end = close + 2
        self._want_braces(seen[end:])
        yield line[end:]

    def _want_braces(self, text: str) -> None:
        """Raise Problem for what looks like a directive and is none."""
        if almost := ALMOST.search(text):
            if almost["kind"]:
                usage = KINDS[almost["kind"]].usage
                raise self._problem(f"`{almost[0]}` isn't a directive. Write `{usage}`.")
            raise self._problem("unclosed braces. Write the whole directive on one line.")

    def _directive(self, inside: str, is_alone: bool, in_formula: bool) -> Directive:
        """Return the directive that is written between two pairs of braces."""
        inside = SPACE.sub(" ", inside.strip())
        word, _, rest = inside.partition(" ")
        if not inside:
            raise self._problem(f"empty braces. Write a directive, such as `{KINDS['value'].usage}`.")
        if word.startswith("{"):
            raise self._problem("three braces. Put a space after the first: `{ {{ value ... }} }`.")
        if word not in KINDS:
            spaced = f" In a formula, put a space between braces: `{{ {{{word}}} }}`." if in_formula else ""
            near = nearest(word, KINDS)
            raise self._problem(f"there is no directive {quoted(visible(word))}.{near}{spaced}")
        kind = KINDS[word]
        has_name = kind.is_named or kind.takes is Argument.NONE
        name, _, argument = rest.strip().partition(" ") if has_name else ("", "", rest)
        directive = kind(name, argument.strip(), self.path, self.number)
        if said := _wrong(directive, inside, is_alone):
            raise self._problem(said)
        directive.check()
        return directive


def _wrong(directive: Directive, inside: str, is_alone: bool) -> str:
    """Return what is wrong with what a directive was given; nothing if that's what its kind takes."""
    kind, argument = directive.kind, directive.argument
    usage = f"Write `{directive.usage}`."
    if directive.is_named and not directive.name:
        return f"`{{{{ {inside} }}}}` doesn't name a snippet. {usage}"
    if directive.name and not directive.is_named:
        return f"`{kind}` doesn't take a snippet. {usage}"
    if directive.is_block and not is_alone:
        return f"{a(kind)} must be alone on its line. Move the text next to it."
    if directive.takes is Argument.REQUIRED and not argument:
        return f"`{{{{ {inside} }}}}` lacks {directive.wanted}. {usage}"
    if directive.takes is Argument.NONE and argument:
        return f"{a(kind)} has no option `{argument}`. {usage}"
    return ""
