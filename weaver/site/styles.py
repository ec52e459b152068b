"""The styles that a page may use, out of all that a site has: they travel in the page, and nothing waits."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Set
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


class Selector(NamedTuple):
    """A selector: its text, the words that it needs, and, for each `:is()` in it, those to choose from.

    What an at-rule begins with (`@media print`) is one that needs nothing.
    """

    text: str
    words: frozenset[str] = frozenset()
    choices: "tuple[tuple[Selector, ...], ...]" = ()

    def may_match(self, words: Set[str]) -> bool:
        """Whether a page with these words may have an element that this selects."""
        return self.words <= words and all(any(one.may_match(words) for one in some) for some in self.choices)


class Rule(NamedTuple):
    """A rule: its selectors, and its declarations or, in a group, its rules."""

    selectors: list[Selector]
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


def used(sheets: Iterable[tuple[str, str]], words: Set[str]) -> str:
    """Return one style sheet, minified, of all that a page with these words may use.

    `sheets` are the text of each, and the folder in which it lies, as the page calls it. A rule stays if the
    page has the words of one of its selectors: names of tags, ids and classes, values of attributes.
    """
    css = "".join(_with_addresses("".join(_kept(_rules_of_sheet(one), words)), at) for one, at in sheets)
    while unread := {*DECLARED.findall(css)} - {*READ.findall(css)} - words:
        css = lightningcss.process_stylesheet(css, error_recovery=True, unused_symbols=unread)
    return css


@lru_cache(maxsize=64)
def _words_of_script(text: str) -> frozenset[str]:
    return frozenset(sign + word for word in WORD.findall(text) for sign in ("", *SIGNS.values()))


def _with_addresses(css: str, folder: str) -> str:
    return ADDRESS.sub(lambda url: f"url({url[1]}{posixpath.join(folder, url[2])}{url[1]})", css)


@lru_cache(maxsize=64)
def _rules_of_sheet(css: str) -> list[Rule]:
    css = lightningcss.process_stylesheet(css, error_recovery=True)
    return list(_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))


def _rules(parsed: Iterable[Node]) -> Iterator[Rule]:
    for rule in parsed:
        if rule.type == "qualified-rule":
            yield Rule(_selectors(rule.prelude), tinycss2.serialize(rule.content))
        elif rule.type == "at-rule" and rule.content is not None:
            head = Selector(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}")
            inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            is_group = rule.lower_at_keyword in GROUPS
            yield Rule([head], [*_rules(inside)] if is_group else tinycss2.serialize(rule.content))


def _kept(rules: Iterable[Rule], words: Set[str]) -> Iterator[str]:
    for rule in rules:
        if selectors := [one.text for one in rule.selectors if one.may_match(words)]:
            body = rule.body if isinstance(rule.body, str) else "".join(_kept(rule.body, words))
            yield f"{','.join(selectors)}{{{body}}}" if body else ""


def _selectors(tokens: list[Node]) -> list[Selector]:
    """Return the selectors between commas."""
    commas = [-1, *(at for at, token in enumerate(tokens) if token == ","), len(tokens)]
    return [_selector(tokens[start + 1 : end]) for start, end in pairwise(commas)]


def _selector(tokens: list[Node]) -> Selector:
    words: set[str] = set()
    choices = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "hash":
            words.add(f"#{token.value}")
        elif token.type == "ident" and before != ":":
            words.add(f".{token.value}" if before == "." else token.value)
        elif token.type == "[] block":  # of `[dir=rtl]` the value
            values = [one.value for one in token.content[1:] if one.type in ("ident", "string")]
            words.update(WORD.findall(" ".join(values)))
        elif token.type == "function" and token.lower_name in ("is", "where", "has"):
            choices.append(tuple(_selectors(token.arguments)))
    return Selector(tinycss2.serialize(tokens), frozenset(words), tuple(choices))
