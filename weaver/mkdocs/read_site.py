"""What a build is made of, in all languages: the pages, what came of their programs, words and dates."""

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from weaver.directives.cell import CellDirective
from weaver.directives.directive import Directive, Show
from weaver.execution.cache import Cache
from weaver.execution.contract import RUNNING, Outcome
from weaver.execution.fingerprint import version
from weaver.execution.labs.model import LabOutcome
from weaver.execution.labs.runner import Labs
from weaver.execution.snippets.result import Result
from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import languages
from weaver.mkdocs.options import Options
from weaver.mkdocs.progress import Progress
from weaver.pages import glossary
from weaver.pages.content import Content
from weaver.pages.glossary import Term
from weaver.pages.model import Page
from weaver.pages.way import flat
from weaver.problem import Problem, counted, shown
from weaver.site import history, page_facts
from weaver.site.card import card
from weaver.site.search_index import read_synonyms, read_typed
from weaver.site.words import Words, words
from weaver.versions import record
from weaver.versions.changes import Change, changes

log = logging.getLogger("mkdocs.plugins.weaver")

HOMES = ("index.md", "README.md", "index.html")


class ReadSite:
    """Reads all pages, and has the programs run that they ask for.

    While `serving`, what MkDocs calls drafts is among the pages, and what is wrong with a page or a program
    is told, not raised. If nobody `waits`, what has yet to run is RUNNING. Raises Problem, as `Content` does.
    """

    def __init__(
        self,
        config: MkDocsConfig,
        options: Options,
        runner: Runner,
        labs: Labs,
        cache: Cache,
        serving: bool,
        progress: Progress,
        waits: bool = True,
    ) -> None:
        self.config, self.options, self.serving, self.cache = config, options, serving, cache
        self.runner, self.labs, self.progress, self.waits = runner, labs, progress, waits
        self.began = time.monotonic()
        log.info("Reading the pages")
        self.languages: dict[str, dict[str, Any]] = options.languages
        self.nav = config.nav
        languages.check(config, self.languages)
        if waits and Path(options.snippets).is_dir() and not any(cache.folder.glob("pages-*")):
            runner.warm()  # nothing was built before: the server loads torch while the pages are read
        self.history = history.read(Path(config.config_file_path).parent, cache)
        self.synonyms = read_synonyms(Path(options.synonyms)) if options.synonyms else {}
        spoken = list(self.languages) or [languages.of(config)]  # their mistakes are told before all else
        self.terms = {language: self._terms(language) for language in spoken}
        self.words = {language: self._words(language) for language in spoken}
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
        for sentence in self.content.problems:
            log.error(sentence)
        self.typed = {language: self._typed(language) for language in spoken}
        self._want_pages()
        for name in self.content.unshown():
            path = Path(options.snippets, f"{name}.py")
            log.warning(f"{shown(path)} isn't on any page. Show it, or remove the file.")
        for name in self.content.unflipped():
            program, wanted = shown(self.content.snippets[name].path), f"{{{{ what-if {name} }}}}"
            log.warning(
                f"{program} offers alternatives, but no page lets readers choose one. Write `{wanted}`."
            )
        index = record.read(_relative(options.snippets))
        programs = [one for one in self.content.snippets.values() if one.is_own]
        self.recorded = record.union(index.versions, [self.torch]) if index.versions and self.torch else ()
        self.versions = {
            name: found for one in programs for name, found in record.elsewhere(one, index).items()
        }
        runner.ran = runner.reused = labs.ran = labs.reused = 0
        runner.request(self.content.asked_of_snippets(list(flat(self.nav or []))))
        if waits:
            labs.may_run.set()
        labs.request(self.content.asked_of_labs())
        self.cards: dict[str, bytes] = {}  # by their paths in the site

    def _want_pages(self) -> None:
        """Raise Problem for a site without a page; warn of addresses where readers begin and nothing is."""
        docs = Path(self.config.docs_dir)
        if not self.content.all_pages():
            raise Problem(f"{shown(docs)} has no pages. Write {shown(docs / 'index.md')}.")
        for language in dict.fromkeys(("", *self.languages)):
            lent = set(HOMES) & self.content.origins(language).keys() if language else ()
            if not lent and not any(Path(docs, language, name).exists() for name in HOMES):
                wanted = shown(docs / language / "index.md")
                log.warning(f"There is no page at the address /{language}. Write {wanted}.")

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

    @cached_property
    def changes(self) -> tuple[tuple[str, str, tuple[Change, ...]], ...]:
        """What changed from one version of torch to the next, the newest first."""
        expected = {name: one.expected or "" for name, one in self.content.snippets.items()}
        return changes(self.recorded, self.torch, self.versions, expected)

    @property
    def _partial(self) -> list[str]:
        """The languages of which pages and terms may not be there yet."""
        return [name for name, one in self.languages.items() if one.get("partial") or not self.options.parity]

    def _terms(self, language: str) -> list[Term]:
        """Return the glossary in a language. Raises Problem for each mistake in it."""
        if not self.options.glossary:
            return []
        return glossary.read(Path(self.options.glossary), language, language in self._partial)

    def _typed(self, language: str) -> dict[str, list[str]]:
        """Return what readers type who need a section. Raises Problem for a section that isn't there."""
        path = Path(self.options.typed or "", f"{language}.yml")
        if not self.options.typed or not path.exists():
            return {}
        return read_typed(path, self.content.pages[language if self.languages else ""])

    def _words(self, language: str) -> Words:
        """Return what the engine says in a language; log what is English because the site lacks it."""
        found = words(self.options.words, language)
        if found.missing:
            where = shown(Path(self.options.words or "words", f"{language}.yml"))
            some = ", ".join(found.missing[:5]) + (", ..." if found.missing[5:] else "")
            log.info(f"{where} lacks these texts, which stay in English ({len(found.missing)}): {some}")
        return found

    @cached_property
    def results(self) -> Mapping[str, Outcome]:
        """What came of all programs, which are waited for. Raises Problem if any can't be shown."""
        if not self.waits:
            there: dict[str, Outcome] = {**self.runner.so_far(), **self.labs.so_far()}
            running = {**dict.fromkeys(self.content.snippets, Result(failure=RUNNING))}
            return running | dict.fromkeys(self.content.labs, LabOutcome(failure=RUNNING)) | there
        with self.progress.phase("Programs", len(self.content.snippets)) as progress:
            programs = self.runner.results(progress.at)
        with self.progress.phase("Labs", len(self.content.labs)) as progress:
            results: dict[str, Outcome] = {**programs, **self.labs.results(progress.at)}
        if not self.serving:
            self.content.check(results)
        log.info(
            f"{counted(self.runner.ran, 'snippet')} ran, {self.runner.reused} came from the cache, "
            f"{self.labs.ran} of {counted(len(self.content.labs), 'lab')} ran, "
            f"in {time.monotonic() - self.began:.1f} s"
        )
        if untraced := [name for name in self.content.traced if programs[name].trace is None]:
            why = ", ".join(f"{name} ({programs[name].untraced})" for name in sorted(untraced))
            log.info(f"Snippets without a step-through: {why}")
        return results

    @cached_property
    def failures(self) -> dict[str, str]:
        """Why programs can't be shown, by their names or the places of cells; logged, except RUNNING."""
        failures = self.content.failures(self.results)
        running = {name for name, outcome in self.results.items() if outcome.failure == RUNNING}
        failures |= dict.fromkeys(failures.keys() & running, RUNNING)
        for sentence in failures.values():
            if sentence != RUNNING:
                log.warning(sentence)
        return failures

    def wrong(self, directive: Directive) -> str | None:
        """Return the sentence on why a directive can't be shown, as far as that is known of its program.

        It's empty for the cells of a lab beside the one that failed.
        """
        if not (wrong := self.failures | self.content.refused):
            return None
        if isinstance(directive, CellDirective) and directive.name in self.failures:
            lab = self.results[directive.name]
            failed = (isinstance(lab, LabOutcome) and lab.failed) or 1
            return self.failures[directive.name] if directive.number == failed else ""
        named = [name for name, _ in self.content.asked(directive)]
        return next((wrong[one] for one in (directive.place, directive.name, *named) if one in wrong), None)

    def card(self, pages: Mapping[str, Page], path: str, show: Callable[[str], Show]) -> str | None:
        """Return the path, below the site, of a page's picture or else the home page's; None without one."""
        wanted = [one for one in (path, "index.md") if self.options.cards and one in pages]
        wanted = [one for one in wanted if all(self.wrong(part) is None for part in pages[one].directives)]
        for path, data in filter(None, (card(pages[one], show(one)) for one in wanted)):
            self.cards[path] = data
            return path
        return None


def _relative(path: str) -> Path:
    return Path(shown(Path(path)))
