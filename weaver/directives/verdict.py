"""`{{ verdict topic/lesson holds }}`: whether a claim is true, by a bool or one for each case."""

import json

from weaver.directives.kind import Kind
from weaver.execution.protocol import Kind as Asks
from weaver.execution.protocol import Query

# a bool for each case; of what is none, what it is
CASES = (
    "(lambda holds: [one if one is True or one is False else f'a {{type(one).__name__}}' for one in "
    "(holds if isinstance(holds, (list, tuple)) else [holds])])({})"
)


class VerdictKind(Kind):
    name = "verdict"
    usage = "{{ verdict topic/lesson holds }}"
    is_block = False

    def asks(self, directive):
        return [(directive.name, Query(Asks.DATA, CASES.format(directive.argument)))]

    def html(self, directive, show):
        verdict = _verdict(directive, show)
        return f'<strong class="claim {verdict}">{show.words[f"claim_{verdict}"]}</strong>'

    def markdown(self, directive, show):
        return f"**{show.words[f'claim_{_verdict(directive, show)}']}**"


def _verdict(directive, show):
    """Return `true`, `false`, or `partly`: whether the claim held in all the cases."""
    cases = json.loads(directive.answer(show))
    if not cases or not all(isinstance(case, bool) for case in cases):
        other = next((case for case in cases if not isinstance(case, bool)), "an empty list")
        raise directive.problem(
            f"`{directive.argument}` gives {other}. A verdict needs a bool, or a list of bools, one per "
            "case. Write a comparison, or `bool(...)` around it."
        )
    return str(cases[0]).lower() if len(set(cases)) == 1 else "partly"
