"""`{{ question topic/lesson x.grad }}` to `{{ end }}`: a program, choices, and behind them the answer."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from weaver.directives.kind import Argument, Kind, Question
from weaver.directives.show import Show
from weaver.directives.snippet import (
    output_html,
    output_markdown,
    program_html,
    program_markdown,
    tags,
    trace_html,
)
from weaver.execution.changes import FORMAT
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.render import html, markdown
from weaver.render.html import shown_as_code


class QuestionKind(Kind):
    name = "question"
    usage = "{{ question topic/lesson x.grad }}"
    argument = Argument.OPTIONAL
    has_body = True
    shows_program = True
    is_traced = True
    wants_choices = True
    close_html = "</details></section>"
    close_notebook = "\n</details>\n\n"

    def asks(self, directive):
        return [(directive.name, Query(Asks.TEXT, directive.argument) if directive.argument else None)]

    def html(self, directive, show):
        words, (button, place) = show.words, trace_html(show, directive.name, f"trace-{directive.line}")
        choices = choices_html(directive, mixed(directive, show), words)
        return (
            f'<section class="question" id="{anchor(directive.name)}" data-question="{directive.name}">'
            f"{html.figure(program_html(directive, show), directive.name)}"
            f"<fieldset data-search-exclude>{choices}</fieldset>"
            f"<details><summary data-search-exclude>{words['answer']}</summary>"
            f"{html.figure(button + place + output_html(directive, show))}"
        )

    def markdown(self, directive, show):
        choices = "".join(f"- {markdown.span(text)}\n" for text, _ in mixed(directive, show))
        legend = asked(directive, show.words, markdown.span)
        return f"{program_markdown(directive, show)}\n{legend}\n\n{choices}{_answer(directive, show)}"

    def notebook(self, directive, show, cells):
        words = show.words
        choices = "".join(f"- {markdown.span(text)}\n" for text, _ in mixed(directive, show))
        cells.text += f"\n**{asked(directive, words, markdown.span)}** {words['predict']}\n\n{choices}"
        told = ["question", *tags(show.results[directive.name])]
        cells.add_code(show.snippets[directive.name].code, None, told)
        cells.add_code('prediction = ""\n', [])
        cells.text += f"<details><summary>{words['answer']}</summary>\n\n{_answer(directive, show)}\n"


class EndKind(Kind):
    """The end of a question or a what-if, behind its explanation."""

    name = "end"
    usage = "{{ end }}"
    argument = Argument.NONE
    is_named = False

    def asks(self, directive):
        return []

    def html(self, directive, show):
        return directive.ends.kind.close_html

    def markdown(self, directive, show):
        return ""

    def notebook(self, directive, show, cells):
        cells.text += directive.ends.kind.close_notebook


def anchor(name: str) -> str:
    """Return the id by which links find the question about a program: the same in all languages."""
    return f"ask-{re.sub('[^a-z0-9]+', '-', name.lower())}"


def asked(question: Question, words: Mapping[str, Any], code: Callable[[str], str]) -> str:
    """Return what the reader is asked: for the output or, if there is one, for the value of the expression.

    `code` shows the expression as code. How a value is formatted isn't part of the question.
    """
    if not question.argument:
        return words["what_prints"]
    return words["what_is"].format(value=code(FORMAT.sub("", question.argument)))


def given(question: Question, show: Show) -> str:
    """Return what the run gives. Raises Problem if that is nothing."""
    text = question.answer(show) if question.argument else show.results[question.name].output
    if not text.strip():
        raise question.problem("the snippet prints nothing, so there is no right answer. Ask about a value.")
    return text.strip()


def shuffled(question: Question, texts: Iterable[str]) -> list[str]:
    """Return choices in an order that tells nothing."""
    return sorted(texts, key=lambda text: hashlib.sha256(f"{question.name} {text}".encode()).digest())


def choices_html(question: Question, choices: Iterable[tuple[str, bool]], words: Mapping[str, Any]) -> str:
    """Return what is in a question's fieldset: choices, each with whether it is right, and the verdict."""
    group = escape(f"question-{question.name}-{question.line}")
    listed = "".join(
        f'<label><input type="radio" name="{group}" data-right="{str(right).lower()}"> '
        f"{shown_as_code(text)}</label>"
        for text, right in choices
    )
    return (
        f"<legend>{asked(question, words, shown_as_code)}</legend>{listed}"
        f'<p class="verdict" role="status" data-right="{escape(words["right"])}" '
        f'data-wrong="{escape(words["wrong"])}"></p>'
    )


def mixed(question: Question, show: Show) -> list[tuple[str, bool]]:
    """Return a question's choices in an order that tells nothing, each with whether it is right."""
    right = given(question, show)
    if right in question.wrong:
        raise question.problem(
            f"`{right}` is listed as a wrong choice, but the run gives it. Remove it from the list."
        )
    return [(text, text == right) for text in shuffled(question, (*question.wrong, right))]


def _answer(question, show):
    """Return the right choice, where it is not the output, and the output, as Markdown."""
    right = [text for text, right in mixed(question, show) if right and question.argument]
    return "".join(f"\n{markdown.span(text)}\n" for text in right) + output_markdown(question, show)
