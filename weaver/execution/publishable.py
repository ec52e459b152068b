"""What of a text, an error or an answer can be published, and what to do if it can't."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from weaver.execution.normalise import normalise
from weaver.execution.protocol import Answer

ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
SEEDING = {"torch": "torch.manual_seed(0)", "random": "random.seed(0)", "numpy": "numpy.random.seed(0)"}
MISSING = re.compile(r"ModuleNotFoundError: No module named '(\w+)")
TRACEBACK = "Traceback (most recent call last):"
# Where this interpreter and its user are. A path such as /usr isn't one of this machine only.
HERE = tuple(path for path in (sys.prefix, os.path.expanduser("~")) if len(Path(path).parts) > 2)


def missing_package(error: str) -> str | None:
    """Return what to do about an error that says that a package isn't installed; None if it doesn't."""
    found = MISSING.match(error)
    if found is None or found[1] in sys.modules or find_spec(found[1]):
        return None
    return (
        f"imports `{found[1]}`, which isn't installed. Install the package that provides it, and add it to "
        "the site's requirements."
    )


def unseeded_numbers(names: Sequence[str]) -> str:
    """Return what is wrong with drawing from the generators `names` unseeded, and the repair."""
    return (
        f"random numbers from {' and '.join(names)} without a seed, so its output changes from run to run. "
        f"Seed first: {' and '.join(f'`{SEEDING[name]}`' for name in names)}."
    )


def unfit(text: str, paths: Iterable[str]) -> str | None:
    """Return what in a text cannot be published, and the repair, or None.

    `paths` are those of the program and its folder.
    """
    if TRACEBACK in text:
        return "a traceback from a thread or a finalizer. Fix the failure."
    if address := ADDRESS.search(text):
        return (
            f"an address, {address[0]}, which changes from run to run. "
            "Print a comparison, a name or a shape instead."
        )
    if any(path in text for path in (*paths, *HERE)):
        return "a path on this machine. Print a name or a comparison instead."
    return None


def published(answer: Answer, paths: Iterable[str]) -> Answer:
    """Return an answer without what varies from machine to machine, or why it cannot be published."""
    if answer.text is None:
        return answer
    text = normalise(answer.text)
    if found := unfit(text, paths):
        return Answer(answer.query, None, f"it gives {found.removesuffix('.')}")
    return Answer(answer.query, text)
