"""Names with a hash."""

from weaver.site.hashed_names import rename


def test_a_name_changes_with_its_content_and_only_then():
    one, same, other = (rename({"a/x.png": content})["a/x.png"][0] for content in (b"1", b"1", b"2"))
    assert one == same != other
    assert one.startswith("a/x.") and one.endswith(".png") and len(one) == len("a/x.png") + 9


def test_a_stylesheet_names_its_font_by_the_new_name_and_changes_with_it():
    files = {"a/x.css": b'@font-face { src: url("f.woff2") }', "a/f.woff2": b"font"}
    renamed = rename(files)
    assert renamed["a/f.woff2"][0].removeprefix("a/").encode() in renamed["a/x.css"][1]
    assert rename({**files, "a/f.woff2": b"another"})["a/x.css"][0] != renamed["a/x.css"][0]
