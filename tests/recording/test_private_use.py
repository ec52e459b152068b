"""What torch keeps to itself is used in one module only, which is what a raised version makes one read."""

import ast
import re

import pytest
from support.project import ROOT

PRIVATE = ROOT / "weaver/recording/torch_private.py"
# Attributes that torch's objects have for torch itself; to ask for one by its name is a use as well
KEPT = re.compile(
    r"_(saved|raw_saved)_\w+|_(cdata|version|sequence_nr|backward_hooks|post_accumulate_grad_hooks|grad_fn)"
    r"|_(parameters|buffers|modules|engine_run_backward|is_zerotensor)"
)


def uses(source):
    """Yield what a source uses of torch's own, with the line."""
    tree = ast.parse(source)
    torch = {"torch"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            torch |= {alias.asname or alias.name for alias in node.names}
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
            yield from ((node.lineno, name) for name in names if is_private(name))
        elif isinstance(node, ast.Import):
            names = [part for alias in node.names if alias.name.startswith("torch") for part in alias.name.split(".")]
            yield from ((node.lineno, name) for name in names if is_private(name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            base = node.value
            while isinstance(base, ast.Attribute):
                base = base.value
            of_torch = isinstance(base, ast.Name) and base.id in torch
            if KEPT.fullmatch(node.attr) or (of_torch and is_private(node.attr)):
                yield node.lineno, node.attr
        elif isinstance(node, ast.Call):
            texts = [one.value for one in node.args if isinstance(one, ast.Constant) and type(one.value) is str]
            yield from ((node.lineno, text) for text in texts if KEPT.fullmatch(text))


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


@pytest.mark.parametrize(
    "source, name",
    [
        ("import torch\ntorch._C._autograd", "_C"),
        ("from torch.utils._pytree import tree_leaves", "_pytree"),
        ("from torch.autograd import _engine_run_backward", "_engine_run_backward"),
        ("import torch._dynamo", "_dynamo"),
        ("node._saved_self", "_saved_self"),
        ("storage._cdata", "_cdata"),
        ("getattr(module, '_parameters')", "_parameters"),
        ("from torch import nn\nnn._reduction", "_reduction"),
    ],
)
def test_a_private_use_is_found(source, name):
    assert name in [found for _, found in uses(source)]


def test_what_is_our_own_is_none():
    assert list(uses("self._version_of = other._found\nfrom weaver import _x\nimport torch\ntorch.__version__")) == []


def test_no_other_module_uses_what_torch_keeps_to_itself():
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sorted((ROOT / "weaver").rglob("*.py"))
        if path != PRIVATE
        for line, name in uses(path.read_text(encoding="utf-8"))
    ]
    assert found == []
    assert list(uses(PRIVATE.read_text(encoding="utf-8")))
