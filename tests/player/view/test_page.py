"""The page of one trace: self-contained, escaped, of limited size; its picture and its colors."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from support.trace.trace_view import unpacked
from support.trace.viewed import PROGRAMS, trace_of
from support.trace.warm import traced

from weaver.player.color import lines
from weaver.player.page import page, view_data
from weaver.player.picture import draw, short
from weaver.player.remarks import Remark
from weaver.player.shorten import moved, shorten
from weaver.recording import compact


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_page_needs_no_other_file_and_names_its_program(language):
    text = page(trace_of("detach"), PROGRAMS["detach"], language)
    assert f'<html lang="{language}">' in text and "detach.py" in text
    assert not re.search(r'(src|href)="(?!data:,)', text) and "http://" not in text and "https://" not in text
    assert "default-src 'none'" in text


def test_text_of_a_program_is_escaped():
    source = PROGRAMS["text"]
    text = page(trace_of("text"), source, "en")
    assert text.count("</script>") == 3 and "<b>not bold" not in text and "<!-- 한글" not in text
    name = '<img src=x onerror="alert(1)">.py'
    assert name not in page(replace(trace_of("text"), program=name), source, "en")


def test_a_page_that_is_too_large_leaves_out_the_middle_and_says_so():
    trace, source = trace_of("training"), PROGRAMS["training"]
    whole = len(page(trace, source, "en").encode())
    text = page(trace, source, "en", limit=whole * 4 // 5)
    assert len(text.encode()) <= whole * 4 // 5
    stored = unpacked(text)[0]["trace"]
    [gap] = [step["g"] for step in stored["steps"] if "g" in step]
    assert gap["steps"] + len(stored["steps"]) == len(trace.steps)
    assert gap["recorded"] == gap["steps"] and gap["iterations"]
    listed, note = stored["notes"]
    assert (listed["why"], note["why"], note["n"]) == ("listed", "bytes", gap["steps"])
    option, size = note["text"].split()[1:]
    assert (option, len(page(trace, source, "en", limit=int(size)).encode())) == ("--bytes", whole)
    with pytest.raises(ValueError, match="for this program, not 1,000"):
        page(trace, source, "en", limit=1000)


def test_a_shortened_trace_keeps_its_ends_and_the_order_of_its_nodes():
    trace = trace_of("grows")
    count = len(trace.steps)
    less = shorten(trace, [*range(5), *range(count - 5, count)])
    assert [step.line for step in less.steps] == [step.line for step in [*trace.steps[:5], *trace.steps[-5:]]]
    assert less.steps[-1].tensors == trace.steps[-1].tensors
    assert compact.read(compact.write(less)) == less
    assert max(node.born for node in less.nodes) < 10


def test_a_shortened_trace_keeps_some_steps_and_counts_the_others():
    trace = trace_of("training")
    count = len(trace.steps)
    kept = [0, 1, 2, *range(count // 2 - 3, count // 2 + 3), count - 3, count - 2, count - 1]
    less = shorten(trace, kept)
    assert [step.line for step in less.steps] == [trace.steps[at].line for at in kept]
    assert less.steps[moved(count // 2, kept)].tensors == trace.steps[count // 2].tensors
    assert moved(3, kept) == 3 and moved(count, kept) == 11
    gaps = [step.gap for step in less.steps if step.gap]
    assert len(gaps) == 2 and sum(gap.steps for gap in gaps) + 12 == count
    assert sum(gap.recorded for gap in gaps) + 12 == count
    assert compact.read(compact.write(less)) == less


def test_a_page_begins_with_what_is_wrong_and_opens_where_that_is_seen():
    trace, source = trace_of("training"), PROGRAMS["training"]
    middle = len(trace.steps) // 2
    remark = Remark("Wrong", "p.py:3", "a < b", ("`a < b` & more", "do"), middle)
    whole = page(trace, source, "en", remarks=[remark], opens=middle)
    assert "<p><code>a &lt; b</code> &amp; more</p><p>do</p>" in whole
    for text in (whole, page(trace, source, "en", len(whole) * 4 // 5, remarks=[remark], opens=middle)):
        [moment] = re.findall(r'<button type="button" data-moment="(\d+)">p.py:3</button>', text)
        assert unpacked(text)[2]["start"] == int(moment)
    assert "wt-found" not in page(trace, source, "en").split("</style>")[1].split("<script>")[0]


def test_a_training_loop_has_one_picture_and_a_growing_graph_is_folded():
    training, grows = draw(trace_of("training")), draw(trace_of("grows"))
    assert training.boxes < 12 and len(training.same) > 400
    assert grows.boxes < 20 and "× " in grows.svg
    long = "import torch\nx = torch.ones((), requires_grad=True)\n" + "x = x * 2\nx = x.sin()\n" * 40
    large = draw(traced("long.py", long)[0])
    assert large.svg == "" and large.boxes > 60


def test_values_in_the_picture_are_short():
    trace = trace_of("module")
    values = [facts.value for step in trace.steps for facts in step.tensors.values()]
    assert all(len(short(value)) <= 26 for value in values)
    assert (
        short([[1.0]]) == "[[1]]"
        and short([1.5, "nan"]) == "[1.5, nan]"
        and short([0.123456789] * 9) == "(9,)"
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_colored_lines_are_the_program(name):
    html = lines(PROGRAMS[name])
    assert [unescape(re.sub("<[^>]+>", "", line)) for line in html] == PROGRAMS[name].splitlines()
    assert '<span class="wt-keyword">import</span> torch' in html


def test_a_file_that_is_not_python_has_lines_without_colors():
    assert lines('x = """\n<b>') == ["x = &quot;&quot;&quot;", "&lt;b&gt;"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_views_data_is_the_trace(name):
    data = view_data(trace_of(name), PROGRAMS[name])
    assert compact.read(json.dumps(data["trace"])) == trace_of(name)
