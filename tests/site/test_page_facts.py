"""What is said about a page beside its text."""

import json

from weaver.site.page_facts import alternates, commit, linked_data


def test_each_page_names_its_translations_and_one_for_everyone_else():
    assert alternates("https://s/a/", ["ko", "en"], "detach/") == [
        ("ko", "https://s/a/ko/detach/"),
        ("en", "https://s/a/en/detach/"),
        ("x-default", "https://s/a/en/detach/"),
    ]
    assert alternates("https://s/", ["ko", "en"], "")[-1] == ("x-default", "https://s/")


def test_linked_data_is_safe_in_a_script_and_names_the_other_language():
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


def test_a_commit_has_an_address_where_its_repository_is_known_to_show_commits():
    assert commit("https://github.com/a/b/", "1f2e3d4") == "https://github.com/a/b/commit/1f2e3d4"
    assert commit("https://example.org/a/b", "1f2e3d4") is commit("https://github.com/a/b", None) is None
