"""What stays in the folder of a served site while MkDocs empties that."""

from mkdocs.utils import clean_directory

from weaver.site.shelf import Shelf


def build(shelf, site, files):
    """Build a site with these files on the shelf; return the names of those that were written."""
    written = []

    def text(name):
        written.append(name)
        return files[name].encode()

    shelf.hide(site)
    clean_directory(str(site))
    site.mkdir(exist_ok=True)
    shelf.show(site)
    for name in files:
        shelf.put(name, files[name], lambda name=name: text(name))
    shelf.finish()
    assert {path.name: path.read_text() for path in (site / "programs").rglob("*.py")} == files
    return written


def test_only_what_changed_is_written_and_what_is_gone_is_removed(tmp_path):
    shelf, site = Shelf("programs"), tmp_path / "site"
    assert build(shelf, site, {"a.py": "1", "b.py": "2"}) == ["a.py", "b.py"]
    assert build(shelf, site, {"a.py": "1", "b.py": "3", "c.py": "4"}) == ["b.py", "c.py"]
    assert build(shelf, site, {"c.py": "4"}) == []


def test_a_site_that_someone_emptied_is_written_anew(tmp_path):
    shelf, site = Shelf("programs"), tmp_path / "site"
    build(shelf, site, {"a.py": "1"})
    (site / "programs/a.py").unlink()
    (site / "programs").rmdir()
    assert build(shelf, site, {"a.py": "1"}) == ["a.py"]
