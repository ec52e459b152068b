"""What we rely on in MkDocs and Jinja without being promised it; when a new version breaks it, this fails first."""

import ast
import inspect
from pathlib import Path

import pytest
from mkdocs.commands import build
from mkdocs.livereload import LiveReloadServer
from mkdocs.theme import Theme
from support.project import ROOT

from weaver.execution.cache import Cache
from weaver.mkdocs import private

ASSIGNED = {"render", "get_env", "builder", "bytecode_cache", "loader"}


def test_mkdocs_calls_the_render_of_a_page_object():
    assert "page.render(config, files)" in inspect.getsource(build._populate_page)


def test_mkdocs_server_builds_by_an_attribute():
    assert "self.builder()" in inspect.getsource(LiveReloadServer._build_loop)
    server = LiveReloadServer(lambda: built.append("theirs"), "127.0.0.1", 0, ".")
    built = []
    private.build_by(server, lambda theirs: (built.append("ours"), theirs()))
    server.builder()
    server.server_close()
    assert built == ["ours", "theirs"]


def test_mkdocs_says_once_per_project_what_we_show_once():
    said = inspect.getsource(build.build)
    assert all(text in said for text in private.ONCE) and build.log is private.BUILDS


def test_a_theme_has_the_same_files_but_for_hidden_ones_and_keeps_its_templates_compiled(tmp_path):
    plain, light = Theme(name="mkdocs"), Theme(name="mkdocs")
    private.lighten(light, Cache(tmp_path / "cache"))
    listed = plain.get_env().list_templates()
    assert light.get_env().list_templates() == [one for one in listed if "/." not in f"/{one}"]
    for _ in range(2):
        assert light.get_env().get_template("404.html").name == "404.html"
    assert list((tmp_path / "cache").glob("template-*"))


MODULES = [path for path in (ROOT / "weaver/mkdocs").glob("*.py") if path.name != "private.py"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_other_module_uses_what_is_private(path: Path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("mkdocs", "jinja2", "material")):
            assert not [one.name for one in node.names if one.name.startswith("_")]
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", "before", "_")
            assert is_own or not node.attr.startswith("_") or node.attr.startswith("__"), ast.unparse(node)
            is_theirs = isinstance(node.ctx, ast.Store) and not is_own
            assert not (is_theirs and node.attr in ASSIGNED), ast.unparse(node)
