"""Where a line may not end: between code, a formula or a bracket and the Korean that belongs to it."""

import re

JOINER = "\u2060"  # WORD JOINER, which has no width
FORMULA = re.compile(r"(<math\b(?:(?!</math>).)*</math>)([가-힣]+)", re.DOTALL)
PART = re.compile(r"(?<=[._(=])(?=[A-Za-z])")  # where a part of a long name begins
LONG = re.compile(r"(<code[^<>]*>)([^<]{30,})(</code>)(?=[가-힣])")
JOINT = re.compile(
    r"<(?P<other>pre|svg|script|style)\b.*?</(?P=other)>"
    r"|(?P<joint>(?:</code>|[)\]}%])(?:</\w+>)*)(?=[가-힣])"
    r"|<[^<>]*>",
    re.DOTALL,
)


def keep_particles(html: str) -> str:
    """Return a page's HTML in which a particle stays on the line of what it follows: `x`는, (leaf)를.

    `word-break: keep-all` keeps Hangul together with letters alone, and no style forbids a break at
    the end of an inline element, so a joiner does. It is for the screen, and goes into no text that is
    searched or run. Behind a formula, which is a box to the browser, a style is what works; a name
    that may be longer than a line breaks behind a dot, where it would else break before the particle.
    """
    html = FORMULA.sub(r'<span class="kept">\1\2</span>', html)
    html = LONG.sub(lambda code: code[1] + PART.sub("<wbr>", code[2]) + code[3], html)
    return JOINT.sub(lambda found: found[0] + JOINER if found["joint"] else found[0], html)
