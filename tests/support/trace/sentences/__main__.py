"""Decides what the view says of every program of the site, with its alternatives, and of the real ones.

A word selects the programs whose names contain it, and `2/4` the second of four parts.
"""

import re
import sys
from collections import Counter

from playwright.sync_api import sync_playwright

from support.chromium import CHROMIUM, FLAGS
from support.trace.sentences import problems, programs, snippets
from weaver.player import view


def main(words):
    """Print what is false, how many statements of each kind were decided, and one line that sums up."""
    part, parts = next((map(int, word.split("/")) for word in words if re.fullmatch(r"\d+/\d+", word)), (1, 1))
    words = [word for word in words if not re.fullmatch(r"\d+/\d+", word)]
    chosen = [one for one in [*programs(), *snippets()] if not words or any(word in one[0] for word in words)]
    chosen = chosen[part - 1 :: parts]
    counts, wrong = Counter(), 0
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS).new_page()
        page.add_script_tag(content=view.whole_script())
        for number, (path, source) in enumerate(chosen, 1):
            found = list(problems(page, path, source, counts))
            wrong += bool(found)
            print(*(f"{path}:{one}" for one in found), sep="\n", end="\n" if found else "", flush=True)
            print(f"{number} of {len(chosen)}", file=sys.stderr, flush=True)
    for key in sorted({key for key, _ in counts}):
        print(f"{key:16}", *(f"{counts[key, verdict]:7}" for verdict in (True, False, None)))
    true, false, unsure = (sum(n for (_, one), n in counts.items() if one is verdict) for verdict in (True, False, None))
    print(f"{len(chosen)} programs, {wrong} with something wrong; {true + false} statements checked, {false} false; {unsure} undecided.")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
