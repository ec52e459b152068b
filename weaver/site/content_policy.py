"""A page's content security policy: this site alone, and of inline code only what the build put there."""

import base64
import hashlib
import re
from html import escape

INLINE = re.compile(r"<(script|style)((?:\s[^>]*)?)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
DATA = re.compile(r"""type=["']?application/[\w+-]*json""", re.IGNORECASE)
SOURCE = re.compile(r"\ssrc=", re.IGNORECASE)
# behind which the policy stands: the character set, or, where a minifier took that out, what begins the page
BEGINNINGS = (r"<meta\s+charset=[^>]*>", r"<head(?:\s[^>]*)?>", r"<html(?:\s[^>]*)?>", r"<!doctype[^>]*>", "")
SCRIPT = re.compile(r"<(?=script(\s[^>]*)?>)", re.IGNORECASE)


def inert(html: str) -> str:
    """Return a page's content with its inline scripts as text: only the theme's get into the policy.

    Scripts in files, and data, stay.
    """

    def escaped(tag):
        attributes = tag[1] or ""
        return tag[0] if SOURCE.search(attributes) or DATA.search(attributes) else "&lt;"

    return SCRIPT.sub(escaped, html)


def protect(html: str) -> str:
    """Return the page with its policy right after its character set.

    Style attributes are allowed: Markdown aligns the cells of tables by them.
    """
    hashes = {"script": set(), "style": set()}
    for tag, attributes, inside in INLINE.findall(html):
        if inside and not SOURCE.search(attributes) and not DATA.search(attributes):
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            hashes[tag.lower()].add(f"'sha256-{digest}'")
    policy = "; ".join(
        (
            "default-src 'self'",
            " ".join(["script-src 'self'", *sorted(hashes["script"])]),
            " ".join(["style-src 'self'", *sorted(hashes["style"])]),
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
    begun = next(filter(None, (re.search(beginning, html, re.IGNORECASE) for beginning in BEGINNINGS)))
    return html[: begun.end()] + meta + html[begun.end() :]
