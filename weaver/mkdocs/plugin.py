"""MkDocs' events, forwarded: to the gate, or to the edition whose turn it is."""

import errno
import logging
import signal
import sys
import threading
import traceback
from contextlib import AbstractContextManager
from pathlib import Path

from jinja2 import TemplateError
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority

from weaver.execution.labs.runner import Labs
from weaver.execution.scratch import scratch
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import assets, edits, languages
from weaver.mkdocs.edition import Edition
from weaver.mkdocs.edits import Served
from weaver.mkdocs.gate import Gate
from weaver.mkdocs.kept import Kept
from weaver.mkdocs.options import Options
from weaver.mkdocs.rendered import lighten
from weaver.problem import Problem, shown
from weaver.site.content_policy import protect
from weaver.site.lock import Lock
from weaver.site.place import Place
from weaver.site.shelf import Shelf
from weaver.trace.words import ENGLISH

# a full disk, a file or quota that is too large, a disk that fails or cannot be written
NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EROFS)
log = logging.getLogger("mkdocs.plugins.weaver")


class WeaverPlugin(BasePlugin[Options]):
    """Runs the snippets that pages name and puts what they printed in the pages.

    While the gate builds the languages, MkDocs gives their projects this same object: the edition whose
    turn it is is the gate's last.
    """

    gate: Gate | None = None
    runner: Runner | None = None
    labs: Labs | None = None
    kept: Kept | None = None
    lock: Lock | None = None
    place: Place | None = None
    folder: AbstractContextManager[Path] | None = None  # that is served
    served: Served | None = None
    command = ""
    is_dirty = is_whole = False

    def __init__(self):
        super().__init__()
        self.shelf = Shelf("snippets")

    @property
    def edition(self) -> Edition | None:
        """The edition whose turn it is; None while it is the gate's own."""
        return self.gate.editions[-1] if self.gate and self.gate.editions else None

    def on_startup(self, *, command, dirty):
        """Stay the same object, with a warm server, while `mkdocs serve` builds again and again."""
        self.command, self.is_dirty = command, dirty
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGTERM", "SIGHUP"):
                if hasattr(signal, name):  # Windows has only the first
                    signal.signal(getattr(signal, name), _leave)

    @property
    def serving(self) -> bool:
        """Whether the site is served, from a folder of MkDocs' own, and built again on each edit."""
        return self.command == "serve"

    def on_shutdown(self):
        for runs in filter(None, (self.runner, self.labs)):
            runs.close()
        if self.folder:
            self.folder.__exit__(None, None, None)
        self._settle()

    def on_serve(self, server, *, config, builder):
        """Have an edit make again only the pages that it changes, if it changes nothing else."""
        server.builder = edits.builder(self, builder)
        self.runner.warm()
        return server

    def on_config(self, config):
        if self.config.offline:
            config.use_directory_urls = False
            config.extra["polyfills"] = ["assets/iframe-worker.js"]  # browsers start no worker from a file
        assets.want_engine_assets(config)
        lighten(config.theme, self._cache(config))
        if not self.gate:
            self._begin(config)
        config.mdx_configs.setdefault("weaver.mkdocs.formula", {})["locate"] = self._locate

    def _begin(self, config):
        options, cache = self.config, self._cache(config)
        if [plugin for plugin in config.plugins.values() if isinstance(plugin, WeaverPlugin)] != [self]:
            raise Abort("mkdocs.yml: `weaver` stands among the plugins more than once. Keep one.")
        if not Path(config.config_file_path or "").is_file():
            raise Abort(
                "The configuration is read once per language. Give it as a file, not as stdin; and leave "
                "stdin open: `mkdocs build < /dev/null`."
            )
        for name, folder in (("docs_dir", config.docs_dir), ("snippets", options.snippets)):
            if cache.resolve().is_relative_to(Path(folder).resolve()):
                raise Abort(f"mkdocs.yml: `cache` lies in `{name}`, which is read. Give it another folder.")
        self.lock = Lock(cache, config.site_dir)
        try:
            self.lock.acquire(lambda: log.info(f"Waiting for another build of {config.site_dir} to end"))
        except OSError as error:
            log.info(f"The cache cannot be written, and nothing is kept of this build: {error}")
        if self.serving and not self.folder:  # MkDocs removes its folder, unless it is killed
            self.folder = scratch(cache, Path(config.site_dir))
            self.folder.__enter__()
        if not self.serving and not self.is_dirty:
            self._stage(config, cache, _project(config))
        self.runner = _with_limit(self.runner, options.limit) or Runner(cache, options.limit)
        self.labs = _with_limit(self.labs, options.lab_limit) or Labs(cache, options.lab_limit)
        self.kept = self.kept or Kept(self.runner.cache)
        self.shelf.hide(Path(config.site_dir))
        self.served = None
        self.stamps = edits.stamps(config, options) if self.serving else {}
        self.gate = Gate(config, options, self.runner, self.labs, self.kept, self.shelf, self.serving)

    def _cache(self, config):
        return _project(config) / self.config.cache

    def _locate(self, text):
        """Return where a text stands on the page that is being read, and how it is written there."""
        return (self.edition or self.gate).reading.locate(text)

    def _stage(self, config, cache, project):
        """Let MkDocs, which empties its folder before anything is known, build into another."""
        sources = {"docs_dir": config.docs_dir, "the plugin's `snippets`": self.config.snippets}
        sources |= {"the plugin's `cache`": cache, "the project": project}
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
        if not self.edition:
            files = languages.without_languages(files, self.config.languages)
        if self.edition:
            self.edition.borrow(files, config)
        words = self.edition.trace_words if self.edition else ENGLISH
        return assets.hash_names(files, config, words)

    def on_nav(self, nav, *, config, files):
        if self.edition:
            self.edition.name_sections(nav)
            self.edition.begin(config, files, nav)

    def on_pre_page(self, page, *, config, files):
        if self.edition and self.serving:
            self.edition.unread[page.file.src_uri] = dict(vars(page))

    @event_priority(100)
    def on_page_markdown(self, markdown, *, page, config, files):
        marked = (self.edition or self.gate).mark(markdown, page)
        self._want_template(config)
        return marked

    def _want_template(self, config):
        """Raise Problem if the page that is being read names a template that the theme does not have."""
        page = (self.edition or self.gate).reading.page
        name = page.front.says.template
        if name and not any(Path(folder, name).is_file() for folder in config.theme.dirs):
            place = page.front.place(page.path, "template")
            raise Problem(f"{place}: the theme has no template `{name}`. Mend the name.")

    @event_priority(-100)
    def on_page_content(self, html, *, page, config, files):
        if not self.edition:
            self.gate.reading.check(html, is_compared=False)

    @event_priority(100)
    def on_env(self, env, *, config, files):
        if self.edition:
            self.edition.weave(env, files, config)

    @event_priority(100)
    def _begin_page(self, context, *, page, config, nav):
        if self.edition:
            self.edition.index(page)

    @event_priority(-100)
    def _complete_page(self, context, *, page, config, nav):
        if self.edition:
            self.edition.complete(page)
            context["about"] = self.edition.about[page.file.src_uri]

    on_page_context = CombinedEvent(_begin_page, _complete_page)

    def on_template_context(self, context, *, template_name, config):
        context["abouts"] = self.edition.about if self.edition else {}

    def on_post_page(self, output, *, page, config):
        if self.edition and self.config.inline_styles:
            others = self.edition.scripts.get(page.file.src_uri, {}).values()
            output = self.edition.inline(output, page.file.dest_uri, others)
        return output if self._is_open else protect(output)

    def on_post_template(self, output, *, template_name, config):
        return output if self._is_open or not template_name.endswith(".html") else protect(output)

    @property
    def _is_open(self):
        """Whether pages go without a policy: it would stop what reloads them, and files have no origin."""
        return self.serving or self.config.offline or not self.config.policy

    @event_priority(-100)
    def on_post_build(self, *, config):
        """Write what lies beside the pages. The gate, last, builds the languages; they share all plugins."""
        if self.edition:
            self.edition.publish(config)
            if self.config.languages:
                return
        else:
            self.gate.build_editions(config.site_url if self.serving else None)
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
        if isinstance(error, Problem):  # a sentence is enough, and the last one: no traceback, no remark
            raise Abort(str(error)) from None
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise Abort(f"the site cannot be written: {error}. What was there is as it was.") from None
        if isinstance(error, TemplateError):
            frames = traceback.extract_tb(error.__traceback__)
            [*_, last] = [one for one in frames if not one.filename.endswith(".py")] or frames
            place = f"{shown(Path(last.filename))}:{last.lineno}"
            raise Abort(f"{place}: the template cannot be rendered: {error}. Mend it.") from None

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
        if self.lock:
            self.lock.release()


def _project(config):
    """Return the folder that `mkdocs.yml` is in."""
    return Path(config.config_file_path or "mkdocs.yml").absolute().parent


def _leave(number, frame):
    """End as after Ctrl-C, so that everything that runs is ended and nothing is left."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _with_limit(runs, limit):
    """Return what runs programs if it does so within this limit; None, and it is closed, if it does not."""
    if runs and runs.limit != limit:
        runs.close()
        return None
    return runs
