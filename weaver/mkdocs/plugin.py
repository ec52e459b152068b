"""MkDocs' events, forwarded: to the gate, or to the edition whose turn it is."""

import logging
from pathlib import Path

from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, event_priority

from weaver.execution.labs.runner import Labs
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import assets, languages
from weaver.mkdocs.edition import Edition
from weaver.mkdocs.gate import Gate
from weaver.mkdocs.options import Options
from weaver.problem import Problem
from weaver.site.content_policy import protect
from weaver.site.lock import Lock

log = logging.getLogger("mkdocs.plugins.weaver")


class WeaverPlugin(BasePlugin[Options]):
    """Runs the snippets that pages name and puts what they printed in the pages.

    While the gate builds the languages, MkDocs gives their projects this same object: the edition whose
    turn it is is the gate's last.
    """

    gate: Gate | None = None
    runner: Runner | None = None
    labs: Labs | None = None
    lock: Lock | None = None
    serving = False

    @property
    def edition(self) -> Edition | None:
        """The edition whose turn it is; None while it is the gate's own."""
        return self.gate.editions[-1] if self.gate and self.gate.editions else None

    def on_startup(self, *, command, dirty):
        """Stay the same object, with a warm server, while `mkdocs serve` builds again and again."""
        self.serving = command == "serve"

    def on_shutdown(self):
        for runs in filter(None, (self.runner, self.labs)):
            runs.close()

    def on_config(self, config):
        if self.config.offline:
            config.use_directory_urls = False
            config.extra["polyfills"] = ["assets/iframe-worker.js"]  # browsers start no worker from a file
        if not self.gate:
            self._begin(config)
        config.mdx_configs.setdefault("weaver.mkdocs.formula", {})["locate"] = self._locate

    def _begin(self, config):
        cache, options = Path(config.config_file_path).parent / self.config.cache, self.config
        self.lock = Lock(cache, config.site_dir)
        self.lock.acquire(lambda: log.info(f"Waiting for another build of {config.site_dir} to end"))
        self.runner = _with_limit(self.runner, options.limit) or Runner(cache, options.limit)
        self.labs = _with_limit(self.labs, options.lab_limit) or Labs(cache, options.lab_limit)
        self.gate = Gate(config, options, self.runner, self.labs, self.serving)

    def _locate(self, text):
        """Return where a text stands on the page that is being read, and how it is written there."""
        return (self.edition or self.gate).reading.locate(text)

    def on_files(self, files, *, config):
        if not self.edition:
            files = languages.without_languages(files, self.config.languages)
        return assets.hash_names(files, config)

    def on_nav(self, nav, *, config, files):
        if self.edition:
            self.edition.name_sections(nav)

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
            self.edition.weave(files, config)

    @event_priority(-100)
    def on_page_context(self, context, *, page, config, nav):
        if self.edition:
            self.edition.add_pictures(page)
            context["about"] = self.edition.about[page.file.src_uri]

    def on_template_context(self, context, *, template_name, config):
        context["abouts"] = self.edition.about if self.edition else {}

    def on_post_page(self, output, *, page, config):
        return output if self._is_open else protect(output)

    def on_post_template(self, output, *, template_name, config):
        return output if self._is_open or not template_name.endswith(".html") else protect(output)

    @property
    def _is_open(self):
        """Whether pages go without a policy: it would stop what reloads them, and files have no origin."""
        return self.serving or self.config.offline

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
        self._done()

    def on_build_error(self, *, error):
        self._done()
        if isinstance(error, Problem):  # a sentence is enough, and the last one: no traceback, no remark
            raise Abort(str(error)) from None

    def _done(self):
        self.gate = None
        if self.lock:
            self.lock.release()


def _with_limit(runs, limit):
    """Return what runs programs if it does so within this limit; None, and it is closed, if it does not."""
    if runs and runs.limit != limit:
        runs.close()
        return None
    return runs
