"""Every snippet: its output is the expected one, the same for everyone, and on a page."""

import re

import msgspec
import pytest
from support import interpreters
from support.project import LANGUAGES, ROOT, content, results

from weaver.execution.snippets.source import names, read
from weaver.pages.expected import verdict
from weaver.problem import shown

FILES = [read(ROOT / f"snippets/{name}.py", name) for name in names(ROOT / "snippets")]
SNIPPETS = [variant for file in FILES for variant in file.variants]


def pytest_generate_tests(metafunc):
    """Paste a few programs into fresh interpreters in each run, and all of them with `--fresh`."""
    if "snippet" in metafunc.fixturenames:
        options = metafunc.config.option
        step = 1 if options.fresh else 60 if options.every_page else 240
        metafunc.parametrize("snippet", SNIPPETS[::step], ids=lambda snippet: snippet.name)


def test_there_are_snippets():
    assert SNIPPETS


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_output_is_the_expected_one_watched_or_not_with_any_seed_and_without_the_file(file):
    found = interpreters.pasted(*file.variants)
    wrong = verdict(file, [found[one.name] for one in file.variants])
    assert not wrong, "\n".join(wrong)
    for one in file.variants:
        assert msgspec.structs.replace(results()[one.name], answers=()) == found[one.name]


def test_pasted_into_a_fresh_interpreter_it_prints_the_same(snippet):
    here = interpreters.pasted(snippet)[snippet.name]
    assert interpreters.as_shown(interpreters.fresh(snippet.code), here) == here.output.rstrip("\n")


def test_no_program_can_tell_that_it_was_pasted():
    assert [one.name for one in SNIPPETS if interpreters.TELLING.search(one.source)] == []


def test_a_wrapped_model_is_gone_before_its_process_group():
    """Else its end waits for gloo's thread, which may wait for the GIL: one run of a hundred hangs."""
    ends = re.compile(r"^ *dist\.destroy_process_group\(\)", re.M)
    wraps = [file for file in FILES if re.search(r"^model = DistributedData", file.source, re.M)]
    closing = [file for file in wraps if ends.search(file.source)]
    assert closing
    assert [file.name for file in closing if "del model\n" not in ends.split(file.source)[0]] == []


def test_each_is_narrow_and_short_enough_for_a_phone():
    wrong = []
    for one in SNIPPETS:
        lines, path = one.code.splitlines(), shown(one.path)
        for number in [number for number, line in enumerate(lines, one.first_line) if len(line) > 72][:1]:
            wrong.append(f"{path}:{one.line_of_file(number)}: {one.noun} has more than 72 columns here. Break the line.")
        if len(lines) > 30:
            wrong.append(f"{path}: {len(lines)} lines are more than 30. Show less at a time.")
    assert not wrong, "\n".join(wrong)


def test_what_each_offers_fits_on_a_screen():
    wide = [
        f"{shown(file.path)}:{number}: more than 100 columns. Write each alternative below, behind `# |`."
        for file in FILES
        for number, line in enumerate(file.path.read_text().splitlines(), 1)
        if len(line) > 100
    ]
    assert not wide, "\n".join(wide)


def test_each_is_on_the_page_of_its_topic_in_both_languages():
    pages = {(directive.page, directive.name) for directive in content().directives()}
    topics = {file.name: file.name.split("/")[0].replace("home", "index") for file in FILES}
    wanted = {(f"docs/{language}/{page}.md", name) for name, page in topics.items() for language in LANGUAGES}
    assert wanted - pages == set()


def test_no_expected_output_is_without_its_snippet():
    outputs = {path.with_suffix(".py") for path in ROOT.glob("snippets/**/*.out")}
    assert outputs == {snippet.path for snippet in SNIPPETS}
