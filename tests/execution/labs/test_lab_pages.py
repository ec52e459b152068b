"""Labs: run once for all languages, kept, and refused with a sentence that names file and cell."""

import shutil

import pytest
from support.project import CASES, LANGUAGES, ROOT, answer, content, mkdocs, query, show

from weaver.execution.labs.model import Lab, printed
from weaver.execution.labs.runner import Labs
from weaver.pages.content import Content
from weaver.pages.parser import parse
from weaver.pages.translations import differences
from weaver.problem import Problem

HEAD = "---\njupyter: {{}}\n---\n\n# L {{ #l }}\n\n{}\n"
CONFIG = """
site_name: Test
site_url: http://localhost/
repo_url: https://github.com/someone/autograd
theme: {name: material, font: false, custom_dir: theme}
plugins:
  - weaver:
      colab: notebooks
      snippets: snippets
      languages: {ko: {name: 한국어}, en: {name: English}}
"""
REFUSED = {
    "a_cell_raises": ":13: cell 2 raises ValueError: no. Mend it, in all languages.",
    "a_cell_never_ends": ":7: cell 1 takes longer than 3 s. Make it end, or raise `lab_limit` in mkdocs.yml.",
    "a_cell_ends_its_kernel": ":7: cell 1 ends the kernel that it runs in. Take out what kills the process.",
    "a_cell_prints_an_address": "which changes from run to run. Print a comparison, a name or a shape instead.",
    "a_cell_gives_what_no_page_shows": ":7: cell 1 gives text/html, which a page cannot show. Print text, or draw with matplotlib.",
    "a_cell_is_no_python": ":8: cell 1 raises SyntaxError: invalid syntax. Mend it, in all languages.",
    "a_picture_is_not_described": ':7: the picture of cell 1 lacks words for those who cannot see it. Write `alt="what it shows"` behind `python`.',
    "a_value_does_not_exist": ":11: `xx` cannot be evaluated after lab `labs/it`: NameError: name 'xx' is not defined. Did you mean `x`?",
    "a_value_is_an_address": "which changes from run to run. Print a comparison, a name or a shape instead.",
    "a_value_never_comes": "the lab cannot be asked for `f()`: it takes longer than 3 s. Make it end, or raise `lab_limit` in mkdocs.yml.",
}
CELLS = [(name, page) for name, page in content().pages["en"].items() if page.cells]


@pytest.fixture(scope="module")
def refusals(tmp_path_factory):
    """What is said of each lab in `cases/labs`, all run at once."""
    folder = tmp_path_factory.mktemp("refused")
    books, asked, found = {}, [], {}
    labs = Labs(folder / "cache", limit=3)
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
    said_while_woven = 1 if name == "a_value_does_not_exist" else len(LANGUAGES)
    assert refusals[name].count("labs/it.md:") == said_while_woven


@pytest.fixture
def project(tmp_path):
    """A function that writes a small project with one lab, in both languages."""

    def write(cells, prose=""):
        (tmp_path / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
        (tmp_path / "snippets").mkdir(exist_ok=True)
        (tmp_path / "docs").mkdir(exist_ok=True)
        shutil.copytree(ROOT / "theme", tmp_path / "theme", dirs_exist_ok=True)
        (tmp_path / "docs/index.md").write_text("# Gate { #gate }\n")
        for language in LANGUAGES:
            folder = tmp_path / "docs" / language / "labs"
            folder.mkdir(parents=True, exist_ok=True)
            (folder.parent / "index.md").write_text("# Home { #home }\n")
            (folder / "it.md").write_text(
                HEAD.format(f"{prose}\n\n```python\n{cells}\n```\n"), encoding="utf-8"
            )
        return tmp_path

    return write


def test_a_cell_that_fails_stops_the_build_and_a_lab_runs_only_when_its_code_changes(project):
    folder = project("raise ValueError('no')")
    build = mkdocs("build", cwd=folder)
    assert build.returncode == 1
    assert "docs/ko/labs/it.md:10 and docs/en/labs/it.md:10: cell 1 raises ValueError: no" in build.stdout
    assert "Traceback" not in build.stdout
    for cells, prose, ran in (
        ("print(6 * 7)", "", 1),
        ("print(6 * 7)", "", 0),
        ("print(6 * 7)", "Other words.", 0),
        ("print(6 * 8)", "", 1),
    ):
        build = mkdocs("build", cwd=project(cells, prose))
        assert build.returncode == 0, build.stdout
        assert f"{ran} of 1 labs ran" in build.stdout
    html = (folder / "site/ko/labs/it/index.html").read_text(encoding="utf-8")
    assert "<samp>48\n</samp>" in html and (folder / "site/ko/labs/it/it.ipynb").is_file()
    colab = "https://colab.research.google.com/github/someone/autograd/blob/notebooks/ko/labs/it/it.ipynb"
    assert f'<a href="{colab}">' in html and '<a href="it.ipynb" download>' in html


def test_code_that_differs_between_languages_is_named_with_both_lines():
    one = parse(HEAD.format("```python\nx = 1\ny = 2\n```\n"), "docs/ko/labs/it.md")
    other = parse(HEAD.format("```python\nx = 1\ny = 3\n```\n"), "docs/en/labs/it.md")
    assert differences(one, other) == [
        "docs/ko/labs/it.md:7 and docs/en/labs/it.md:7: cell 1 has `y = 2` in the one and `y = 3` in the other. "
        "Code is the same in all languages: make it so."
    ]


def test_a_measured_cell_is_measured_in_all_languages_and_descriptions_are_in_each_its_own():
    one = parse(HEAD.format('```python tags=["measured"] alt="그림"\nx = 1\n```\n'), "docs/ko/labs/it.md")
    other = parse(HEAD.format('```python alt="A picture"\nx = 1\n```\n'), "docs/en/labs/it.md")
    assert [cell.alt for cell in (*one.cells, *other.cells)] == ["그림", "A picture"]
    assert "lacks the measured cell 1" in differences(one, other)[0]


@pytest.mark.parametrize(
    "info",
    [
        "python title=x",
        'python colour="red"',
        'python alt="a',
        'python tags=["mesured"]',
        "py",
        "python3",
        "{.python}",
        "Python",
        "",
        "text",
    ],
)
def test_what_a_cell_does_not_take_is_refused_with_its_place(info):
    with pytest.raises(Problem, match=r"docs/en/labs/it.md:7: `.*` begins no cell"):
        parse(HEAD.format(f"```{info}\nx = 1\n```\n"), "docs/en/labs/it.md")


@pytest.mark.parametrize(
    "directive",
    ["{{ snippet labs/it }}", "{{ graph labs/it x }}", "{{ question labs/it x }}\n- 2\n{{ end }}"],
)
def test_a_lab_is_asked_for_values_only(tmp_path, directive):
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/it.md").write_text(HEAD.format("```python\nx = 1\n```\n"))
    (tmp_path / "p.md").write_text(f"# P {{ #p }}\n\n{directive}\n")
    with pytest.raises(Problem, match=r"`labs/it` is a lab\. Ask for values of it"):
        Content(tmp_path, tmp_path)


@pytest.mark.parametrize("name, page", CELLS, ids=[name for name, _ in CELLS])
def test_its_cells_are_narrow_and_short_enough_for_a_phone(name, page):
    for cell in page.cells:
        lines = cell.argument.splitlines()
        assert max(map(len, lines)) <= 72 and len(lines) <= 30, cell.place
        assert cell.argument.isascii(), cell.place


def test_a_page_among_the_labs_is_one():
    with pytest.raises(Problem, match=r"docs/en/labs/it\.md:3: a lab needs a line `jupyter: \.\.\.` above"):
        parse("---\ntitle: x\n---\n\n# L { #l }\n", "docs/en/labs/it.md")


def test_a_fence_that_does_not_end_before_the_next_is_named():
    with pytest.raises(Problem, match=r"it\.md:7: the fence has no end before line 11"):
        parse(HEAD.format("```python\nx = 1\n\nText.\n```python\ny = 1\n```\n"), "docs/en/labs/it.md")


def test_commands_of_jupyter_are_refused():
    with pytest.raises(Problem, match=r"it\.md:8: `%timeit f\(\)` is for Jupyter, not Python"):
        parse(HEAD.format("```python\n%timeit f()\n```\n"), "docs/en/labs/it.md")


def test_a_name_that_is_no_lab_is_answered_with_one_that_is(tmp_path):
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/toy.md").write_text(HEAD.format("```python\nx = 1\n```\n"))
    (tmp_path / "p.md").write_text("# P { #p }\n\nIt is {{ value labs/toyy x }}.\n")
    with pytest.raises(Problem, match=r"p\.md:3: there is no lab `labs/toyy`\. Did you mean `labs/toy`\?"):
        Content(tmp_path, tmp_path)


def test_a_drawing_that_is_not_shown_is_told_from_a_printed_address(tmp_path):
    labs = Labs(tmp_path)
    labs.request([(Lab("labs/it", ("object()\n",)), [])])
    failure = labs.results()["labs/it"].failure
    labs.close()
    assert failure.startswith("ends in a value: Jupyter printed an address") and failure.endswith(
        "`plt.show()`."
    )


def test_a_lab_lies_among_the_labs():
    with pytest.raises(Problem, match=r"docs/en/it\.md:7: a lab lies in the folder `labs`"):
        parse(HEAD.format("```python\nx = 1\n```\n"), "docs/en/it.md")


def test_the_value_of_the_last_line_is_shown_as_jupyter_shows_it(tmp_path):
    labs = Labs(tmp_path)
    labs.request([(Lab("labs/it", ("x = 41\nx + 1\n", "print('\x1b[31m<b>')\n")), [query("text:x")])])
    outcome = labs.results()["labs/it"]
    labs.close()
    assert outcome.failure is None
    assert outcome.html == ("<pre><samp>42</samp></pre>", "<pre><samp>␛[31m&lt;b&gt;\n</samp></pre>")
    assert outcome.outputs[0][0]["execution_count"] == 1 and printed(outcome.outputs[0]) == "42\n"
    assert answer(outcome, "text:x") == ("41", None) and outcome.names == ("x",)
