"""`{{ versions }}`: which programs of the page print something else with other versions of torch."""

from weaver.directives.directive import Argument, Directive, Need, Show
from weaver.render import markdown
from weaver.render.html import shown_as_code
from weaver.render.versions import span
from weaver.versions.record import union


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
        spreads = {name: [there.spread(name) for there in show.variants(name)] for name in show.figures}
        ran = [set(one.known) for some in spreads.values() for one in some]
        known = union(set.intersection(*ran) if ran else (), ())  # by which all were run
        if len(known) < 2:
            return show.words["versions_page_only"].format(torch=show.torch), {}
        found = {}
        for name, some in spreads.items():
            if differing := {version for one in some for version in one.differing}:
                found[name] = some[0].spans(differing)
        key = "versions_page_differs" if found else "versions_page_same"
        span_of_all = span(known[0], known[-1], show.words)
        said = show.words[key].format(torch=show.torch, versions=span_of_all)
        return said, found
