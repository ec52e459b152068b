"""A what-if: what a page, its twin and its notebook show of the variants of a program."""

import json
import re
from types import SimpleNamespace

import pytest
from support.html import Text
from support.project import result, show

from weaver.execution.snippets.result import Line
from weaver.execution.snippets.source import read
from weaver.mkdocs.variants import Variants
from weaver.pages.parser import parse
from weaver.problem import Problem
from weaver.site.notebook import notebook

SOURCE = "x = 3\ny = x  # or: y = -x | nothing raises NameError\nprint(y)\n"
OUTPUTS = {"t/x": ["3"], "t/x.2": ["-3"], "t/x.3": []}
TEXT = "{{ what-if t/x }}\n{{ end }}\n"


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """A function that returns what directives need for a file, and results that say its variants' names."""
    monkeypatch.chdir(tmp_path)

    def shown(source=SOURCE, answers=lambda name: {}, outputs=OUTPUTS):
        (tmp_path / "x.py").write_text(source)
        snippet = read(tmp_path / "x.py", "t/x")
        results = {
            one.name: result(*outputs.get(one.name, []), answers=answers(one.name), error=one.raises)
            for one in snippet.variants
        }
        return show({one.name: one for one in snippet.variants}, results)

    return shown


def flips(text, shown):
    """Return what the script of the first what-if of a page holds, and the HTML of its parts."""
    directives = parse(text, "docs/en/x.md").directives
    made = Variants(directives[0], shown)
    html = [made.add(one, str(number)) for number, one in enumerate(directives)]
    return json.loads(made.text.split(", ", 1)[1].removesuffix(");\n")), html


def test_the_page_shows_the_first_variant_and_a_button_for_each(shown):
    _, [html] = flips(TEXT, shown())
    assert Text("pre", html).text == "x = 3\ny = x\nprint(y)\n3\n"
    assert re.findall(r'type="radio" name="flip-1-0" value="(\d)"( checked)?', html) == [("0", " checked"), ("1", ""), ("2", "")]
    assert "without it" in html and 'data-place="0"' in html


def test_numbers_are_a_slider_that_says_its_value(shown):
    _, [html] = flips(TEXT, shown("x = 3  # values: 1, 3, 5\nprint(x)\n"))
    assert 'type="range" id="flip-1-0" min="0" max="2" value="1"' in html
    assert 'aria-valuetext="3" data-texts="1 3 5"' in html and ">3</output>" in html


def test_what_differs_from_the_first_variant_is_sent_and_marked(shown):
    data, _ = flips(TEXT, shown(outputs={"t/x": ["a", "b"], "t/x.2": ["a", "c"], "t/x.3": ["a", "b"]}))
    code, output = data["pieces"]["code"], data["pieces"]["output"]
    assert code[0] is None and output[0] is None and output[2] is None
    assert re.findall(r'<span[^>]* class="differs">(.)', output[1]) == ["c"]
    assert len(re.findall(r'data-line="\d" data-place="0" class="differs"', code[1])) == 1


def test_what_asks_the_program_follows_and_the_rest_does_not(shown):
    text = "{{ what-if t/x }}\n\n{{ value t/x x }} {{ value t/z z }}\n{{ end }}\n\n{{ value t/x x }}\n"
    directives = parse(text, "docs/en/x.md").directives
    assert [bool(one.what_if) for one in directives] == [True, True, False, False]
    data, html = flips(
        "{{ what-if t/x }}\n\n{{ value t/x x }}\n{{ end }}\n", shown(answers=lambda name: {"text:x": name})
    )
    assert html[1] == '<span data-flip="1"><code class="value">t/x</code></span>'
    assert data["pieces"]["1"] == [None, *(f'<code class="value">t/x.{n}</code>' for n in (2, 3))]


def test_a_variant_that_stops_before_what_is_shown_says_so(shown):
    def answers(name):
        return {"text:y": NameError("NameError: name 'y'") if name == "t/x.3" else "1"}

    data, _ = flips("{{ what-if t/x }}\n\n{{ value t/x y }}\n{{ end }}\n", shown(answers=answers))
    assert data["pieces"]["1"][2] == '<span title="With this choice, the program stops before this point.">–</span>'
    with pytest.raises(Problem, match=r"`y` can't be evaluated after snippet `t/x` with `y = -x`: NameError"):
        flips(
            "{{ what-if t/x }}\n\n{{ value t/x y }}\n{{ end }}\n",
            shown(answers=lambda name: {"text:y": NameError("NameError: name 'y'") if name == "t/x.2" else "1"}),
        )


def test_a_prediction_offers_what_is_right_what_was_and_what_is_wrong(shown):
    text = "{{ what-if t/x y }}\n- 9\n\nProse:\n\n- no choice\n{{ end }}\n"
    data, [html] = flips(text, shown(answers=lambda name: {"text:y": name}))
    assert '<fieldset class="predict" data-flip="predict" hidden></fieldset>' in html
    second = data["pieces"]["predict"][1]
    assert sorted(re.findall(r'data-right="(\w+)"> (.*?)</label>', second)) == [
        ("false", "9"),
        ("false", "t/x"),
        ("true", "t/x.2"),
    ]


def test_a_wrong_choice_may_be_what_another_variant_gives(shown):
    data, _ = flips("{{ what-if t/x y }}\n- t/x.2\n{{ end }}\n", shown(answers=lambda name: {"text:y": name}))
    found = [re.findall(r'data-right="(\w+)"> (.*?)</label>', one) for one in data["pieces"]["predict"][1:3]]
    assert ("true", "t/x.2") in found[0] and ("false", "t/x.2") in found[1]


def test_without_javascript_and_in_the_twin_all_outputs_are_in_a_table(shown):
    [what_if] = parse(TEXT, "docs/en/x.md").directives
    outputs = {"t/x": ["3", "a|b"], "t/x.2": ["-3"], "t/x.3": ["NameError: y"]}
    assert what_if.markdown(shown(outputs=outputs)).endswith(
        "| What if | Output (torch 2.13.0) |\n| --- | --- |\n"
        "| `y = x` | `3`<br>`a\\|b` |\n| `y = -x` | `-3` |\n| without it | `NameError: y` |\n\n"
    )
    html = what_if.html(shown(outputs=outputs))
    assert "All 3 outputs" in html and "<td>3\na|b</td>" in html


def test_a_notebook_carries_the_first_and_the_table_of_all(shown):
    page = parse(f"# P {{ #p }}\n\n{TEXT}", "docs/en/p.md")
    _, code, table = json.loads(notebook(page, shown(), "https://s/en/", "p/"))["cells"]
    assert code["source"] == "x = 3\ny = x\nprint(y)" and code["outputs"][0]["text"] == "3\n"
    assert "| `y = -x` | `-3` |" in table["source"]


def test_a_value_that_follows_numbers_is_plotted(shown):
    numbers = "x = 3  # values: 1, 2, 3, 4\nprint(x)\n"
    text = "{{ what-if t/x x }}\n{{ end }}\n"
    _, [html] = flips(text, shown(numbers, answers=lambda name: {"text:x": "2.0"}))
    assert html.count("<path data-variant") == 4 and 'data-variant="2" class="now"' in html
    _, [html] = flips(text, shown(numbers, answers=lambda name: {"text:x": "None"}))
    assert "<svg" not in html


def test_two_places_on_one_line_stand_there_together(shown):
    data, _ = flips(TEXT, shown("a = 1  # or: 2\nb = 1  # or: nothing\n", outputs={}))
    assert 'data-line="1" data-place="0 1"' in data["pieces"]["code"][1]


def test_the_script_has_a_name_by_what_it_holds(shown):
    page = SimpleNamespace(path="docs/en/x.md")
    names = []
    for outputs in (OUTPUTS, OUTPUTS, {**OUTPUTS, "t/x.2": [Line("4", 3, "out")]}):
        [directive] = parse(TEXT, "docs/en/x.md").directives
        made = Variants(directive, shown(outputs=outputs))
        made.add(directive, "0")
        names.append(made.file(page))
    assert names[0] == names[1] != names[2] and re.fullmatch(r"x\.1\.[0-9a-f]{8}\.js", names[0])


def test_a_wrong_choice_is_not_what_every_variant_gives(shown):
    text = "{{ what-if t/x y }}\n- 7\n{{ end }}\n"
    seen = shown(answers=lambda name: {"text:y": "6" if name == "t/x" else "7"})
    with pytest.raises(Problem, match=r"x\.md:1: `7` is listed as a wrong choice, but every variant gives it. Remove it from the list"):
        flips(text, seen)
    flips(text.replace("7", "6"), seen)
