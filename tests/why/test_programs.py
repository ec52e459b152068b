"""What is found in broken training programs, such as people ask about, and in the same ones repaired."""

import re
from pathlib import Path

import pytest
from support.sampled import param
from support.why import watched

from weaver.why.finding import Severity
from weaver.why.findings import find

CASES = Path(__file__).parents[1] / "cases" / "why"
NAMES = sorted(path.stem for path in (CASES / "broken").iterdir() if path.suffix in ("", ".py"))
EACH = {"artist_gan", "forecast_horizon_one", "kmax_pooling_numpy", "loss_goes_up_again"}  # in every run
CAUSED = re.compile(r"^ *(.*?)  # cause: ([\w-]+)", re.MULTILINE)
NOTED = {"retain-graph", "not-in-optimizer", "twice-in-optimizer", "unused"}  # may be meant
# Here another line than the one to change is named first: the one whose derivative is 0, which makes what
# nobody uses, which makes the optimizer
ELSEWHERE = {
    "adapter_tuning": "self.lora_B = nn.Parameter",
    "dilated_conv": "optimizer = torch.optim.SGD(params",
    "population_scale_relu": "return F.relu(self.occrate(h))",
    "text_probe": "return torch.optim.AdamW(groups",
    "unmixing_layer2": "self.layer2 = block(16, 16, 3)",
}


def main_file(kind: str, name: str) -> Path:
    path = CASES / kind / name
    return path / "main.py" if path.is_dir() else path.with_suffix(".py")


def run_of(kind: str, name: str):
    path = main_file(kind, name)
    return watched(path, path.read_text("utf-8"))


def cause(name: str) -> tuple[str, str]:
    """Return what the marked line of a broken program causes; and that line, or the one that's named instead."""
    path = main_file("broken", name)
    files = [path] if path.stem == name else sorted(path.parent.glob("*.py"))
    [found] = [found for file in files if (found := CAUSED.search(file.read_text("utf-8")))]
    return found[2], ELSEWHERE.get(name, found[1])


@pytest.mark.parametrize("name", [param(name, each=name in EACH, id=name) for name in NAMES])
def test_the_line_that_causes_the_problem_comes_first(name):
    run = run_of("broken", name)
    (first, *_), (kind, start) = find(run), cause(name)
    assert first.severity is not Severity.NOTE or kind in NOTED
    line = re.split(r"\n", run.text(first.line))[0] or run.lines.texts[first.line - 1].strip()
    assert line.startswith(start)


@pytest.mark.parametrize("name", [param(name, each=name in EACH, id=name) for name in NAMES])
def test_nothing_is_wrong_with_the_repaired_program(name):
    assert [one for one in find(run_of("fixed", name)) if one.severity is not Severity.NOTE] == []


def test_every_broken_program_has_one_marked_line_and_a_repaired_twin():
    for name in NAMES:
        assert main_file("fixed", name).exists()
        assert cause(name)
