"""Opens the trace of every snippet in a browser and steps to its end, in both languages; prints what is wrong.

    PYTHONPATH=tests python -m support.trace.every_snippet [NAME...]
"""

import gzip
import sys
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS
from support.project import LANGUAGES, hear
from support.trace.trace_view import state_shown
from support.trace.warm import traced
from weaver.trace.page import in_script, view_data
from weaver.trace.page import page as make_page

ROOT = Path(__file__).parents[3]

# Steps as the keyboard does, without a second look at each: what is told, and where it ends.
WALK = """() => {
    const told = [], press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    press("Home");
    for (let at = null; at !== player.at;) { at = player.at; told.push(player.sentence.innerHTML); press("ArrowRight"); }
    return told;
}"""


def main(names):
    sizes, wrong, told = [], [], {}
    paths = [path for path in sorted((ROOT / "snippets").rglob("*.py")) if not names or path.stem in names]
    found = [(path, path.read_text("utf-8"), traced(str(path), path.read_text("utf-8"))[0]) for path in paths]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

        for path, source, trace in found:
            sizes.append(len(gzip.compress(in_script(view_data(trace, source)).encode(), 9)))
            for language in LANGUAGES:
                heard = []
                page = browser.new_page()
                hear(page, "about:", heard)
                page.set_content(make_page(trace, source, language))
                sentences = page.evaluate(WALK)
                shown, expected = state_shown(page, trace)
                bad = [one for one in sentences if "undefined" in one or "NaN" in one or not one]
                if heard or shown != expected or bad:
                    wrong.append(f"{path.relative_to(ROOT)} ({language}): {heard} {bad[:2]} {shown if shown != expected else ''} {expected if shown != expected else ''}")
                told[path.stem, language] = sentences
                page.close()
        browser.close()
    sizes.sort()
    print(f"{len(sizes)} traces; bytes, gzipped: median {median(sizes):.0f}, p90 {sizes[len(sizes) * 9 // 10]}, max {sizes[-1]}")
    print("\n".join(wrong) or "Nothing is wrong.")
    return told


if __name__ == "__main__":
    main(sys.argv[1:])
