"""`{{ terms }}`: the glossary."""

from weaver.directives.kind import Argument, Kind


class TermsKind(Kind):
    name = "terms"
    usage = "{{ terms }}"
    argument = Argument.NONE
    is_named = False
    is_prose = True

    def asks(self, directive):
        return []

    def markdown(self, directive, show):
        if not show.terms:
            raise directive.problem("there are no terms. Write `glossary: glossary.yml` in mkdocs.yml.")
        return show.terms
