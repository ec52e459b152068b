"""Addresses that a page once had: its front matter's `moved` says where each leads now."""

from collections.abc import Callable, Collection, Mapping
from html import escape

from weaver.pages.model import ID, Page, wrong_target
from weaver.problem import Problem


def anchors(page: Page, ids: Mapping[str, Collection[str]], address: Callable[[str], str]) -> str:
    """Return the HTML that keeps a page's old addresses alive, from `moved: {old-id: page.md#id}`.

    `ids` are those of each page that can be led to, by its name such as `leaf.md`; `address` returns
    the way to such a target. A script follows it; without one the reader is at the top of this page. Raises
    Problem if an old id is none or is in use, or if what it leads to is not there.
    """
    found = ""
    for old, target in page.front.says.moved.items():
        place = page.front.place(page.path, "moved", old)
        if not ID.fullmatch(old):
            raise Problem(
                f"{place}: `moved` has `{old}`, which isn't a valid id. Use only `a-z`, `0-9` and `-`."
            )
        if old in page.ids:
            raise Problem(f"{place}: `moved` has `{old}`, which is still an id on the page. Remove it.")
        if wrong := wrong_target(target, ids):
            raise Problem(f"{place}: `{old}` moved to `{target}`, but {wrong}")
        found += f'<span class="moved" id="{old}" data-to="{escape(address(target))}"></span>'
    return found
