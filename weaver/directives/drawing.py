"""What the directives that draw have in common: variables of the program, options, kept pictures."""

import ast
from collections.abc import Callable, Collection

from weaver.directives.directive import Cells, Directive, Show
from weaver.execution.cache import key
from weaver.execution.fingerprint import fingerprint
from weaver.graph import variables
from weaver.problem import nearest


class DrawingDirective(Directive):
    """A picture of variables, with sentences that say the same."""

    is_drawn = True

    def html(self, show: Show) -> str:
        traces = [show.result(name).trace for name, _ in self.queries]
        more = (traces, self.line, show.programs) if self.is_traced else ()
        return self._kept(show, "html", lambda: self.figure(show), *more)

    def markdown(self, show: Show) -> str:
        return self._kept(show, "markdown", lambda: self.told(show, [""] * len(self.queries)))

    def notebook(self, show: Show, cells: Cells) -> None:
        cells.text += self._kept(show, "notebook", lambda: self.told(show, self.images(show)))

    def figure(self, show: Show) -> str:
        """Return the picture and its sentences, as HTML."""
        raise NotImplementedError

    def images(self, show: Show) -> list[str]:
        """Return the pictures alone, as Markdown."""
        raise NotImplementedError

    def told(self, show: Show, images: list[str]) -> str:
        """Return the sentences as Markdown, below images."""
        raise NotImplementedError

    def _kept(self, show: Show, form: str, make: Callable[[], str], *more: object) -> str:
        """Return `make()`, which shows the picture in a form, or what it gave before.

        `more` is what it's made of besides the words and the answers.
        """
        asked = [(name, query.kind, query.argument) for name, query in self.queries]
        drawing = fingerprint(type(self).__module__)
        before = self.answers(show.first) if show.first else []
        return show.keep(key(drawing, form, show.words, asked, self.answers(show), before, *more), make)

    def check_variables(self, argument: str, options: Collection[str] = ()) -> None:
        """Raise Problem with the place unless `argument` is `a, b` or, with options, `a, option=1`."""
        usage = f"Write `{self.usage}`."
        try:
            parts, given = variables.parse(argument)
        except SyntaxError:
            raise self.problem(f"`{argument}` isn't a list of variables. {usage}") from None
        names = [part for part in parts if not isinstance(part, ast.Starred)]
        if not names:
            raise self.problem(f"`{argument}` doesn't name a variable. {usage}")
        if any(isinstance(part, ast.Call | ast.BinOp) for name in names for part in ast.walk(name)):
            raise self.problem(
                f"`{argument}` is an expression, not a variable. Assign it to one in the snippet."
            )
        for unknown in (option for option in given if option not in options):
            raise self.problem(f"there is no option `{unknown}`.{nearest(str(unknown), options)} {usage}")
