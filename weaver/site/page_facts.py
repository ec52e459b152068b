"""A page's metadata: its translations, its links to GitHub and Colab, and JSON-LD."""

import json
import posixpath
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)/?")
COLAB = "https://colab.research.google.com/github"


def alternates(root: str, languages: Iterable[str], url: str) -> list[tuple[str, str]]:
    """Return (language, address) of a page's translations, and the address for everyone else.

    `root` is the address of the site, `url` is the page's below its language's folder. For everyone else, the
    home page is the gate, which redirects by language; other pages are in English, or in the first language.
    """
    pages = {language: posixpath.join(root, language, url) for language in languages}
    default = pages.get("en", next(iter(pages.values())))
    return [*pages.items(), ("x-default", default if url else root)]


def colab(repository: str | None, branch: str, notebook: str | None) -> str | None:
    """Return the address at which Colab opens a notebook, which it loads from a branch on GitHub."""
    name = _on_github(repository)
    return f"{COLAB}/{name}/blob/{branch}/{notebook}" if name and branch and notebook else None


def commit(repository: str | None, name: str | None) -> str | None:
    """Return the address of a commit on GitHub; None if the repository is elsewhere or `name` is unknown."""
    found = _on_github(repository)
    return f"https://github.com/{found}/commit/{name}" if found and name else None


def report(repository: str | None, title: str, body: str) -> str | None:
    """Return the address of a new issue with this title and text, if the repository is on GitHub."""
    name = _on_github(repository)
    asked = urlencode({"title": title, "body": body})
    return f"https://github.com/{name}/issues/new?{asked}" if name else None


def _on_github(repository: str | None) -> str | None:
    """Return the owner and name of a repository on GitHub, `owner/name`; None if it is elsewhere."""
    found = GITHUB.fullmatch(repository or "")
    return found[1] if found else None


def linked_data(
    title: str,
    description: str,
    address: str | None,
    language: str,
    keywords: list[str],
    changed: str | None,
    others: list[tuple[str, str]],
    site: tuple[str, str | None],
) -> str:
    """Return a page's JSON-LD, a schema.org `TechArticle`; `site` is the name and address of its site.

    It is safe inside a script element.
    """
    article: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "@id": address,
        "url": address,
        "headline": title,
        "description": description,
        "inLanguage": language,
        "isPartOf": {"@type": "WebSite", "name": site[0], "url": site[1]},
        "workTranslation": [
            {"@type": "TechArticle", "@id": other, "inLanguage": code}
            for code, other in others
            if other != address
        ],
    }
    if keywords:
        article["keywords"] = keywords
    if changed:
        article["dateModified"] = changed
    return json.dumps(article, ensure_ascii=False, default=str).replace("<", "\\u003c")
