"""What is said of findings: sentences that are filled in, silence where it's asked for."""

import json
import string

import pytest
from support.why import watched

from weaver.why.finding import Finding, Severity
from weaver.why.findings import find
from weaver.why.report import FindingsReport
from weaver.why.sections import SECTIONS
from weaver.why.words import ENGLISH

LEAK = """import torch
w = torch.ones(1, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
total = 0
for i in range(5):
    loss = (w * i).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total += loss{comment}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return watched(tmp_path_factory.mktemp("why") / "leak.py", LEAK.format(comment=""))


def texts(report):
    return [text for text, _ in report.lines()]


def test_a_report_names_the_line_what_happened_what_to_do_and_where_it_is_explained(run):
    assert texts(FindingsReport(run, find(run))) == [
        "Probably not what you meant",
        "  leak.py:10: total += loss",
        "    `total` holds the graphs of 5 backward passes, and more with each iteration.",
        "    → If you need the number, take .item(). If you need the tensor, take .detach().",
        "    See memory#who",
        "If something here is what you meant, write `# why: ok` at the end of its line, or silence all findings "
        "of a kind, for example with `--ignore growing`.",
        "Findings in leak.py: 1.",
        f"Watched: {len(run.steps)} executed lines, 5 × backward() or grad(), 5 × optimizer.step().",
    ]


def test_facts_about_a_line_stand_below_its_code_once(run):
    facts = [Finding("trained", Severity.FACT, 8, 9, None, "reached", {"groups": of}) for of in ("`a`", "`b`")]
    facts.append(Finding("trained", Severity.FACT, 9, 10, None, "reached", {"groups": "`a`"}))
    assert texts(FindingsReport(run, facts))[:6] == [
        "What's trained",
        "  leak.py:8: loss.backward()",
        "    backward() computes gradients here for `a`.",
        "    backward() computes gradients here for `b`.",
        "  leak.py:9: opt.step()",
        "    backward() computes gradients here for `a`.",
    ]


def test_sections_are_addresses_where_the_site_has_one(run):
    assert "    See https://site.example/en/memory/#who" in texts(
        FindingsReport(run, find(run), site="https://site.example/en/")
    )


def test_a_comment_or_an_option_silences_a_finding(run, tmp_path):
    assert texts(FindingsReport(run, find(run), ignored=["growing"]))[0] == "Nothing found in leak.py."
    silenced = watched(tmp_path / "leak.py", LEAK.format(comment="  # why: ok"))
    assert not FindingsReport(silenced, find(silenced)).is_wrong
    assert find(silenced)


def test_the_data_has_what_the_lines_say(run):
    [one] = json.loads(json.dumps(FindingsReport(run, find(run)).data()))["findings"]
    assert (one["name"], one["line"], one["code"], one["severity"]) == (
        "growing",
        10,
        "total += loss",
        "wrong",
    )
    assert one["text"] in "\n".join(texts(FindingsReport(run, find(run))))


def test_what_is_good_to_know_is_not_wrong(run):
    notes = [Finding("retain", Severity.NOTE, 8, 1)]
    assert not FindingsReport(run, notes).is_wrong and FindingsReport(run, find(run)).is_wrong


@pytest.mark.parametrize("key", SECTIONS)
def test_each_case_has_its_sentences_and_what_to_do(key):
    for name in (key, f"{key}_do"):
        fields = {field for _, field, *_ in string.Formatter().parse(ENGLISH[name]) if field}
        assert fields <= {
            *("name", "by", "node", "n", "left", "right", "whole", "first", "value", "leaf"),
            *("option", "also", "call", "groups", "before"),
        }
