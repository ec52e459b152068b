"""Names with a hash."""

import pytest

from weaver.mkdocs.assets import rename


def test_a_name_changes_if_and_only_if_its_content_does():
    one, same, other = (rename({"a/x.png": content})["a/x.png"][0] for content in (b"1", b"1", b"2"))
    assert one == same != other
    assert one.startswith("a/x.") and one.endswith(".png") and len(one) == len("a/x.png") + 9


@pytest.mark.parametrize("address", ['"f.woff2"', "'f.woff2'", "f.woff2"])
def test_a_style_sheet_names_its_font_by_the_new_name(address):
    renamed = rename({"a/x.css": f"@font-face{{src:url({address})}}".encode(), "a/f.woff2": b"font"})
    assert renamed["a/f.woff2"][0].removeprefix("a/").encode() in renamed["a/x.css"][1]


def test_a_style_sheet_gets_its_fonts_new_name_and_changes_with_it():
    files = {"a/x.css": b'@font-face { src: url("f.woff2") }', "a/f.woff2": b"font"}
    renamed = rename(files)
    assert renamed["a/f.woff2"][0].removeprefix("a/").encode() in renamed["a/x.css"][1]
    assert rename({**files, "a/f.woff2": b"another"})["a/x.css"][0] != renamed["a/x.css"][0]
