"""The edit loop: seconds from saving a file until `mkdocs serve` serves what was written.

Run `python benchmarks/edits.py` in the project's environment. This site, the same with twice the pages, and
plain Material with the same pages as text, in which every output stands already, are served side by side and
edited in turn, so that all meet the same machine.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PARTS = (
    *("docs", "snippets", "theme", "typed", "words", ".cache"),
    *("mkdocs.yml", "glossary.yml", "synonyms.yml"),
)
PAGE, SNIPPET = "ko/detach", "snippets/detach/original_keeps_history.py"
PATIENCE = 120  # seconds
EDITS = 9


def ours(folder: Path) -> Path:
    """Copy what this site is made of."""
    for part in filter(lambda part: (ROOT / part).exists(), PARTS):
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        copy(ROOT / part, folder / part)
    return folder


def doubled(folder: Path) -> Path:
    """Copy this site, and each page that is no lab once more under another name.

    The page that is edited is there once, as on this site: its program is on as many pages.
    """
    ours(folder)
    names = set()
    for path in sorted(folder.glob("docs/*/*.md")):
        if path.stem not in ("index", "glossary", Path(PAGE).stem):
            shutil.copy2(path, path.with_stem(f"{path.stem}-again"))
            names.add(f"{path.stem}-again.md")
    nav = "".join(f"  - {name}\n" for name in sorted(names))  # last, below what is to be read before
    text = (folder / "mkdocs.yml").read_text(encoding="utf-8")
    text = re.sub(r"(?<=\n)nav:\n(?:[ -].*\n|\n(?=[ -]))+", lambda found: found[0] + nav, text, count=1)
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")
    return folder


def plain(folder: Path, site: Path) -> Path:
    """Make a project of plain Material of the pages' Markdown twins."""
    for path in site.glob("*/**/index.md"):
        name = path.parent.relative_to(site)
        page = folder / "docs" / (f"{name}.md" if len(name.parts) > 1 else name / "index.md")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "docs/index.md").write_text("# Both\n")
    extensions = ["admonition", "attr_list", "tables", "pymdownx.superfences", {"toc": {"permalink": True}}]
    config = {"site_name": "Plain", "theme": {"name": "material", "font": False}, "plugins": ["search"]}
    (folder / "mkdocs.yml").write_text(json.dumps(config | {"markdown_extensions": extensions}))
    return folder


@contextmanager
def served(folder: Path):
    """Serve a project; give its address once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "mkdocs", "serve", "--quiet", "--dev-addr", f"127.0.0.1:{port}"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_URL": f"http://127.0.0.1:{port}/"}
    server = subprocess.Popen(command, cwd=folder, env=environment)
    try:
        address = f"http://127.0.0.1:{port}/"
        until(f"{address}{PAGE}/", "</html>")
        yield address
    finally:
        server.terminate()
        server.wait()


def until(address: str, text: str) -> float:
    """Return when a page had held a text."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                if text in answer.read().decode():
                    return time.monotonic()
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.02)
    sys.exit(f"{address} never held `{text}`.")


def edit(folder: Path, address: str, file: str, number: int) -> float:
    """Return how many seconds after an edit its page is served."""
    path = folder / file
    text, mark = path.read_text(encoding="utf-8"), f"edit {number} of {path.stem}"
    added = f'\nprint("{mark}")\n' if path.suffix == ".py" else f"\n{mark}\n"
    text = re.sub(rf"\n(?:print\(\")?edit \d+ of {path.stem}(?:\"\))?\n$", "", text)
    began = time.monotonic()
    path.write_text(text + added, encoding="utf-8")
    return until(f"{address}{PAGE}/", mark) - began


def main() -> None:
    """Measure and print a table."""
    with ExitStack() as kept:
        made = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="edits-")))
        site = made / "site"
        build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(site)]
        subprocess.run(build, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
        projects = {
            "this site": ours(made / "ours"),
            "twice the pages": doubled(made / "doubled"),
            "plain Material": plain(made / "plain", site),
        }
        addresses = {name: kept.enter_context(served(folder)) for name, folder in projects.items()}
        print(f"| | {' | '.join(projects)} |\n|---{'|---' * len(projects)}|")
        for what, file in (("prose", f"docs/{PAGE}.md"), ("snippet", SNIPPET)):
            times = {name: [] for name, folder in projects.items() if (folder / file).exists()}
            for number in range(EDITS):
                for name, taken in times.items():
                    time.sleep(0.1 * (number % 5))  # MkDocs looks for changes twice a second
                    taken.append(edit(projects[name], addresses[name], file, number))
            row = [f"{median(times[name]):.2f} s" if name in times else "-" for name in projects]
            print(f"| {what} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
