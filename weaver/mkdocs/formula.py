"""A Markdown extension: LaTeX between dollar signs -> MathML, which browsers draw without a script."""

import re

from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

from weaver.problem import Problem

BLOCK = r"\$\$(.+?)\$\$"
INLINE = r"(?<![\\$A-Za-z0-9_])\$(?![\s$])([^$]+?)(?<!\s)\$(?![A-Za-z0-9_$])"


class Formula(InlineProcessor):
    """Turns what `pattern` finds into MathML that stands in a line (`inline`) or alone (`block`)."""

    def __init__(self, pattern, md, display):
        super().__init__(pattern, md)
        self.compiled_re = re.compile(pattern, re.DOTALL)
        self.display = display

    def handleMatch(self, match, data):
        from latex2mathml.converter import convert  # slow to load, and most pages have no formula

        try:
            mathml = convert(match[1].strip(), display=self.display)
        except Exception as error:
            raise Problem(f"the formula `{match[0]}` cannot be read ({error!r}). Mend its LaTeX.") from None
        return self.md.htmlStash.store(mathml), match.start(0), match.end(0)


class FormulaExtension(Extension):
    """`$x^2$` in a line, `$$x^2$$` alone."""

    def extendMarkdown(self, md):
        # after code (190), before backslash escapes (180), which would eat LaTeX's
        md.inlinePatterns.register(Formula(BLOCK, md, "block"), "formula-block", 186)
        md.inlinePatterns.register(Formula(INLINE, md, "inline"), "formula", 185)


def makeExtension(**settings):
    """Return the extension; Markdown looks for this name."""
    return FormulaExtension(**settings)
