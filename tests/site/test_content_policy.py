"""The content security policy."""

import base64
import hashlib

import pytest

from weaver.site.content_policy import inert, protect


def digest(code):
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def test_only_the_inline_code_of_the_page_is_allowed():
    page = '<meta charset="utf-8"><script>a()</script><style>b{}</style><script src="c.js"></script>'
    policy = protect(page)
    assert f"script-src &#x27;self&#x27; &#x27;sha256-{digest('a()')}&#x27;;" in policy
    assert f"style-src &#x27;self&#x27; &#x27;sha256-{digest('b{}')}&#x27;;" in policy
    assert "unsafe-eval" not in policy and "http:" not in policy
    assert policy.index("Content-Security-Policy") < policy.index("<script>")


def test_json_data_needs_no_hash():
    page = '<meta charset="utf-8"><script type="application/ld+json">{}</script><script id="c" type="application/json">1</script>'
    assert "sha256" not in protect(page)


def test_the_policy_is_in_a_page_however_its_character_set_is_written():
    for head in (
        "<head><meta charset=utf-8>",
        "<HEAD><META CHARSET='UTF-8' />",
        '<head lang="en"><title>x</title>',
        '<head><title>x</title><meta charset="utf-8">',
        "<p>",
    ):
        assert protect(f"<!doctype html>{head}<script>a()</script>").count("Content-Security-Policy") == 1, head


@pytest.mark.parametrize(
    "begun",
    [
        "<meta charset=utf-8>",
        '<META CHARSET="UTF-8" />',
        "<!doctype html><html lang=en><head>",
        "<!doctype html><html lang=en>",
        "<!doctype html>",
        "",
    ],
)
def test_a_page_that_a_minifier_made_has_a_policy_before_its_scripts(begun):
    policy = protect(f"{begun}<SCRIPT>a()</SCRIPT ><p>x")
    assert policy.startswith(f"{begun}<meta http-equiv=") and digest("a()") in policy


def test_an_attribute_whose_name_ends_in_src_is_not_src():
    assert digest("a()") in protect('<meta charset="utf-8"><script data-src="x">a()</script>')


@pytest.mark.parametrize(
    "script",
    [
        "<script>a()</script>",
        "<SCRIPT type=module>a()</SCRIPT >",
        '<script data-x=">">a()</script>',
        "<script>a()</script x>",
        '<script>a("<h2")</script>',
    ],
)
def test_an_inline_script_in_a_pages_content_becomes_text(script):
    theme = '<meta charset="utf-8"><script>ours()</script>'
    policy = protect(f"{theme}{inert(f'<p>{script}</p>')}<script>late()</script>")
    assert digest("ours()") in policy and digest("late()") in policy
    assert policy.count("sha256") == 2 and "&lt;script" in policy.lower()


def test_scripts_with_src_and_data_in_a_pages_content_stay():
    page = '<script src="a.js"></script><script type="application/json">1</script><scripted>'
    assert inert(page) == page
