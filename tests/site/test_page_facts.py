"""A page's metadata."""

import json
from urllib.parse import parse_qs, urlsplit

from weaver.site.page_facts import alternates, commit, linked_data, report


def test_each_page_names_its_translations_and_a_default():
    assert alternates("https://s/a/", ["ko", "en"], "detach/") == [
        ("ko", "https://s/a/ko/detach/"),
        ("en", "https://s/a/en/detach/"),
        ("x-default", "https://s/a/en/detach/"),
    ]
    assert alternates("https://s/", ["ko", "en"], "")[-1] == ("x-default", "https://s/")


def test_linked_data_is_escaped_and_names_the_other_language():
    others = [("ko", "https://s/ko/x/"), ("en", "https://s/en/x/")]
    text = linked_data(
        "</script>", "D", "https://s/ko/x/", "ko", ["k"], "2026-01-02", others, ("S", "https://s/ko/")
    )
    assert "<" not in text
    data = json.loads(text)
    assert (
        data["headline"] == "</script>"
        and data["inLanguage"] == "ko"
        and data["dateModified"] == "2026-01-02"
    )
    assert [other["@id"] for other in data["workTranslation"]] == ["https://s/en/x/"]


def test_a_commit_has_an_address_if_the_repository_is_on_github():
    assert commit("https://github.com/a/b/", "1f2e3d4") == "https://github.com/a/b/commit/1f2e3d4"
    assert commit("https://example.org/a/b", "1f2e3d4") is commit("https://github.com/a/b", None) is None


def test_an_issue_has_an_address_if_the_repository_is_on_github():
    address = urlsplit(report("https://github.com/a/b/", "잎 & 뿌리", "one\ntwo #3"))
    assert (address.netloc, address.path) == ("github.com", "/a/b/issues/new")
    assert parse_qs(address.query) == {"title": ["잎 & 뿌리"], "body": ["one\ntwo #3"]}
    for repository in (None, "", "https://gitlab.com/a/b", "https://github.com/a", "https://github.com.evil/a/b"):
        assert report(repository, "t", "b") is None
