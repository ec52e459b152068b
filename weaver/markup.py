"""A directive and its snippet's result -> what the reader sees, as HTML or as Markdown."""

import ast
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from html import escape, unescape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from weaver.glossary import Term, listed
from weaver.graph import memory
from weaver.graph.asked import parse
from weaver.graph.figure import figure
from weaver.graph.model import LARGEST, TooLarge, fold, read
from weaver.graph.tell import tell
from weaver.lab import Outcome, printed
from weaver.page import Directive
from weaver.problem import Problem, nearest
from weaver.result import Line, Result
from weaver.snippet import Snippet
from weaver.words import WORDS

DRAWN = ("graph", "memory")  # directives that show a picture
LEXER, FORMATTER = PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)
# What a browser would not show, or would let rearrange the line, is shown by its control picture
# or its code point: C0 and C1 controls, zero-width and direction marks, line separators.
HIDDEN = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"} | {0x7F: "\u2421"}
for first, last in (
    (0x80, 0x9F),
    (0xAD, 0xAD),
    (0x61C, 0x61C),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
):
    HIDDEN |= {code: f"\\u{code:04x}" for code in range(first, last + 1)}


def visible(text: str) -> str:
    """Return `text` with every character that would be invisible or change the others made visible."""
    return text.translate(HIDDEN)


class Markup:
    """Renders the directives of the pages in one language.

    `snippets` and `results` are by name; `torch` is the version that is shown with outputs;
    `keep(facts, make)` returns what `make()` returns, which follows from `facts`, or returned before;
    `glossary` are the language's terms; `programs` is where the page finds the snippets' files.
    """

    programs = "snippets"

    def __init__(
        self,
        snippets: Mapping[str, Snippet],
        results: Mapping[str, Result | Outcome],
        language: str,
        torch: str,
        keep: Callable[[list, Callable[[], str]], str] = lambda facts, make: make(),
        glossary: Sequence[Term] = (),
    ):
        self.snippets, self.results = snippets, results
        self.language, self.words, self.torch = language, WORDS[language], torch
        self.keep, self.glossary = keep, glossary

    def __call__(self, directive: Directive) -> str:
        """Return what the reader sees in the place of `directive`. Raises Problem with the place."""
        return getattr(self, directive.kind)(directive)

    def seen(self, directive: Directive) -> str:
        """Return what the directive's look at the snippet's variables saw."""
        return self.all_seen(directive)[0]

    def all_seen(self, directive: Directive) -> list[str]:
        """Return what each of the directive's looks saw. Raises Problem with the place."""
        texts = []
        for name, look in directive.asks:
            result, asked = self.results[name], look.split(":", 1)[1]
            text, error = result.values[look]
            if error is not None:
                unknown = re.match(r"NameError: name '(\w+)'", error)
                near = nearest(unknown[1], result.names) if unknown else ""
                what = "drawn" if directive.kind in DRAWN else "evaluated"
                kind = "lab" if isinstance(result, Outcome) else "snippet"
                raise Problem(
                    f"{directive.place}: `{asked}` cannot be {what} after {kind} `{name}`: {error}.{near}"
                )
            texts.append(text)
        return texts

    def message(self, directive: Directive) -> str:
        """Return the message of a directive's snippet. Raises Problem if it gave none."""
        message = self.results[directive.name].message
        if message is None:
            raise Problem(
                f"{directive.place}: snippet `{directive.name}` raises no error and gives no warning. "
                "Take one that does."
            )
        return " ".join(message.split())

    def terms(self, directive: Directive) -> str:
        """Return the glossary as Markdown; a page is still Markdown when it goes in."""
        return listed(self.glossary, self.words["see"])

    def titles(self, directive: Directive) -> list[tuple[str, str, str]]:
        """Return for each panel of a graph its snippet, its variables, and which backward pass it shows."""
        titles = []
        for name, look in directive.asks:
            variables, options = parse(look.split(":", 1)[1])
            number = ast.unparse(options["backward"]) if options else ""
            ordinal = self.words["graph_numbers"].get(
                number, self.words["graph_number"].format(number=number)
            )
            shown = self.words["graph_pass"].format(number=ordinal) if number else ""
            titles.append((name, ", ".join(map(ast.unparse, variables)), shown))
        return titles

    def drawn(self, directive: Directive, make: Callable[[], str]) -> str:
        """Return a picture, kept from the last build if nothing changed. Raises Problem with the place."""
        facts = [type(self).__name__, directive.kind, self.words, directive.asks, self.all_seen(directive)]
        try:
            return self.keep(facts, make)
        except TooLarge as error:
            raise Problem(
                f"{directive.place}: the graph of `{directive.argument}` has {error} boxes, folded as far as "
                f"it can be, more than {LARGEST}. Draw a smaller part of it."
            ) from None

    def choices(self, question: Directive) -> list[tuple[str, bool]]:
        """Return a question's choices in an order that tells nothing, each with whether it is right."""
        right = self.seen(question) if question.argument else self.results[question.name].output
        right = right.strip()
        if not right:
            raise Problem(
                f"{question.place}: the snippet prints nothing, so there is no right answer. Ask of a value."
            )
        if right in question.wrong:
            raise Problem(
                f"{question.place}: `{right}` is listed as a wrong choice, and is what the run gives."
            )

        def place(text):
            return hashlib.sha256(f"{question.name} {text}".encode()).digest()

        return [(text, text == right) for text in sorted((*question.wrong, right), key=place)]


@lru_cache(maxsize=1024)
def code(source: str, first_line: int = 1) -> str:
    """Return highlighted code, a span per line, numbered from `first_line`, as HTML.

    It is kept: all languages show the same, and it can be made while the code still runs.
    """
    lines = highlight(source.rstrip(), LEXER, FORMATTER).rstrip("\n").split("\n")
    marked = "".join(
        f'<span data-line="{number}">{line}\n</span>' for number, line in enumerate(lines, first_line)
    )
    return f'<div class="highlight" data-search-exclude><pre><code>{marked}</code></pre></div>'


class Html(Markup):
    """Directives as HTML."""

    def snippet(self, directive):
        snippet = self.snippets[directive.name]
        return self._figure(self._code(snippet) + self._output(snippet))

    def cell(self, directive):
        outputs = self.results[directive.name].html[directive.number - 1]
        outputs = outputs.replace('<img src="', f'<img src="{self.programs}/labs/')
        outputs = outputs.replace(' alt=""', f' alt="{escape(directive.alt)}"')
        notebook = f"{directive.name.split('/')[-1]}.ipynb"
        title = self._title(notebook, notebook, f" [{directive.number}]")
        shown = self._shown(outputs, self.words["measured"] if directive.measured else "")
        return self._figure(title + code(directive.argument) + shown)

    def value(self, directive):
        return f'<code class="value">{escape(visible(self.seen(directive)))}</code>'

    def error(self, directive):
        return f'<code class="error">{escape(visible(self.message(directive)))}</code>'

    def verdict(self, directive):
        verdict = self.seen(directive)
        return f'<strong class="claim {verdict}">{self.words[f"claim_{verdict}"]}</strong>'

    def table(self, directive):
        head = "".join(f"<th><code>{escape(_label(cell))}</code></th>" for cell in _columns(directive))
        body = ""
        for label, *cells in json.loads(self.seen(directive)):
            body += f'<tr><th scope="row"><code>{escape(visible(label))}</code></th>'
            body += "".join(f"<td><code>{escape(visible(cell))}</code></td>" for cell in cells) + "</tr>"
        table = f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f'<div class="run-table" tabindex="0">{table}</div>'

    def graph(self, directive):
        titles = [
            " ".join(filter(None, (f"<code>{escape(variables)}</code>", shown, f"<small>{name}.py</small>")))
            for name, variables, shown in self.titles(directive)
        ]
        return self.drawn(
            directive, lambda: figure(list(zip(titles, self.all_seen(directive), strict=True)), self.words)
        )

    def memory(self, directive):
        return self.drawn(directive, lambda: self._memory(directive))

    def _memory(self, directive):
        seen = self.seen(directive)
        told = "".join(f"<li>{sentence}</li>" for sentence in memory.tell(seen, self.words))
        title = f'<p class="title">{self.words["memory"]} <small>{directive.name}.py</small></p>'
        return (
            f'<figure class="graph">{title}<div class="picture">{memory.draw(seen)}</div>'
            f'<ul class="told">{told}</ul></figure>'
        )

    def bars(self, directive):
        rows = json.loads(self.seen(directive))
        largest = max((size for _, size in rows), default=0) or 1
        body = "".join(
            f'<tr><th scope="row"><code>{escape(visible(label))}</code></th><td><code>{size:,}</code></td>'
            f'<td><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect width="{100 * size / largest:.1f}" height="10"/></svg></td></tr>'
            for label, size in rows
        )
        return f'<div class="run-table bars" tabindex="0"><table><tbody>{body}</tbody></table></div>'

    def question(self, directive):
        snippet, words = self.snippets[directive.name], self.words
        group = escape(f"question-{directive.name}-{directive.line}")
        choices = ""
        for text, right in self.choices(directive):
            choices += (
                f'<label><input type="radio" name="{group}" data-right="{str(right).lower()}"> '
                f"<code>{escape(visible(text))}</code></label>"
            )
        return (
            f'<section class="question">{self._figure(self._code(snippet))}'
            f"<fieldset data-search-exclude><legend>{words['what_prints']}</legend>{choices}"
            f'<p class="verdict" role="status" data-right="{words["right"]}" '
            f'data-wrong="{words["wrong"]}"></p></fieldset>'
            f"<details><summary data-search-exclude>{words['answer']}</summary>"
            f"{self._figure(self._output(snippet))}"
        )

    def end(self, directive):
        return "</details></section>"

    def _code(self, snippet):
        name = f"{snippet.name}.py"
        return self._title(f"{self.programs}/{name}", name) + code(snippet.code, snippet.first_line)

    def _title(self, address, name, more=""):
        link = f'<a href="{address}" download>{name}</a>{more}'
        return f"<figcaption data-search-exclude>{link}</figcaption>"

    def _figure(self, inside):
        return f'<figure class="snippet">{inside}</figure>'

    def _output(self, snippet):
        lines = self.results[snippet.name].lines
        samp = "".join(f"<span{_marks(line)}>{escape(visible(line.text))}\n</span>" for line in lines)
        return self._shown(samp and f"<pre><samp>{samp}</samp></pre>")

    def _shown(self, outputs, remark=""):
        head = f"{self.words['output']} <small>torch {self.torch}{remark and f', {remark}'}</small>"
        return outputs and f'<div class="output"><p data-search-exclude>{head}</p>{outputs}</div>'


class Markdown(Markup):
    """Directives as plain Markdown: what tests run, and what machines that read pages get."""

    def snippet(self, directive):
        return self._code(directive) + self._output(directive)

    def cell(self, directive):
        text = printed(self.results[directive.name].outputs[directive.number - 1])
        files = re.findall(r'<img src="([^"]+)"', self.results[directive.name].html[directive.number - 1])
        pictures = "".join(f"\n![{directive.alt}]({self.programs}/labs/{file})\n" for file in files)
        return _fenced("python", directive.argument) + self._printed(text) + pictures

    def value(self, directive):
        return _span(visible(self.seen(directive)))

    def error(self, directive):
        return _span(visible(self.message(directive)))

    def verdict(self, directive):
        return f"**{self.words[f'claim_{self.seen(directive)}']}**"

    def table(self, directive):
        columns = _columns(directive)
        rows = [["", *(_label(cell) for cell in columns)], ["---"] * (len(columns) + 1)]
        rows += json.loads(self.seen(directive))
        return "".join(
            "| " + " | ".join(cell if cell in ("", "---") else _span(visible(cell)) for cell in row) + " |\n"
            for row in rows
        )

    def graph(self, directive):
        return self.drawn(directive, lambda: self._graph(directive))

    def _graph(self, directive):
        told = ""
        for (name, variables, shown), seen, picture in zip(
            self.titles(directive), self.all_seen(directive), self.pictures(directive), strict=True
        ):
            title = ", ".join(
                filter(None, (f"{self.words['graph']}: {_span(variables)}", shown, f"{name}.py"))
            )
            steps = tell(fold(read(seen)), self.words)
            told += f"{title}\n\n{picture}\n"
            told += "".join(f"1. {_plain(sentence)}\n" for sentence, _ in steps) + "\n"
        return told

    def memory(self, directive):
        return self.drawn(directive, lambda: self._memory(directive))

    def _memory(self, directive):
        [picture] = self.pictures(directive)
        sentences = memory.tell(self.seen(directive), self.words)
        return f"{picture}\n" + "".join(f"- {_plain(sentence)}\n" for sentence in sentences)

    def pictures(self, directive: Directive) -> list[str]:
        """Return a line with a picture for each panel, or an empty one: none here, this is text."""
        return [""] * len(directive.asks)

    def bars(self, directive):
        rows = json.loads(self.seen(directive))
        return "| | |\n| --- | ---: |\n" + "".join(
            f"| {_span(visible(label))} | {_span(f'{size:,}')} |\n" for label, size in rows
        )

    def question(self, directive):
        choices = "".join(f"- {_span(visible(text))}\n" for text, _ in self.choices(directive))
        return f"{self._code(directive)}\n{self.words['what_prints']}\n\n{choices}{self.answer(directive)}"

    def answer(self, question: Directive) -> str:
        """Return the right choice of a question, where it is not the output, and the output."""
        right = [text for text, right in self.choices(question) if right and question.argument]
        return "".join(f"\n{_span(visible(text))}\n" for text in right) + self._output(question)

    def end(self, directive):
        return ""

    def _code(self, directive):
        return _fenced("python", self.snippets[directive.name].code)

    def _output(self, directive):
        return self._printed(self.results[directive.name].output)

    def _printed(self, output):
        head = f"\n{self.words['output']} (torch {self.torch}):\n\n"
        return output and head + _fenced("text", visible(output))


def _plain(sentence: str) -> str:
    """Return a sentence of HTML, in which only code is marked, as Markdown."""
    return re.sub(r"<code>(.*?)</code>", lambda code: _span(unescape(code[1])), sentence)


def _columns(directive: Directive) -> list[str]:
    return [cell.strip() for cell in directive.argument.split("|")[1:]]


def _label(cell: str) -> str:
    """Return a column's heading: its expression, without the conversion that only formats it."""
    return re.sub(r"![rsa]$", "", cell)


def _marks(line: Line) -> str:
    source = f' data-from="{line.source}"' if line.source else ""
    return source + (f' class="{line.kind}"' if line.kind != "out" else "")


def _fenced(language: str, text: str) -> str:
    """Return `text` in a fence that no run of backticks in it can close."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}\n"


def _span(text: str) -> str:
    """Return `text` as a code span, whatever backticks it holds."""
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if "`" in text else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"
