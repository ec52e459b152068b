"""The notebooks: valid, the same in all languages but for their prose, and true: run anew, they print what they carry."""

import json
import re
from collections import Counter
from functools import cache

import nbformat
import pytest
from support.project import LANGUAGES, NOTEBOOKS, content, each_page, notebook_of, result, show, shown

from weaver.escape import visible
from weaver.execution.normalise import normalise
from weaver.execution.snippets.result import Line
from weaver.execution.snippets.source import Snippet
from weaver.pages.parser import parse
from weaver.site.notebook import notebook

WARNED = re.compile(r"\S*ipykernel_\d+\S*\.py:(\d+): (.*)")  # where Jupyter says that a cell warned
every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)
in_each_language = pytest.mark.parametrize("language", LANGUAGES)


def code_cells(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in cells if cell["cell_type"] == "code"]


def prose(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "".join(f"{cell['source']}\n\n" for cell in cells if cell["cell_type"] == "markdown")


@cache
def ids(page):
    """Return the ids on a page of the site."""
    return {*re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8"))}


def printed(cell):
    """Return what a cell gave: stdout, stderr, errors and pictures, without what differs between machines."""
    streams, others = {"stdout": "", "stderr": ""}, []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            streams[output["name"]] += unplaced("".join(output["text"]), cell["source"])
        elif output["output_type"] == "error":
            value = re.sub(r" \(\d+\.py, line \d+\)$", "", normalise(output["evalue"]))  # of a SyntaxError
            others.append((output["ename"], value.rstrip()))
        else:
            others.append(sorted((kind, "".join(data).strip()) for kind, data in output["data"].items()))
    return streams, others


def unplaced(text, source):
    """Return stderr without the place of a warning and the line of the cell that Python repeats below it."""
    lines, repeated = [], None
    for line in text.split("\n"):
        if warned := WARNED.fullmatch(line):
            repeated = f"  {source.splitlines()[int(warned[1]) - 1].strip()}"
            line = warned[2]
        if line == repeated:
            repeated = None
        else:
            lines.append(line)
    return normalise("\n".join(lines))


@in_each_language
def test_every_page_with_code_has_a_valid_notebook(site, language):
    written = {path for path in (site / language).rglob("*.ipynb")}
    assert written == {notebook_of(site, language, name) for name in NOTEBOOKS}
    for path in written:
        nbformat.validate(json.loads(path.read_text(encoding="utf-8")))


@in_each_language
@every_notebook
def test_its_code_is_the_pages_code(site, language, name):
    codes = [cell["source"] for cell in code_cells(notebook_of(site, language, name))]
    own = [code.rstrip("\n") for code, _ in shown(content().pages[language][f"{name}.md"])]
    assert [code for code in codes if code != 'prediction = ""'] == own


@pytest.mark.parametrize("language, name", each_page(NOTEBOOKS, step=2))
def test_run_anew_it_prints_what_it_carries(site, executed, language, name):
    carried, fresh = code_cells(notebook_of(site, language, name)), code_cells(executed(name))
    assert [cell["source"] for cell in carried] == [cell["source"] for cell in fresh]
    answers = {code.rstrip("\n"): output for code, output in shown(content().pages[language][f"{name}.md"])}
    for one, other in zip(carried, fresh, strict=True):
        tags = one["metadata"].get("tags", [])
        if "measured" in tags:  # not run yet: it would not be the same in two builds
            assert one["outputs"] == [] and other["outputs"] != []
        elif "question" in tags:  # not run yet; its answer is below, folded
            (streams, errors), answer = printed(other), answers[one["source"]]
            assert one["outputs"] == [] and one["execution_count"] is None
            lines = Counter("".join(streams.values()).splitlines())
            assert lines <= Counter(answer.splitlines()) and (errors or lines.total() == answer.count("\n"))
            assert all(value in answer for _, value in errors)
            assert visible(answer).rstrip() in prose(notebook_of(site, language, name))
        else:
            assert printed(one) == printed(other)


@in_each_language
@every_notebook
def test_it_says_where_it_is_from_and_its_links_lead_there(site, language, name):
    path = notebook_of(site, language, name)
    address = f"https://autograd.example/{language}/{'' if name == 'index' else f'{name}/'}"
    about = json.loads(path.read_text(encoding="utf-8"))["metadata"]["weaver"]
    assert about == {"page": address, "torch": "2.13.0", "license": "MIT"}
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", prose(path), flags=re.S | re.M)
    assert f"<{address}>" in text and "{{" not in text and "{ #" not in text
    for target in re.findall(r"\]\((?!data:)([^)]*)\)", text):
        if target.startswith("https://autograd.example/"):
            page, _, id = target.removeprefix("https://autograd.example/").partition("#")
            assert {id} - {""} <= ids(site / page / "index.html"), target
        else:
            assert target.startswith("https://"), target


@in_each_language
@every_notebook
def test_its_pictures_are_those_of_the_page(site, language, name):
    asked = [d for d in content().pages[language][f"{name}.md"].directives if d.is_drawn]
    picture = r'^<img src="data:image/png;base64,[\w+/=]+" width="\d+" alt="[^"]+">$'
    pictures = re.findall(picture, prose(notebook_of(site, language, name)), re.M)
    assert len(pictures) == sum(len(directive.asks) for directive in asked)


def render(text, **results):
    """Return the notebook of a page with the snippets `t/x`, `t/y`, ..., of which these are the results."""
    snippets = {f"t/{name}": Snippet(f"t/{name}", None, f"print('{name}')\n") for name in results}
    found = {f"t/{name}": one for name, one in results.items()}
    words = show(snippets, found)
    return json.loads(notebook(parse(text, "docs/en/p.md"), words, "https://s/en/", "p/"))


def test_a_question_is_a_program_not_yet_run_a_cell_to_fill_in_and_a_folded_answer():
    page = "# P { #p }\n\n{{ question t/x }}\n- 6\n\nBecause.\n{{ end }}\n\nAfter.\n"
    title, program, prediction, answer = render(page, x=result("9"))["cells"]
    assert "- `6`" in title["source"] and "- `9`" in title["source"]
    assert (
        program["source"] == "print('x')" and program["outputs"] == [] and program["execution_count"] is None
    )
    assert prediction["source"] == 'prediction = ""'
    folded, after = answer["source"].split("</details>")
    assert folded.startswith("<details><summary>") and "```text\n9\n```" in folded and "Because." in folded
    assert after.strip() == "After."


def test_stdout_stderr_and_an_error_are_outputs_of_their_kinds_and_the_run_goes_on_after_an_error():
    lines = (
        Line("a", 1, "out"),
        Line("UserWarning: w", 2, "err"),
        Line("b", 3, "out"),
        Line("m.E: x: y", 4, "raised"),
    )
    [_, cell] = render("# P { #p }\n\n{{ snippet t/x }}\n", x=result(*lines, error="m.E: x: y"))["cells"]
    out, err, error = cell["outputs"]
    assert (out["name"], out["text"]) == ("stdout", "a\nb\n")
    assert (err["name"], err["text"]) == ("stderr", "UserWarning: w\n")
    assert (error["ename"], error["evalue"]) == ("E", "x: y")
    assert cell["metadata"]["tags"] == ["raises-exception"]


def test_a_page_that_begins_with_code_says_where_it_is_from_as_well():
    assert render("# P { #p }\n\n{{ snippet t/x }}\n", x=result("1"))["cells"][0]["source"] == (
        "# P\n\n<https://s/en/p/> · torch 2.13.0"
    )


def test_an_admonition_goes_on_behind_the_program_that_stands_in_it():
    page = '# P { #p }\n\n!!! note "N"\n    Before.\n\n    {{ snippet t/x }}\n\n    After.\n\n    More.\n\nOut.\n'
    text, program, after = render(page, x=result("1"))["cells"]
    assert text["source"].endswith("> **N**\n> \n> Before.") and program["cell_type"] == "code"
    assert after["source"] == "> After.\n> \n> More.\n\nOut."
    beside = "# P { #p }\n\n{{ snippet t/x }}\n\n    x = 1\n"
    assert render(beside, x=result("1"))["cells"][2]["source"] == "x = 1"


def test_links_of_a_site_of_files_lead_to_files():
    words = show({}, {})
    page = parse("---\njupyter: {}\n---\n\n# P { #p }\n\n[a](../leaf.md#x), [b](../index.md), [c](#d)\n", "docs/en/labs/p.md")
    text = json.loads(notebook(page, words, "https://s/en/", "labs/p.html"))["cells"][0]["source"]
    assert (
        "[a](https://s/en/leaf.html#x), [b](https://s/en/index.html), [c](https://s/en/labs/p.html#d)" in text
    )
