"""What `weaver why` says, on a page: what the command says, from the program's own run."""

import re
import subprocess
import sys
from dataclasses import replace
from html import unescape

import pytest
from markdown_it import MarkdownIt
from support.html import Text
from support.project import ROOT, answer, ask, content, result, results, show

from weaver.execution.protocol import TRACE, WHY
from weaver.execution.snippets.source import read
from weaver.pages.parser import parse
from weaver.problem import Problem
from weaver.recording import compact

LOOP = """import torch

w = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(3):
    loss = (w - 1).pow(2).sum()
    loss.backward()
    optimizer.step()
"""
SHOWN = [directive for directive in content().directives() if directive.kind == "why"]


def shown(form, found, source, language="en", **more):
    """Return `{{ why t/x }}` in the form `html` or `markdown`."""
    [directive] = parse("{{ why t/x }}", "docs/en/x.md").directives
    return getattr(directive, form)(replace(show({"t/x": source}, {"t/x": found}, language), **more))


@pytest.fixture
def loop(tmp_path):
    (tmp_path / "x.py").write_text(LOOP)
    return read(tmp_path / "x.py", "t/x")


@pytest.mark.parametrize("name", sorted({directive.name for directive in SHOWN}))
def test_a_page_shows_what_the_command_prints(name):
    program = ROOT / f"snippets/{name}.py"
    command = [sys.executable, "-m", "weaver", "why", program.name]
    ran = subprocess.run(command, cwd=program.parent, capture_output=True, text=True)
    directive = next(one for one in SHOWN if one.name == name)
    page = directive.markdown(show(content().snippets, results()))
    printed = ran.stdout.removeprefix(results()[name].output).lstrip("\n")
    assert page == f"```text\n$ weaver why {program.name}\n{printed}```\n"


def test_each_finding_has_its_line_in_the_pages_language(loop):
    found = ask(loop, "why:")
    assert "x.py:7: loss.backward()" in shown("markdown", found, loop)
    [fence] = MarkdownIt().parse(shown("markdown", found, loop, "ko"))
    assert fence.content.startswith("$ weaver why x.py\n의도와 다를 가능성이 큰 곳\n")


def test_a_section_is_a_link_only_if_the_site_has_its_page(loop):
    found = ask(loop, "why:")
    linked = shown("html", found, loop, pages={"accumulation": "../accumulation/"})
    assert '>    See <a href="../accumulation/#zeroing">accumulation#zeroing</a>\n<' in linked
    bare = shown("html", found, loop)
    assert "<a" not in bare and "    See accumulation#zeroing\n" in bare
    assert Text("pre", linked).text == Text("pre", bare).text


def test_html_and_markdown_say_the_same_and_show_code_literally(tmp_path):
    (tmp_path / "x.py").write_text(LOOP.replace("backward()", "backward(retain_graph=1 < 0 & 3)"))
    program = read(tmp_path / "x.py", "t/x")
    found = ask(program, "why:")
    html = shown("html", found, program)
    [fence] = MarkdownIt().parse(shown("markdown", found, program))
    assert Text("pre", html).text == fence.content
    assert "x.py:7: loss.backward(retain_graph=1 < 0 & 3)\n" in fence.content
    assert "<strong>Probably not what you meant\n</strong>" in html


def test_only_a_program_that_is_asked_why_has_its_acts_recorded_and_no_step_through_has_them(loop):
    found = ask(loop, "trace:", "why:")
    assert compact.read(found.answer(WHY).text).acts
    assert not compact.read(found.answer(TRACE).text).acts
    plain = ask(loop, "trace:")
    assert answer(plain, "trace:") == answer(found, "trace:")


def test_a_program_that_no_watched_run_matches_is_refused(loop):
    sentence = "x.md:1: snippet `t/x` can't be watched: it prints something different"
    with pytest.raises(Problem, match=re.escape(sentence)):
        shown("html", result("1"), loop)


def test_a_program_with_an_error_has_a_report_too(tmp_path):
    source = "# raises: RuntimeError\nimport torch\n\nw = torch.ones(1, requires_grad=True)\nloss = w.exp().sum()\n"
    (tmp_path / "x.py").write_text(source + "loss.backward()\nloss.backward()\n")
    program = read(tmp_path / "x.py", "t/x")
    text = shown("markdown", ask(program, "why:"), program)
    assert "This fails\n  x.py:6: loss.backward()\n" in unescape(text)
