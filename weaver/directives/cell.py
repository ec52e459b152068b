"""A fence of a lab: one cell, and what it gave when the cells before it had run.

What a measured cell gave is only on its page: other files are the same in every build.
"""

import re
from dataclasses import dataclass
from html import escape
from typing import Any

from weaver.directives.directive import Cells, Directive, Show
from weaver.execution.labs.model import LabOutcome, printed
from weaver.render import html, markdown

IMAGE = re.compile('<img src="([^"]+)" alt=""')  # which no output holds: it is escaped


@dataclass(frozen=True)
class CellDirective(Directive):
    """A cell of a lab: `name` is the lab's, its argument is its code.

    `number` is its place among the lab's cells, from 1, `alt` says what its pictures show, `measured`
    that no two runs of it print the same.
    """

    number: int = 0
    alt: str = ""
    measured: bool = False

    kind = "cell"
    usage = "```python"
    shows_program = True
    is_named = False  # it runs with the others

    @property
    def skeleton(self) -> str:
        return f"{'the measured' if self.measured else 'the'} cell {self.number}"

    def html(self, show: Show) -> str:
        described = f'" alt="{escape(self.alt)}"'
        outputs = IMAGE.sub(
            lambda image: f'<img src="{show.programs}/labs/{image[1]}{described}', self._shown(show)
        )
        notebook = f"{self.name.split('/')[-1]}.ipynb"
        title = html.title(notebook, notebook, f" [{self.number}]")
        head = show.output_head(*[show.words["measured"]] * self.measured)
        shown = html.output(head, outputs, is_searched=not self.measured)
        return html.figure(title + html.code(self.argument) + shown, f"cell-{self.number}")

    def markdown(self, show: Show) -> str:
        code = markdown.fenced("python", self.argument)
        if self.measured:
            return f"{code}\n({show.words['measured']})\n"
        files = re.findall(r'<img src="([^"]+)"', self._shown(show))
        pictures = "".join(f"\n![{self.alt}]({show.programs}/labs/{file})\n" for file in files)
        return code + markdown.printed(show.output_head(), printed(self._outputs(show))) + pictures

    def notebook(self, show: Show, cells: Cells) -> None:
        if self.measured:
            cells.add_code(self.argument, None, ["measured"])
        else:
            cells.add_code(self.argument, self._outputs(show))

    def _shown(self, show: Show) -> str:
        return self._lab(show).html[self.number - 1]

    def _outputs(self, show: Show) -> list[dict[str, Any]]:
        return self._lab(show).outputs[self.number - 1]

    def _lab(self, show: Show) -> LabOutcome:
        found = show.results[self.name]
        assert isinstance(found, LabOutcome), f"{self.name} is a snippet"
        return found
