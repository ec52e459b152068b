"""`{{ verdict topic/lesson holds }}`: whether a claim is true, by a bool or one for each case."""

import json

from weaver.directives.directive import Directive, Show
from weaver.execution.protocol import Kind, Query

# a bool for each case; of what is none, what it is
CASES = (
    "(lambda holds: [one if one is True or one is False else f'a {{type(one).__name__}}' for one in "
    "(holds if isinstance(holds, (list, tuple)) else [holds])])({})"
)


class VerdictDirective(Directive):
    kind = "verdict"
    usage = "{{ verdict topic/lesson holds }}"
    counts_as = "claims"
    is_block = False

    @property
    def query(self) -> Query:
        return Query(Kind.DATA, CASES.format(self.argument))

    def html(self, show: Show) -> str:
        verdict = self._verdict(show)
        return f'<strong class="claim {verdict}">{show.words[f"claim_{verdict}"]}</strong>'

    def markdown(self, show: Show) -> str:
        return f"**{show.words[f'claim_{self._verdict(show)}']}**"

    def _verdict(self, show: Show) -> str:
        """Return `true`, `false`, or `partly`: whether the claim held in all the cases."""
        cases = json.loads(self.answer(show))
        other = [case for case in cases if not isinstance(case, bool)] or ["an empty list"] * (not cases)
        if other:
            raise self.problem(
                f"`{self.argument}` gives {other[0]}. A verdict needs a bool, or a list of bools, one per "
                "case. Write a comparison, or `bool(...)` around it."
            )
        return str(cases[0]).lower() if len(set(cases)) == 1 else "partly"
