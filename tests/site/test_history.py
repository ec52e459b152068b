"""What the repository knows of a page."""

import os
import subprocess

import pytest

from weaver.execution.cache import Cache
from weaver.site.history import History, read


def git(folder, *arguments, date="2026-01-02T03:04:05+00:00"):
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    environment = {**os.environ, **identity, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_a_page_changed_when_it_or_one_of_its_snippets_did(tmp_path):
    git(tmp_path, "init", "--quiet")
    page, snippet, other = (tmp_path / name for name in ("쪽.md", "x.py", "other.py"))
    for path, day in ((page, "2026-01-02"), (snippet, "2026-03-04"), (other, "2026-05-06")):
        path.write_text("1")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "--quiet", "--message", "m", date=f"{day}T00:00:00+00:00")
    history = read(tmp_path, Cache(tmp_path / "cache"))
    assert history.last_change([page]) == "2026-01-02"
    assert history.last_change([page, snippet]) == "2026-03-04"
    assert history.last_change([tmp_path / "new.md"]) is None
    assert history.commit == git(tmp_path, "rev-parse", "--short", "HEAD").strip()


def test_without_a_repository_nothing_is_known(tmp_path):
    assert read(tmp_path, Cache(tmp_path / "cache")) == History()


def commit(folder, name, day="2026-01-02"):
    (folder / os.fsdecode(name)).write_text(day)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "m", date=f"{day}T00:00:00+00:00")


def test_the_way_to_a_repository_and_names_in_it_may_be_any(tmp_path):
    folder = tmp_path / "a b\nc"
    folder.mkdir()
    git(folder, "init", "--quiet")
    for name in (b"p q.md", b'"quoted"\t.md', b"line\nend.md", b"2026-09-09"):
        commit(folder, name)
        assert read(folder, Cache(tmp_path / "cache")).last_change([folder / os.fsdecode(name)]) == "2026-01-02", name


def test_a_shallow_clone_knows_no_dates(tmp_path):
    git(tmp_path, "init", "--quiet", "whole")
    for day in ("2026-01-02", "2026-03-04"):
        commit(tmp_path / "whole", b"p.md", day)
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{tmp_path}/whole", "shallow")
    history = read(tmp_path / "shallow", Cache(tmp_path / "cache"))
    assert history.commit and history.dates == {}


def test_a_git_that_hangs_is_stopped(tmp_path, monkeypatch, caplog):
    (tmp_path / "git").write_text("#!/bin/sh\nexec sleep 1000\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("weaver.site.history.LIMIT", 0.5)
    assert read(tmp_path, Cache(tmp_path / "cache")) == History()
    assert "git took longer than 0.5 s" in caplog.text


@pytest.mark.parametrize("said", ["", "word", "two\\nwords", "true\\n\\n", "\\377\\376\\n\\377\\nabc\\n", "false\\n/a\\nno commit\\n"])
def test_a_git_that_says_something_else_is_none(tmp_path, monkeypatch, said):
    (tmp_path / "git").write_text(f"#!/bin/sh\nprintf '{said}'\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert read(tmp_path, Cache(tmp_path / "cache")) == History()
