"""What a page of its own has besides the player: longer strides, and a graph of any size, collapsed."""

from collections import Counter

import pytest
from support.axe import violations
from support.project import LANGUAGES, TRACE_WORDS, hear
from support.trace.sentences import REAL
from support.trace.warm import traced

from weaver.player import page as pages
from weaver.player.moments import line
from weaver.player.remarks import Remark
from weaver.player.shorten import shorten
from weaver.recording.limits import Limits
from weaver.tracing import run as tracing

MOVES = """import torch


def add(x):
    y = x + 1
    return y


x = torch.zeros(1, requires_grad=True)
for i in range(3):
    for j in range(2):
        z = add(x)
    z.backward()
print(x)
"""
GPT = (REAL / "tiny_gpt.py").read_text("utf-8")


@pytest.fixture
def look(browser, tmp_path, monkeypatch):
    """Open the page of a program from the disk, without a picture that Graphviz laid out."""
    monkeypatch.setattr("weaver.player.picture.can_lay_out", lambda: False)
    opened, wrong = [], []

    def look(source, width=1280, language="en", trace=None, **more):
        trace = trace or traced("program.py", source)[0]
        file = tmp_path / "page.html"
        file.write_text(pages.page(trace, source, language, words=TRACE_WORDS[language], **more), "utf-8")
        page = browser.new_page(viewport={"width": width, "height": 740})
        opened.append(page)
        hear(page, f"file://{tmp_path}", wrong)
        page.goto(f"file://{file}")
        page.wait_for_function("window.player")
        return page, trace

    yield look
    for page in opened:
        page.close()
    assert wrong == []


def at(page):
    """Return the line and the iterations that are shown."""
    return page.evaluate("(({line, depth, loops}) => [line, depth, loops.map((one) => one[1])])(player.moments[player.at])")


def test_a_nodes_turn_says_which_line_recorded_it(look):
    page, _ = look(MOVES)
    page.evaluate("player.go(player.moments.findIndex(({ event }) => event?.kind === 'visit' && event.node[0] === 'n'))")
    assert page.locator(".wt-where").inner_text().endswith("· node from line 5")


def test_nested_loops_without_numbers_are_told_apart_by_their_headers(look):
    page, _ = look("import torch\nfor x, y in [(1, 2)]:\n    while x < 2:\n        x += 1\n")
    page.evaluate("player.go(player.moments.findIndex(({ line }) => line === 4))")
    assert page.locator(".wt-where").inner_text() == "line 4 · for x, y: iteration 1 · while: iteration 1"
    page.keyboard.press("ArrowLeft")
    assert page.locator(".wt-sentence").inner_text() == "The loop is at iteration 1."


def row(page, code, name):
    """Return the row of a tensor after the last run of a line, as its name, what became of it, and the rest."""
    page.evaluate("code => player.go(player.moments.findLastIndex(({ line, kind }) => kind === 'line' && player.teller.text(line).includes(code)))", code)
    found = page.locator("li.wt-row", has=page.locator(f"b:text-is('{name}')")).first
    return " ".join(found.locator("summary").inner_text().split())


WALK = """import torch
def walk(self):
    one = self.weight
    one = self.bias
def main():
    net = torch.nn.Linear(3, 2)
    net(torch.ones(1, 3)).sum().backward()
    walk(net)
main()
"""


def test_a_variable_that_leads_elsewhere_has_no_gradient_of_the_tensor_before(look):
    page, _ = look(WALK)
    found = row(page, "one = self.bias", "one")
    assert ".grad [1, 1]" in found and "→" not in found


RESET = """import torch
w = torch.ones(SHAPE, requires_grad=True)
for i in range(2):
    loss = (w * 2).sum()
    w.grad = None
    loss.backward()
"""


@pytest.mark.parametrize("shape", ["()", "2", "100"])
def test_a_gradient_that_was_reset_in_a_gap_is_gone_until_the_pass_reaches_its_leaf(look, shape):
    source = RESET.replace("SHAPE", shape)
    whole = traced("program.py", source)[0]
    page, _ = look(source, trace=shorten(whole, [at for at, step in enumerate(whole.steps) if step.line != 5]))
    events = page.evaluate("player.moments.filter(({ event }) => event?.run === 1).map(({ event, state }) => [event.kind, 'w.grad' in state])")
    assert events[0] == ["start", False] and events[-1][1] and len({is_there for _, is_there in events}) == 2


def test_a_parameter_whose_data_is_replaced_is_changed_and_not_new(look):
    source = "import torch\nw = torch.ones(2, requires_grad=True)\nw.data = w.data * 3\nz = w\n"
    page, _ = look(source)
    assert row(page, "w.data =", "w").startswith("w [1, 1] → [3, 3] changed")


def test_what_is_hidden_is_said_once_of_all_that_hides_some(look):
    lists = "".join(f"{name} = [torch.zeros(1) for _ in range(70)]\n" for name in ("rows", "others"))
    page, _ = look(f"import torch\n{lists}x = torch.ones(1)\n")
    page.keyboard.press("End")
    assert page.locator("p.wt-note").all_inner_texts() == ["Not all tensors in rows, others were inspected."]
    page, _ = look("import torch\n")
    assert page.locator("p.wt-note").all_inner_texts() == ["No tensors are listed here."]


def test_a_whole_number_is_not_rounded(look):
    page, _ = look("import torch\nrows = torch.tensor([122499, 3])\nz = rows\n")
    assert "[122499, 3]" in row(page, "rows =", "rows")


@pytest.mark.parametrize("by", ["key", "button"])
def test_a_stride_steps_over_a_call_out_of_it_or_to_the_next_iteration(look, by):
    page, _ = look(MOVES)

    def go(name, key):
        page.keyboard.press(key) if by == "key" else page.locator(f"[data-move={name}]").click()
        return at(page)

    page.evaluate("player.go(player.moments.findIndex((one) => one.line === 11))")
    assert at(page) == [11, 0, [0, 0]]
    assert go("over", "o") == [12, 0, [0, 0]]
    page.evaluate("player.go(player.moments.findIndex((one) => one.depth === 1))")
    assert at(page) == [5, 1, [0, 0]]
    assert go("over", "o") == [6, 1, [0, 0]]
    assert go("out", "u") == [12, 0, [0, 0]]
    assert go("iteration_next", "i") == [11, 0, [0, 1]]
    page.evaluate("player.go(player.moments.findIndex((one) => one.line === 13))")
    assert go("iteration_next", "i") == [10, 0, [1]]


def test_each_file_has_a_tab_and_lines_of_its_own(look, tmp_path):
    (tmp_path / "nets.py").write_text("import torch\n\n\ndef half(x):\n    return x / 2\n")
    (tmp_path / "train.py").write_text("import torch\nfrom nets import half\nx = torch.ones(1)\ny = half(x)\nz = y\n")
    trace = tracing.trace(tracing.Program(tmp_path / "train.py"))[0]
    page, _ = look((tmp_path / "train.py").read_text(), trace=trace)
    tabs = page.locator(".wt-program > .wt-strip button")
    assert tabs.all_inner_texts() == ["train.py", "nets.py"]
    page.keyboard.press("Home")
    shown = []
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        lines = page.locator(".wt-code li:visible")
        now = page.locator(".wt-now:visible")
        shown.append((now.inner_text()[0], page.locator(".wt-where").inner_text(), lines.count()))
    assert ("5", "line nets.py:5 · in half", 5) in shown and ("4", "line 4", 5) in shown
    tabs.last.click()
    assert page.locator(".wt-code li:visible").first.inner_text() == "1import torch"


def drawn(page):
    """Return the boxes of the graph: how many nodes each stands for, and the ids of the groups."""
    boxes = page.locator(".wt-picture .box:not(.leaf):not(.constant)").all()
    groups = [box.get_attribute("data-group") for box in boxes]
    inside = [int(box.locator(".node").text_content().split()[0]) if group else 1 for box, group in zip(boxes, groups, strict=True)]
    return inside, list(filter(None, groups))


def component(page, trace):
    """Return the nodes that are connected with those that are visited where the page is."""
    node = page.evaluate("player.moments[player.at].event.node")
    names, found, todo = {one.id: one for one in trace.nodes}, set(), [node]
    back = {}
    for one in trace.nodes:
        for place in filter(None, one.next):
            back.setdefault(place.split(".")[0], []).append(one.id)
    while todo:
        id = todo.pop()
        if id in names and id not in found:
            found.add(id)
            todo += [place.split(".")[0] for place in names[id].next if place] + back.get(id, [])
    return found


@pytest.mark.parametrize("width", [360, 1280])
def test_a_large_graph_is_collapsed_and_opens_by_click_and_key(look, width):
    page, trace = look(GPT, width)
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    nodes = component(page, trace)
    before, groups = drawn(page)
    assert 5 <= len(before) <= 24 < len(nodes) == sum(before)
    page.locator(f'.wt-picture [data-group="{groups[0]}"]').first.focus()
    page.keyboard.press("Enter")
    opened, _ = drawn(page)
    assert len(opened) > len(before) and sum(opened) == len(nodes)
    chip = page.locator(".wt-graph .wt-buttons button")
    assert page.evaluate("document.activeElement.textContent") == chip.inner_text()
    chip.click()
    assert Counter(drawn(page)[0]) == Counter(before)
    group = page.locator(".wt-picture [data-group]").last
    group.dispatch_event("click")
    assert sum(drawn(page)[0]) == len(nodes)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_no_two_boxes_overlap_and_each_edge_goes_down(look):
    page, _ = look(GPT)
    for key in ["Space", "ArrowRight", *["ArrowRight"] * 6]:
        page.keyboard.press(key)
    sizes = page.evaluate(
        "[...document.querySelectorAll('.wt-picture .box > rect')].map(({x, y, width, height}) => "
        "[x, y, width, height].map((one) => one.baseVal.value))"
    )
    for number, (x, y, width, height) in enumerate(sizes):
        for left, top, wide, high in sizes[:number]:
            assert x + width <= left or left + wide <= x or y + height <= top or top + high <= y
    ways = page.evaluate("[...document.querySelectorAll('.wt-picture path:not(.head)')].map((one) => one.getAttribute('d'))")
    for way in ways:
        start, end = float(way.split("C")[0].split(",")[1]), float(way.split()[-1])
        assert start < end


def test_boxes_whose_edges_make_a_cycle_are_laid_out(look):
    page, _ = look(MOVES)
    cycle = "weaverTrace.layOut({a: [9, 9], b: [9, 9], c: [9, 9]}, [['a', 'b'], ['b', 'c'], ['c', 'a']])"
    assert page.evaluate(f"{cycle}.ways.length") == 3
    assert page.evaluate(f"[...{cycle}.upward]") == [2]


def test_a_page_opens_at_the_innermost_line_that_raised_the_error_that_ended_the_program(look):
    source = "import torch\n\ndef layer(x):\n    return x @ torch.ones(3)\n\ny = torch.ones(2)\nz = layer(y)\n"
    page, _ = look(source)
    assert at(page)[:2] == [4, 1]


def test_a_pass_without_its_nodes_shows_what_arrives_at_leaves(look):
    whole = traced("program.py", MOVES)[0]
    kept = range(1, len(whole.steps))
    page, _ = look(MOVES, trace=shorten(whole, kept, brief=[at for at in kept if whole.steps[at].events]))
    assert at(page) == [5, 1, [0, 1]]  # where what the pass starts from comes to be
    page.evaluate("player.go(player.moments.findIndex(({ event }) => event?.kind === 'visit'))")
    told = page.locator(".wt-sentence").inner_text()
    page.evaluate("player.go(player.moments.findIndex(({ line, kind }) => line === 13 && kind === 'line'))")
    assert told == "[1] arrives at the leaf x: x.grad goes from None to [1]."
    assert page.locator(".wt-sentence").inner_text() == (
        "z.backward() ran the engine through 2 nodes. Only what arrived at leaves is shown here. "
        "x.grad went from None to [1]."
    )


def test_a_remark_leads_to_the_step_that_shows_it(look):
    remarks = [Remark("Wrong", f"program.py:{line}", "", ("It's wrong.",), line) for line in (2, 4)]
    page, trace = look(MOVES, remarks=remarks, opens=4)
    assert at(page)[0] == trace.steps[4].line
    page.get_by_role("button", name="program.py:2").click()
    assert at(page)[0] == trace.steps[2].line != trace.steps[4].line


def test_remarks_of_a_line_in_a_row_stand_below_its_code_once(look):
    told = ("program.py:12", "z = add(x)", 4), ("program.py:12", "z = add(x)", 4), ("program.py:15", "print(x)", 9)
    remarks = [Remark("Facts", place, code, (f"Fact {n}.",), step) for n, (place, code, step) in enumerate(told)]
    page, _ = look(MOVES, remarks=remarks)
    assert [one.inner_text().split("\n\n") for one in page.locator(".wt-found > div").all()] == [
        ["program.py:12 z = add(x)", "Fact 0.", "Fact 1."],
        ["program.py:15 print(x)", "Fact 2."],
    ]


def test_lines_in_a_row_of_which_the_same_is_said_share_the_sentences(look):
    said = ("It's on.", "→ Switch it off.")
    remarks = [Remark("Wrong", f"program.py:{line}", f"line {line}", said, step) for step, line in ((4, 12), (9, 15))]
    page, trace = look(MOVES, remarks=[*remarks, Remark("Wrong", "program.py:3", "", ("It's off.",), 2)])
    assert [one.inner_text().split("\n\n") for one in page.locator(".wt-found > div").all()] == [
        ["program.py:12 line 12", "program.py:15 line 15", *said],
        ["program.py:3", "It's off."],
    ]
    page.get_by_role("button", name="program.py:15").click()
    assert at(page)[0] == trace.steps[9].line


QUIET = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(2, 1)
        self.body = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.head(self.body(x))


def freeze(net):
    for one in net.body.parameters():
        one.requires_grad = False


def double(x):
    y = x * 2
    return y


net = Net()
freeze(net)
x = double(torch.ones(1, 2))
loss = net(x).sum()
"""


@pytest.mark.parametrize(("end", "closed"), [("loss.backward()", [24, 26]), ("print(loss)", [])])
def test_calls_that_have_nothing_to_do_with_gradients_are_closed_where_a_program_trains(look, end, closed):
    page, _ = look(f"{QUIET}{end}\n")
    folds = page.evaluate("player.folds.map(({to, open}) => [player.moments[to].line, open])")
    assert [line for line, is_open in folds if not is_open] == closed
    assert {line for line, _ in folds} >= {24, 25, 26, 27}


def test_a_moment_is_counted_as_the_view_counts_it(look):
    whole = traced("program.py", MOVES)[0]
    page, trace = look(MOVES, trace=shorten(whole, [0, 1, 2, 8, 9, 12, len(whole.steps) - 1]))
    assert sum(bool(step.gap) for step in trace.steps) == 3
    seen = page.evaluate("player.moments.map(({kind, line}) => [kind, line])")
    assert [seen[line(trace, index)] for index in range(len(trace.steps))] == [["line", step.line] for step in trace.steps]


CALLS = """import torch


def add(x):
    y = x + 1
    z = y * 2
    return z


x = torch.ones(1, requires_grad=True)
for i in range(9):
    z = add(x)
    z.backward()
print(x.grad)
"""


def lines_of(trace, line, iteration):
    """Return the index of the step of a line in an iteration."""
    return next(at for at, step in enumerate(trace.steps) if step.line == line and step.loops == ((11, iteration),))


def test_a_gap_ends_each_fold_and_two_iterations_are_not_one_call(look):
    whole = traced("program.py", CALLS)[0]
    left = range(lines_of(whole, 5, 1) + 1, lines_of(whole, 6, 7))
    less = shorten(whole, [at for at in range(len(whole.steps)) if at not in left])
    page, _ = look(CALLS, trace=less)
    folds = page.evaluate("player.folds.map(({from, to}) => player.moments.slice(from, to).map((one) => one.kind))")
    assert folds and not any("gap" in kinds for kinds in folds)
    page.evaluate("player.go(player.moments.findIndex((one) => one.kind === 'gap') + 3)")
    assert page.locator(".wt-sentence").inner_text() == (
        "z = add(x) finished after at least 2 steps inside it. Result: z = [4] (MulBackward0)."
    )
    page.evaluate("player.go(player.moments.findIndex((one) => one.line === 12 && one.kind === 'line'))")
    assert page.locator(".wt-sentence").inner_text().startswith("z = add(x) finished after 3 steps inside it. Result: z = ")


@pytest.mark.parametrize(
    ("is_left", "kinds"),
    [
        (lambda step: step.line == 13, {"loop", "call"}),  # the same in each iteration
        (lambda step: bool(step.loops) and step.loops[0][1] % 2, {"call"}),  # each second iteration
    ],
)
def test_iterations_with_gaps_are_folded_away_if_the_gaps_are_alike_and_within_them(look, is_left, kinds):
    whole = traced("program.py", CALLS)[0]
    less = shorten(whole, [at for at, step in enumerate(whole.steps) if not is_left(step)])
    page, _ = look(CALLS, trace=less)
    assert {*page.evaluate("player.folds.map((one) => one.kind)")} == kinds


def test_iterations_that_go_through_a_list_are_folded_away_whichever_item_they_write_to(look):
    source = "import torch\nparts = [torch.zeros(1) for _ in range(8)]\nfor i in range(8):\n    parts[i] += 1\n"
    page, _ = look(source)
    assert page.evaluate("player.folds.map((one) => [one.kind, one.times])") == [["loop", 6]]


def test_after_a_gap_a_call_is_not_said_to_have_changed_nothing(look):
    whole = traced("program.py", CALLS)[0]
    left = range(lines_of(whole, 5, 1), lines_of(whole, 12, 1))
    page, _ = look(CALLS, trace=shorten(whole, [at for at in range(len(whole.steps)) if at not in left]))
    page.evaluate("player.go(player.moments.findIndex((one) => one.kind === 'gap') + 1)")
    assert "No tensor changed" not in page.locator(".wt-sentence").inner_text()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "1 step is missing here. It was recorded, but left out to save space."),
        ("ko", "여기서 단계 1개가 빠졌습니다. 기록했지만 용량을 줄이려고 뺐습니다."),
    ],
)
def test_one_step_is_not_several(look, language, said):
    source = "import torch\nx = torch.ones(1)\ny = x\nz = x\n"
    page, _ = look(source, language=language, trace=shorten(traced("program.py", source)[0], [0, 1, 3]))
    page.evaluate("player.go(player.moments.findIndex((one) => one.kind === 'gap'))")
    assert page.locator(".wt-sentence").inner_text() == said


def test_a_page_says_how_to_see_what_was_left_out_for_its_size(look):
    limit = len(pages.page(traced("program.py", CALLS)[0], CALLS, "en").encode()) - 500
    page, trace = look(CALLS, limit=limit)
    left = page.evaluate("player.data.trace.steps.map((one) => one.g?.recorded || 0)")
    said = f"Recorded steps left out to keep this page small: {sum(left)}. To see more, use trace --bytes "
    assert sum(left) and any(one.startswith(said) for one in page.locator(".wt-note").all_inner_texts())
    assert page.evaluate("player.data.trace.steps.length") + sum(left) == len(trace.steps)


def test_a_browser_that_cannot_unpack_the_recording_says_so(browser, tmp_path):
    page, file = browser.new_page(), tmp_path / "page.html"
    file.write_text(pages.page(traced("program.py", MOVES)[0], MOVES, "en"), "utf-8")
    page.add_init_script("delete window.DecompressionStream")
    page.goto(f"file://{file}")
    assert page.locator("#trace").inner_text().startswith("This browser can't unpack the recording.")
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing(look, width, language):
    remark = Remark("Wrong", "program.py:9", "y = x", ("`x` is wrong.", "→ Mend it."), 9)
    page, _ = look(GPT, width, language, remarks=[remark])
    for key in ("Home", "Space", "ArrowRight", "End"):
        page.keyboard.press(key)
        assert violations(page) == [], key


def test_a_page_says_how_many_steps_nobody_watched(look):
    source = "import torch\nx = torch.zeros(2)\nfor i in range(2000):\n    x = x + 1\n"
    trace = traced("program.py", source, Limits(looks=50))[0]
    page, _ = look(source, trace=trace)
    unwatched = sum(step.gap.steps for step in trace.steps if step.gap)
    assert unwatched > 3000
    assert f"Steps that weren't watched: {unwatched}. To choose what's watched, use trace --from." in page.inner_text(".wt")
