"""What the search finds on pages: made by the search plugin, once per page."""

from typing import Any

from mkdocs.structure.pages import Page

from weaver.mkdocs.page_cache import PageCache, contents

Entries = list[dict[str, Any]]


class SearchEntries:
    """The entries of a project's pages: `of` has those that are known, by the page's address."""

    def __init__(self, cache: PageCache) -> None:
        self.cache = cache
        self.of: dict[str, Entries] = {}
        self._keys: dict[str, str | None] = {}  # by the page's address

    def knows(self, page: Page) -> bool:
        """Tell whether a page's entries are known, so that the plugin need not read it."""
        key = self.cache.key("sections", page.content, contents(page.toc), [page.title, page.meta], page.url)
        self._keys[page.url] = key
        known = key and self.cache.cache.message(key, Entries)
        if known:
            self.of[page.url] = known
        return bool(known)

    def add(self, found: Entries) -> None:
        """Add what the plugin has `found`."""
        new: dict[str, Entries] = {}
        for entry in found:
            new.setdefault(entry["location"].split("#")[0], []).append(entry)
        for url, own in new.items():
            if key := self._keys.get(url):
                self.cache.put(key, own)
        self.of |= new
