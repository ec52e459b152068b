"""`{{ memory topic/lesson x, y }}`: which tensors are in the same storage, and on which of its elements."""

from weaver.directives.directive import Show
from weaver.directives.drawing import DrawingDirective
from weaver.execution.protocol import Kind, Query
from weaver.graph.picture import png, storage
from weaver.render import markdown


class MemoryDirective(DrawingDirective):
    kind = "memory"
    usage = "{{ memory topic/lesson x, y }}"

    def check(self) -> None:
        self.check_variables(self.argument)

    @property
    def query(self) -> Query:
        return Query(Kind.MEMORY, self.argument)

    def figure(self, show: Show) -> str:
        seen, before = self.answer(show), self.answer(show.first or show)
        known = storage.tell(before, show.words)
        told = "".join(
            f"<li>{sentence}</li>" if sentence in known else f'<li class="differs">{sentence}</li>'
            for sentence in storage.tell(seen, show.words)
        )
        title = f'<p class="title">{show.words["memory"]}\n{self.name}.py</p>'
        return (
            f'<figure class="graph">{title}<div class="picture">{storage.draw(seen)}</div>'
            f'<ul class="told">{told}</ul></figure>'
        )

    def images(self, show: Show) -> list[str]:
        alt = f"{show.words['memory']}: {self.argument}"
        return [png.image(storage.draw(self.answer(show)), alt) + "\n"]

    def told(self, show: Show, images: list[str]) -> str:
        sentences = storage.tell(self.answer(show), show.words)
        return f"{images[0]}\n" + "".join(f"- {markdown.plain(sentence)}\n" for sentence in sentences)
