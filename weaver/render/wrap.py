"""Where a line may not end: between code, a formula or a bracket and the particle that belongs to it."""

import re

# a letter of a script without capitals, in which words are joined to what is before them
UNCASED = r"[^\W\d_\u0000-\u052f\u1e00-\u1fff]"
JOINER = "\u2060"  # WORD JOINER, which has no width
FORMULA = re.compile(rf"(<math\b(?:(?!</math>).)*</math>)({UNCASED}+)", re.DOTALL)
PART = re.compile(r"(?<=[._(=])(?=[A-Za-z])")  # where a part of a long name begins
LONG = re.compile(rf"(<code[^<>]*>)([^<]{{30,}})(</code>)(?={UNCASED})")
JOINT = re.compile(
    r"<(?P<other>pre|svg|script|style)\b.*?</(?P=other)>"
    rf"|(?P<joint>(?:</code>|<!---->|[)\]}}%])(?:</\w+>)*)(?={UNCASED})"
    r"|<[^<>]*>",
    re.DOTALL,
)


def keep_particles(html: str) -> str:
    """Return a page's HTML in which a particle stays on the line of what it follows: `x`는, (leaf)를.

    `word-break: keep-all` keeps such a script together with letters only, and no style forbids a break at
    the end of an inline element, so a joiner does. It is for the screen, and goes into no text that is
    searched or run. After a formula, which is a box to the browser, a style is what works; a name
    that may be longer than a line breaks after a dot, where it would else break before the particle. An empty
    comment stands for the end of code, as in the steps of a graph.
    """
    html = FORMULA.sub(r'<span class="kept">\1\2</span>', html)
    html = LONG.sub(lambda code: code[1] + PART.sub("<wbr>", code[2]) + code[3], html)
    return JOINT.sub(lambda found: found[0] + JOINER if found["joint"] else found[0], html)
