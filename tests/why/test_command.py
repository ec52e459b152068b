"""`weaver why`, given what people give a command: findings or a sentence, and a fitting exit code."""

import json
import re
import subprocess
import sys

import pytest

HEALTHY = """import sys, torch
w = torch.ones(1, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(3):
    opt.zero_grad()
    (w * i).sum().backward()
    opt.step()
print("trained", *sys.argv[1:])
"""
CUT = HEALTHY.replace("(w * i)", "(w * i).detach()")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder with programs, in which the command is given."""
    (tmp_path / "healthy.py").write_text(HEALTHY)
    (tmp_path / "cut.py").write_text(CUT)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "train.py").write_text(HEALTHY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def why(*arguments):
    return subprocess.run([sys.executable, "-m", "weaver", "why", *arguments], capture_output=True, text=True)


def test_a_healthy_program_prints_as_usual_and_gets_what_was_looked_at(here):
    done = why("healthy.py", "--", "a", "-b")
    printed, _, report = done.stdout.partition("\n\n")
    assert (done.returncode, printed) == (0, "trained a -b")
    watched = "Watched: 17 executed lines, 3 × backward() or grad(), 3 × optimizer.step()."
    line, trained, *rest = report.partition("What's trained\n")[2].splitlines()
    assert line.startswith("  healthy.py:") and trained == "    `SGD` updates `w`."
    assert rest == ["Nothing found in healthy.py.", watched]


def test_a_program_that_fails_is_explained_below_its_traceback(here):
    done = why("cut.py", "--step-through", "cut.html")
    assert done.returncode == 1 and "Traceback" in done.stderr
    assert "cut.py:6: (w * i).detach().sum().backward()" in done.stdout
    page = (here / "cut.html").read_text("utf-8")
    assert re.search(r'data-moment="[0-9]+">cut.py:6</button>', page)


def test_json_has_nothing_of_what_the_program_printed(here):
    done = why("cut.py", "--json")
    assert [one["name"] for one in json.loads(done.stdout)["findings"]] == ["no_gradient"]
    assert json.loads(why("-m", "own.train", "--json").stdout)["findings"] == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.py"], "File 'nowhere.py' does not exist."),
        ([], "Missing argument 'FILE'."),
        (["cut.py", "--step-through", "cut.py"], "would overwrite cut.py. Name another file."),
        (["cut.py", "--words", "nowhere.yml"], "There's no words file nowhere.yml."),
        (["-m", "nowhere"], "There's no module `nowhere` here."),
    ],
)
def test_what_cannot_be_gets_a_sentence(here, arguments, sentence):
    done = why(*arguments)
    assert sentence in done.stderr and done.returncode and "Traceback" not in done.stderr
