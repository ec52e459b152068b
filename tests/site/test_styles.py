"""Of all styles a page gets those that it may use: what selects something, and the variables that are read."""

import pytest

from weaver.site.styles import parse, used, words

PAGE = '<body dir="ltr"><p class="note wide" id="here">text <em>of</em> it</p><script>const a = "later"</script>'


@pytest.mark.parametrize(
    "rule",
    [
        "p{a:b}",
        ".note.wide>em{a:b}",
        "#here::before{a:b}",
        "[dir=ltr] p{a:b}",
        ".later:hover{a:b}",
        "#later{a:b}",
        ":is(.gone,.note) em{a:b}",
        "p:not(.gone){a:b}",
        "p:has(em){a:b}",
        "@media print{p{a:b}}",
        "@media screen{@media print{em{a:b}}}",
        "@font-face{a:b}",
        "@page{a:b}",
        "*{a:b}",
        'p{background:url("data:image/svg+xml;x{}")}',
    ],
)
def test_a_rule_that_may_select_something_stays(rule):
    assert used(parse(rule), words(PAGE, ['el.className = "later"'])) == rule


@pytest.mark.parametrize(
    "rule",
    [
        "h1{a:b}",
        ".note.gone{a:b}",
        ":is(.gone,h1) em{a:b}",
        "[dir=rtl] p{a:b}",
        "p:has(h1){a:b}",
        "@media print{.gone{a:b}}",
        "p{--nobody:1}",
        "#note{a:b}",
        ".here{a:b}",
        "p:has(#wide){a:b}",
    ],
)
def test_a_rule_that_selects_nothing_goes(rule):
    assert used(parse(rule), words(PAGE, [])) == ""


def test_of_several_selectors_those_stay_that_select_something():
    assert used(parse("h1,p,.gone em{a:b}"), words(PAGE, [])) == "p{a:b}"


def test_a_variable_stays_that_another_that_is_read_reads():
    css = "p{--a:var(--b);--b:1;--c:2}em{d:var(--a)}"
    assert used(parse(css), words(PAGE, [])) == "p{--a:var(--b);--b:1}em{d:var(--a)}"


def test_what_a_stylesheet_names_beside_itself_is_named_from_the_page():
    css = '@font-face{src:url("a.woff2")}p{a:url(data:x);b:url(#c)}'
    assert parse(css, "../assets")[0].text == '@font-face{src:url("../assets/a.woff2")}'
    assert "url(data:x)" in used(parse(css, "../assets"), words(PAGE, []))
