"""A fence of a lab: one cell, and what it gave when the cells before it had run.

What a measured cell gave stands on its page alone: other files are the same in every build.
"""

import re
from html import escape

from weaver.directives.kind import Kind
from weaver.execution.labs.model import printed
from weaver.render import html, markdown

IMAGE = re.compile('<img src="([^"]+)" alt=""')  # which no output holds: it is escaped


class CellKind(Kind):
    name = "cell"
    usage = "```python"
    shows_program = True

    def asks(self, directive):
        return []  # it runs with the others

    def html(self, directive, show):
        outputs = show.results[directive.name].html[directive.number - 1]
        described = f'" alt="{escape(directive.alt)}"'
        outputs = IMAGE.sub(lambda image: f'<img src="{show.programs}/labs/{image[1]}{described}', outputs)
        notebook = f"{directive.name.split('/')[-1]}.ipynb"
        title = html.title(notebook, notebook, f" [{directive.number}]")
        head = show.output_html(*[show.words["measured"]] * directive.measured)
        shown = html.output(head, outputs, is_searched=not directive.measured)
        return html.figure(title + html.code(directive.argument) + shown, f"cell-{directive.number}")

    def markdown(self, directive, show):
        outcome = show.results[directive.name]
        files = re.findall(r'<img src="([^"]+)"', outcome.html[directive.number - 1])
        pictures = "".join(f"\n![{directive.alt}]({show.programs}/labs/{file})\n" for file in files)
        text = printed(outcome.outputs[directive.number - 1])
        output = f"\n({show.words['measured']})\n" if directive.measured else ""
        output = output or markdown.printed(show.output_head, text) + pictures
        return markdown.fenced("python", directive.argument) + output

    def notebook(self, directive, show, cells):
        outputs = show.results[directive.name].outputs[directive.number - 1]
        if directive.measured:
            cells.add_code(directive.argument, None, ["measured"])
        else:
            cells.add_code(directive.argument, outputs)
