"""`python -m weaver` from the shell."""

import json
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from weaver import __main__ as command
from weaver.execution.snippets.runner import LIMIT, Runner


@pytest.fixture(scope="module")
def with_torch():
    """What does as `Runner` does, with torch loaded once for all commands; none knows what another ran."""
    with Runner() as runner:

        def make(limit):
            runner.forget()
            return nullcontext(runner) if limit == LIMIT else Runner(limit=limit)

        yield make


@pytest.fixture
def shell(tmp_path, monkeypatch, with_torch):
    """A function that runs a command, in this process, in a folder with a good and an announced snippet."""
    folder = tmp_path / "snippets/t"
    folder.mkdir(parents=True)
    (folder / "good.py").write_text("print(1)\n")
    (folder / "announced.py").write_text("# raises: ValueError\nraise ValueError('e')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "Runner", with_torch)

    def run(*arguments):
        done = CliRunner().invoke(command.main, arguments)
        return SimpleNamespace(returncode=done.exit_code, stdout=done.stdout, stderr=done.stderr)

    run.folder = folder
    return run


def test_run_prints_what_the_page_would_show(shell):
    assert shell("run", "snippets/t/announced.py").stdout == "ValueError: e\n"
    real = [sys.executable, "-m", "weaver", "run", "snippets/t/announced.py"]
    assert subprocess.run(real, stdout=subprocess.PIPE, text=True).stdout == "ValueError: e\n"


def test_run_as_json_gives_the_line_of_every_output(shell):
    found = json.loads(shell("run", "--json", "snippets/t/good.py").stdout)
    assert found["snippets/t/good.py"]["lines"] == [{"text": "1", "source": 1, "kind": "out"}]


def test_run_of_a_bad_snippet_says_why_and_fails(shell):
    (shell.folder / "good.py").write_text("print(2)\nx\n")
    done = shell("run", "snippets/t/good.py")
    assert done.returncode == 1
    assert (
        "snippets/t/good.py:2: the snippet raised an error that it does not announce: NameError"
        in done.stderr
    )


def test_update_accepts_check_compares_and_the_message_is_the_repair(shell):
    missing = shell("check")
    assert missing.returncode == 1
    assert (
        "snippets/t/good.out is missing. Make it: python -m weaver update snippets/t/good.py"
        in missing.stdout
    )
    assert shell("update").returncode == 0
    assert (shell.folder / "good.out").read_text() == "1\n"
    assert shell("check").returncode == 0
    (shell.folder / "good.py").write_text("print(2)\n")
    changed = shell("check")
    assert changed.returncode == 1
    assert "-1\n+2\n" in changed.stdout and "python -m weaver update snippets/t/good.py" in changed.stdout
    assert "-1\n+2\n" in shell("update", "snippets/t/good.py").stdout
    assert shell("check").returncode == 0


def test_the_variants_of_a_file_are_run_compared_and_printed(shell):
    (shell.folder / "good.py").write_text("x = 1  # or: 2\nprint(x)\n")
    found = json.loads(shell("variants", "snippets/t/good.py", "--json").stdout)
    assert found == [
        {"label": "1", "source": "x = 1\nprint(x)\n", "output": "1\n"},
        {"label": "2", "source": "x = 2\nprint(x)\n", "output": "2\n"},
    ]
    assert "snippets/t/good.py: 2\n2\n" in shell("run", "snippets/t/good.py").stdout
    shell("update")
    assert (shell.folder / "good.out").read_text() == "--- 1\n1\n--- 2\n2\n"
    assert shell("check").returncode == 0
    (shell.folder / "good.py").write_text("x = 1  # or: 3\nprint(x)\n")
    assert "---- 2\n-2\n+--- 3\n+3\n" in shell("check").stdout


def test_a_variant_that_cannot_be_published_is_named_with_its_line_and_the_repair(shell):
    (shell.folder / "good.py").write_text("# a\nx = 1  # or: y\n")
    done = shell("variants", "snippets/t/good.py")
    assert done.returncode == 1
    assert "snippets/t/good.py:2: the snippet with `y` raised an error that it does not announce" in done.stderr
    assert "Fix it, or write `y raises NameError` behind its line." in done.stderr
    (shell.folder / "good.py").write_text("x = 1  # or: 2 raises NameError\n")
    assert "the snippet with `2` announces NameError and ran to its end" in shell("update").stderr


def test_update_never_writes_the_output_of_a_failure(shell):
    shell("update")
    (shell.folder / "good.py").write_text("print(2)\nraise KeyError\n")
    done = shell("update")
    assert done.returncode == 1 and "Its .out stays as it is." in done.stderr
    assert (shell.folder / "good.out").read_text() == "1\n"


def test_update_removes_an_output_that_belongs_to_no_snippet(shell):
    shell("update")
    (shell.folder / "good.py").unlink()
    assert "belongs to no snippet" in shell("update").stdout
    assert not (shell.folder / "good.out").exists()


def test_a_folder_without_snippets_gets_a_sentence(shell):
    for file in shell.folder.iterdir():
        file.unlink()
    shell.folder.rmdir()
    shell.folder.parent.rmdir()
    done = shell("check")
    assert done.returncode == 1 and "there is no folder `snippets` here" in done.stderr


def test_a_file_that_does_not_exist_gets_a_sentence(shell):
    done = shell("run", "snippets/t/none.py")
    assert done.returncode == 2 and "does not exist" in done.stderr


@pytest.mark.parametrize("limit", ["-5", "0", "nan", "inf"])
@pytest.mark.parametrize("command", ["run --limit", "trace --seconds"])
def test_a_limit_is_above_zero(shell, command, limit):
    done = shell(*command.split(), limit, "snippets/t/good.py")
    assert done.returncode == 2 and f"Invalid value for '{command.split()[1]}'" in done.stderr


def test_the_limit_is_that_of_the_configuration(shell):
    configured = "theme: {icon: !ENV [X, a]}\nx: !!python/name:a.b\nplugins:\n  - search\n  - weaver: {limit: 1.5}\n"
    (shell.folder.parents[1] / "mkdocs.yml").write_text(configured)
    (shell.folder / "good.py").write_text("while True:\n    pass\n")
    assert "used 1.5 s of processor time and was stopped" in shell("run", "snippets/t/good.py").stderr


def test_the_list_of_commands_says_each_in_a_whole_sentence(shell):
    assert "..." not in shell("--help").stdout.split("Commands:")[1]
