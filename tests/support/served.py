"""A small project that one process builds again and again: the server of its programs stays warm."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar

from jinja2 import Environment
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.config_options import Hooks
from mkdocs.config.defaults import MkDocsConfig

from support.project import forget, write_files
from weaver.execution.snippets import source
from weaver.pages import glossary, reading

ADDRESS = "http://127.0.0.1:8000/"


class Project:
    """A project in a folder, which MkDocs builds in this process, with one plugin for all of its builds."""

    command: str

    def __init__(self, folder: Path, files: Mapping[str, str] = {}):
        self.folder, self.plugin = folder, None
        write_files(folder, files)

    def load(self, into: str, **settings: object) -> MkDocsConfig:
        """Return the configuration of a build into a folder."""
        place = {"site_dir": str(self.folder / into)}
        config = load_config(str(self.folder / "mkdocs.yml"), **place, **settings)
        plugin = config.plugins["weaver"]
        if plugin is not self.plugin:
            plugin.on_startup(command=self.command, dirty=False)
            if plugin.preview:
                plugin.preview.waits = self.waits
            self.plugin = plugin
        return config

    def files(self, folder: str) -> dict[str, bytes]:
        """Return what is in a folder, by its path."""
        site = self.folder / folder
        return {
            path.relative_to(site).as_posix(): path.read_bytes()
            for path in site.rglob("*")
            if path.is_file() and path.name != "sitemap.xml.gz"
        }

    def end(self) -> None:
        """Have the plugin, which MkDocs gives to every project of a process, forget this one."""
        if self.plugin:
            self.plugin.on_shutdown()
            vars(self.plugin).clear()
            vars(self.plugin).update(vars(type(self.plugin)()))


Made = TypeVar("Made", bound=Project)


@cache
def compiled_once() -> None:
    """Have Jinja compile each template once in this process: a build compiles all that it uses."""
    plainly, codes = Environment.compile, {}

    def compile(environment, *source):
        key = source, *environment.extensions, environment.autoescape
        if key not in codes:
            codes[key] = plainly(environment, *source)
        return codes[key]

    Environment.compile = compile


@contextmanager
def inside(project: Made) -> Iterator[Made]:
    """Work in a project's folder, where MkDocs looks for what has no place, until all is forgotten."""
    compiled_once()
    with chdir(project.folder):
        try:
            yield project
        finally:
            project.end()


class Served(Project):
    """A project that is served."""

    command = "serve"

    def __init__(self, folder: Path, files: Mapping[str, str] = {}):
        super().__init__(folder, files)
        self.server = None
        self.waits = True  # for programs, also in the first build

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        write_files(self.folder, {path: text})

    def build(self, into: str) -> None:
        """Build the site as `mkdocs serve` does."""
        config = self.load(into)
        config.site_url = ADDRESS
        build(config, serve_url=ADDRESS)

    def serve(self) -> None:
        """Build it as `mkdocs serve` does, and take the place of its server."""
        self.build("served")
        apps = [self._page]
        get, put = lambda: apps[-1], apps.append
        self.server = SimpleNamespace(builder=lambda: self.build("served"), get_app=get, set_app=put, watch=str)
        self.plugin.on_serve(self.server, config=self.load("served"), builder=self.server.builder)

    def _page(self, environ, start_response):
        """Answer as MkDocs' server does."""
        text = (self.folder / "served" / environ["PATH_INFO"]).read_bytes()
        start_response("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(text)))])
        return [text]

    def seen(self, path: str) -> str:
        """Return what a browser is given of a page."""
        begun = []
        body = self.server.get_app()({"PATH_INFO": path}, lambda *head: begun.append(head))
        [(_, headers)] = begun
        text = b"".join(body)
        assert dict(headers)["Content-Length"] == str(len(text))
        return text.decode()

    def fresh(self) -> dict[str, bytes]:
        """Return the files that a build gives which remembers nothing."""
        plugin = self.plugin
        memory = plugin.before, plugin.served_folder
        plugin.before, plugin.served_folder = {}, None
        reading._last.clear()
        glossary._read.cache_clear()
        source._of.cache_clear()
        kept = self.folder / ".cache/weaver/pages-serve"
        aside = kept.replace(kept.with_name("aside"))
        self.build("fresh")
        files = self.files("fresh")
        plugin.served_folder.discard()
        plugin.before, plugin.served_folder = memory
        shutil.rmtree(kept)
        aside.replace(kept)
        return files

    def edited(self) -> None:
        """Do what `mkdocs serve` does after an edit; what is served is then what a fresh build gives."""
        self.server.builder()
        served, fresh = self.files("served"), self.fresh()
        assert served.keys() == fresh.keys()
        assert [path for path in fresh if served[path] != fresh[path]] == []


class Rebuilt(Project):
    """A project that is another one in each test, and is built as from a program, without a command."""

    command = ""

    def build(self, into: str = "site", strict: bool = False) -> None:
        """Build the site as another process would. Raises Abort with the sentence that it would end with."""
        config = self.load(into, strict=strict)
        if self.plugin.runner:
            forget(self.plugin.runner)
        build(config)

    def begin(self, files: Mapping[str, str | bytes | None]) -> None:
        """Have nothing but these files in the project, and what its programs gave before."""
        for path in self.folder.iterdir():
            if path.is_dir() and path.name != ".cache":
                shutil.rmtree(path)
            elif path.is_file():
                path.unlink()
        shutil.rmtree(self.folder / ".cache/weaver/pages-build", ignore_errors=True)
        Hooks._load_hook.cache_clear()  # MkDocs remembers a hook by its path
        write_files(self.folder, files)
