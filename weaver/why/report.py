"""The report on a run's findings: text for a terminal, and data for other programs."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from pathlib import PurePath
from typing import Any

from weaver.why.finding import Finding, Severity
from weaver.why.run import WatchedRun
from weaver.why.sections import SECTIONS
from weaver.why.words import ENGLISH

SILENCED = re.compile(r"#\s*why:\s*ok\b")
COLORS = {Severity.FAILS: "red", Severity.WRONG: "yellow", Severity.NOTE: "cyan", Severity.FACT: None}
CODE = "name", "by", "node", "leaf", "call"  # fields that are code
LINES = "first", "also"  # fields that are numbers of lines
WIDTH = 70  # characters of a line of code


class FindingsReport:
    """A run's findings, except those that a comment in the program silences or whose names are `ignored`.

    Sections are printed as addresses below `site`, if it's given.
    """

    def __init__(
        self,
        run: WatchedRun,
        found: list[Finding],
        words: Mapping[str, str] = ENGLISH,
        site: str = "",
        ignored: Collection[str] = (),
    ):
        self.run, self.words, self.site = run, words, site
        silent = (one.name in ignored or SILENCED.search(run.text(one.line)) for one in found)
        told = [one for one, is_silent in zip(found, silent, strict=True) if not is_silent]
        self.found = [one for one in told if one.severity is not Severity.FACT]
        self.facts = [one for one in told if one.severity is Severity.FACT]

    @property
    def is_wrong(self) -> bool:
        """Whether something is wrong: a finding that's more than good to know, or an error."""
        return bool(self.run.trace.error) or any(one.severity is not Severity.NOTE for one in self.found)

    @property
    def unexplained(self) -> str:
        """What to say of an error that no finding certainly explains, "" if there's none."""
        if not self.run.trace.error or any(one.severity is Severity.FAILS for one in self.found):
            return ""
        is_found = any(one.severity is Severity.WRONG for one in self.found)
        return self.words["unexplained_found" if is_found else "unexplained"]

    def lines(self) -> Iterator[tuple[str, str | None]]:
        """Yield the lines of the report, each with its color."""
        words, program = self.words, PurePath(self.run.trace.program).name
        for severity in Severity:
            found = [one for one in (*self.found, *self.facts) if one.severity is severity]
            if found:
                yield words[severity], COLORS[severity]
            line = 0  # of the fact before
            for sentences, alike in groupby(found, key=lambda one: (*self.told(one),)):
                first, *others = alike
                for one in (first, *others):
                    if severity is not Severity.FACT or one.line != line:
                        yield f"  {self.place(one.line)}: {self.code(one.line)}", None
                    line = one.line
                for text in sentences:
                    yield f"    {text}", None
                if first in self.found:
                    yield f"    {words['see'].format(section=self.section(first))}", None
        if unexplained := self.unexplained:
            yield unexplained, None
        if meant := next((one for one in self.found if one.severity is not Severity.FAILS), None):
            yield words["silence"].format(name=meant.name), None
        said = words["found"].format(program=program, n=len(self.found))
        yield said if self.found else words["nothing"].format(program=program), None
        yield self._watched(), None

    def data(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
        return {
            "program": self.run.trace.program,
            "error": self.run.trace.error,
            "findings": [self._data(one) for one in self.found],
            "trained": [text for one in self.facts for text in self.told(one)],
            "watched": self._watched(),
        }

    def section(self, one: Finding) -> str:
        """Return the section of the site that explains a finding."""
        page, _, part = SECTIONS[self._key(one)].partition("#")
        return f"{self.site.rstrip('/')}/{page}/#{part}" if self.site else f"{page}#{part}"

    def _data(self, one: Finding) -> dict[str, Any]:
        file, line = self.run.place(one.line)
        at = self.run.place(one.at) if one.at else None
        text, do = self.sentences(one)
        return {
            "name": one.name,
            "case": one.case,
            "severity": str(one.severity),
            "file": file or self.run.trace.program,
            "line": line,
            "code": self.run.text(one.line),
            "shows": at and {"file": at[0] or self.run.trace.program, "line": at[1]},
            "text": text,
            "do": do,
            "see": self.section(one),
        }

    def sentences(self, one: Finding) -> tuple[str, str]:
        """Return what a finding says and what to do, of a fact nothing."""
        key, fields = self._key(one), {**one.fields}
        fields |= {one: f"`{text}`" for one in CODE if (text := fields.get(one)) and "`" not in text}
        fields |= {
            field: re.sub(r"\d+", lambda line: self._line(int(line[0])), fields[field])
            for field in LINES
            if field in fields
        }
        if not fields.get("name", "x"):
            fields["name"] = self.words["unnamed"]
        if more := int(fields.pop("more", 0)):
            fields["name"] = self.words["and_more"].format(name=fields["name"], n=more)
        if least := fields.pop("least", ""):
            fields["n"] = self.words["at_least"].format(n=least)
        others = f" {self.words['others']}" if one.is_least else ""
        return self.words[key].format_map(fields) + others, self.words.get(f"{key}_do", "").format_map(fields)

    def _line(self, line: int) -> str:
        """Return the number of a line, with its file if there are several."""
        if not self.run.trace.files:
            return str(line)
        file, number = self._placed(line)
        return self.words["line_of"].format(n=number, file=f"`{file}`")

    def told(self, one: Finding) -> Iterator[str]:
        """Yield what's said below a finding's line: what happened, which line shows it, what to do."""
        text, do = self.sentences(one)
        yield text
        if one.at and one.at != one.line:
            yield f"{self.place(one.at)}: {self.code(one.at)}"
        if do:
            yield f"→ {do}"

    def _key(self, one: Finding) -> str:
        return f"{one.name}_{one.case}" if one.case else one.name

    def place(self, line: int) -> str:
        """Return the name of a line's file and its number there."""
        file, number = self._placed(line)
        return f"{file}:{number}"

    def _placed(self, line: int) -> tuple[str, int]:
        """Return the name of a line's file, and the line's number there."""
        file, number = self.run.place(line)
        return file or PurePath(self.run.trace.program).name, number

    def code(self, line: int) -> str:
        """Return the text of a line, cut if it's long."""
        code = " ".join(self.run.text(line).split())
        return code if len(code) <= WIDTH else f"{code[: WIDTH - 1]}…"

    def _watched(self) -> str:
        run = self.run
        steps, passes, updates = len(run.steps), len(run.passes), len(run.of("step"))
        said = self.words["watched"].format(steps=f"{steps:,}", passes=f"{passes:,}", updates=f"{updates:,}")
        left = sum(step.gap.steps for step in run.steps if step.gap)
        return f"{said} {self.words['unwatched'].format(n=f'{left:,}')}" if left else said
