"""MkDocs' events, forwarded to the build, or to the project whose turn it is."""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from weaver.execution.cache import Cache
from weaver.execution.labs.runner import Labs
from weaver.execution.launch import cores
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import assets, languages, private
from weaver.mkdocs.built_project import BuiltProject, Served
from weaver.mkdocs.failures import end_on_signals, sentence
from weaver.mkdocs.options import Options, check
from weaver.mkdocs.progress import Lines, Progress
from weaver.mkdocs.published import publish
from weaver.mkdocs.read_site import ReadSite
from weaver.mkdocs.serving import Preview
from weaver.mkdocs.whole_build import WholeBuild
from weaver.player.words import ENGLISH
from weaver.problem import Problem
from weaver.site import staging
from weaver.site.content_policy import protect
from weaver.site.lock import Lock
from weaver.site.staging import Staging

log = logging.getLogger("mkdocs.plugins.weaver")
Runs = TypeVar("Runs", Runner, Labs)


class WeaverPlugin(BasePlugin[Options]):
    """Runs the snippets that pages name and puts what they printed in the pages.

    MkDocs gives the languages' projects, which are built within that of `mkdocs.yml`, this same object, and
    `mkdocs serve` uses it for every build.
    """

    def __init__(self) -> None:
        super().__init__()
        self.command: str = ""
        self.is_dirty = self.is_whole = False
        self.began = 0.0  # when the last build did, seconds since 1970
        self.runner: Runner | None = None
        self.labs: Labs | None = None
        self.lock: Lock | None = None
        self.lines: Lines | None = None
        self.progress = Progress()
        self.build: WholeBuild | None = None
        self.staging: Staging | None = None  # of the build that goes on
        self.served_folder: Staging | None = None
        self.before: dict[str, Served] = {}  # by language
        self.preview: Preview | None = None

    @property
    def project(self) -> BuiltProject | None:
        """The project whose turn it is; None for the pages above the languages."""
        return self.build.project if self.build else None

    @property
    def serving(self) -> bool:
        """Whether the site is served, and built again on each edit."""
        return self.command == "serve"

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Stay the same object, with a warm server, while `mkdocs serve` builds again and again."""
        self.command, self.is_dirty = command, dirty
        self.preview = Preview(self.config, self.done) if self.serving else None
        end_on_signals()

    def on_shutdown(self) -> None:
        if self.preview:
            self.preview.end()
        if self.runner and self.labs:
            self.runner.close()
            self.labs.close()
        self._settle()
        if self.served_folder:
            self.served_folder.discard()
            self.served_folder = None

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Callable[..., None]
    ) -> LiveReloadServer:
        """Watch what the site is made of, and show what went wrong over its pages."""
        if self.preview and self.runner and self.labs:
            self.preview.serve(server, config, self.began)
            if any(one.is_running for one in self.before.values()):
                self.preview.follow(server, self.runner, self.labs)
            else:
                self.preview.waits = True
            self.runner.warm()
        return server

    def on_config(self, config: MkDocsConfig) -> None:
        if self.config.offline:
            config.use_directory_urls = False
            config.extra["polyfills"] = ["assets/iframe-worker.js"]  # browsers start no worker from a file
        config.extra_css.insert(0, "assets/weaver.css")  # before the site's own, which may say otherwise
        config.extra_javascript.insert(0, "assets/weaver.js")
        cache = Cache(_root(config) / self.config.cache)
        private.lighten(config.theme, cache)
        build = self.build or self._begin(config, cache)
        if self.config.languages and "attr_list" not in config.markdown_extensions:
            config.markdown_extensions.append("attr_list")  # the languages have the ids of headings in common
        config.mdx_configs.setdefault("weaver.mkdocs.formula", {})["locate"] = build.locate

    def _begin(self, config: MkDocsConfig, cache: Cache) -> WholeBuild:
        options, self.began = self.config, time.time()
        check(config, options, cache.folder)
        self.lock = Lock(cache.folder, config.site_dir)
        try:
            self.lock.acquire(lambda: log.info(f"Waiting for another build of {config.site_dir} to finish"))
        except OSError as error:
            log.info(f"The cache can't be written, so nothing from this build is kept: {error}")
        site_dir, self.is_whole, self.progress = config.site_dir, False, Progress()
        if not self.is_dirty:
            self.staging = self._staging(config, cache.folder)
            config.site_dir = str(self.staging.folder)
        workers = max(1, cores() - self.serving)  # one core is for the pages that are read meanwhile
        self.runner = _with_limit(self.runner, options.limit) or Runner(cache.folder, options.limit, workers)
        self.runner.keeps_failures = self.serving
        waits = not self.preview or self.preview.waits
        self.labs = _with_limit(self.labs, options.lab_limit) or Labs(cache.folder, options.lab_limit, waits)
        site = ReadSite(config, options, self.runner, self.labs, cache, self.serving, self.progress, waits)
        pages = Cache(cache.folder / f"pages-{'serve' if self.serving else 'build'}")
        build = self.build = WholeBuild(config, site, pages, self.staging, self.before)
        is_inner = lambda: bool(options.languages and build.reading)  # noqa: E731
        self.lines = Lines(config.site_dir, Path(site_dir), is_inner)
        return build

    def _staging(self, config: MkDocsConfig, cache: Path) -> Staging:
        """Return another folder for MkDocs, which empties its own before anything is known."""
        try:
            if self.serving:
                return Staging(Path(config.site_dir), cache, self.served_folder)
            sources = {"docs_dir": config.docs_dir, "the plugin's `snippets`": self.config.snippets}
            sources |= {"the plugin's `cache`": str(cache), "the project": str(_root(config))}
            if config.theme.custom_dir:
                sources["the theme's `custom_dir`"] = config.theme.custom_dir
            site = staging.check(Path(config.site_dir), {name: Path(at) for name, at in sources.items()})
            return Staging(site, cache)
        except Problem as problem:
            self.done()
            raise Abort(str(problem)) from None

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        languages.check_endings(files)
        if read := self.build and self.build.reading:
            read.borrow(files, config)
        else:
            files = Files([one for one in files if one.src_uri.split("/")[0] not in self.config.languages])
        return assets.hash_names(files, config, read.trace_words if read else ENGLISH)

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        if self.build and (read := self.build.reading):
            languages.name_sections(nav, read.sections)
            self.build.begin(config, files)
            pages = files.documentation_pages(inclusion=InclusionLevel.is_in_serve)
            self.progress.begin(f"Pages ({read.language})", 2 * len(pages))

    @event_priority(100)
    def on_page_read_source(self, *, page: Page, config: MkDocsConfig) -> str | None:
        return self.project.source(page) if self.project else None

    @event_priority(100)
    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        return self.build.mark(markdown, page) if self.build else markdown

    @event_priority(-100)
    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> None:
        if self.build:
            self.build.check(html)
        self.progress.step()

    @event_priority(100)
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> None:
        if self.build:
            self.build.weave()

    @event_priority(100)
    def _begin_page(self, context: Any, *, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
        if self.project:
            self.project.index(page)

    @event_priority(-100)
    def _complete_page(self, context: Any, *, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
        if self.project:
            context["about"] = self.project.complete(page)

    on_page_context = CombinedEvent(_begin_page, _complete_page)

    def on_template_context(
        self, context: TemplateContext, *, template_name: str, config: MkDocsConfig
    ) -> None:
        pages = self.project.pages if self.project else {}
        context["abouts"] = {  # type: ignore[typeddict-unknown-key]
            path: state.about for path, state in pages.items()
        }

    @event_priority(-100)
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        self.progress.step()
        if self.project and self.config.inline_styles:
            output = self.project.styled(output, page)
        return protect(output) if self._has_policy else output

    @event_priority(-100)  # as the last: the policy is about what is written
    def on_post_template(self, output_content: str, *, template_name: str, config: MkDocsConfig) -> str:
        is_protected = self._has_policy and template_name.endswith(".html")
        return protect(output_content) if is_protected else output_content

    @property
    def _has_policy(self) -> bool:
        """Whether pages have a policy: it would block live reload, and can't match files opened from disk."""
        return self.config.policy and not self.serving and not self.config.offline

    @event_priority(-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write what lies beside the pages. The project of `mkdocs.yml`, last, builds the languages."""
        build, project = self.build, self.project
        if not build:
            return
        if project:
            build.published.append(publish(project, build.write))
            if phase := self.progress.end():
                passed, number = time.monotonic() - phase.began, len(project.pages)
                log.info(f"{phase.name}: {number:,} in {passed:.1f} s")
            if self.config.languages:
                return
        else:
            build.build_languages(config.site_url if self.serving else None)
        with self.progress.phase("Files", 1):
            build.finish()
        self.is_whole = True
        if self.serving:
            self.before = {one.read.language: one.served() for one in build.projects}
        build.pages.sweep()
        self.build = None
        if not self.command or self.serving:  # whoever calls MkDocs from a program has no end to wait for
            self._settle()

    def on_build_error(self, *, error: Exception) -> None:
        self.is_whole = False
        self._settle()
        if said := sentence(error):
            raise Abort(said) from None

    def _settle(self) -> None:
        """Let the site appear if it is whole, which a strict build is when nothing was warned of."""
        built, self.staging = self.staging, None
        try:
            if built and not self.is_whole:
                built.discard()
            elif built and self.serving:
                before, self.served_folder = self.served_folder, built
                built.serve()
                if before:
                    before.discard()
            elif built:
                built.appear()
        except Problem as problem:
            raise Abort(str(problem)) from None
        finally:
            self.done()

    def done(self) -> None:
        """End a build, also one that failed: the next begins anew."""
        self.build = None
        self.progress.close()
        if self.lines:
            self.lines.close()
        if self.lock:
            self.lock.release()


def _root(config: MkDocsConfig) -> Path:
    """Return the folder that `mkdocs.yml` is in."""
    return Path(config.config_file_path or "mkdocs.yml").absolute().parent


def _with_limit(runs: Runs | None, limit: float) -> Runs | None:
    """Return what runs programs if it does so within this limit; None, and it is closed, if it does not."""
    if runs and runs.limit != limit:
        runs.close()
        return None
    return runs
