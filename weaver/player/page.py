"""A trace -> what the view of it reads, and one HTML file that needs nothing else: no server, no network."""

import json
import zlib
from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import compress
from math import ceil
from pathlib import PurePath
from types import MappingProxyType

from weaver.player import color, view
from weaver.player.acts import clipped, emptied, modes, updated
from weaver.player.condense import FEW, condensed
from weaver.player.moments import line
from weaver.player.picture import draw
from weaver.player.remarks import Remark, html
from weaver.player.shorten import moved, shorten
from weaver.player.words import ENGLISH
from weaver.recording import compact
from weaver.recording.limits import MOST_STEPS, Limits
from weaver.recording.model import Note, Step, Trace
from weaver.recording.passes import is_end
from weaver.recording.repeated import repeated
from weaver.recording.thinning import thinned

LIMIT = Limits().bytes  # of a page
NEARLY = 0.8  # of the limit: a page that's smaller is worth another try
READABLE = 400  # steps: of more, those that only repeat what has nothing to do with gradients are left out
WITHOUT_PLAYER = ("title", "foot", "script_off", "too_old")  # words that the page itself has

# Light and dark, for a page on its own; on a site they are those of its theme, by the same names.
COLORS = {
    "md-default-fg-color": ("#1d2733", "#e4e9ef"),
    "md-default-bg-color": ("#fff", "#171c24"),
    "md-accent-fg-color": ("#b83a08", "#ffa26b"),
    "md-code-hl-keyword-color": ("#2f58a8", "#8fb8ff"),
    "md-code-hl-string-color": ("#14683f", "#62d19a"),
    "quiet": ("#566370", "#aeb9c5"),
    "line": ("#d3d9df", "#465260"),
    "paired": ("#ffe9b8", "#4d3a08"),
    "forward": ("#1a5f7a", "#7cc4e0"),
    "backward": ("#a83605", "#ff9d63"),
    "cut": ("#a3123f", "#ff8fa8"),
    "leaf": ("#dcecf3", "#17384a"),
    "node": ("#f5f6f8", "#262d38"),
}
FONT = 'ui-monospace, "SF Mono", Menlo, Consolas, "D2Coding", monospace'

PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
:root {{ {palette} }}
body {{ margin: 0 auto; padding: 4px; max-width: 84rem; color: var(--md-default-fg-color); \
background: var(--md-default-bg-color); \
font-family: system-ui, -apple-system, "Apple SD Gothic Neo", "Noto Sans KR", "Malgun Gothic", sans-serif; }}
:lang(ko) {{ word-break: keep-all; }}
h1 {{ font-size: 1rem; margin: .3rem .6rem; overflow-wrap: anywhere; }}
footer, noscript {{ font-size: .8rem; margin: .6rem; color: var(--quiet); }}
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{remarks}<div id="trace"></div>
<noscript><p>{script_off}</p><pre>{source}</pre></noscript>
</main>
<footer>{foot}</footer>
<script>{script}</script>
<script type="text/plain" id="data">{data}</script>
<script>unpack(document.getElementById("trace"), document.getElementById("data").textContent, \
{too_old});</script>
</body>
</html>
"""


def view_data(trace: Trace, source: str) -> dict:
    """Return what the view shows, as plain data; it has no language. `source` is the program's text."""
    picture = draw(trace)
    stored = json.loads(compact.write(trace))
    drawn = {"svg": picture.svg, "boxes": picture.boxes, "same": picture.same}
    stored.pop("files", None)
    stored.pop("acts", None)
    told = {"modes": modes, "updates": updated, "resets": emptied, "clips": clipped}
    stored |= {name: found for name, of in told.items() if (found := of(trace))}
    code = color.lines(source)
    for file in trace.files:
        code = code[: file.first - 1] + [""] * (file.first - 1 - len(code)) + color.lines(file.text)
    files = [[one.name, one.first] for one in trace.files]
    return {"code": code, "trace": stored, **drawn} | ({"files": files} if files else {})


def page(
    trace: Trace,
    source: str,
    language: str,
    limit: int = LIMIT,
    words: Mapping[str, str] = ENGLISH,
    remarks: Sequence[Remark] = (),
    opens: int | None = None,
    name: str = "",
) -> str:
    """Return a trace as one HTML file in a language, whose `words` it has, of at most `limit` bytes.

    Its title has the program's `name`, or that of its file. It opens where something is explained, or at the
    step `opens`. If it would be larger, fewer elements are listed; then iterations and calls are left out,
    but if possible none with that step or one of a remark, and the view says so where they were. Of a long
    program, calls and iterations that repeat earlier ones and have nothing to do with gradients go, unless a
    larger limit is given.
    Raises ValueError if even what's left is too much.
    """

    def with_steps(kept: Sequence[int], *notes: Note, brief: Collection[int] = ()) -> str:
        short = replace(shorten(trace, kept, brief), notes=[*trace.notes, *_left(trace), *notes])
        start = {} if opens is None else {"start": line(short, moved(opens, kept))}
        said = html([(line(short, moved(one.step, kept)), one) for one in remarks])
        return _page(short, source, language, words, said, start, name)

    count = len(trace.steps)
    reads = [at for at, step in enumerate(trace.steps) if step.missing]  # the page may open at the last
    seen = [*([] if opens is None else [opens]), *(one.step for one in remarks), *reads[-1:]]
    dull = repeated(trace.steps, seen) if limit <= LIMIT and count > READABLE else ()
    kept = [at for at in range(count) if at not in dull]
    more = count / max(len(kept), 1)  # a step that only repeats what was before takes no more than the others

    def fewer(note: Note) -> list[Note]:
        return [replace(note, n=len(dull))] if dull else []

    text = with_steps(kept, *fewer(_note(limit * more)))
    if len(text.encode()) <= limit:
        return text
    note = _note(len(text.encode()) * more)
    trace = replace(condensed(trace), notes=[*trace.notes, replace(note, why="listed", n=FEW)])
    text = with_steps(kept, *fewer(note))
    if len(text.encode()) <= limit:
        return text
    fixed = len(_page(replace(trace, steps=[], nodes=[], edges=[]), source, language, words).encode())
    costs, light = _costs(trace)
    # What a step adds to a page is known only afterward: costs and bytes of what fits, and of what doesn't
    exceeds = sum(costs[at] for at in kept), len(text.encode())
    best, fits, tries = "", (0, fixed), 0
    most = dict.fromkeys(kept, False)
    while not best or (tries < 3 and fits[1] < NEARLY * limit):
        share = (limit - fits[1]) / (exceeds[1] - fits[1]) if fits[1] < exceeds[1] else 0
        cost = fits[0] + max(min(share, 0.95), 0) * (exceeds[0] - fits[0])
        found = thinned(trace.steps, costs, cost, seen, light) if count else {}
        kept, brief = list(found), {at for at, is_brief in found.items() if is_brief}
        if found == most and not best:
            raise ValueError(f"`--bytes` must be at least {exceeds[1]:,} for this program, not {limit:,}.")
        left = [replace(note, n=count - len(kept))] if len(kept) < count else []  # else only parts of steps
        text = with_steps(kept, *left, brief=brief)
        point = sum(light[at] if at in brief else costs[at] for at in kept), len(text.encode())
        if point[1] > limit:
            exceeds, most = point, found
        else:
            fits, best = point, text
        tries += 1
    return best


def _note(size: float) -> Note:
    """Return a note on what isn't in a page, of about so many bytes if it were."""
    return Note("bytes", text=f"trace --bytes {_rounded_up(max(ceil(size), LIMIT + 1))}")


def _left(trace: Trace) -> list[Note]:
    """Return notes on the steps that were recorded and aren't in a trace, and on those not watched."""
    recorded = sum(step.gap.recorded for step in trace.steps if step.gap)
    unwatched = sum(step.gap.steps for step in trace.steps if step.gap) - recorded
    steps = min(_rounded_up(len(trace.steps) + recorded), MOST_STEPS)
    notes = [Note("steps", text=f"trace --steps {steps}", n=recorded)] if recorded else []
    return [*notes, Note("unwatched", text="trace --from", n=unwatched)] if unwatched else notes


def _rounded_up(number: int) -> int:
    """Return a number, or the next that has two digits before its zeros."""
    unit = 10 ** max(len(str(number)) - 2, 0)
    return -(-number // unit) * unit


def _costs(trace: Trace) -> tuple[list[int], list[int]]:
    """Return about how many bytes of a page each step takes, before it's packed, and if it's brief."""
    stored = json.loads(compact.write(trace))
    costs = [len(json.dumps(step)) for step in stored["steps"]]
    ends = [[*map(is_end, step.events)] for step in trace.steps]
    told = zip(stored["steps"], ends, strict=True)
    light = [len(json.dumps(step | {"e": [*compress(step.get("e", ()), kept)]})) for step, kept in told]
    for one in (*stored["nodes"], *stored["edges"]):
        costs[max(one.get("born", 0), 0)] += len(json.dumps(one))
    return costs, light


def starting_at(trace: Trace, first: int) -> Trace:
    """Return the trace of a program whose text begins on the line `first` of what ran."""
    by = first - 1
    return replace(trace, steps=[_moved(step, by) for step in trace.steps]) if by else trace


def _moved(step: Step, by: int) -> Step:
    gap = step.gap and replace(step.gap, line=step.gap.line and step.gap.line - by)
    loops = tuple((line - by, iteration) for line, iteration in step.loops)
    missing = tuple(replace(one, line=one.line and one.line - by) for one in step.missing)
    return replace(step, line=step.line - by, loops=loops, gap=gap, missing=missing)


def in_script(data: object) -> str:
    """Return data as JSON that can stand in a script element: no `<` of it is one."""
    return _json(data).replace("<", "\\u003c")


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _palette() -> str:
    both = [f"--{name}: light-dark({light}, {dark});" for name, (light, dark) in COLORS.items()]
    return " ".join(["color-scheme: light dark;", f"--md-code-font-family: {FONT};", *both])


def _page(
    trace: Trace,
    source: str,
    language: str,
    words: Mapping[str, str],
    remarks: str = "",
    start: Mapping[str, int] = MappingProxyType({}),
    name: str = "",
) -> str:
    shown = {key: text for key, text in words.items() if key not in WITHOUT_PLAYER}
    options = {"whole": True, **start}
    data = _json([view_data(trace, source) | {"boxes": 0}, shown, options, view.whole_script()])
    text = PAGE.format(
        language=language,
        remarks=remarks,
        title=escape(words["title"].replace("{#program}", name or PurePath(trace.program).name)),
        style=view.whole_style(),
        script=view.unpacking(),
        palette=_palette(),
        script_off=words["script_off"],
        source=escape(source),
        foot=escape(words["foot"].replace("{#torch}", trace.torch)),
        too_old=in_script(words["too_old"]),
        data=b64encode(zlib.compress(data.encode("utf-8", "backslashreplace"))).decode(),
    )
    return text.encode("utf-8", "backslashreplace").decode()  # a file's name may be no text
