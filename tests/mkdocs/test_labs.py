"""MkDocs with labs: what stops a build, and when a lab runs again."""

import shutil

import pytest
from support.project import LANGUAGES, ROOT, mkdocs

PAGE = "---\njupyter: {{}}\n---\n\n# L {{ #l }}\n\n{}\n"
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
                PAGE.format(f"{prose}\n\n```python\n{cells}\n```\n"), encoding="utf-8"
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
        assert f"{ran} of 1 lab ran" in build.stdout
    html = (folder / "site/ko/labs/it/index.html").read_text(encoding="utf-8")
    assert "<samp>48\n</samp>" in html and (folder / "site/ko/labs/it/it.ipynb").is_file()
    colab = "https://colab.research.google.com/github/someone/autograd/blob/notebooks/ko/labs/it/it.ipynb"
    assert f'<a href="{colab}">' in html and '<a href="it.ipynb" download>' in html
