"""YAML that people write: each mistake has its line."""

import re

import msgspec
import pytest

from weaver.problem import Problem
from weaver.schema import Document


class Thing(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    parts: list[int] = []


REFUSED = {
    "a:\n  name: x\n  part: [1]\n": "f.yml:1: `a` has no `part`. Did you mean `parts`?",
    "a:\n  name: x\n  parts: [1, b]\n": "f.yml:3: `a.parts.1` is text, but should be a whole number. Fix it.",
    "a:\n  parts: [1]\n": "f.yml:1: `a` lacks `name`. Write it.",
    "a: 3\n": "f.yml:1: `a` is a whole number, but should be a group of keys. Fix it.",
    "a:\n  3: x\n": "f.yml:1: a key of `a` should be text. Put it in quotes.",
    "a: &x\n  name: x\n  name: y\nb: *x\n": "f.yml:3: duplicate key `name`. Remove one.",
    "a: [\n": "f.yml:2: not valid YAML",
    "a: *x\n": "f.yml:1: not valid YAML (found undefined alias).",
    "a: 2026-13-45\n": "f.yml:1: not valid YAML (month must be in 1..12).",
}


@pytest.mark.parametrize("text", REFUSED)
def test_each_mistake_has_a_sentence_with_its_line(text):
    with pytest.raises(Problem, match=re.escape(REFUSED[text])):
        Document(text, "f.yml").convert(Thing, "a")


def test_what_fits_is_read():
    assert Document("a: {name: x, parts: [1]}\n", "f.yml").convert(Thing, "a") == Thing("x", [1])
