"""A page gets the styles that it may use: rules that may match, and variables that are read."""

import pytest

from weaver.site import styles


def used(css, page, scripts=()):
    return styles.used([(css, "../assets")], styles.words(page, scripts))


PAGE = '<body dir="ltr"><p class="note wide" id="here">text <em>of</em> it</p><script>const a = "later"</script>'


@pytest.mark.parametrize(
    "rule",
    [
        "p{a:b}",
        ".note.wide>em{a:b}",
        "#here:before{a:b}",
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
        'p{background:url(data:image/svg+xml;x{})}',
    ],
)
def test_a_rule_that_may_select_something_stays(rule):
    assert used(rule, PAGE, ['el.className = "later"']) == rule


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
    assert used(rule, PAGE) == ""


def test_an_invalid_rule_is_dropped_and_the_rest_stays():
    assert used("p{a:b}p:::x{a:b}em{c:d}", PAGE) == "p{a:b}em{c:d}"


def test_of_several_selectors_those_that_may_match_stay():
    assert used("h1,p,.gone em{a:b}", PAGE) == "p{a:b}"


def test_a_variable_stays_if_a_used_variable_reads_it():
    css = "p{--a:var(--b);--b:1;--c:2}em{d:var(--a)}"
    assert used(css, PAGE) == "p{--a:var(--b);--b:1}em{d:var(--a)}"


def test_relative_addresses_are_resolved_from_the_page():
    css = '@font-face{font-family:f;src:url(a.woff2)}p{background:url(data:x);mask:url(#c)}'
    kept = '@font-face{font-family:f;src:url(../assets/a.woff2)}p{background:url(data:x);mask:url(#c)}'
    assert used(css, PAGE) == kept
