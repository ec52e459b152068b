"""What a build is made of, in all languages: the pages, what came of their programs, words and dates."""

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from weaver.directives.kind import Cell, Directive
from weaver.directives.show import Show
from weaver.execution.contract import Outcome
from weaver.execution.fingerprint import version
from weaver.execution.labs.runner import Labs
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import languages
from weaver.mkdocs.kept import Kept
from weaver.mkdocs.options import Options
from weaver.mkdocs.progress import Progress
from weaver.mkdocs.remembered import remembered
from weaver.pages import glossary
from weaver.pages.content import Content
from weaver.pages.glossary import Term
from weaver.pages.model import Page
from weaver.problem import Problem, counted, shown
from weaver.site import history, page_facts
from weaver.site.card import Cards
from weaver.site.search_index import read_synonyms
from weaver.site.words import Words, words

log = logging.getLogger("mkdocs.plugins.weaver")

HOMES = ("index.md", "README.md", "index.html")


class Sources:
    """Reads all pages, and has the programs run that they ask for.

    While `serving`, what MkDocs calls drafts is among the pages, and what is wrong with a page or a program
    is told, not raised. Raises Problem, as `Content` does.
    """

    def __init__(
        self,
        config: MkDocsConfig,
        options: Options,
        runner: Runner,
        labs: Labs,
        kept: Kept,
        serving: bool,
        progress: Progress | None = None,
    ):
        self.config, self.options, self.kept, self.serving = config, options, kept, serving
        self.runner, self.labs, self.progress = runner, labs, progress or Progress()
        self.began = time.monotonic()
        self.languages, self.nav = options.languages, config.nav
        self.history = history.read(Path(config.config_file_path).parent)
        languages.check(config, self.languages)
        self.synonyms = read_synonyms(Path(options.synonyms)) if options.synonyms else {}
        for language in self.languages:  # what is wrong with it is said before anything is built
            self.terms(language)
            self.words(language)
        self.content = Content(
            _relative(config.docs_dir),
            _relative(options.snippets),
            tuple(self.languages),
            lambda folder: languages.pages(config, folder, serving),
            options.front_matter,
            self._partial,
            options.parity,
            options.traces,
            serving,
        )
        self.failures: dict[str, str] = {}  # by the name of a program, or the place of a cell
        for sentence in self.content.problems:
            log.error(sentence)
        self._want_pages()
        for name in self.content.unshown():
            path = Path(options.snippets, f"{name}.py")
            log.warning(f"{shown(path)} isn't on any page. Show it, or remove the file.")
        for name in self.content.unflipped():
            path, wanted = shown(self.content.snippets[name].path), f"{{{{ what-if {name} }}}}"
            log.warning(f"{path} offers alternatives, but no page lets readers choose one. Write `{wanted}`.")
        runner.ran = runner.reused = labs.ran = labs.reused = 0
        runner.request(self.content.asked_of_snippets())
        labs.request(self.content.asked_of_labs())
        self.cards = Cards()
        self._results: Mapping[str, Outcome] | None = None

    def _want_pages(self):
        """Raise Problem for a site without a page; warn of addresses where readers begin and nothing is."""
        docs = Path(self.config.docs_dir)
        if not self.content.all_pages():
            raise Problem(f"{shown(docs)} has no pages. Write {shown(docs / 'index.md')}.")
        for language in dict.fromkeys(("", *self.languages)):
            lent = set(HOMES) & self.content.origins(language).keys() if language else ()
            if not lent and not any(Path(docs, language, name).exists() for name in HOMES):
                wanted = shown(docs / language / "index.md")
                log.warning(f"There is no page at the address /{language}. Write {wanted}.")

    def again(self) -> "Sources":
        """Return what another build with the same configuration is made of. Raises Problem."""
        self.config.nav = self.nav
        ran = self.runner, self.labs, self.kept
        return Sources(self.config, self.options, *ran, self.serving, self.progress)

    @cached_property
    def torch(self) -> str:
        """The version of torch that programs use; empty if none does, and nothing needs it then."""
        programs = [one.source for one in self.content.snippets.values()]
        programs += [cell for lab in self.content.labs.values() for cell in lab.cells]
        if not any("torch" in program for program in programs):
            return ""
        with suppress(PackageNotFoundError):  # which each of those programs says itself
            return version("torch").split("+")[0]
        return ""

    @cached_property
    def built(self) -> dict[str, str]:
        """What `{{ built ... }}` shows, as Markdown; nothing of a commit where there is none."""
        commit, address = self.history.commit, page_facts.commit(self.config.repo_url, self.history.commit)
        shown = f"[`{commit}`]({address})" if address else f"`{commit or '-'}`"
        counts = {name: f"{count:,}" for name, count in self.content.counts.items()}
        return {**counts, "commit": shown, "torch": self.torch}

    @property
    def _partial(self):
        """The languages of which pages and terms may not be there yet."""
        return [name for name, one in self.languages.items() if one.get("partial") or not self.options.parity]

    @remembered
    def terms(self, language: str) -> list[Term]:
        """Return the glossary in a language. Raises Problem for each mistake in it."""
        if not self.options.glossary:
            return []
        return glossary.read(Path(self.options.glossary), language, language in self._partial)

    @remembered
    def words(self, language: str) -> Words:
        """Return what the engine says in a language, and say once what is English for want of it."""
        folder = self.options.words and Path(self.options.words)
        found = words(folder, language)
        if found.missing:
            where = shown((folder or Path("words")) / f"{language}.yml")
            some = ", ".join(found.missing[:5]) + (", ..." if found.missing[5:] else "")
            log.info(
                f"{where} lacks these texts, which stay in English ({len(found.missing)}): {some}"
            )
        return found

    def results(self) -> Mapping[str, Outcome]:
        """Wait for all programs, once; return what came of them. Raises Problem if any cannot be shown."""
        if self._results is None:
            with self.progress.phase("Programs", len(self.content.snippets)) as progress:
                results = dict(self.runner.results(progress.at))
            with self.progress.phase("Labs", len(self.content.labs)) as progress:
                results |= self.labs.results(progress.at)
            if self.serving:
                self.failures = self.content.failures(results)
                for sentence in self.failures.values():
                    log.warning(sentence)
            else:
                self.content.check(results)
            log.info(
                f"{counted(self.runner.ran, 'snippet')} ran, {self.runner.reused} came from the cache, "
                f"{self.labs.ran} of {counted(len(self.content.labs), 'lab')} ran, "
                f"in {time.monotonic() - self.began:.1f} s"
            )
            if untraced := [name for name in self.content.traced if results[name].trace is None]:
                why = ", ".join(f"{name} ({results[name].untraced})" for name in sorted(untraced))
                log.info(f"Snippets without a step-through: {why}")
            self._results = results
        return self._results

    def wrong(self, directive: Directive) -> str | None:
        """Return the sentence on why a directive can't be shown, as far as that is known of its program.

        It's empty for the cells of a lab beside the one that failed.
        """
        if not (wrong := self.failures | self.content.refused):
            return None
        if isinstance(directive, Cell) and directive.name in self.failures:
            failed = self.results()[directive.name].failed or 1
            return self.failures[directive.name] if directive.number == failed else ""
        named = [name for name, _ in self.content.asked(directive)]
        return next((wrong[one] for one in (directive.place, directive.name, *named) if one in wrong), None)

    def card(self, pages: Mapping[str, Page], path: str, show: Callable[[str], Show]) -> str | None:
        """Return the path, below the site, of a page's picture or else the home page's; None without one."""
        wanted = [one for one in (path, "index.md") if self.options.cards and one in pages]
        wanted = [one for one in wanted if all(self.wrong(part) is None for part in pages[one].directives)]
        return next(filter(None, (self.cards.of(pages[one], show(one)) for one in wanted)), None)


def _relative(path):
    return Path(shown(Path(path)))
