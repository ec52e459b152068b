"""The styles that a page may use, out of all that a site has: they travel in the page, and nothing waits."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import lightningcss
import tinycss2
from tinycss2.ast import Node

GROUPS = ("media", "supports", "layer", "container")  # at-rules that hold rules
SIGNS = {"class": ".", "id": "#"}
WORD = re.compile(r"[\w-]+")
TAG = re.compile(r"<(script|style)\b.*?</\1>|<[A-Za-z][^<>]*>", re.DOTALL)
NAMES = re.compile(r"""\s(class|id)=(["']?)(.*?)(?:\2(?=[\s>])|(?=>))""", re.DOTALL)
DECLARED, READ = re.compile(r"[{;](--[\w-]+):"), re.compile(r"var\(\s*(--[\w-]+)")
ADDRESS = re.compile(r"""url\((["']?)(?!data:|#|/|[\w-]+:)([^)"']+)\1\)""")


class Rule(NamedTuple):
    """A rule: its selectors, each as its text and its tokens, and its declarations or, in a group, its rules.

    What an at-rule begins with (`@media print`) is a selector without tokens: it matches always.
    """

    selectors: list[tuple[str, list[Node]]]
    body: "str | list[Rule]"


def words(html: str, scripts: Iterable[str]) -> set[str]:
    """Return the words in a page's tags, and all words in its scripts, which may make more tags.

    Those that are classes and ids have their sign, `.note` and `#home`, in addition.
    """
    tags = list(TAG.finditer(html))
    found = {word for tag in tags if not tag[1] for word in WORD.findall(tag[0])}
    for kind, _, names in NAMES.findall("".join(tag[0] for tag in tags if not tag[1])):
        found |= {SIGNS[kind] + name for name in names.split()}
    return found.union(*map(_words_of_script, [*scripts, *(tag[0] for tag in tags if tag[1] == "script")]))


def used(sheets: Iterable[tuple[str, str]], words: set[str]) -> str:
    """Return one style sheet, minified, of all that a page with these words may use.

    `sheets` are the text of each, and the folder in which it lies, as the page calls it. A rule stays if the
    page has the words of one of its selectors: names of tags, ids and classes, values of attributes.
    """
    css = "".join(rule for text, folder in sheets for rule in _kept(_rules_of_sheet(text, folder), words))
    css = lightningcss.process_stylesheet(css, error_recovery=True)
    while unread := {*DECLARED.findall(css)} - {*READ.findall(css)} - words:
        css = lightningcss.process_stylesheet(css, error_recovery=True, unused_symbols=unread)
    return css


@lru_cache(maxsize=64)
def _words_of_script(text: str) -> frozenset[str]:
    return frozenset(sign + word for word in WORD.findall(text) for sign in ("", *SIGNS.values()))


@lru_cache(maxsize=64)
def _rules_of_sheet(css: str, folder: str) -> list[Rule]:
    css = ADDRESS.sub(lambda url: f'url("{posixpath.join(folder, url[2])}")', css)
    return list(_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))


def _rules(parsed: Iterable[Node]) -> Iterator[Rule]:
    for rule in parsed:
        if rule.type == "qualified-rule":
            selectors = [(tinycss2.serialize(one), one) for one in _choices(rule.prelude)]
            yield Rule(selectors, tinycss2.serialize(rule.content))
        elif rule.type == "at-rule" and rule.content is not None:
            head = f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}"
            inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            is_group = rule.lower_at_keyword in GROUPS
            yield Rule([(head, [])], [*_rules(inside)] if is_group else tinycss2.serialize(rule.content))


def _kept(rules: Iterable[Rule], words: set[str]) -> Iterator[str]:
    for rule in rules:
        selectors = [text for text, tokens in rule.selectors if _may_match(tokens, words)]
        if selectors:
            body = rule.body if isinstance(rule.body, str) else "".join(_kept(rule.body, words))
            yield f"{','.join(selectors)}{{{body}}}"


def _choices(tokens: list[Node]) -> list[list[Node]]:
    """Return what is between commas."""
    commas = [-1, *(at for at, token in enumerate(tokens) if token == ","), len(tokens)]
    return [tokens[start + 1 : end] for start, end in pairwise(commas)]


def _may_match(selector: list[Node], words: set[str]) -> bool:
    """Whether a page with these words may have an element that the selector selects."""
    before = None
    for token in selector:
        wanted: list[str] = []
        if token.type == "hash":
            wanted = [f"#{token.value}"]
        elif token.type == "ident" and before != ":":
            wanted = [f".{token.value}" if before == "." else token.value]
        elif token.type == "[] block":  # of `[dir=rtl]` the value
            values = [one.value for one in token.content[1:] if one.type in ("ident", "string")]
            wanted = WORD.findall(" ".join(values))
        is_choice = token.type == "function" and token.lower_name in ("is", "where", "has")
        if is_choice and not any(_may_match(one, words) for one in _choices(token.arguments)):
            return False
        if not words.issuperset(wanted):
            return False
        before = token
    return True
