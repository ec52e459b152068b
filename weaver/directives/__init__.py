"""The kinds of directives: one file each, and one line here."""

# ruff: noqa: F401  (the imports are the list)

from weaver.directives.bars import BarsDirective
from weaver.directives.body import EndDirective
from weaver.directives.built import BuiltDirective
from weaver.directives.changes import ChangesDirective
from weaver.directives.directive import Directive
from weaver.directives.error import ErrorDirective
from weaver.directives.graph import GraphDirective
from weaver.directives.memory import MemoryDirective
from weaver.directives.question import QuestionDirective
from weaver.directives.questions import QuestionsDirective
from weaver.directives.snippet import SnippetDirective
from weaver.directives.stage import StageDirective
from weaver.directives.table import TableDirective
from weaver.directives.terms import TermsDirective
from weaver.directives.value import ValueDirective
from weaver.directives.verdict import VerdictDirective
from weaver.directives.versions import VersionsDirective
from weaver.directives.what_if import WhatIfDirective
from weaver.directives.why import WhyDirective
from weaver.directives.wordings import WordingsDirective

KINDS: dict[str, type[Directive]] = {
    one.kind: one
    for one in [*globals().values()]
    if isinstance(one, type) and issubclass(one, Directive) and one is not Directive
}
