"""The site's folder: whole or as it was, and never another's."""

import os
from pathlib import Path

import pytest

from weaver.problem import Problem
from weaver.site.staging import Staging, check


@pytest.fixture
def project(tmp_path):
    for name in ("docs", "snippets", "site"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sitemap.xml").write_text(f"the {name} that were there")
    return tmp_path


def checked(project, site="site"):
    return check(project / site, {"docs_dir": project / "docs", "`snippets`": project / "snippets", "the project": project})


def staged(project, site="site"):
    return Staging(checked(project, site), project / "cache")


def test_what_was_built_takes_the_place_of_what_was_there(project):
    (project / "site/old.html").write_text("old")
    (project / "site/.git").mkdir()
    (project / "site/.git/HEAD").write_text("ours")
    built = staged(project)
    (built.folder / "index.html").write_text("new")
    assert (project / "site/old.html").exists()
    built.appear()
    assert sorted(os.listdir(project / "site")) == [".git", "index.html"]
    assert (project / "site/.git/HEAD").read_text() == "ours"
    assert os.listdir(project / "cache/runs") == []


def test_what_was_not_finished_leaves_what_was_there(project):
    built = staged(project)
    (built.folder / "index.html").write_text("half")
    built.discard()
    assert os.listdir(project / "site") == ["sitemap.xml"]


def test_an_interruption_between_two_moves_leaves_what_was_there(project, monkeypatch):
    def interrupted(self, target, rename=Path.rename):
        if self.name == "site" and "runs" in self.parts:
            raise KeyboardInterrupt
        return rename(self, target)

    built = staged(project)
    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        built.appear()
    assert os.listdir(project / "site") == ["sitemap.xml"]


def test_where_folders_cannot_change_places_the_files_do(project, monkeypatch):
    def fails(*_):
        raise OSError("Invalid cross-device link")

    (project / "site/a").mkdir()
    (project / "site/b").write_text("a file where a folder comes")
    built = staged(project)
    (built.folder / "a").write_text("a file where a folder was")
    (built.folder / "b").mkdir()
    (built.folder / "b/c").write_text("c")
    monkeypatch.setattr(Path, "rename", fails)
    built.appear()
    assert sorted(os.listdir(project / "site")) == ["a", "b"]
    assert (project / "site/b/c").read_text() == "c"
    assert sorted(os.listdir(project)) == ["cache", "docs", "site", "snippets"]


def test_a_served_site_leads_to_the_last_build_of_which_what_is_the_same_is_linked(project):
    written, before = [], None
    for files in ({"p/a.py": "1", "p/b.py": "2"}, {"p/a.py": "1", "p/b.py": "3"}, {"p/b.py": "3"}):
        built = Staging(project / "served", project / "cache", before)
        for name, text in files.items():
            built.write(name, text, lambda text=text: written.append(text) or text.encode())
        built.serve()
        if before:
            before.discard()
        assert {f"p/{path.name}": path.read_text() for path in (project / "served/p").iterdir()} == files
        before = built
    assert written == ["1", "2", "3"]
    built.discard()
    assert not os.path.lexists(project / "served") and os.listdir(project / "cache/runs") == []


@pytest.mark.parametrize("site", ["snippets", "docs", ".", "..", "snippets/inside", "docs/../snippets"])
def test_a_site_that_would_take_the_place_of_its_sources_is_refused(project, site):
    with pytest.raises(Problem, match=r"is inside it, and a build replaces that folder\. Set it to a separate folder"):
        checked(project, site)
    assert (project / "snippets/sitemap.xml").exists()


def test_a_site_that_no_build_made_is_refused(project):
    (project / "thesis").mkdir()
    (project / "thesis/chapter.tex").write_text("x")
    with pytest.raises(Problem, match=r"thesis, which contains files that no build created, such as `chapter\.tex`"):
        checked(project, "thesis")
    (project / "notes").write_text("x")
    with pytest.raises(Problem, match=r"which is a file\. Set it to a folder"):
        checked(project, "notes")


def test_a_link_to_the_site_stays_one(project):
    (project / "public").symlink_to("site")
    built = staged(project, "public")
    (built.folder / "index.html").write_text("new")
    built.appear()
    assert (project / "public").is_symlink() and (project / "site/index.html").exists()
