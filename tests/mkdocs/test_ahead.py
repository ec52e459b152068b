"""What a cold build does ahead on another core, and that it changes nothing."""

import os
import shutil

import pytest
from mkdocs.exceptions import Abort
from support.project import LANGUAGES, SITE, write_files
from support.served import Rebuilt, inside

from weaver.execution.snippets.runner import Runner
from weaver.mkdocs import ahead, read_site
from weaver.mkdocs.page_cache import PageCache
from weaver.problem import Problem

CONFIG = SITE + """  - weaver: {languages: {ko: {name: 한국어}, en: {name: English}}}
markdown_extensions: [attr_list]
"""
PAGE = "# P { #p }\n\n{{ snippet t/x }}\n\n{{ graph t/x y }}\n"
PROGRAM = "import torch\n\nx = torch.ones(2, requires_grad=True)\ny = (x * 2).sum()\nprint(y)\n"
IN_CODE = PAGE.replace("{{ snippet", "    {{ snippet")

pytestmark = pytest.mark.skipif(not ahead.is_possible(), reason="forks aren't safe here, or there's one core")


@pytest.fixture
def project(tmp_path):
    files = {"mkdocs.yml": CONFIG, "docs/index.md": "# Gate { #gate }\n", "snippets/t/x.py": PROGRAM}
    for language in LANGUAGES:
        files |= {f"docs/{language}/{name}.md": PAGE for name in ("index", "page")}
    with inside(Rebuilt(tmp_path, files)) as project:
        yield project


@pytest.fixture
def steps(monkeypatch):
    """The keys of what this process, and no fork of it, makes of pages."""
    keys, plainly = [], PageCache.put
    monkeypatch.setattr(
        PageCache, "put", lambda cache, key, made: (keys.append(key), plainly(cache, key, made))
    )
    return keys


def cold(project) -> dict[str, bytes]:
    """Return the files of a build without a cache."""
    shutil.rmtree(project.folder / ".cache", ignore_errors=True)
    project.build()
    return project.files("site")


def test_what_is_made_ahead_is_what_the_build_makes_without_it(project, steps, monkeypatch):
    found = cold(project)
    made, steps[:] = len(steps), []
    monkeypatch.setattr(ahead, "is_possible", lambda: False)
    assert found == cold(project)
    assert made < 0.6 * len(steps)


def test_what_fails_ahead_fails_in_the_build_too_and_the_last_site_stays(project):
    before = cold(project)
    write_files(project.folder, {"docs/en/page.md": IN_CODE})
    with pytest.raises(Abort, match=r"docs/en/page.md:3: `{{ snippet \.\.\. }}` is in code"):
        cold(project)
    assert project.files("site") == before


def test_a_fault_that_only_the_fork_meets_changes_nothing(project, monkeypatch):
    before, process = cold(project), os.getpid()

    def put(cache, key, made):
        if os.getpid() != process:
            raise Problem("no room")

    monkeypatch.setattr(PageCache, "put", put)
    assert cold(project) == before


def test_only_a_first_build_starts_the_server_before_the_pages_are_read(project, monkeypatch):
    begun, warm, read = [], Runner.warm, read_site.Content
    monkeypatch.setattr(Runner, "warm", lambda runner: (begun.append("server"), warm(runner)))
    monkeypatch.setattr(read_site, "Content", lambda *of: (begun.append("pages"), read(*of))[1])
    cold(project)
    project.build()
    assert begun == ["server", "pages", "pages"]
