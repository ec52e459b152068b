"""The styles that a page uses, out of all that a site has: they travel in the page, and nothing waits."""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PIECE = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\((?!["'])[^)]*\))|([{};])""", re.DOTALL)
NESTED = re.compile(r"@(?:media|supports|layer|container)\b")
ANY = re.compile(r":(?:is|where|has)\(((?:[^()]|\([^()]*\))*)\)")
BUT = re.compile(r":not\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|::?[\w-]+(?:\([^()]*\))?")
ATTRIBUTE = re.compile(r"\[[^\]=~|^$*]+(?:[~|^$*]?=\s*[\"']?([^\]\"']*?)[\"']?)?\s*[is]?\]")
NAME = re.compile(r"[.#]?-?[A-Za-z_][\w-]*")
WORD = re.compile(r"[\w-]+")
TAG = re.compile(r"<(script|style)\b.*?</\1>|<[A-Za-z][^<>]*>", re.DOTALL)
OWN = re.compile(r"""\s(id|class)=(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
SIGN = {"id": "#", "class": "."}
VARIABLE = re.compile(r"--[\w-]+")
ADDRESS = re.compile(r"""url\((["']?)(?!data:|#|/|[\w-]+:)([^)"']+)\1\)""")


@dataclass(frozen=True)
class Selector:
    """A selector: the words that a page has if it matches, and selectors of which one matches.

    A word is the name of a tag, stands in an attribute, or is an id (`#home`) or a class (`.note`).
    """

    text: str
    words: frozenset[str]
    choices: tuple[tuple["Selector", ...], ...]

    def may_match(self, words: set[str]) -> bool:
        """Whether a page of these words may have an element that it selects."""
        return self.words <= words and all(any(one.may_match(words) for one in some) for some in self.choices)


@dataclass(frozen=True)
class Rule:
    """A rule: `declarations`, or, in a group such as `@media`, rules; anything else is its `text` alone."""

    text: str
    selectors: tuple[Selector, ...] = ()
    declarations: tuple[str, ...] = ()
    rules: tuple["Rule", ...] | None = None


@lru_cache(maxsize=64)
def parse(css: str, folder: str = "") -> tuple[Rule, ...]:
    """Return the rules of a stylesheet; what it names relatively lies in `folder`."""
    css = ADDRESS.sub(lambda url: f'url("{posixpath.join(folder, url[2])}")', COMMENT.sub("", css))
    pieces = [piece for piece in PIECE.split(css) if piece]
    return tuple(_rules(pieces[::-1]))


def _rules(rest):
    """Yield rules until a brace closes; `rest` are the pieces, the next one last."""
    text = ""
    while rest and (piece := rest.pop()) != "}":
        if piece == ";":
            yield Rule(f"{text.strip()};")
            text = ""
        elif piece != "{":
            text += piece
        elif NESTED.match(text := text.strip()):
            yield Rule(text, rules=tuple(_rules(rest)))
            text = ""
        elif text.startswith("@"):
            yield Rule(f"{text}{{{_block(rest)}}}")
            text = ""
        else:
            yield Rule(text, tuple(map(_selector, _split(text))), tuple(_declarations(rest)))
            text = ""


def _block(rest):
    """Return what stands until the brace that closes."""
    text, depth = "", 1
    while rest:
        piece = rest.pop()
        depth += {"{": 1, "}": -1}.get(piece, 0)
        if not depth:
            break
        text += piece
    return text.strip()


def _declarations(rest):
    text = ""
    while rest and (piece := rest.pop()) != "}":
        if piece == ";":
            yield text.strip()
            text = ""
        else:
            text += piece
    if text.strip():
        yield text.strip()


def _split(text):
    """Return what stands between commas that are in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(letter, 0)
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _selector(text):
    choices = tuple(tuple(map(_selector, _split(some))) for some in ANY.findall(text))
    plain = BUT.sub("", ANY.sub("", text))
    values = [word for value in ATTRIBUTE.findall(plain) for word in WORD.findall(value)]
    return Selector(text, frozenset([*values, *NAME.findall(ATTRIBUTE.sub("", plain))]), choices)


def words(html: str, scripts: Iterable[str]) -> set[str]:
    """Return the words in a page's tags, and all words in its scripts, which may make more tags."""
    found = {word for script in scripts for word in _words(script)}
    for tag in TAG.finditer(html):
        found |= _words(tag[0]) if tag[1] else set(WORD.findall(tag[0]))
        for name, *values in OWN.findall(tag[0]):
            found |= {SIGN[name] + value for value in "".join(values).split()}
    return found


@lru_cache(maxsize=64)
def _words(script):
    """Return the words of a script, each also as an id and as a class."""
    return frozenset(f"{sign}{word}" for word in WORD.findall(script) for sign in ("", *SIGN.values()))


def used(rules: Iterable[Rule], words: set[str]) -> str:
    """Return the stylesheet without rules that select nothing, and variables that nobody reads."""
    kept = list(_matching(rules, words))
    read = {name for name in words if name.startswith("--")}
    known = -1
    while known < len(read):
        known = len(read)
        for rule in _flat(kept):
            for declaration in rule.declarations or (rule.text,):
                name, _, value = declaration.partition(":")
                if not name.startswith("--") or name in read:
                    read.update(VARIABLE.findall(value))
    return "".join(_written(kept, read))


def _matching(rules, words):
    for rule in rules:
        if rule.rules is not None:
            if inside := tuple(_matching(rule.rules, words)):
                yield Rule(rule.text, rules=inside)
        elif not rule.selectors:
            yield rule
        elif selectors := tuple(one for one in rule.selectors if one.may_match(words)):
            yield Rule(",".join(one.text for one in selectors), selectors, rule.declarations)


def _flat(rules):
    for rule in rules:
        yield from (rule,) if rule.rules is None else _flat(rule.rules)


def _written(rules, read):
    for rule in rules:
        if rule.rules is not None:
            if inside := "".join(_written(rule.rules, read)):
                yield f"{rule.text}{{{inside}}}"
        elif not rule.selectors:
            yield rule.text
        elif said := [
            one for one in rule.declarations if not one.startswith("--") or one.partition(":")[0] in read
        ]:
            yield f"{rule.text}{{{';'.join(said)}}}"
