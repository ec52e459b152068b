"""A page and what ran for it -> a Jupyter notebook that carries the same code, outputs and pictures."""

import json
import posixpath
import re
from collections.abc import Mapping
from typing import Any

from weaver.execution.snippets.result import Result
from weaver.graph.picture import storage
from weaver.graph.picture.figure import drawings
from weaver.graph.picture.png import image
from weaver.pages.parser import Page
from weaver.render.markup import Markdown
from weaver.render.twin import plain

LICENCE = "MIT"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
TITLE = re.compile(r"^# .*$", re.MULTILINE)


class Prose(Markdown):
    """What a notebook shows in the place of a directive that is no code: text, and pictures as PNG."""

    def pictures(self, directive):
        seen = self.all_seen(directive)
        svgs = [storage.draw(seen[0])] if directive.kind == "memory" else [svg for *_, svg in drawings(seen)]
        return [
            image(svg, f"{self.words[directive.kind]}: {look.split(':', 1)[1]}") + "\n"
            for svg, (_, look) in zip(svgs, directive.asks, strict=True)
        ]


def notebook(page: Page, render: Prose, root: str, url: str) -> str:
    """Return the page as a notebook, as JSON in the format of nbformat 4.5.

    `root` is the address of the page's language, `url` the page's below it: links lead to the site.
    A snippet and a cell of a lab become a code cell with its outputs. A question becomes the program,
    not yet run, a cell to write a prediction in, and the answer, folded.
    """
    cells = _Cells(root, url, render.torch)
    for part in page.parts:
        kind = "text" if isinstance(part, str) else part.kind
        if kind == "snippet":
            result = render.results[part.name]
            cells.add_code(render.snippets[part.name].code, _outputs(result), _tags(result))
        elif kind == "cell":
            outputs = render.results[part.name].outputs[part.number - 1]
            cells.add_code(part.argument, outputs, ["measured"] if part.measured else [])
        elif kind == "question":
            choices = "".join(f"- `{text}`\n" for text, _ in render.choices(part))
            cells.text += f"\n**{render.words['what_prints']}** {render.words['predict']}\n\n{choices}"
            tags = ["question", *_tags(render.results[part.name])]
            cells.add_code(render.snippets[part.name].code, None, tags)
            cells.add_code('prediction = ""\n', [])
            cells.text += f"<details><summary>{render.words['answer']}</summary>\n\n{render.answer(part)}\n"
        elif kind == "end":
            cells.text += "\n</details>\n\n"
        else:
            cells.text += part if kind == "text" else render(part)
    cells.add_text()
    about = {"page": posixpath.join(root, url), "torch": render.torch, "license": LICENCE}
    content = {"metadata": {**METADATA, "autograd": about}, "cells": cells.cells}
    return json.dumps({**content, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1) + "\n"


class _Cells:
    """The cells so far, and the text of the one that is being written."""

    def __init__(self, root, url, torch):
        self.root, self.url, self.torch = root, url, torch
        self.cells: list[dict[str, Any]] = []
        self.text = ""
        self.ran = 0

    def add_text(self):
        text = plain(self.text, self._link).strip()
        if text and not self.cells:
            address = posixpath.join(self.root, self.url)
            text = TITLE.sub(lambda title: f"{title[0]}\n\n<{address}> · torch {self.torch}", text, count=1)
        if text:
            self._add({"cell_type": "markdown", "metadata": {}, "source": text})
        self.text = ""

    def add_code(self, source, outputs, tags=()):
        """Add a code cell; with `outputs` None it has not run."""
        self.add_text()
        self.ran += outputs is not None
        metadata = {"tags": list(tags)} if tags else {}
        cell = {"cell_type": "code", "metadata": metadata, "source": source.rstrip("\n")}
        count = None if outputs is None else self.ran
        self._add({**cell, "execution_count": count, "outputs": outputs or []})

    def _add(self, cell):
        self.cells.append({"id": f"cell-{len(self.cells) + 1}", **cell})

    def _link(self, match):
        url = self.url
        if match["page"]:
            page = posixpath.join(posixpath.dirname(self.url.rstrip("/")), match["page"])
            page = posixpath.normpath(page)
            url = f"{page}.html" if self.url.endswith(".html") else f"{page}/".removeprefix("index/")
        return f"]({self.root}{url}{match['id'] or ''})"


def _outputs(result: Result) -> list[Mapping[str, Any]]:
    """Return the output of a snippet as Jupyter would hold it: stdout, stderr, the error."""
    printed = [line for line in result.lines if line.kind != "raised"]
    outputs = []
    for kind, name in (("out", "stdout"), ("err", "stderr")):
        if text := "".join(f"{line.text}\n" for line in printed if line.kind == kind):
            outputs.append({"output_type": "stream", "name": name, "text": text})
    if result.error:
        name, _, value = result.error.partition(": ")
        error = {"ename": name.split(".")[-1], "evalue": value, "traceback": [result.error]}
        outputs.append({"output_type": "error", **error})
    return outputs


def _tags(result: Result) -> list[str]:
    """Return what tells Jupyter to go on after a snippet that ends in an error."""
    return ["raises-exception"] if result.error else []
