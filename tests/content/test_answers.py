"""Every example and claim that the site set out to answer is answered, on a page, by a snippet that is shown.

`tests/answers/<page>.yml` lists, by the numbers of the collection that the site began with, which
snippets answer what: S000-1 to S004-5 are examples, M01 to M30 claims about them; other numbers are further claims
and errors that the pages answer.
"""

import pytest
import yaml
from support.project import ROOT, content

ANSWERS = {path.stem: yaml.safe_load(path.read_text()) for path in sorted(ROOT.glob("tests/answers/*.yml"))}
EXAMPLES = {
    *(f"S001-{i}" for i in range(1, 7)),
    *(f"S002-{i}" for i in range(1, 9)),
    *(f"S004-{i}" for i in range(1, 6)),
    "S000-1",
    "S003-1",
}
CLAIMS = {f"M{i:02}" for i in range(1, 31)}
ROWS = [(number, name) for rows in ANSWERS.values() for number in rows for name in rows[number]]


@pytest.mark.parametrize("number, name", ROWS)
def test_the_snippet_that_answers_is_shown(number, name):
    for language in content().pages:
        shown_on = {
            p for p, found in content().pages[language].items() if name in {d.name for d in found.directives}
        }
        assert f"{name.split('/')[0]}.md" in shown_on


def test_every_example_and_every_claim_is_answered():
    answered = {str(number) for rows in ANSWERS.values() for number in rows}
    assert (EXAMPLES | CLAIMS) - answered == set()
