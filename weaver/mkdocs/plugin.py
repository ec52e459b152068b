"""MkDocs' events, forwarded: to the gate, or to the project whose turn it is."""

import logging
import time
from contextlib import AbstractContextManager
from pathlib import Path

from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import InclusionLevel

from weaver.execution.labs.runner import Labs
from weaver.execution.scratch import scratch
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import assets, edits, languages, theme_files
from weaver.mkdocs.edits import Served
from weaver.mkdocs.failures import end_on_signals, sentence
from weaver.mkdocs.gate import Gate
from weaver.mkdocs.kept import Kept
from weaver.mkdocs.options import Options, check
from weaver.mkdocs.preview import Preview
from weaver.mkdocs.progress import Lines, Progress
from weaver.mkdocs.project import Project
from weaver.mkdocs.rendered import lighten
from weaver.mkdocs.sources import Sources
from weaver.problem import Problem
from weaver.site.content_policy import protect
from weaver.site.lock import Lock
from weaver.site.place import Place
from weaver.site.shelf import Shelf
from weaver.trace.words import ENGLISH

log = logging.getLogger("mkdocs.plugins.weaver")


class WeaverPlugin(BasePlugin[Options]):
    """Runs the snippets that pages name and puts what they printed in the pages.

    While the gate builds the languages, MkDocs gives their projects this same object: the one whose turn it
    is is the gate's last.
    """

    gate: Gate | None = None
    runner: Runner | None = None
    labs: Labs | None = None
    kept: Kept | None = None
    lock: Lock | None = None
    place: Place | None = None
    folder: AbstractContextManager[Path] | None = None  # that is served
    served: Served | None = None
    preview: Preview | None = None
    lines: Lines | None = None
    command = ""
    is_dirty = is_whole = False

    def __init__(self):
        super().__init__()
        self.shelf, self.progress = Shelf("snippets"), Progress()

    @property
    def project(self) -> Project | None:
        """The project whose turn it is; None while it is the gate's own."""
        return self.gate.projects[-1] if self.gate and self.gate.projects else None

    def on_startup(self, *, command, dirty):
        """Stay the same object, with a warm server, while `mkdocs serve` builds again and again."""
        self.command, self.is_dirty = command, dirty
        self.preview = Preview(self) if self.serving else None
        end_on_signals()

    @property
    def serving(self) -> bool:
        """Whether the site is served, from a folder of MkDocs' own, and built again on each edit."""
        return self.command == "serve"

    def on_shutdown(self):
        if self.preview:
            self.preview.errors.end()
        for runs in filter(None, (self.runner, self.labs)):
            runs.close()
        if self.folder:
            self.folder.__exit__(None, None, None)
        self._settle()

    def on_serve(self, server, *, config, builder):
        """Have an edit make again only the pages that it changes, if it changes nothing else."""
        self.runner.warm()
        options = self.config
        for path in filter(None, (options.snippets, options.words, options.glossary, options.synonyms)):
            server.watch(path)
        self.preview.serve(server, builder)
        return server

    def on_config(self, config):
        if self.config.offline:
            config.use_directory_urls = False
            config.extra["polyfills"] = ["assets/iframe-worker.js"]  # browsers start no worker from a file
        assets.want_engine_assets(config)
        lighten(config.theme, self._cache(config))
        if not self.gate:
            self._begin(config)
        if self.config.languages and "attr_list" not in config.markdown_extensions:
            config.markdown_extensions.append("attr_list")  # the languages have the ids of headings in common
        config.mdx_configs.setdefault("weaver.mkdocs.formula", {})["locate"] = self._locate

    def _begin(self, config):
        options, cache = self.config, self._cache(config)
        check(config, options, cache)
        self.lock = Lock(cache, config.site_dir)
        try:
            self.lock.acquire(lambda: log.info(f"Waiting for another build of {config.site_dir} to finish"))
        except OSError as error:
            log.info(f"The cache can't be written, so nothing from this build is kept: {error}")
        if self.serving and not self.folder:  # MkDocs removes its folder, unless it is killed
            self.folder = scratch(cache, Path(config.site_dir))
            self.folder.__enter__()
        if not self.serving and not self.is_dirty:
            self._stage(config, cache)
        self.runner = _with_limit(self.runner, options.limit) or Runner(cache, options.limit)
        self.runner.keeps_failures = self.serving
        self.labs = _with_limit(self.labs, options.lab_limit) or Labs(cache, options.lab_limit)
        self.kept = self.kept or Kept(self.runner.cache)
        self.served, self.progress = None, Progress()
        self.stamps = edits.stamps(config, options) if self.serving else {}
        ran = self.runner, self.labs, self.kept
        log.info("Reading the pages")
        sources = Sources(config, options, *ran, serving=self.serving, progress=self.progress)
        self.shelf.hide(Path(config.site_dir))
        self.gate = Gate(config, sources, self.shelf)
        site = self.place and self.place.site
        self.lines = Lines(config.site_dir, site, lambda: bool(options.languages and self.project))

    def _cache(self, config):
        return _root(config) / self.config.cache

    def _locate(self, text):
        """Return where a text stands on the page that is being read, and how it is written there."""
        return (self.project or self.gate).reading.locate(text)

    def _stage(self, config, cache):
        """Let MkDocs, which empties its folder before anything is known, build into another."""
        sources = {"docs_dir": config.docs_dir, "the plugin's `snippets`": self.config.snippets}
        sources |= {"the plugin's `cache`": cache, "the project": _root(config)}
        if config.theme.custom_dir:
            sources["the theme's `custom_dir`"] = config.theme.custom_dir
        try:
            self.place = Place(Path(config.site_dir), cache, {name: Path(at) for name, at in sources.items()})
        except Problem as problem:
            self.done()
            raise Abort(str(problem)) from None
        self._config, self.is_whole = config, False
        config.site_dir = str(self.place.staged)

    def on_files(self, files, *, config):
        edition = self.project and self.project.edition
        languages.check_endings(files)
        if edition:
            edition.borrow(files, config)
        else:
            files = languages.without_languages(files, self.config.languages)
        words = edition.trace_words if edition else ENGLISH
        return assets.hash_names(files, config, words)

    def on_nav(self, nav, *, config, files):
        if self.project:
            self.project.edition.name_sections(nav)
            self.project.begin(config, files, nav)
            pages = files.documentation_pages(inclusion=InclusionLevel.is_in_serve)
            self.progress.begin(f"Pages ({self.project.edition.language})", 2 * len(pages))

    @event_priority(100)
    def on_page_read_source(self, *, page, config):
        return (self.project or self.gate).source(page)

    def on_pre_page(self, page, *, config, files):
        if self.project and self.serving:
            self.project.unread[page.file.src_uri] = dict(vars(page))

    @event_priority(100)
    def on_page_markdown(self, markdown, *, page, config, files):
        try:
            marked = (self.project or self.gate).mark(markdown, page)
            theme_files.check((self.project or self.gate).reading.page, page.meta, config.theme)
        except Problem as problem:
            if not self.project:
                raise
            self.project.give_up(page, problem)
            return ""
        return marked

    @event_priority(-100)
    def on_page_content(self, html, *, page, config, files):
        if not self.project:
            self.gate.reading.check(html, is_compared=False)
        self.progress.step()

    @event_priority(100)
    def on_env(self, env, *, config, files):
        if self.project:
            self.project.weave(env)

    @event_priority(100)
    def _begin_page(self, context, *, page, config, nav):
        if self.project:
            self.project.index(page)

    @event_priority(-100)
    def _complete_page(self, context, *, page, config, nav):
        if self.project:
            self.project.complete(page)
            context["about"] = self.project.about[page.file.src_uri]

    on_page_context = CombinedEvent(_begin_page, _complete_page)

    def on_template_context(self, context, *, template_name, config):
        context["abouts"] = self.project.about if self.project else {}

    @event_priority(-100)
    def on_post_page(self, output, *, page, config):
        self.progress.step()
        if self.project and self.config.inline_styles:
            others = self.project.scripts.get(page.file.src_uri, {}).values()
            output = self.project.inline(output, page.file.dest_uri, others)
        return output if self._is_open else protect(output)

    @event_priority(-100)  # as the last: the policy is about what is written
    def on_post_template(self, output, *, template_name, config):
        return output if self._is_open or not template_name.endswith(".html") else protect(output)

    @property
    def _is_open(self):
        """Whether pages go without a policy: it would stop what reloads them, and files have no origin."""
        return self.serving or self.config.offline or not self.config.policy

    @event_priority(-100)
    def on_post_build(self, *, config):
        """Write what lies beside the pages. The gate, last, builds the languages; they share all plugins."""
        if self.project:
            self.project.publish()
            phase = self.progress.end()
            passed, number = time.monotonic() - phase.began, len(self.project.entries)
            log.info(f"{phase.name}: {number:,} in {passed:.1f} s")
            if self.config.languages:
                return
        else:
            self.gate.build_projects(config.site_url if self.serving else None)
        with self.progress.phase("Files", 1):
            self.gate.finish()
        self.kept.finish(save=not self.serving)
        self.is_whole = True
        self.served = Served(self.gate, self.stamps) if self.serving and not self.is_dirty else None
        self.gate = None
        if not self.command:  # whoever calls MkDocs from a program has no end to wait for
            self._settle()
        elif self.serving:
            self.done()

    def on_build_error(self, *, error):
        self.is_whole = False
        self._settle()
        if said := sentence(error):
            raise Abort(said) from None

    def _settle(self):
        """Let the site appear if it is whole, which a strict build is when nothing was warned of."""
        place, self.place = self.place, None
        try:
            if place:
                self._config.site_dir = str(place.site)
                place.appear() if self.is_whole else place.discard()
        except Problem as problem:
            raise Abort(str(problem)) from None
        finally:
            self.done()

    def done(self):
        """End a build, also one that failed: the next begins anew."""
        self.gate = None
        self.progress.close()
        if self.lines:
            self.lines.close()
        if self.lock:
            self.lock.release()


def _root(config):
    """Return the folder that `mkdocs.yml` is in."""
    return Path(config.config_file_path or "mkdocs.yml").absolute().parent


def _with_limit(runs, limit):
    """Return what runs programs if it does so within this limit; None, and it is closed, if it does not."""
    if runs and runs.limit != limit:
        runs.close()
        return None
    return runs
