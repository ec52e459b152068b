"""What went wrong while a site is served: in the browser, at its place on a page or over every page."""

import logging
import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any
from wsgiref.simple_server import WSGIServer

from weaver.escape import visible

# Colors of its own: a page's scheme may be light or dark, and its style sheet may be what is broken.
STYLE = """<style>
.weaver-problem, #weaver-problems { background: #fff1ef; color: #5c1010; border: 2px solid #c92a2a; 
  border-radius: 4px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; white-space: pre-wrap; }
div.weaver-problem { padding: 8px 12px; margin: 16px 0; }
span.weaver-problem { padding: 0 4px; }
.weaver-problem b, #weaver-problems summary { font-weight: 700; }
.weaver-problem b { display: block; }
.weaver-running { color: #868e96; font: italic 16px/1.5 system-ui, sans-serif; }
#weaver-problems { position: fixed; inset: auto 8px 8px; z-index: 1000; max-height: 45vh; overflow: auto;
  padding: 8px 12px; }
#weaver-problems summary { cursor: pointer; }
#weaver-problems p { margin: 8px 0 0; }
@media print { #weaver-problems { display: none; } }
</style>"""
Said = Callable[[str], str]  # a language -> HTML


def notice(title: str, sentence: str, is_block: bool, kind: str = "weaver-problem") -> str:
    """Return what stands in the place of what can't be shown; without a sentence, that alone is said."""
    text = escape(visible(sentence))
    if is_block:
        return f'<div class="{kind}" role="note" data-search-exclude><b>{title}</b>{text}</div>'
    return f'<span class="{kind}" role="note" data-search-exclude>{text or title}</span>'


def overlay(title: str, sentences: Iterable[str]) -> str:
    """Return what lies over a page while something is wrong with the site; nothing if nothing is."""
    said = "".join(f"<p>{escape(visible(one))}</p>" for one in sentences)
    head = f'<details id="weaver-problems" role="alert" open><summary>{title}</summary>'
    return said and f"{head}{said}</details>"


class Errors(logging.Handler):
    """The errors that a build tells."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.sentences: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error."""
        self.add(record.getMessage())

    def add(self, sentence: str) -> None:
        """Note an error, unless one that says so was noted: MkDocs tells some twice."""
        if not any(sentence in one for one in self.sentences):
            self.sentences.append(sentence)

    def begin(self) -> None:
        """Forget those of the build before, and note those of the next."""
        self.sentences.clear()
        logging.getLogger("mkdocs").addHandler(self)

    def end(self) -> None:
        """Note no more."""
        logging.getLogger("mkdocs").removeHandler(self)


def lay_over(server: WSGIServer, said: Said) -> None:
    """Have a WSGI server put what is `said` in the language of a page over it, and the notices' style."""
    serve = server.get_app()
    assert serve  # MkDocs' server has one

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        begun: list[Any] = []
        body = serve(environ, lambda *arguments: begun.append(arguments))  # type: ignore[arg-type]
        [(status, headers, *rest)] = begun
        if dict(headers).get("Content-Type", "").startswith("text/html"):
            page = b"".join(body)
            language = re.search(rb"""<html[^>]*\slang=["']?([\w-]+)""", page[:2000])
            added = (STYLE + said(language[1].decode() if language else "en")).encode()
            before, end, after = page.rpartition(b"</body>")
            page = before + added + end + after if end else page + added
            if hasattr(body, "close"):
                body.close()
            body, others = [page], [one for one in headers if one[0] != "Content-Length"]
            headers = [*others, ("Content-Length", str(len(page)))]
        start_response(status, headers, *rest)
        return body

    server.set_app(app)
