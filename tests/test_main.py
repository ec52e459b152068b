"""`python -m weaver` from the shell."""

import json
import re
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from support.project import forget

from weaver import __main__ as command
from weaver.execution.snippets.runner import LIMIT, Runner
from weaver.pages import example
from weaver.problem import Problem
from weaver.site.words import words


@pytest.fixture(scope="module")
def with_torch():
    """What does as `Runner` does, with torch loaded once for all commands; none knows what another ran."""
    with Runner() as runner:

        def make(limit):
            forget(runner)
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
        "snippets/t/good.py:2: the snippet raised an undeclared error: NameError"
        in done.stderr
    )


def test_check_says_how_to_accept_a_changed_output_and_update_accepts_it(shell):
    missing = shell("check")
    assert missing.returncode == 1
    assert (
        "snippets/t/good.out is missing. To create it: python -m weaver update snippets/t/good.py"
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


def test_a_variant_that_fails_is_named_with_its_line_and_the_fix(shell):
    (shell.folder / "good.py").write_text("# a\nx = 1  # or: y\n")
    done = shell("variants", "snippets/t/good.py")
    assert done.returncode == 1
    assert "snippets/t/good.py:2: the snippet with `y` raised an undeclared error" in done.stderr
    assert "Fix it, or write `y raises NameError` in the comment on its line." in done.stderr
    (shell.folder / "good.py").write_text("x = 1  # or: 2 raises NameError\n")
    assert "the snippet with `2` declares NameError but didn't raise it" in shell("update").stderr


def test_update_never_writes_the_output_of_a_failure(shell):
    shell("update")
    (shell.folder / "good.py").write_text("print(2)\nraise KeyError\n")
    done = shell("update")
    assert done.returncode == 1 and "Its .out file is unchanged." in done.stderr
    assert (shell.folder / "good.out").read_text() == "1\n"


def test_update_names_an_output_without_a_snippet_and_leaves_it(shell):
    shell("update")
    (shell.folder / "good.py").unlink()
    assert "snippets/t/good.out has no snippet. Remove it if it's left over." in shell("update").stdout
    assert (shell.folder / "good.out").exists()


def test_update_never_writes_through_a_link(shell):
    other = shell.folder / "other.yml"
    other.write_text("kept")
    (shell.folder / "good.out").unlink(missing_ok=True)
    (shell.folder / "good.out").symlink_to(other)
    done = shell("update")
    assert done.returncode == 1 and "good.out isn't a regular file" in done.stderr
    assert other.read_text() == "kept"


def test_offline_overwrites_a_zip_and_no_other_file(shell):
    config = shell.folder.parents[1] / "mkdocs.yml"
    config.write_text("site_name: Notes\n")
    done = shell("offline", "mkdocs.yml")
    assert done.returncode == 1 and "mkdocs.yml exists and isn't a zip file." in done.stderr
    assert config.read_text() == "site_name: Notes\n"


def test_a_folder_without_snippets_is_an_error(shell):
    for file in shell.folder.iterdir():
        file.unlink()
    shell.folder.rmdir()
    shell.folder.parent.rmdir()
    done = shell("check")
    assert done.returncode == 1 and "there is no folder `snippets` here" in done.stderr


NO_PROGRAM = {
    "snippets/t/good.out": "isn't a program: its name doesn't end in `.py`",
    "..": "isn't in the folder `snippets`",
}


@pytest.mark.parametrize("name, sentence", NO_PROGRAM.items())
def test_a_file_that_is_not_a_program_is_an_error(shell, name, sentence):
    (shell.folder / "good.out").touch()
    done = shell("run", name)
    assert (done.returncode, done.stdout) == (1, "") and f"{name} {sentence}. Name" in done.stderr


def test_a_file_that_does_not_exist_is_an_error(shell):
    done = shell("run", "snippets/t/none.py")
    assert done.returncode == 2 and "does not exist" in done.stderr


@pytest.mark.parametrize("limit", ["-5", "0", "nan", "inf"])
@pytest.mark.parametrize("command, code", [("run --limit", 2), ("trace --seconds", 1)])
def test_a_limit_must_be_positive(shell, command, code, limit):
    done = shell(*command.split(), limit, "snippets/t/good.py")
    assert done.returncode == code and command.split()[1] in done.stderr
    assert "must be a positive number of seconds, not" in done.stderr


def test_the_limit_comes_from_the_configuration(shell):
    configured = "theme: {icon: !ENV [X, a]}\nx: !!python/name:a.b\nplugins:\n  - search\n  - weaver: {limit: 1.5}\n"
    (shell.folder.parents[1] / "mkdocs.yml").write_text(configured)
    (shell.folder / "good.py").write_text("while True:\n    pass\n")
    assert "used 1.5 s of processor time and was stopped" in shell("run", "snippets/t/good.py").stderr


@pytest.mark.parametrize("limit", ["0", "lots", ".inf"])
def test_an_invalid_limit_in_the_configuration_is_reported_with_its_file(shell, limit):
    (shell.folder.parents[1] / "mkdocs.yml").write_text(f"plugins: [weaver: {{limit: {limit}}}]\n")
    done = shell("run", "snippets/t/good.py")
    assert done.returncode == 1 and "Error: mkdocs.yml: `limit` must be a positive number of" in done.stderr


def test_the_programs_folder_comes_from_the_configuration(shell, pages):
    (pages.parent / "mkdocs.yml").write_text("plugins: [weaver: {snippets: programs}]\n")
    assert "there is no folder `programs` here" in shell("check").stderr
    assert shell("new", "p/x").stdout.split()[:2] == ["programs/p/x.py", "programs/p/x.out"]
    assert shell("check").stdout == shell("check", "programs").stdout == "All outputs are as expected.\n"
    assert "isn't in the folder `programs`." in shell("check", "snippets").stderr


def test_help_describes_each_command_in_a_full_sentence(shell):
    assert "..." not in shell("--help").stdout.split("Commands:")[1]


def test_a_folder_means_all_snippets_in_it(shell):
    assert shell("run", "snippets/t").stdout == shell("run").stdout != ""
    assert shell("update", "snippets/t").returncode == 0
    assert shell("check", "snippets/t", "snippets/t/good.py").stdout == "All outputs are as expected.\n"
    (shell.folder / "sub").mkdir()
    done = shell("check", "snippets/t/sub")
    assert done.returncode == 1 and "there are no snippets in snippets/t/sub. Name another" in done.stderr


def test_an_expected_output_that_is_not_text_differs_and_a_folder_is_an_error(shell):
    (shell.folder / "good.out").write_bytes(b"\xff\n")
    assert "-\ufffd\n+1\n" in shell("check", "snippets/t/good.py").stdout
    (shell.folder / "good.out").write_bytes(b"1\r\n")
    assert "\n-1\\r\n" in shell("check", "snippets/t/good.py").stdout
    assert shell("update", "snippets/t/good.py").returncode == 0
    assert (shell.folder / "good.out").read_text() == "1\n"
    (shell.folder / "announced.out").mkdir()
    for name in ("check", "update", "run"):
        done = shell(name, "snippets/t")
        assert done.returncode == 1 and "snippets/t/announced.out isn't a regular file. Remove it, then" in done.stderr


def test_all_commands_refuse_an_output_that_depends_on_the_clock(shell):
    (shell.folder / "good.py").write_text("import time\nprint(time.time())\n")
    for name in ("run", "check", "update", "variants"):
        done = shell(name, "snippets/t/good.py")
        assert done.returncode == 1
        assert "snippets/t/good.py:2: the snippet prints something different in every run" in done.stdout + done.stderr
    assert not (shell.folder / "good.out").exists()


@pytest.fixture
def pages(shell):
    docs = shell.folder.parents[1] / "docs"
    for language in ("en", "ko"):
        (docs / language).mkdir(parents=True)
        (docs / language / "p.md").write_bytes(b"# A\n\nText.\n\n")
    return docs


def test_new_writes_a_program_its_output_and_a_line_on_each_page_and_keeps_line_endings(shell, pages):
    (pages / "ko/p.md").write_bytes(b"# A\r\n\r\nText.\r\n")
    done = shell("new", "p/x")
    assert done.stdout.split() == ["snippets/p/x.py", "snippets/p/x.out", "docs/en/p.md", "docs/ko/p.md"]
    assert (pages / "en/p.md").read_bytes() == b"# A\n\nText.\n\n{{ snippet p/x }}\n"
    assert (pages / "ko/p.md").read_bytes() == b"# A\r\n\r\nText.\r\n\r\n{{ snippet p/x }}\r\n"
    assert shell("check", "snippets/p").returncode == 0


def test_new_writes_a_program_without_torch_if_torch_is_not_installed(shell, pages, monkeypatch):
    monkeypatch.setattr(example, "has_torch", lambda: False)
    assert shell("new", "p/x").returncode == 0
    assert "torch" not in (shell.folder.parent / "p/x.py").read_text()
    assert (shell.folder.parent / "p/x.out").read_text() == "x**2 = 9.0\n"


def _spoil_page(pages):
    (pages / "ko/p.md").write_bytes(b"caf\xe9\n")


def _make_folder(pages):
    (pages / "ko/p.md").unlink()
    (pages / "ko/p.md").mkdir()


def _fill_folder(pages):
    (pages.parent / "snippets/p").write_text("")


NEW = {
    "a page that isn't UTF-8": ("p/x", _spoil_page, "docs/ko/p.md: byte 3 is not UTF-8."),
    "a page that is a folder": ("p/x", _make_folder, "docs/ko/p.md can't be read: Is a directory."),
    "a name that is a pattern": ("a**b/c", None, "`a**b/c` isn't a snippet's name. Write `page/what_it_shows`"),
    "a file in the place of the folder": ("p/x", _fill_folder, "File exists: 'snippets/p'"),
    "a page that isn't there": ("q/x", None, "there is no page docs/q.md or docs/<language>/q.md. Write it first"),
}


@pytest.mark.parametrize("what", NEW)
def test_new_writes_nothing_if_anything_is_wrong(shell, pages, what):
    name, spoil, sentence = NEW[what]
    if spoil:
        spoil(pages)
    files = {path: path.read_bytes() for path in pages.parent.rglob("*") if path.is_file()}
    done = shell("new", name)
    assert done.returncode == 1 and sentence in done.stderr and "Nothing was written." in done.stderr
    assert {path: path.read_bytes() for path in pages.parent.rglob("*") if path.is_file()} == files


def test_new_undoes_everything_if_a_page_cannot_be_written(shell, pages, monkeypatch):
    write = example.Path.write_bytes

    def full(path, data):
        if path.name == "p.md" and path.parent.name == "ko" and b"snippet" in data:
            raise OSError("No space left on device")
        return write(path, data)

    monkeypatch.setattr(example.Path, "write_bytes", full)
    assert "No space left on device Nothing was written." in shell("new", "p/x").stderr
    assert (pages / "en/p.md").read_bytes() == b"# A\n\nText.\n\n"
    assert not list(shell.folder.parent.glob("p/*"))


@pytest.mark.parametrize("target", ["/dev/full", "/proc/nothing/site.zip"])
def test_offline_reports_an_unwritable_target_before_it_builds(shell, target):
    done = shell("offline", target)
    assert done.returncode == 1 and "Name another file." in done.stderr and "Errno" not in done.stderr


def test_weave_reports_an_unwritable_target_before_it_builds(shell):
    done = shell("weave", "/proc/x")
    assert done.returncode == 1 and "/proc/x can't be written: No such file or directory." in done.stderr


def test_a_site_that_cannot_be_woven_leaves_no_folder(shell):
    assert shell("weave", "new").returncode == 1
    assert not (shell.folder.parents[1] / "new").exists()


def test_help_names_the_version_the_default_targets_and_the_pages_folder(shell):
    assert re.fullmatch(r"weaver, version \d+\.\d+\.\d+\n", shell("--version").stdout)
    assert "`site.zip`" in shell("offline", "--help").stdout and "`woven`" in shell("weave", "--help").stdout
    assert "The folder with the pages" in shell("new", "--help").stdout


def test_a_folder_instead_of_a_file_of_words_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ko.yml").mkdir()
    with pytest.raises(Problem, match=r"ko\.yml can't be read: Is a directory\. Fix or remove it\."):
        words(tmp_path, "ko")
