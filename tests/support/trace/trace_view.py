"""What the tests do with an open view: walk through it, and read what it shows."""

import json
import re
import zlib
from base64 import b64decode

WALK = """key => {
    const place = document.querySelector('.wt-bar output'), told = [];
    for (let at = null; at !== place.innerText && told.length < 400;) {
        at = place.innerText;
        told.push(document.querySelector('.wt-sentence').innerText);
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
    return told;
}"""


def unpacked(text):
    """Return what the page of a trace holds for its player: data, words, options."""
    return json.loads(zlib.decompress(b64decode(re.search(r'id="data">(.*?)</script>', text)[1])))


def walk(page, key="ArrowRight"):
    """Press a key until nothing changes; return the sentences that were told."""
    return page.evaluate(WALK, key)


def state_shown(page, trace):
    """Return (what the view shows, what the trace says) of the tensors at the end: names, value, version, grad."""
    page.evaluate("() => document.querySelectorAll('.wt-more').forEach(one => { one.open = true; })")
    shown = page.locator(".wt-row").evaluate_all(
        """all => all.map(row => [row.querySelector('b').textContent,
            row.querySelector('summary > code').textContent.split(' → ').at(-1),
            (row.querySelector('.grad code, code.grad') || {textContent: ''}).textContent.split(' → ').at(-1)])"""
    )
    tensors = trace.steps[-1].tensors if trace.steps else {}
    groups = {}
    for name, facts in tensors.items():
        if not (name.endswith(".grad") and name[:-5] in tensors):
            groups.setdefault(facts.place or name, []).append(name)
    texts = page.evaluate(
        "all => all.map(value => weaverTrace.inRow(value))",
        [plain(tensors[names[0]].value) for names in groups.values()],
    )
    expected = {}
    for names, text in zip(groups.values(), texts, strict=True):
        facts = tensors[names[0]]
        grads = [tensors[f"{name}.grad"] for name in names if f"{name}.grad" in tensors]
        grad = (
            page.evaluate("value => weaverTrace.inRow(value, 20)", plain(grads[0].value)) if grads else None
        )
        wanted = grad or ("None" if facts.is_leaf and facts.requires_grad else "")
        best = sorted(names, key=lambda name: name.startswith("self."))[0]
        expected[best] = [text, wanted]
    return {name: [value, grad] for name, value, grad in shown}, expected


def plain(value):
    """Return a value of a trace as JSON has it."""
    if hasattr(value, "shape"):
        return {
            name: getattr(value, name)
            for name in ("shape", "min", "max", "mean", "nan", "inf")
            if getattr(value, name) is not None
        }
    return value
