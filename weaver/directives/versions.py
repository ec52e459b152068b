"""`{{ versions }}`: which programs of the page print something else with other versions of torch."""

from weaver.directives.directive import Argument, Directive, Need, Show
from weaver.render import markdown
from weaver.render.html import shown_as_code
from weaver.render.versions import span
from weaver.versions.record import Versions, union


class VersionsDirective(Directive):
    kind = "versions"
    usage = "{{ versions }}"
    takes = Argument.NONE
    needs = frozenset({Need.FIGURES})
    is_named = False

    def html(self, show: Show) -> str:
        said, programs = self._said(show)
        items = "".join(
            f'<li><a href="#{name}">{shown_as_code(name)}</a>: torch {versions}</li>'
            for name, versions in programs.items()
        )
        listed = f"<ul data-search-exclude>{items}</ul>" * bool(programs)
        return f"<p data-search-exclude>{said}</p>{listed}"

    def markdown(self, show: Show) -> str:
        said, programs = self._said(show)
        items = [f"- {markdown.span(name)}: torch {versions}\n" for name, versions in programs.items()]
        return f"{said}\n\n{''.join(items)}"

    def _said(self, show: Show) -> tuple[str, dict[str, str]]:
        """Return a sentence, and the programs that print something else, each with the versions in words."""
        known: Versions = ()
        found = {}
        for name in show.figures:
            spreads = [there.spread(name) for there in show.variants(name)]
            known = union(known, spreads[0].known)
            if differing := {version for one in spreads for version in one.differing}:
                found[name] = spreads[0].spans(differing)
        if len(known) < 2:
            return show.words["versions_page_only"].format(torch=show.torch), {}
        key = "versions_page_differs" if found else "versions_page_same"
        all_versions = span(known[0], known[-1], show.words)
        return show.words[key].format(torch=show.torch, versions=all_versions), found
