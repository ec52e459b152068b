"""What the README shows and says of the project, held to what is there."""

import json
import re
import sys
import tomllib

import pytest
import yaml
from PIL import Image
from support.project import ROOT

READMES = ("README.md", "README.ko.md")


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_table_of_peers_has_the_medians_that_were_measured(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from report import SCENES, Results

    measured = Results(json.loads(text("benchmarks/results.json"))["measurements"])
    sys.modules.pop("report")
    rows = re.findall(r"^\| `([\w-]+)` \|[^|\n]+\|((?:[^|\n]*\|){6})$", text("benchmarks/README.md"), re.M)
    shown = {contestant: [cell.strip() for cell in cells.split("|")[:6]] for contestant, cells in rows}
    assert list(shown) == measured.contestants[40]
    for contestant, cells in shown.items():
        builds = [("wall", contestant, size, scene) for size in (40, 1000) for scene in SCENES]
        there = [f"{measured.median(one):.2f}" if contestant in measured.contestants[one[2]] else "" for one in builds]
        assert cells == there, contestant


@pytest.mark.parametrize("name", READMES)
def test_the_short_example_is_part_of_the_guide_s_site_that_a_test_builds(name):
    whole = text(f"weaver/{name}")
    fences = [fence for fence in re.findall(r"^```(?:yaml|markdown)\n(.*?)^```", text(name), re.M | re.S)]
    assert len(fences) == 2 and all(fence in whole for fence in fences)


@pytest.mark.parametrize("name", READMES)
def test_it_has_three_pictures_each_with_words_and_of_little_weight(name):
    pictures = re.findall(r'<img src="(\.github/[\w-]+\.png)" height="\d+" alt="([^"]{20,})">', text(name))
    assert len(pictures) == 3 and {path for path, _ in pictures} == {f".github/{one.name}" for one in (ROOT / ".github").glob("*.png")}
    for path, _ in pictures:
        assert (ROOT / path).stat().st_size <= 150_000 and Image.open(ROOT / path).size == (720, 1440)


def test_the_release_notes_and_the_citation_are_of_this_version():
    version = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert re.findall(r"^## (.*)", text("CHANGELOG.md"), re.M)[0] == version
    cited = yaml.safe_load(text("CITATION.cff"))
    assert cited["version"] == version and {"cff-version", "message", "title", "authors", "license"} <= set(cited)


def test_the_workflows_take_what_others_wrote_by_its_hash():
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
        assert used and all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}  # v[\d.]+", one) for one in used), path
