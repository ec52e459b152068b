"""Addresses that a page once had: its front matter's `moved` says where each leads now."""

from collections.abc import Callable, Collection, Mapping
from html import escape

from weaver.pages.model import Page
from weaver.pages.translations import ID
from weaver.problem import Problem, nearest


def anchors(
    moved: object,
    page: Page,
    ids: Mapping[str, Collection[str]],
    address: Callable[[str], str],
) -> str:
    """Return the HTML that keeps a page's old addresses alive, from `moved: {old-id: page.md#id}`.

    `ids` are those of each page that can be led to, by its name such as `leaf.md`; `address` returns
    the way to a page. A script follows it; without one the reader is at the top of this page. Raises
    Problem if an old id is none or is in use, or if what it leads to is not there.
    """
    if not isinstance(moved, dict):
        raise Problem(
            f"{page.path}: `moved` must be a mapping. Write `old-id: other-page.md#id` in lines below it."
        )
    found = ""
    for old, target in moved.items():
        if not ID.fullmatch(str(old)):
            raise Problem(
                f"{page.path}: `moved` has `{old}`, which isn't a valid id. Use only `a-z`, `0-9` and `-`."
            )
        if old in [heading.id for heading in page.headings]:
            raise Problem(
                f"{page.path}: `moved` has `{old}`, which is still an id on the page. Remove it from `moved`."
            )
        name, _, id = str(target).partition("#")
        place = f"{page.path}: `{old}` moved to `{target}`"
        if name not in ids:
            raise Problem(f"{place}, but there is no page `{name}`.{nearest(name, ids)}")
        if id and id not in ids[name]:
            raise Problem(f"{place}, but `{name}` has no id `{id}`.{nearest(id, ids[name])}")
        to = escape(address(name) + (id and f"#{id}"))
        found += f'<span class="moved" id="{old}" data-to="{to}"></span>'
    return found
