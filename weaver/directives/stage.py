"""`{{ stage cut }}`: the pages of a section of the navigation, as a stage of the way through all."""

from weaver.directives.kind import Kind
from weaver.problem import nearest


class StageKind(Kind):
    name = "stage"
    usage = "{{ stage cut }}"
    wanted = "a section of the navigation"
    is_named = False
    is_prose = True

    def asks(self, directive):
        return []

    def markdown(self, directive, show):
        name = directive.argument
        if name not in show.stages:
            raise directive.problem(
                f"`nav` in mkdocs.yml has no section `{name}`.{nearest(name, show.stages)}"
            )
        return show.stages[name]
