"""What varies from machine to machine and says nothing about autograd, taken out of an output."""

import linecache
import re

LOCATION = r'(?:<stdin>|<string>|(?:/|[A-Za-z]:\\)[^\n:"]*)'

# Each rule: why it varies, what it looks like, what stays.
RULES = [
    # where in torch's C++ sources a warning was raised: changes with every build of torch
    (re.compile(r" ?\(Triggered internally at [^\n]*\)\.?"), ""),
    # where Python's packages lie
    (re.compile(r'(?:/|[A-Za-z]:\\)[^\s"]*[/\\]site-packages[/\\]'), ""),
]
WARNING = re.compile(rf"^({LOCATION}):(\d+): (?=\w*Warning: )", re.M)


def normalise(text: str) -> str:
    """Return `text` without what differs between two machines that print the same.

    A warning loses its place (`/home/me/x.py:7: `) and the source line that Python repeats
    below it: a program pasted into an interpreter has neither.
    """
    for warning in reversed(list(WARNING.finditer(text))):
        path, number = warning.groups()
        rest = text[warning.end() :]
        linecache.checkcache(path)
        repeated = linecache.getline(path, int(number)).strip()
        if repeated:
            rest = re.sub(rf"^  {re.escape(repeated)}\n", "", rest, count=1, flags=re.M)
        text = text[: warning.start()] + rest
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return text


def one_line(text: str) -> str:
    """Shorten an error's text to one line that ends like a sentence."""
    line = " ".join(normalise(text).split())
    line = line if len(line) <= 200 else line[:199] + "…"
    return line if line.endswith((".", "…")) else line + "."
