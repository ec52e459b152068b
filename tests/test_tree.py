"""The tree as a newcomer meets it: modules of a size that can be read, each saying first what it is for."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from support.project import ROOT

MODULES = sorted((ROOT / "weaver").rglob("*.py"))
NOT_PYTHON = (".css", ".js", ".j2", ".json")


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_says_first_what_it_is_for_and_has_at_most_300_lines(path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 300


def test_the_linter_reads_every_module():
    listed = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files", "."], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tests = {path for path in (ROOT / "tests").rglob("*.py") if ROOT / "tests/cases" not in path.parents}
    assert {Path(line) for line in listed.stdout.splitlines()} >= {*MODULES, *tests}


def test_the_package_brings_what_its_modules_import_and_the_files_that_they_read():
    imported = {
        name.split(".")[0]
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module])
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    lines = [*project["project"]["dependencies"], *(line for extra in extras for line in extra)]
    wanted = {canonical(re.split("[<>=]", line)[0]) for line in lines}
    others = imported - {*sys.stdlib_module_names, "weaver"}
    distributions = packages_distributions()
    brought = {name: {canonical(one) for one in distributions.get(name, [])} for name in others}
    assert {name for name in others if not brought[name] & wanted} == set()
    files = {path for path in (ROOT / "weaver").rglob("*") if path.is_file() and path.suffix in NOT_PYTHON}
    patterns = project["tool"]["setuptools"]["package-data"]["weaver"]
    assert files <= {path for pattern in patterns for path in (ROOT / "weaver").glob(pattern)}
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert {
        name for name in wanted if not re.search(rf"(?im)^{name.replace('-', '[-_]')}==", pinned)
    } == set()


@pytest.mark.parametrize("name", ["CONTRIBUTING", "README", "weaver/README"])
def test_what_is_said_to_those_who_come_is_said_in_both_languages(name):
    english, korean = (ROOT / f"{name}{end}.md" for end in ("", ".ko"))
    one, two = (path.read_text(encoding="utf-8") for path in (english, korean))
    for part in (r"^## ", r"^```"):
        assert len(re.findall(part, one, re.M)) == len(re.findall(part, two, re.M)), part
    for path, text in ((english, one), (korean, two)):
        named = re.findall(r"`((?:weaver|tests|docs|benchmarks|words|theme)/[\w./-]*)", text)
        named += re.findall(r"\]\(([^)#:]+)[)#]", text)
        there = [place for place in (ROOT, path.parent) for _ in named]
        lost = {one for one in named if not any((place / one).exists() for place in there)}
        examples = {"words/ja.yml", "docs/ja/", "docs/ko/", "docs/en/", "docs/de/index.md", "words/de.yml"}
        assert lost <= examples | {one for one in lost if "<" in one}
