"""MkDocs' events -> the engine: pages go in as Markdown, and come out with what the snippets printed."""

import logging
import re
import sys
import time
from html import escape
from pathlib import Path

import click
from mkdocs.commands.build import build
from mkdocs.config import base
from mkdocs.config import config_options as options
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File

from weaver import about, hashed, history, languages, moved, publish, search
from weaver.book import Book
from weaver.cache import version
from weaver.glossary import link_first_uses, listed
from weaver.glossary import read as read_terms
from weaver.kernels import LIMIT as LAB_LIMIT
from weaver.kernels import Labs
from weaver.lock import Lock
from weaver.markup import DRAWN, Html, Markdown, code, visible
from weaver.notebook import Prose
from weaver.page import INLINE, parse
from weaver.problem import Problem, nearest, shown
from weaver.run import LIMIT, Runner
from weaver.secure import protect
from weaver.words import WORDS
from weaver.wrap import keep_particles

log = logging.getLogger("mkdocs.plugins.weaver")
# A directive on its way through Markdown is one private character, U+E000 and its number on the
# page. Alone in a paragraph it is a block; in a formula it is a number.
FIRST = 0xE000
NOTHING = parse("", "")
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)/?")
COLAB = "https://colab.research.google.com/github"
OWN = re.compile(r"assets/[\w-]+\.(css|js|png|woff2)")  # files whose names get a hash
IN_A_TAG = re.compile("<[^<>]*([\ue000-\uf8ff])[^<>]*>")
PICTURE = re.compile("<p data-search-exclude>([\ue000-\uf8ff])</p>")
MARK = re.compile("<p>([\ue000-\uf8ff])</p>|(<mi>)([\ue000-\uf8ff])</mi>|([\ue000-\uf8ff])")


class Options(base.Config):
    """The plugin's settings in `mkdocs.yml`."""

    snippets = options.Dir(exists=True, default="snippets")
    cache = options.Dir(default=".cache/weaver")
    limit = options.Type((int, float), default=LIMIT)
    lab_limit = options.Type((int, float), default=LAB_LIMIT)
    languages = options.DictOfItems(options.Type(dict), default={})
    offline = options.Type(bool, default=False)
    glossary = options.Optional(options.File(exists=True))
    colab = options.Type(str, default="")


class WeaverPlugin(BasePlugin[Options]):
    """Runs the snippets that pages name and puts what they printed in the pages.

    With languages, the project of `mkdocs.yml` is a gate that has no snippets: it reads all pages,
    starts what they ask for, and then builds a project per language. MkDocs gives these the same
    plugin object; `language` says whose turn it is, and is empty while it is the gate's.
    """

    language = ""
    runner: Runner | None = None
    labs: Labs | None = None
    lock: Lock | None = None
    serving = False

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
        if self.language:
            return
        self.began = time.monotonic()
        cache = Path(config.config_file_path).parent / self.config.cache
        self.lock = Lock(cache, config.site_dir)
        self.lock.acquire(lambda: log.info(f"Waiting for another build of {config.site_dir} to end"))
        self.runner = self.runner or Runner(cache, self.config.limit)
        self.labs = self.labs or Labs(cache, self.config.lab_limit)
        self.runner.ran = self.runner.reused = self.labs.ran = 0
        self.torch = version("torch").split("+")[0]
        self.history = history.read(Path(config.config_file_path).parent)
        self.keywords = {}  # address of a page -> its keywords
        self.editions = []  # of the languages that were built
        self.glossaries = {}  # language -> its terms
        self.book = Book(
            _relative(config.docs_dir), _relative(self.config.snippets), tuple(self.config.languages)
        )
        self.runner.request(self.book.asked())
        self.labs.request(self.book.asked_of_labs())
        self.results = None
        if self.config.languages:
            languages.make_gate(config, self.config.languages)
        else:
            self.language = config.theme.get("language") or "en"

    def on_files(self, files, *, config):
        if not self.language:
            files = languages.without_languages(files, self.config.languages)
        return _hash_names(files, config)

    def on_nav(self, nav, *, config, files):
        settings = self.config.languages.get(self.language, {})
        languages.name_sections(nav, settings.get("sections", {}))

    def on_page_markdown(self, markdown, *, page, config, files):
        """Put a mark in the place of each directive; what it stands for is not known yet."""
        if not self.language:
            return
        path = Path(page.file.abs_src_path)
        above = path.read_text(encoding="utf-8").rstrip("\n").count("\n") - markdown.rstrip("\n").count("\n")
        page.directives = []
        known = self.book.snippets.keys() | self.book.labs.keys()

        def mark(directive):
            if directive.kind == "terms":
                return listed(self.terms, WORDS[self.language]["see"])
            if directive.kind != "end" and any(name not in known for name, _ in directive.asks):
                raise Problem(f"{directive.place}: only `.md` pages can show snippets. Rename the page.")
            if directive.kind in ("snippet", "question"):
                snippet = self.book.snippets[directive.name]
                code(snippet.code, snippet.first_line)  # now, while the snippets run
            page.directives.append(directive)
            return chr(FIRST + len(page.directives) - 1)

        return parse(markdown, shown(path), 1 + above, "jupyter" in page.meta).weave(mark)

    @event_priority(100)
    def on_env(self, env, *, config, files):
        """When all pages are HTML, and the snippets have run beside that, put in what they printed."""
        if not self.language:
            return
        html = Html(self.book.snippets, self._finish(), self.language, self.torch, self.runner.cache.keep)
        self.entries = []  # the pages of this language
        glossary = files.get_file_from_path("glossary.md")
        terms = self.terms if glossary else []
        for file in files.documentation_pages():
            if file.page and file.page.content:
                html.programs = f"{self._up(file.page.url)}snippets"
                _weave(file.page, html)
                if terms and file != glossary:
                    address = glossary.url_relative_to(file)
                    but = self._not_meant(file.page, terms)
                    file.page.content = link_first_uses(file.page.content, terms, address, but)
                self._describe(file.page, config)
                file.page.moved = self._moved(file.page, files)
                if "title" in file.page.meta:  # else the search plugin reads this one
                    file.page.title = keep_particles(file.page.title)

    @event_priority(-100)
    def on_page_context(self, context, *, page, config, nav):
        """Put in, after the search plugin has read the page, what it should not: pictures, joiners."""
        self.keywords[page.url] = page.meta.get("keywords", [])
        if self.language and page.content:
            context["about"] = page.about
            page.content = PICTURE.sub(lambda mark: page.pictures[mark[1]], page.content)
            page.content = page.moved + keep_particles(page.content)
            _join_titles(page.toc)

    def _not_meant(self, page, terms):
        """Return the terms that a page says it means otherwise: `not_terms: [고정]` in its front matter."""
        words, known = page.meta.get("not_terms", []), [term.term for term in terms]
        for word in words if isinstance(words, list) else [words]:
            if word not in known:
                place = shown(Path(page.file.abs_src_path))
                raise Problem(
                    f"{place}: `not_terms` has `{word}`, which is no term of the glossary. Write a list of "
                    f"those.{nearest(str(word), known)}"
                )
        return words

    def _moved(self, page, files):
        """Return the anchors of what the page no longer has: see `moved`."""
        if "moved" not in page.meta:
            return ""
        pages = self.book.pages[self.language if self.config.languages else ""]
        ids = {name: [heading.id for heading in one.headings] for name, one in pages.items()}
        ids.get("glossary.md", []).extend(term.id for term in self.terms)

        def address(name):
            return files.get_file_from_path(name).url_relative_to(page.file)

        return moved.anchors(page.meta["moved"], pages[page.file.src_uri], ids, address)

    def _describe(self, page, config):
        """Note what is said about a page beside its text: see `about`."""
        title, description = page.meta.get("title", page.title), page.meta.get("description", "")
        pages = self.book.pages[self.language if self.config.languages else ""]
        parsed = pages.get(page.file.src_uri, NOTHING)  # a page that is not `.md` has no directives
        entry = publish.Entry(title, description, page.url, page.file.dest_uri, parsed)
        self.entries.append(entry)
        used = {
            self.book.snippets[name].path
            for directive in page.directives
            for name, _ in directive.asks
            if name in self.book.snippets
        }
        changed = self.history.last_change([Path(page.file.abs_src_path), *used])
        root, words = config.extra.get("root") or config.site_url or "", WORDS[self.language]
        others = about.alternates(root, self.config.languages or {self.language: {}}, page.url)
        card = config.extra["hashed"].get("assets/card.png")
        page.about = {
            "alternates": others if self.config.languages else [],
            "card": card and f"{config.site_url}{card}",
            "changed": changed,
            "commit": self.history.commit,
            "linked_data": about.linked_data(
                title,
                description,
                page.canonical_url,
                self.language,
                page.meta.get("keywords", []),
                changed,
                others[:-1],
                (config.site_name, config.site_url),
            ),
            "locale": words["locale"],
            "notebook": entry.notebook,
            "colab": self._colab(entry, config.repo_url),
            "torch": self.torch,
            "twin": "index.md" if config.use_directory_urls else None,
            "words": words,
        }

    def _colab(self, entry, repository):
        """Return the address at which Colab opens a page's notebook: it finds those on GitHub's branches."""
        name = GITHUB.fullmatch(repository or "")
        if name and self.config.colab:
            language = [self.language] if self.config.languages else []
            return "/".join((COLAB, name[1], "blob", self.config.colab, *language, entry.notebook_path))
        return None

    def on_post_page(self, output, *, page, config):
        return output if self._is_open else protect(output)

    def on_post_template(self, output, *, template_name, config):
        return output if self._is_open or not template_name.endswith(".html") else protect(output)

    @property
    def terms(self):
        """The glossary in the language whose turn it is, read once in a build."""
        if self.config.glossary and self.language not in self.glossaries:
            self.glossaries[self.language] = read_terms(Path(self.config.glossary), self.language)
        return self.glossaries.get(self.language, [])

    def _up(self, url):
        """Return the way from the page at `url` to the folder that the whole site is in."""
        return "../" * (url.count("/") + bool(self.config.languages))

    @property
    def _is_open(self):
        """Whether pages go without a policy: it would stop what reloads them, and files have no origin."""
        return self.serving or self.config.offline

    def _finish(self):
        """Wait for all snippets, once; return their results. Raises Problem if any cannot be shown."""
        if self.results is None:
            with _Progress() as progress:
                self.results = self.runner.results(progress)
            self.results |= self.labs.results()
            self.book.check(self.results)
            log.info(
                f"{self.runner.ran} snippets ran, {self.runner.reused} came from the cache, "
                f"{self.labs.ran} of {len(self.book.labs)} labs ran, in {time.monotonic() - self.began:.1f} s"
            )
        return self.results

    @event_priority(-100)
    def on_post_build(self, *, config):
        """Write what lies beside the pages. The gate, last, builds the languages; they share all plugins."""
        is_whole = not (self.language and self.config.languages)
        if self.language:
            self._publish(config)
        else:
            for language, edition in languages.editions(config, self.config.languages):
                self.language = language
                build(edition, serve_url=config.site_url if self.serving else None)
        if is_whole:
            site, outcomes = Path(config.site_dir), [self.results[name] for name in self.book.labs]
            publish.write_programs(site, self.book.snippets, outcomes)
            if config.use_directory_urls:
                publish.write_lists(site, config.site_name, self.editions)
            self._done()

    def _publish(self, config):
        """Write what lies beside the pages of one language."""
        site = Path(config.site_dir)
        search.enrich(Path(site, "search/search_index.json"), self.keywords, self.terms)
        if self.config.offline:
            publish.inline_index(Path(site, "search"))
        edition = publish.Edition(
            config.site_name, config.site_description or "", config.site_url or "/", tuple(self.entries)
        )
        self.editions.append(edition)
        facts = (
            self.book.snippets,
            self.results,
            self.language,
            self.torch,
            self.runner.cache.keep,
            self.terms,
        )
        publish.write_notebooks(site, edition, Prose(*facts))
        if config.use_directory_urls:
            publish.write_twins(site, edition, Markdown(*facts), self._up)

    def _done(self):
        self.language = ""
        if self.lock:
            self.lock.release()

    def on_build_error(self, *, error):
        self._done()
        if isinstance(error, Problem):  # a sentence is enough, and the last one: no traceback, no remark
            raise Abort(str(error)) from None


def _weave(page, html):
    """Replace the marks in a page's content and in its table of contents; pictures come later."""
    page.pictures = {}

    def put(match):
        directive = page.directives[ord(match[1] or match[3] or match[4]) - FIRST]
        if directive.kind not in INLINE and not match[1]:
            raise Problem(f"{directive.place}: a {directive.kind} inside other text or code. Move it out.")
        if directive.kind in DRAWN:
            page.pictures[match[1]] = html(directive)
            return f"<p data-search-exclude>{match[1]}</p>"
        return f"<mn>{escape(visible(html.seen(directive)))}</mn>" if match[2] else html(directive)

    if hidden := IN_A_TAG.search(page.content):
        place = page.directives[ord(hidden[1]) - FIRST].place
        raise Problem(f"{place}: a value in a link's target or an image's text. Write it beside it.")
    page.content = MARK.sub(put, page.content).replace("<th></th>", "<td></td>")  # no empty headings
    todo = list(page.toc)
    while todo:
        item = todo.pop()
        item.title = MARK.sub(lambda match: re.sub("<[^>]*>", "", put(match)), item.title)
        todo += item.children


def _join_titles(items):
    for item in items:
        item.title = keep_particles(item.title)
        _join_titles(item.children)


def _hash_names(files, config):
    """Give our own files under `assets/`, and the icon, names with a hash; tell the configuration."""
    own = [config.theme.custom_dir, config.docs_dir]
    assets = {
        file.src_uri: file
        for file in files
        if (OWN.fullmatch(file.src_uri) and file.src_dir in own) or file.src_uri == config.theme["favicon"]
    }
    renamed = hashed.rename({path: Path(file.abs_src_path).read_bytes() for path, file in assets.items()})
    names = config.extra["hashed"] = {path: new for path, (new, _) in renamed.items()}
    for path, (new, content) in renamed.items():
        files.remove(assets[path])
        files.append(File.generated(config, new, content=content))
    config.extra_css = [names.get(path, path) for path in config.extra_css]
    config.extra_javascript = [names.get(str(path), path) for path in config.extra_javascript]
    config.extra["polyfills"] = [names.get(path, path) for path in config.extra.get("polyfills", [])]
    config.theme["favicon"] = names.get(config.theme["favicon"], config.theme["favicon"])
    return files


def _relative(path):
    return Path(shown(Path(path)))


class _Progress:
    """On a terminal, a bar of the snippets that have run and the names of those that run."""

    def __enter__(self):
        self.bar = None
        return self if sys.stderr.isatty() else None

    def __call__(self, done, total, running):
        if self.bar is None:
            self.bar = click.progressbar(length=total, file=sys.stderr, item_show_func=lambda name: name)
            self.bar.__enter__()
        self.bar.update(done - self.bar.pos, running)

    def __exit__(self, *error):
        if self.bar:
            self.bar.__exit__(*error)
