"""`{{ built programs }}`: what this build knows of itself, so that nobody has to type it."""

from weaver.directives.kind import Argument, Kind
from weaver.problem import nearest

FACTS = ("programs", "errors", "claims", "commit", "torch")


class BuiltKind(Kind):
    name = "built"
    usage = "{{ built programs }}"
    argument = Argument.NONE
    is_block = False
    is_prose = True

    def check(self, directive):
        if directive.name not in FACTS:
            raise directive.problem(
                f"`{directive.name}` isn't a fact about the build.{nearest(directive.name, FACTS)}"
            )

    def asks(self, directive):
        return []

    def markdown(self, directive, show):
        if not show.built[directive.name]:
            raise directive.problem(
                "this site's programs don't use torch, so there is no version. Remove the directive."
            )
        return show.built[directive.name]
