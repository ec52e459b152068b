"""`{{ changes }}`: what changed from each version of torch to the next, with the programs that show it."""

from weaver.directives.directive import Argument, Directive, Need, Show
from weaver.render import html, markdown
from weaver.versions.changes import Change, ChangeKind

LINES = 6  # that are shown of a change


class ChangesDirective(Directive):
    kind = "changes"
    usage = "{{ changes }}"
    takes = Argument.NONE
    needs = frozenset({Need.CHANGES})
    is_named = False
    is_drawn = True

    def html(self, show: Show) -> str:
        self._want_some(show)
        links = " · ".join(f'<a href="#{_id(after)}">{after}</a>' for _, after, _ in show.changes)
        parts = [_version(before, after, found, show) for before, after, found in show.changes]
        return f"<p>torch {links}</p>{''.join(parts)}"

    def markdown(self, show: Show) -> str:
        self._want_some(show)
        lines = []
        for before, after, found in show.changes:
            lines.append(f"\n**torch {before} → {after}**\n\n")
            lines += [f"- {_sides_markdown(one)} ({', '.join(one.programs)})\n" for one in found]
        return "".join(lines)

    def _want_some(self, show: Show) -> None:
        if not show.changes:
            raise self.problem("nothing is recorded of other versions. Run `weaver versions record`.")


def _version(before: str, after: str, found: tuple[Change, ...], show: Show) -> str:
    groups = "".join(
        _group(kind, [one for one in found if one.kind is kind], show)
        for kind in ChangeKind
        if any(one.kind is kind for one in found)
    )
    number = len({name.partition(".")[0] for one in found for name in one.programs})
    head = show.words["versions_changed"].format(before=before, after=after, number=number)
    return f'<h2 id="{_id(after)}">{head}</h2>{groups}'


def _id(version: str) -> str:
    return f"torch-{version.replace('.', '-')}"


def _group(kind: ChangeKind, found: list[Change], show: Show) -> str:
    """Return the changes of a kind; those of most programs first."""
    found.sort(key=lambda one: (-len(one.programs), one.programs))
    items = "".join(f"<li>{_sides(one)}{_programs(one, show)}</li>" for one in found)
    head = f"{show.words[f'versions_{kind}']} ({len(found)})"
    return f'<h3>{head}</h3><ul class="changes">{items}</ul>'


def _sides(change: Change) -> str:
    """Return the lines that went and those that came, as a diff."""
    lines = [f"{mark}{line}" for mark, some in _marked(change) for line in _cut(some)]
    return f"<pre>{html.shown(chr(10).join(lines))}</pre>"


def _programs(change: Change, show: Show) -> str:
    """Return links to the programs that changed so, each to the page that shows it."""
    own = dict.fromkeys(name.partition(".")[0] for name in change.programs)
    return ", ".join(
        f'<a href="{show.addresses[name]}">{name}</a>' if name in show.addresses else name for name in own
    )


def _sides_markdown(change: Change) -> str:
    return " ".join(f"{mark}{markdown.span(' '.join(_cut(some)))}" for mark, some in _marked(change) if some)


def _marked(change: Change) -> list[tuple[str, tuple[str, ...]]]:
    return [("- ", change.before), ("+ ", change.after)]


def _cut(lines: tuple[str, ...]) -> list[str]:
    return [*lines[:LINES], *["…"] * (len(lines) > LINES)]
