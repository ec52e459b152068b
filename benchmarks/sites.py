"""The same site for each contestant, as its documentation recommends; and whether it came out right."""

import json
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

PER_PAGE = 5
SOURCE = """\
import torch

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([4.0, 5.0, 6.0], requires_grad=True)
c = torch.tensor({constant}.0, requires_grad=True)
loss = (a * b + c * a).sum()
loss.backward()

print(loss)
print(a.grad)
print(b.grad)
print(c.grad)
"""
CONFIG = {
    "site_name": "Benchmark",
    "theme": {"name": "material", "font": False},
    "markdown_extensions": ["admonition", "attr_list", "tables", "pymdownx.superfences", "toc"],
}
JUPYTER = {"include": ["*.ipynb"], "execute": True, "allow_errors": False, "cache": True}
SETTINGS = {
    "static": {"plugins": ["search"]},
    "weaver": {"plugins": ["search", "weaver"]},
    "markdown-exec": {"plugins": ["search", "markdown-exec"]},
    "mkdocs-jupyter": {"plugins": ["search", {"mkdocs-jupyter": JUPYTER}]},
    "process": {"plugins": ["search"], "hooks": ["process_hook.py"]},
}
# What stands on the page in the place of a snippet. Only `static` knows the output beforehand.
BODIES = {
    "static": "```python\n{source}```\n\n```text\n{output}```",
    "weaver": "{{{{ snippet {name} }}}}",
    "markdown-exec": '```python exec="on" source="above" result="text"\n{source}```',
    "process": "@@ {name}",
}


def source(constant: int) -> str:
    """Return a program of 12 lines; no two constants print the same."""
    return SOURCE.format(constant=constant)


def output(constant: int) -> str:
    """Return what that program prints, by calculus rather than by running it."""
    gradient = [f"{constant + b}." for b in (4, 5, 6)]
    gradient = ", ".join(number.rjust(len(gradient[-1])) for number in gradient)
    loss = f"tensor({32 + 6 * constant}., grad_fn=<SumBackward0>)"
    return f"{loss}\ntensor([{gradient}])\ntensor([1., 2., 3.])\ntensor(6.)\n"


def files(contestant: str, constants: Sequence[int]) -> dict[str, str]:
    """Return a contestant's MkDocs project, path -> text, with a snippet for each constant."""
    project = {"mkdocs.yml": json.dumps(CONFIG | SETTINGS[contestant]), "docs/index.md": "# Benchmark\n"}
    for page, on_page in _pages(constants):
        if contestant == "mkdocs-jupyter":
            project[f"docs/{page}.ipynb"] = _notebook(page, on_page)
            continue
        text = f"# {page}\n"
        for number, constant in enumerate(on_page):
            name, code = f"{page}/lesson_{number}", source(constant)
            body = BODIES[contestant].format(name=name, source=code, output=output(constant))
            text += f"\n## Lesson {number}\n\n{body}\n"
            if contestant in ("weaver", "process"):
                project[f"snippets/{name}.py"] = code
        project[f"docs/{page}.md"] = text
    if contestant == "process":
        project["process_hook.py"] = Path(__file__).with_name("process_hook.py").read_text(encoding="utf-8")
    return project


def shortcoming(site: Path, constants: Sequence[int]) -> str | None:
    """Return what a built site lacks, or None if every snippet's code and output stand on its page."""
    for page, on_page in _pages(constants):
        path = site / page / "index.html"
        text = _text(path.read_text(encoding="utf-8")) if path.is_file() else ""
        for constant in on_page:
            for what, expected in (("code", source(constant)), ("output", output(constant))):
                if _squeezed(expected) not in text:
                    return f"{page} lacks the {what} of the snippet with the constant {constant}"
    return None


def _pages(constants):
    """Yield each page's name and the constants of its snippets."""
    for start in range(0, len(constants), PER_PAGE):
        yield f"page-{start // PER_PAGE:03}", constants[start : start + PER_PAGE]


def _notebook(page, constants):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": f"# {page}"}]
    for number, constant in enumerate(constants):
        cells.append({"cell_type": "markdown", "metadata": {}, "source": f"## Lesson {number}"})
        cell = {"cell_type": "code", "metadata": {}, "source": source(constant).rstrip("\n")}
        cells.append(cell | {"execution_count": None, "outputs": []})
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": kernel, "cells": cells})


def _text(html):
    return _squeezed(unescape(re.sub(r"<script.*?</script>|<[^>]*>", "", html, flags=re.S)))


def _squeezed(text):
    return "".join(text.split())
