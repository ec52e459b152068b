"""Labs: what comes of them, and what is refused, with a sentence that names file and cell."""

import pytest
from support.project import CASES, LANGUAGES, answer, query, show
from support.shared import kept

from weaver.execution.labs.model import Lab, printed
from weaver.execution.labs.runner import Labs
from weaver.pages.content import Content
from weaver.problem import Problem

REFUSED = {
    "a_cell_raises": ":13: cell 2 raises ValueError: no. Fix it in all languages.",
    "a_cell_never_ends": ":7: cell 1 used 5 s of processor time. Make it finish, or increase `lab_limit` in mkdocs.yml.",
    "a_cell_ends_its_kernel": ":7: cell 1 kills its kernel. Remove whatever kills the process.",
    "a_cell_prints_an_address": "which changes from run to run. Print a comparison, a name or a shape instead.",
    "a_cell_gives_what_no_page_shows": ":7: cell 1 returns text/html, which a page can't show. Print text, or draw with matplotlib.",
    "a_cell_is_no_python": ":8: cell 1 raises SyntaxError: invalid syntax. Fix it in all languages.",
    "a_picture_is_described_by_a_space": ':7: the picture of cell 1 has no text for people who can\'t see it. Write `alt="what it shows"` after `python`.',
    "a_picture_is_not_described": ':7: the picture of cell 1 has no text for people who can\'t see it. Write `alt="what it shows"` after `python`.',
    "a_value_does_not_exist": ":11: `xx` can't be evaluated after lab `labs/it`: NameError: name 'xx' is not defined. Did you mean `x`?",
    "a_value_is_an_address": "which changes from run to run. Print a comparison, a name or a shape instead.",
    "a_value_never_comes": "`f()` can't be evaluated after lab `labs/it`: it used 5 s of processor time.",
}


@pytest.fixture(scope="module")
def refusals(tmp_path_factory):
    """What is said of each lab in `cases/labs`, all run at once."""
    return kept("refused labs", lambda: _refusals(tmp_path_factory.mktemp("refused")))


def _refusals(folder):
    books, asked, found = {}, [], {}
    labs = Labs(folder / "cache", limit=5)
    for path in sorted((CASES / "labs").glob("*.md")):
        for language in LANGUAGES:
            copy = folder / path.stem / "docs" / language / "labs/it.md"
            copy.parent.mkdir(parents=True)
            copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        books[path.stem] = one = Content(folder / path.stem / "docs", folder, LANGUAGES)
        [(lab, queries)] = one.asked_of_labs()
        asked.append((Lab(path.stem, lab.cells), queries))
    labs.request(asked)
    outcomes = labs.results()
    for name, one in books.items():
        results = {"labs/it": outcomes[name]}
        try:
            one.check(results)
            page, shown = one.pages["en"]["labs/it.md"], show({}, results)
            for directive in page.directives:
                directive.html(shown)
            found[name] = ""
        except Problem as problem:
            found[name] = str(problem)
    labs.close()
    return found


def test_every_case_has_its_sentence(refusals):
    assert refusals.keys() == REFUSED.keys()


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_published_is_said_with_file_and_cell(refusals, name):
    assert refusals[name].endswith(REFUSED[name])
    said_while_woven = 1 if name.startswith("a_value_") else len(LANGUAGES)
    assert refusals[name].count("labs/it.md:") == said_while_woven


def test_a_drawing_that_is_not_shown_is_told_from_a_printed_address(tmp_path):
    labs = Labs(tmp_path)
    labs.request([(Lab("labs/it", ("object()\n",)), [])])
    failure = labs.results()["labs/it"].failure
    labs.close()
    assert failure.startswith("ends with a value: Jupyter printed an address") and failure.endswith(
        "`plt.show()`."
    )


def test_the_value_of_the_last_line_is_shown_as_jupyter_shows_it(tmp_path):
    labs = Labs(tmp_path)
    labs.request([(Lab("labs/it", ("x = 41\nx + 1\n", "print('\x1b[31m<b>')\n")), [query("text:x")])])
    outcome = labs.results()["labs/it"]
    labs.close()
    assert outcome.failure is None
    assert outcome.html == ("<pre><samp>42</samp></pre>", "<pre><samp>␛[31m&lt;b&gt;\n</samp></pre>")
    assert outcome.outputs[0][0]["execution_count"] == 1 and printed(outcome.outputs[0]) == "42\n"
    assert answer(outcome, "text:x") == ("41", None) and outcome.names == ("x",)
