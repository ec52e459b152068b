"""A site whose programs don't use torch, built where torch can't be imported."""

import os

import pytest
from support.project import mkdocs, write_files

HIDDEN = """import importlib.machinery as machinery

found = machinery.PathFinder.find_spec
machinery.PathFinder.find_spec = classmethod(
    lambda cls, name, *rest: None if name.split(".")[0] == "torch" else found(name, *rest)
)
"""
SITE = {
    "mkdocs.yml": "site_name: Plain\ntheme: mkdocs\nplugins: [search, weaver]\n",
    "docs/index.md": "# A sum\n\n{{ snippet first/sum }}\n\nIt is {{ value first/sum total }}.\n",
    "snippets/first/sum.py": 'total = sum(range(5))\nprint(f"{total = }")\n',
    "hidden/sitecustomize.py": HIDDEN,
}


@pytest.fixture
def build(tmp_path):
    """Return a function that builds the site, with `more` at the end of its page, without torch."""
    write_files(tmp_path, SITE)
    path = os.pathsep.join(filter(None, (str(tmp_path / "hidden"), os.environ.get("PYTHONPATH"))))

    def built(more=""):
        with open(tmp_path / "docs/index.md", "a", encoding="utf-8") as page:
            page.write(more)
        return mkdocs("build", "--strict", cwd=tmp_path, PYTHONPATH=path)

    return built


def test_a_site_whose_programs_do_not_use_torch_neither_needs_nor_names_it(build, tmp_path):
    done = build()
    assert done.returncode == 0, done.stdout
    html = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert "total = 10" in html and "torch" not in html


def test_a_graph_without_torch_is_refused_where_it_stands(build):
    done = build("\n{{ graph first/sum total }}\n")
    assert done.returncode == 1
    assert "docs/index.md:7: `{{ graph }}` needs torch, which isn't installed." in done.stdout


def test_a_program_that_imports_torch_without_it_says_what_to_install(build, tmp_path):
    (tmp_path / "snippets/first/sum.py").write_text("import torch\n\ntotal = torch.ones(1)\nprint(total)\n")
    done = build()
    assert done.returncode == 1
    assert "imports `torch`, which isn't installed" in done.stdout
