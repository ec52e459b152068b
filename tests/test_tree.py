"""The repository: readable modules, tools that see all of them, and documents that match the code."""

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import defaultdict
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from support.project import ROOT

from weaver.execution.labs.runner import LIMIT as LAB_LIMIT
from weaver.execution.snippets.runner import LIMIT
from weaver.mkdocs.options import Options

MODULES = sorted((ROOT / "weaver").rglob("*.py"))
NOT_PYTHON = (".css", ".js", ".j2", ".json")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILE = re.compile(r"(?<![\w/.<*-])(?:[\w-][\w./-]*/)?[\w-]+\.(?:py|js|css|html)\b")
EXAMPLES = {"file.py", "my.py", "a/site.css", "a/site.1f3a5b7c.css", "index.html"}  # of files that aren't ours


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_has_a_docstring_and_at_most_300_lines(path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 300


def test_a_docstring_is_not_cut_off():
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = [(path, node) for path in MODULES for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    said = [(path.name, ast.get_docstring(node)) for path, node in nodes if isinstance(node, documented)]
    assert [found for found in said if found[1] and found[1][-1] not in ".?`):"] == []


def test_the_linter_reads_every_module():
    listed = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files", "."], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tests = {path for path in (ROOT / "tests").rglob("*.py") if ROOT / "tests/cases" not in path.parents}
    assert {Path(line) for line in listed.stdout.splitlines()} >= {*MODULES, *tests}


def test_the_type_checker_reads_every_module():
    assert PROJECT["tool"]["mypy"]["packages"] == ["weaver"] and "exclude" not in PROJECT["tool"]["mypy"]
    assert {path.parent / "__init__.py" for path in MODULES} <= set(MODULES)  # it looks only into packages


def test_the_type_checker_leaves_no_error_out():
    mypy = PROJECT["tool"]["mypy"]
    assert [one for one in (mypy, *mypy["overrides"]) if "ignore_errors" in one] == []


def test_no_line_of_a_script_is_longer_than_120_columns():
    scripts = [path for folder in ("weaver", "theme", "tests") for path in (ROOT / folder).rglob("*.js")]
    lines = [(path.name, line) for path in scripts for line in path.read_text(encoding="utf-8").splitlines()]
    assert {name for name, line in lines if len(line) > 120} <= {"iframe-worker.js"}  # that one isn't ours


def comments(path):
    """Yield what a file says to its readers: docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from re.findall(r"//[^\n]*|/\*.*?\*/", text, re.DOTALL)
        return
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def test_the_files_that_comments_name_exist():
    ours = [path for folder in ("weaver", "theme") for path in (ROOT / folder).rglob("*") if path.is_file()]
    names = {path.name for path in ours}
    lost = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in ours
        if path.suffix in (".py", ".js", ".css") and "iframe-worker" not in path.name
        for comment in comments(path)
        for name in FILE.findall(comment)
        if name not in names | EXAMPLES and not any((at / name).exists() for at in (ROOT, ROOT / "weaver", path.parent))
    }
    assert lost == set()


@pytest.mark.parametrize("name", ["weaver/README.md", "weaver/README.ko.md"])
def test_documented_defaults_equal_the_codes(name):
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \|.*\| ([^|]+) \|$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    said = {setting: default for settings, default in rows for setting in re.findall(r"\w+", settings)}
    for setting, option in Options._schema:
        default = option.default
        if isinstance(default, bool):
            assert said[setting] == f"`{str(default).lower()}`", setting
        elif isinstance(default, str) and default:
            assert said[setting] == f"`{default}`", setting
    assert said["limit"] == said["lab_limit"] == f"{LIMIT:g}, {LAB_LIMIT:g}"


def test_the_package_declares_its_dependencies_and_data_files():
    imported = {
        name.split(".")[0]
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module])
    }
    extras = PROJECT["project"]["optional-dependencies"].values()
    lines = [*PROJECT["project"]["dependencies"], *(line for extra in extras for line in extra)]
    wanted = {canonical(re.split("[<>=]", line)[0]) for line in lines}
    others = imported - {*sys.stdlib_module_names, "weaver"}
    distributions = packages_distributions()
    brought = {name: {canonical(one) for one in distributions.get(name, [])} for name in others}
    assert {name for name in others if not brought[name] & wanted} == set()
    files = {path for path in (ROOT / "weaver").rglob("*") if path.is_file() and path.suffix in NOT_PYTHON}
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["weaver"]
    assert files <= {path for pattern in patterns for path in (ROOT / "weaver").glob(pattern)}
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert {
        name for name in wanted if not re.search(rf"(?im)^{name.replace('-', '[-_]')}==", pinned)
    } == set()


@pytest.mark.parametrize("name", ["CONTRIBUTING", "README", "weaver/README"])
def test_both_languages_of_a_document_have_the_same_structure_and_name_existing_files(name):
    english, korean = (ROOT / f"{name}{end}.md" for end in ("", ".ko"))
    one, two = (path.read_text(encoding="utf-8") for path in (english, korean))
    for part in (r"^## ", r"^```"):
        assert len(re.findall(part, one, re.M)) == len(re.findall(part, two, re.M)), part
    for path, text in ((english, one), (korean, two)):
        packages = "|".join(one.name for one in (ROOT / "weaver").iterdir() if one.is_dir())
        named = re.findall(rf"`((?:weaver|tests|docs|benchmarks|words|theme|{packages})/[\w./-]*)", text)
        named += re.findall(r"\]\(([^)#:]+)[)#]", text)
        for package, row in re.findall(rf"^\| `({packages})/` \|(.*)", text, re.M):
            named += [f"{package}/{module}.py" for module in re.findall(r"`([a-z_]+)`", row)]
        lost = {one for one in named if not any((place / one).exists() for place in (ROOT, ROOT / "weaver", path.parent))}
        examples = {"words/ja.yml", "docs/ja/", "docs/ko/", "docs/en/", "docs/de/index.md", "words/de.yml"}
        assert lost <= examples | {one for one in lost if "<" in one}


def test_no_two_classes_have_the_same_name():
    places = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.relative_to(ROOT).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
