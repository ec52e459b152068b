"""`{{ memory topic/lesson x, y }}`: which tensors lie in the same storage, and on which of its elements."""

from weaver.directives.kind import Kind
from weaver.directives.variables import check_variables
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query
from weaver.graph.picture import png, storage
from weaver.render import markdown


class MemoryKind(Kind):
    name = "memory"
    usage = "{{ memory topic/lesson x, y }}"
    is_drawn = True

    def check(self, directive):
        check_variables(directive, directive.argument)

    def asks(self, directive):
        return [(directive.name, Query(Asks.MEMORY, directive.argument))]

    def html(self, directive, show):
        return directive.kept(show, "html", lambda: _figure(directive, show))

    def markdown(self, directive, show):
        return directive.kept(show, "markdown", lambda: _told(directive, show))

    def notebook(self, directive, show, cells):
        cells.text += directive.kept(
            show, "notebook", lambda: _told(directive, show, _image(directive, show))
        )


def _figure(directive, show):
    seen = directive.answer(show)
    before = storage.tell(directive.answer(show.first if show.first else show), show.words)
    marks = {True: "<li>", False: '<li class="differs">'}
    sentences = storage.tell(seen, show.words)
    told = "".join(f"{marks[sentence in before]}{sentence}</li>" for sentence in sentences)
    title = f'<p class="title">{show.words["memory"]} <small>{directive.name}.py</small></p>'
    return (
        f'<figure class="graph">{title}<div class="picture">{storage.draw(seen)}</div>'
        f'<ul class="told">{told}</ul></figure>'
    )


def _image(directive, show):
    alt = f"{show.words['memory']}: {directive.argument}"
    return png.image(storage.draw(directive.answer(show)), alt) + "\n"


def _told(directive, show, picture=""):
    sentences = storage.tell(directive.answer(show), show.words)
    return f"{picture}\n" + "".join(f"- {markdown.plain(sentence)}\n" for sentence in sentences)
