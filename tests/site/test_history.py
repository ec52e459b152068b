"""What the repository knows of a page."""

import os
import subprocess

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
    history = read(tmp_path)
    assert history.last_change([page]) == "2026-01-02"
    assert history.last_change([page, snippet]) == "2026-03-04"
    assert history.last_change([tmp_path / "new.md"]) is None
    assert history.commit == git(tmp_path, "rev-parse", "--short", "HEAD").strip()


def test_without_a_repository_nothing_is_known(tmp_path):
    assert read(tmp_path) == History()
