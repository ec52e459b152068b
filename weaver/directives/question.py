"""`{{ question topic/lesson x.grad }}` to `{{ end }}`: a program, choices, and below them the answer."""

import re

from weaver.directives.body import BodyDirective
from weaver.directives.directive import Cells, Show
from weaver.directives.snippet import tags
from weaver.render import html, markdown


class QuestionDirective(BodyDirective):
    kind = "question"
    usage = "{{ question topic/lesson x.grad }}"
    inside = "an answer"
    close_html = "</details></section>"
    close_notebook = "\n</details>\n\n"

    @property
    def anchor(self) -> str:
        """The id by which links find the question about a program: the same in all languages."""
        return f"ask-{re.sub('[^a-z0-9]+', '-', self.name.lower())}"

    def html(self, show: Show) -> str:
        return (
            f'<section class="question" id="{self.anchor}" data-question="{self.name}">'
            f"{html.figure(self.program_html(show), self.name)}"
            f"<fieldset data-search-exclude>{self.fieldset(show)}</fieldset>"
            f"<details><summary data-search-exclude>{show.words['answer']}</summary>"
            f"{html.figure(self.trace_html(show) + self.output_html(show))}"
        )

    def markdown(self, show: Show) -> str:
        legend = self.asked(show.words, markdown.span)
        return f"{self.program_markdown(show)}\n{legend}\n\n{self._choices(show)}{self._answer_below(show)}"

    def notebook(self, show: Show, cells: Cells) -> None:
        words = show.words
        asked = self.asked(words, markdown.span)
        cells.text += f"\n**{asked}** {words['predict']}\n\n{self._choices(show)}"
        cells.add_code(show.snippets[self.name].code, None, ["question", *tags(show.result(self.name))])
        cells.add_code('prediction = ""\n', [])
        cells.text += f"<details><summary>{words['answer']}</summary>\n\n{self._answer_below(show)}\n"

    def right(self, show: Show) -> str:
        """Return the right choice. Raises Problem if it is listed as a wrong one."""
        right = self.given(show)
        if right in self.wrong:
            raise self.problem(
                f"`{right}` is listed as a wrong choice, but the run gives it. Remove it from the list."
            )
        return right

    def fieldset(self, show: Show) -> str:
        """Return what's in the question's fieldset, as HTML."""
        right = self.right(show)
        return self.choices_html([*self.wrong, right], right, show.words)

    def _choices(self, show: Show) -> str:
        texts = self.shuffled([*self.wrong, self.right(show)])
        return "".join(f"- {markdown.span(text)}\n" for text in texts)

    def _answer_below(self, show: Show) -> str:
        """Return the right choice, where it isn't the output, and the output, as Markdown."""
        right = f"\n{markdown.span(self.right(show))}\n" if self.argument else ""
        return right + self.output_markdown(show)
