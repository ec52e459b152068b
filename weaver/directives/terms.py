"""`{{ terms }}`: the glossary."""

from weaver.directives.directive import Argument, Directive, Need, Show


class TermsDirective(Directive):
    kind = "terms"
    usage = "{{ terms }}"
    takes = Argument.NONE
    needs = frozenset({Need.TERMS})
    is_named = False
    is_prose = True

    def markdown(self, show: Show) -> str:
        if not show.terms:
            raise self.problem("there are no terms. Write `glossary: glossary.yml` in mkdocs.yml.")
        return show.terms
