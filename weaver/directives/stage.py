"""`{{ stage cut }}`: the pages of a section of the navigation, as a stage of the way through all."""

from weaver.directives.directive import Directive, Need, Show
from weaver.problem import nearest


class StageDirective(Directive):
    kind = "stage"
    usage = "{{ stage cut }}"
    wanted = "a section of the navigation"
    needs = frozenset({Need.STAGES})
    is_named = False
    is_prose = True

    def markdown(self, show: Show) -> str:
        if self.argument not in show.stages:
            near = nearest(self.argument, show.stages)
            raise self.problem(f"`nav` in mkdocs.yml has no section `{self.argument}`.{near}")
        return show.stages[self.argument]
