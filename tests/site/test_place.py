"""The site's folder: whole or as it was, and never another's."""

import os

import pytest

from weaver.problem import Problem
from weaver.site import place as module
from weaver.site.place import Place


@pytest.fixture
def project(tmp_path):
    for name in ("docs", "snippets", "site"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sitemap.xml").write_text(f"the {name} that were there")
    return tmp_path


def place(project, site="site"):
    sources = {"docs_dir": project / "docs", "`snippets`": project / "snippets", "the project": project}
    return Place(project / site, project / "cache", sources)


def test_what_was_built_takes_the_place_of_what_was_there(project):
    (project / "site/old.html").write_text("old")
    (project / "site/.git").mkdir()
    (project / "site/.git/HEAD").write_text("ours")
    built = place(project)
    (built.staged / "index.html").write_text("new")
    assert (project / "site/old.html").exists()
    built.appear()
    assert sorted(os.listdir(project / "site")) == [".git", "index.html"]
    assert (project / "site/.git/HEAD").read_text() == "ours"
    assert os.listdir(project / "cache/runs") == []


def test_what_was_not_finished_leaves_what_was_there(project):
    built = place(project)
    (built.staged / "index.html").write_text("half")
    built.discard()
    assert os.listdir(project / "site") == ["sitemap.xml"]


@pytest.mark.parametrize("in_the_way", [["_put"], ["renameat2"]], ids=["another disk", "no exchange"])
def test_where_folders_cannot_change_places_the_files_do(project, monkeypatch, in_the_way):
    def fails(*_):
        raise OSError("Invalid cross-device link")

    if in_the_way == ["_put"]:
        monkeypatch.setattr(module, "_put", fails)
    else:
        monkeypatch.setattr(module.sys, "platform", "darwin")
    (project / "site/a").mkdir()
    (project / "site/b").write_text("a file where a folder comes")
    built = place(project)
    (built.staged / "a").write_text("a file where a folder was")
    (built.staged / "b").mkdir()
    (built.staged / "b/c").write_text("c")
    built.appear()
    assert sorted(os.listdir(project / "site")) == ["a", "b"]
    assert (project / "site/b/c").read_text() == "c"
    assert sorted(os.listdir(project)) == ["cache", "docs", "site", "snippets"]


@pytest.mark.parametrize("site", ["snippets", "docs", ".", "..", "snippets/inside", "docs/../snippets"])
def test_a_site_that_would_take_the_place_of_its_sources_is_refused(project, site):
    with pytest.raises(Problem, match=r"is inside it, and a build replaces that folder\. Set it to a separate folder"):
        place(project, site)
    assert (project / "snippets/sitemap.xml").exists()


def test_a_site_that_no_build_made_is_refused(project):
    (project / "thesis").mkdir()
    (project / "thesis/chapter.tex").write_text("x")
    with pytest.raises(Problem, match=r"thesis, which contains files that no build created, such as `chapter\.tex`"):
        place(project, "thesis")
    (project / "notes").write_text("x")
    with pytest.raises(Problem, match=r"which is a file\. Set it to a folder"):
        place(project, "notes")


def test_a_link_to_the_site_stays_one(project):
    (project / "public").symlink_to("site")
    built = place(project, "public")
    (built.staged / "index.html").write_text("new")
    built.appear()
    assert (project / "public").is_symlink() and (project / "site/index.html").exists()
