"""A page's Markdown, read line by line: its headings, directives and cells."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from weaver.directives import CELL, KINDS
from weaver.directives.kind import Argument, Cell, Directive, End, Question
from weaver.escape import visible
from weaver.execution.snippets.source import NAME
from weaver.pages import front_matter
from weaver.pages.code_spans import FENCE, by_line
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


def parse(text: str, path: str, first_line: int = 1, lab: bool = False) -> Page:
    """Parse a page's Markdown; `path` and the line `first_line` that it begins on are for messages.

    Code, in fences and between backticks, and comments are left alone; so is front matter. In a lab, a
    page whose front matter has `jupyter` or for which `lab` says so, each fence is a cell; the lab's name
    is that of its folder and file. Raises Problem with the place for front matter that is none, for
    braces that are no directive, for a directive that breaks its kind's rules, and for what would hide
    a directive or a heading from us but not from Markdown.
    """
    lines = re.findall(r"[^\n]*\n|[^\n]+", text.removeprefix("\ufeff").replace("\r\n", "\n"))
    for number, line in enumerate(lines, first_line):
        if found := FORBIDDEN.search(line):
            kind = "private" if found[0] > "\x9f" else "control"
            raise Problem(f"{path}:{number}: the {kind} character U+{ord(found[0]):04X}. Remove it.")
    front = front_matter.read(lines, path) if first_line == 1 else front_matter.Front()
    folder, stem = PurePosixPath(path).parent.name, PurePosixPath(path).stem
    lab = lab or front.says.jupyter is not None
    if folder == "labs" and stem != "index" and not lab:
        raise Problem(
            f"{path}:1: a lab needs a line `jupyter: ...` in its front matter. Copy it "
            "from \"Labs\" in the authors' guide."
        )
    parser, body = _Parser(path, lab, front), lines[len(front.lines) :]
    number = first_line + len(front.lines)
    for line, code in zip(body, by_line(body), strict=True):
        parser.take(line, code, number)
        number += 1
    return parser.finish("".join(body))


class _Parser:
    """Takes a page's text line by line. One of `fence` and `question` may be open."""

    def __init__(self, path, lab, front):
        self.path, self.lab, self.front = path, lab, front
        self.parts, self.headings, self.fences = [], [], []
        self.fence = None  # (its line, its marks)
        self.cell, self.code = None, ""  # the cell that the fence is, and its code so far
        self.cells = 0
        self.question, self.indent = None, ""  # its directive, and what stands before it on its line
        self.about = {}  # the programs that questions are about -> their places
        self.at = 0  # the question's place in parts
        self.wrong, self.listed = [], False  # its choices, and whether their list has ended
        self.above = ""  # the line above

    def take(self, line, code, number):
        """Take a line; `code` are the columns of it that are code or a comment."""
        self.place = f"{self.path}:{number}"
        self.number = number
        bare = line.rstrip()
        if (mark := FENCE.fullmatch(bare)) or self.fence:
            self._take_code(line, bare, mark)
        elif not self._take_choice(bare):
            self._take_text(line, bare, code)
        self.above = bare

    def _take_code(self, line, bare, mark):
        if not self.fence:
            self.fence = self.place, mark[1]
            self.cell = self._cell(line, mark[2].strip())
            if not self.cell:
                self.fences.append(mark[2].strip())
        elif mark and mark[1].startswith(self.fence[1]) and not mark[2].strip():
            self.fence = None
        elif self.cell and mark:
            raise Problem(
                f"{self.fence[0]}: the fence isn't closed before line {self.number}. Close it there."
            )
        elif self.cell and bare.startswith(("%", "!")):
            raise Problem(f"{self.place}: `{bare}` is for Jupyter, not Python. Remove it.")
        elif self.cell:
            self.code += line
        if not self.cell:
            self.parts.append(line)
        elif not self.fence:
            self.parts += ["\n", replace(self.cell, argument=self.code), "\n"]
            self.cell, self.code = None, ""

    def _cell(self, line, info):
        """Return the cell, still without its code, that a fence of a lab begins; None on other pages."""
        if not self.lab:
            return None
        cell = CELL_FENCE.fullmatch(info)
        if not cell or not line.startswith(("`", "~")):
            raise Problem(
                f"{self.place}: `{line.rstrip()}` doesn't start a cell. Begin the line with the backticks "
                'and `python`, followed at most by `alt="what its picture shows"` and `tags=["measured"]`.'
            )
        if self.question:
            raise Problem(f"{self.place}: a cell inside an answer. Move it after `{{{{ end }}}}`.")
        name = "/".join(PurePosixPath(self.path).with_suffix("").parts[-2:])
        if not name.startswith("labs/"):
            raise Problem(f"{self.place}: a lab must be in the folder `labs` of its language. Move the page.")
        self.cells += 1
        measured = bool(cell["measured"])
        return Cell(CELL, name, "", self.path, self.number, self.cells, cell["alt"] or "", measured)

    def _take_choice(self, bare):
        """Take a wrong choice of the question that is open; tell whether the line is one."""
        choice = CHOICE.fullmatch(bare) if self.question and not self.listed else None
        if choice:
            if "`" in choice[1] or "{{" in choice[1] or choice[1] in self.wrong:
                raise Problem(f"{self.place}: choices must be plain text and unique. Fix `{choice[1]}`.")
            self.wrong.append(choice[1])
        elif self.question and (self.question.kind.flips or (self.wrong and not bare)):
            self.listed = True  # of a what-if, which need not have any, they stand right below it
        return bool(choice)

    def _take_text(self, line, bare, code):
        if line.startswith(("<<<<<<< ", ">>>>>>> ")):
            raise Problem(f"{self.place}: `{bare}` is an unresolved merge conflict. Resolve it.")
        if self.lab and bare.startswith("```"):
            raise Problem(
                f"{self.place}: a backtick after the opening marks, so this isn't a fence. Remove it."
            )
        tokens = list(_tokens(line, code, self.path, self.number))
        directives = [token for token in tokens if isinstance(token, Directive)]
        if heading := HEADING.fullmatch(bare):
            attributes = ATTRIBUTES.search(heading[2])
            text = heading[2][: attributes.start()] if attributes else heading[2]
            ids = IDS.findall(attributes[1] if attributes else "") or [None]  # the last one counts
            self.headings.append(Heading(len(heading[1]), text.strip(), ids[-1], self.number))
            if heading[1] == "#" and directives:
                raise Problem(
                    f"{self.place}: the page's title contains a directive. Move it below the title."
                )
        elif UNDERLINE.fullmatch(bare) and self.above and not self.above.lstrip().startswith(("|", "#")):
            raise Problem(f"{self.place}: an underlined heading. Write `## ` before its text instead.")
        if directives and directives[0].kind.is_block:
            self.parts.append("\n")  # a block is a paragraph of its own
            line_end = ["\n"]
        else:
            line_end = []
        if self.question and bare and not line.startswith(self.indent):
            raise Problem(
                f"{self.place}: the list or quotation ends inside the {self.question.kind} of line "
                f"{self.question.line}. Indent it like that line, up to `{{{{ end }}}}`."
            )
        for token in tokens:
            if isinstance(token, Directive):
                self._take_directive(token, line[: len(line) - len(line.lstrip(" \t>"))])
            else:
                self.parts.append(token)
        self.parts += line_end

    def _take_directive(self, directive, indent):
        if isinstance(directive, End):
            if not self.question:
                raise Problem(f"{self.place}: `{{{{ end }}}}` has no matching block. Remove it.")
            if not self.wrong and self.question.kind.wants_choices:
                raise Problem(
                    f"{self.question.place}: the question has no wrong choices. List them below it: `- 6.0`."
                )
            self.parts[self.at] = begun = replace(self.question, wrong=tuple(self.wrong))
            directive = replace(directive, name=begun.name, argument=begun.argument, ends=begun)
            self.question = None
        elif directive.kind.shows_program and self.question and not directive.kind.has_body:
            inside = "a what-if" if self.question.kind.flips else "an answer"
            raise directive.problem(f"{a(directive.kind)} inside {inside}. Move it after `{{{{ end }}}}`.")
        elif directive.kind.has_body:
            self._want_no_question(directive)
            self._ask_once(directive)
            self.question, self.at, self.wrong, self.listed = directive, len(self.parts), [], False
            self.indent = indent
        elif self.question and self.question.kind.flips:
            follows = any(name == self.question.name for name, _ in directive.asks)
            directive = replace(directive, within=self.question if follows else None)
        self.parts.append(directive)

    def _ask_once(self, directive):
        """Raise Problem for a second question about a program: links find a question by that."""
        if directive.kind.flips:
            return
        place = self.about.setdefault(directive.name, directive.place)
        if place != directive.place:
            raise directive.problem(
                f"{place} already asks about `{directive.name}`. Ask only once, or about another program."
            )

    def _want_no_question(self, inner=None):
        if not self.question:
            return
        place, kind = self.question.place, self.question.kind
        if inner:
            raise inner.problem(
                f"{a(inner.kind)} inside the {kind} of line {self.question.line}. Close that one first, with "
                "`{{ end }}`."
            )
        raise Problem(f"{place}: the {kind} isn't closed. Write `{{{{ end }}}}` on a line after it.")

    def finish(self, body):
        self._want_no_question()
        if self.fence:
            raise Problem(
                f"{self.fence[0]}: the code fence isn't closed. Close it with the marks that open it."
            )
        return Page(
            self.path,
            self.front,
            body,
            tuple(self.parts),
            tuple(self.headings),
            tuple(self.fences),
        )


def _tokens(line, code, path, number) -> Iterable[str | Directive]:
    """Split a line into text and directives; `code` are the columns of it that are left alone."""
    seen = line
    for start, end in code:
        seen = seen[:start] + " " * (end - start) + seen[end:]
    end = 0
    while (start := seen.find("{{", end)) >= 0 and (close := seen.find("}}", start + 2)) >= 0:
        alone = not (line[:start] + line[close + 2 :]).strip()
        _want_braces(seen[end:start], path, number)
        yield line[end:start]
        yield _directive(line[start + 2 : close].strip(), alone, path, number, "$" in line)
        end = close + 2
    _want_braces(seen[end:], path, number)
    yield line[end:]


def _want_braces(text, path, number):
    """Raise Problem for what looks like a directive and is none."""
    if almost := ALMOST.search(text):
        if almost["kind"]:
            raise Problem(
                f"{path}:{number}: `{almost[0]}` isn't a directive. Write `{KINDS[almost['kind']].usage}`."
            )
        raise Problem(f"{path}:{number}: unclosed braces. Write the whole directive on one line.")


def _directive(inside, alone, path, number, in_formula):
    inside = SPACE.sub(" ", inside)
    word, _, rest = inside.partition(" ")
    place = f"{path}:{number}"
    if not inside:
        raise Problem(f"{place}: empty braces. Write a directive, such as `{KINDS['value'].usage}`.")
    if word.startswith("{"):
        raise Problem(f"{place}: three braces. Put a space after the first: `{{ {{{{ value ... }}}} }}`.")
    if word not in KINDS:
        spaced = f" In a formula, put a space between braces: `{{ {{{word}}} }}`." if in_formula else ""
        named = quoted(visible(word))
        raise Problem(f"{place}: there is no directive {named}.{nearest(word, KINDS)}{spaced}")
    kind = KINDS[word]
    name, _, argument = rest.strip().partition(" ")
    argument = argument.strip()
    if not kind.is_named and kind.argument is Argument.REQUIRED:
        name, argument = "", rest.strip()
    usage = f"Write `{kind.usage}`."
    if kind.is_named and not name:
        raise Problem(f"{place}: `{{{{ {inside} }}}}` doesn't name a snippet. {usage}")
    if name and not kind.is_named:
        raise Problem(f"{place}: `{kind}` doesn't take a snippet. {usage}")
    if kind.is_block and not alone:
        raise Problem(f"{place}: {a(kind)} must be alone on its line. Move the text next to it.")
    if kind.argument is Argument.REQUIRED and not argument:
        raise Problem(f"{place}: `{{{{ {inside} }}}}` lacks {kind.wanted}. {usage}")
    if kind.argument is Argument.NONE and argument:
        raise Problem(f"{place}: {a(kind)} has no option `{argument}`. {usage}")
    form = Question if kind.has_body else End if word == "end" else Directive
    directive = form(kind, name, argument, path, number)
    kind.check(directive)
    return directive
