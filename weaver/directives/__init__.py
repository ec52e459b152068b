"""The kinds of directives: one file each, and one line here."""

from weaver.directives.bars import BarsKind
from weaver.directives.built import BuiltKind
from weaver.directives.cell import CellKind
from weaver.directives.error import ErrorKind
from weaver.directives.graph import GraphKind
from weaver.directives.memory import MemoryKind
from weaver.directives.question import EndKind, QuestionKind
from weaver.directives.questions import QuestionsKind
from weaver.directives.snippet import SnippetKind
from weaver.directives.stage import StageKind
from weaver.directives.table import TableKind
from weaver.directives.terms import TermsKind
from weaver.directives.value import ValueKind
from weaver.directives.verdict import VerdictKind
from weaver.directives.what_if import WhatIfKind

KINDS = {
    kind.name: kind
    for kind in (
        SnippetKind(),
        ValueKind(),
        TableKind(),
        ErrorKind(),
        VerdictKind(),
        GraphKind(),
        MemoryKind(),
        BarsKind(),
        TermsKind(),
        BuiltKind(),
        StageKind(),
        QuestionsKind(),
        QuestionKind(),
        WhatIfKind(),
        EndKind(),
    )
}
CELL = CellKind()  # no directive: a fence of a lab
