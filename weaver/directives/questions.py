"""`{{ questions }}`: all questions of the site, each with its program, and the page that explains it."""

from html import escape

from weaver.directives.kind import Argument, Kind
from weaver.directives.question import anchor, choices_html, mixed
from weaver.render import html


class QuestionsKind(Kind):
    name = "questions"
    usage = "{{ questions }}"
    argument = Argument.NONE
    is_named = False
    is_drawn = True

    def asks(self, directive):
        return []

    def html(self, directive, show):
        items = "".join(_item(one, show) for one in self._asked(directive, show))
        return f'<ol class="questions">{items}</ol>'

    def markdown(self, directive, show):
        pages = {one.page: one.title for one in self._asked(directive, show)}
        return "".join(f"- [{title}]({page})\n" for page, title in pages.items())

    @staticmethod
    def _asked(directive, show):
        if not show.asked:
            raise directive.problem("there are no questions. Write one on a page: `{{ question ... }}`.")
        return show.asked


def _item(asked, show):
    """Return a question without its output and its explanation: those are on its page."""
    question, words = asked.question, show.words
    snippet = show.snippets[question.name]
    choices = mixed(question, show)
    right = next(text for text, is_right in choices if is_right)
    program = html.code(snippet.code, snippet.first_line).replace("highlight", "highlight no-copy", 1)
    address = f"{asked.address}#{anchor(question.name)}"
    return (
        f'<li data-topic="{asked.section}"><section class="question" data-question="{question.name}">'
        f"{html.figure(program)}"
        f"<fieldset>{choices_html(question, choices, words)}</fieldset>"
        f"<details><summary>{words['answer']}</summary><p>{html.shown_as_code(right)}</p>"
        f'<p>{words["explained"]}: <a href="{address}">{escape(asked.title)}</a></p>'
        "</details></section></li>"
    )
