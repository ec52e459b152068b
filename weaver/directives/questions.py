"""`{{ questions }}`: all questions of the site, each with its program, and the page that explains it."""

from html import escape

from weaver.directives.directive import Argument, Asked, Directive, Need, Show
from weaver.directives.question import QuestionDirective
from weaver.render import html


class QuestionsDirective(Directive):
    kind = "questions"
    usage = "{{ questions }}"
    takes = Argument.NONE
    needs = frozenset({Need.QUESTIONS})
    is_named = False
    is_drawn = True

    def html(self, show: Show) -> str:
        return f'<ol class="questions">{"".join(_item(one, show) for one in self._asked(show))}</ol>'

    def markdown(self, show: Show) -> str:
        pages = {one.page: one.title for one in self._asked(show)}
        return "".join(f"- [{title}]({page})\n" for page, title in pages.items())

    def _asked(self, show: Show) -> tuple[Asked, ...]:
        if not show.questions:
            raise self.problem("there are no questions. Write one on a page: `{{ question ... }}`.")
        return show.questions


def _item(asked: Asked, show: Show) -> str:
    """Return a question without its output and its explanation: those are on its page."""
    question, words = asked.question, show.words
    assert isinstance(question, QuestionDirective)
    snippet = show.snippets[question.name]
    program = html.code(snippet.code, snippet.first_line).replace("highlight", "highlight no-copy", 1)
    address = f"{asked.address}#{question.anchor}"
    return (
        f'<li data-topic="{asked.section}"><section class="question" data-question="{question.name}">'
        f"{html.figure(program)}"
        f"<fieldset>{question.fieldset(show)}</fieldset>"
        f"<details><summary>{words['answer']}</summary><p>{html.shown_as_code(question.right(show))}</p>"
        f'<p>{words["explained"]}: <a href="{address}">{escape(asked.title)}</a></p>'
        "</details></section></li>"
    )
