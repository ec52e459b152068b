"""A page's content security policy: this site's files, and the inline code that the build put there."""

import base64
import hashlib
import re
from html import escape

INLINE = re.compile(r"<(script|style)((?:\s[^>]*)?)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
SCRIPT = re.compile(r"<(?=script(\s[^>]*)?>)", re.IGNORECASE)
HARMLESS = re.compile(r"""\ssrc=|type=["']?application/[\w+-]*json""", re.IGNORECASE)  # a file, or data
# The policy comes after the character set; a minifier may have removed that, or even what begins the page.
BEGINNING = re.compile(
    r"^(.*?<meta\s+charset=[^>]*>|.*?<head(?:\s[^>]*)?>|.*?<html(?:\s[^>]*)?>|.*?<!doctype[^>]*>|)",
    re.DOTALL | re.IGNORECASE,
)
POLICY = (
    "default-src 'self'",
    "script-src 'self'{script}",
    "style-src 'self'{style}",
    "style-src-attr 'unsafe-inline'",  # Markdown aligns the cells of tables with it
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
)


def inert(html: str) -> str:
    """Return a page's content with its inline scripts as text, so that only the theme's are in the policy.

    Scripts in files, and data, stay.
    """
    return SCRIPT.sub(lambda tag: tag[0] if HARMLESS.search(tag[1] or "") else "&lt;", html)


def protect(html: str) -> str:
    """Return the page with its policy right after its character set."""
    hashes: dict[str, set[str]] = {"script": set(), "style": set()}
    for tag, attributes, inside in INLINE.findall(html):
        if inside and not HARMLESS.search(attributes):
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            hashes[tag.lower()].add(f" 'sha256-{digest}'")
    allowed = {tag: "".join(sorted(found)) for tag, found in hashes.items()}
    policy = escape("; ".join(POLICY).format(**allowed))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return BEGINNING.sub(lambda beginning: beginning[0] + meta, html, count=1)
