"""Two languages, one document: what one page of a pair says and the other does not, in words."""

from difflib import SequenceMatcher
from itertools import zip_longest

from weaver.pages.model import ID, Page


def skeleton(page: Page) -> list[tuple[str, int]]:
    """Return what both languages must have, in order: headings, directives, fences; each with its line."""
    items = [
        (f"the heading `{'#' * heading.level} {{ #{heading.id} }}`", heading.line)
        for heading in page.headings
    ]
    items += [(directive.skeleton, directive.line) for directive in page.directives]
    return sorted(items, key=lambda item: item[1])


def differences(one: Page, other: Page) -> list[str]:
    """Return a sentence for everything that one of the two pages has and the other lacks.

    Also for every heading without an explicit id of `a-z`, `0-9` and `-`, which no link and no
    language switch could reach.
    """
    problems = [
        f"{page.path}:{heading.line}: the heading `{heading.text}` needs an id, the same in both languages: "
        f"`{{ #some-name }}`."
        for page in (one, other)
        for heading in page.headings
        if not (heading.id and ID.fullmatch(heading.id))
    ]
    for page in (one, other):
        problems += [
            f"{page.path}:{heading.line}: duplicate id `#{heading.id}`. Choose another."
            for number, heading in enumerate(page.headings)
            if heading.id in [above.id for above in page.headings[:number]]
        ]
    if problems:
        return problems
    if (before := one.front.says.before) != other.front.says.before:
        place = other.front.place(other.path, "before")
        problems.append(f"{place}: `before` differs from {one.path}: {list(before)}. Make them the same.")
    for cell, twin in zip(one.cells, other.cells, strict=False):
        lines = zip_longest(cell.argument.splitlines(), twin.argument.splitlines(), fillvalue="")
        if differ := next((pair for pair in lines if pair[0] != pair[1]), None):
            own, other_own = differ
            if own.strip() != other_own.strip():
                own, other_own = own.strip(), other_own.strip()
            problems.append(
                f"{cell.place} and {twin.place}: cell {cell.number} has `{own}` in one and `{other_own}` in "
                "the other. Make them the same."
            )
    if problems:
        return problems
    ones, others = skeleton(one), skeleton(other)
    matcher = SequenceMatcher(None, [item for item, _ in ones], [item for item, _ in others], autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            continue
        problems += [_lack(other, item, one, line) for item, line in ones[i:j]]
        problems += [_lack(one, item, other, line) for item, line in others[k:m]]
    if not problems and one.fences != other.fences:
        problems.append(
            f"{one.path} and {other.path} have different code fences: {one.fences} and {other.fences}. Make "
            "them the same."
        )
    return problems


def _lack(page: Page, item: str, holder: Page, line: int) -> str:
    place = f"{holder.path}:{line}"
    return f"{page.path} lacks {item}, which is at {place}. Add it to one page, or remove it from the other."
