"""A page's content security policy: this site alone, and of inline code only what the build put there."""

import base64
import hashlib
import re
from html import escape

INLINE = re.compile(r"<(script|style)((?:\s[^>]*)?)>(.*?)</\1>", re.DOTALL)
# where a page says its character set; else its head, or its beginning
CHARSET = re.compile(
    r"""<meta\s+charset=["']?[\w-]+["']?\s*/?>|<head\b[^>]*>(?!.*<meta\s+charset)|\A(?!.*<head\b)""",
    re.IGNORECASE | re.DOTALL,
)
DATA = re.compile(r'type="application/[\w+-]*json"')


def protect(html: str) -> str:
    """Return the page with its policy right after its character set.

    Style attributes are allowed: Markdown aligns the cells of tables by them.
    """
    hashes = {"script": set(), "style": set()}
    for tag, attributes, inside in INLINE.findall(html):
        if inside and "src=" not in attributes and not DATA.search(attributes):
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            hashes[tag].add(f"'sha256-{digest}'")
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
    return CHARSET.sub(lambda place: place[0] + meta, html, count=1)
