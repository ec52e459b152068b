"""`{{ built programs }}`: what this build knows of itself, so that nobody has to type it."""

from weaver.directives.directive import Directive, Need, Show
from weaver.problem import nearest

FACTS = ("programs", "errors", "claims", "commit", "torch")


class BuiltDirective(Directive):
    kind = "built"
    usage = "{{ built programs }}"
    wanted = "a fact about the build"
    needs = frozenset({Need.BUILT})
    is_named = False
    is_block = False
    is_prose = True

    def check(self) -> None:
        if self.argument not in FACTS:
            near = nearest(self.argument, FACTS)
            raise self.problem(f"`{self.argument}` isn't a fact about the build.{near}")

    def markdown(self, show: Show) -> str:
        if not show.built[self.argument]:
            raise self.problem(
                "this site's programs don't use torch, so there is no version. Remove the directive."
            )
        return show.built[self.argument]
