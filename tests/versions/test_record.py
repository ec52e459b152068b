"""The record of what other versions of torch print."""

import re
import shutil
from pathlib import Path

import pytest
from support.project import ROOT

from weaver.execution.snippets.source import names, read
from weaver.versions import record
from weaver.versions.record import Elsewhere, Other

SNIPPETS = ROOT / "snippets"
CHOICES = "x = 2\nprint(x)  # or: print(-x)\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with a program and one that offers a choice, both recorded with two versions."""
    (tmp_path / "t").mkdir()
    (tmp_path / "t/plain.py").write_text("print(1)\n")
    (tmp_path / "t/plain.out").write_text("1\n")
    (tmp_path / "t/choice.py").write_text(CHOICES)
    (tmp_path / "t/choice.out").write_text("--- print(x)\n2\n--- print(-x)\n-2\n")
    for version, output in (("2.0.1", "one\n"), ("1.13.1", "one\n"), ("2.10.0", None)):
        keep(tmp_path, version, {"t/plain": output})
    return tmp_path


def keep(folder, version, other):
    """Record what a version printed."""
    files = snippets(folder)
    record.keep(folder, files, version, outputs(folder, other), {one.name: record.state(one) for one in files})


def snippets(folder):
    return [read(folder / f"{name}.py", name) for name in names(folder)]


def outputs(folder, other):
    """What a version printed, by the names of all programs: what is expected, but for `other`."""
    return {one.name: other.get(one.name) for file in snippets(folder) for one in file.variants}


def known(folder, name):
    [snippet] = [one for one in snippets(folder) if one.name == name]
    return record.elsewhere(snippet, record.read(folder))


def test_an_output_is_kept_once_for_all_versions_that_print_it(folder):
    assert (folder / "t/plain.versions.txt").read_text() == "=== torch 1.13.1, 2.0.1\none\n"
    assert known(folder, "t/plain") == {
        "t/plain": Elsewhere(("1.13.1", "2.0.1", "2.10.0"), (Other(("1.13.1", "2.0.1"), "one\n"),))
    }


def test_a_program_that_prints_the_same_everywhere_has_no_file(folder):
    assert not (folder / "t/choice.versions.txt").exists()
    assert {one.others for one in known(folder, "t/choice").values()} == {()}


def test_a_variant_s_other_output_is_kept_under_what_is_chosen(folder):
    keep(folder, "2.0.1", {"t/choice.2": "-2.0\n"})
    assert (folder / "t/choice.versions.txt").read_text() == "=== torch 2.0.1: print(-x)\n-2.0\n"
    assert [bool(one.others) for one in known(folder, "t/choice").values()] == [False, True]


def test_a_version_that_runs_again_replaces_what_it_printed(folder):
    keep(folder, "2.0.1", {})
    assert (folder / "t/plain.versions.txt").read_text() == "=== torch 1.13.1\none\n"
    keep(folder, "1.13.1", {})
    assert not (folder / "t/plain.versions.txt").exists()


def test_a_complete_record_has_no_problem(folder):
    assert record.problems(folder, snippets(folder)) == []


def test_a_changed_program_was_not_run_since(folder):
    (folder / "t/plain.py").write_text("print(1.0)\n")
    assert record.problems(folder, snippets(folder)) == [
        f"{folder}/t/plain.py or its output has changed: not run since with torch 1.13.1, 2.0.1, 2.10.0."
    ]
    assert known(folder, "t/plain") == {}


def test_a_program_that_changed_while_it_ran_was_not_run_since(folder):
    files = snippets(folder)
    states = {one.name: record.state(one) for one in files}
    (folder / "t/plain.py").write_text("print(1.0)\n")
    record.keep(folder, files, "2.10.0", outputs(folder, {}), states)
    [problem] = record.problems(folder, snippets(folder))
    assert "not run since" in problem


def test_a_changed_program_that_one_version_ran_still_lacks_the_others(folder):
    (folder / "t/plain.py").write_text("print(1.0)\n")
    keep(folder, "2.10.0", {})
    [problem] = record.problems(folder, snippets(folder))
    assert problem.endswith("plain.py hasn't been run with torch 1.13.1, 2.0.1.")
    assert not (folder / "t/plain.versions.txt").exists()


@pytest.mark.parametrize("text", ["=== torch 1.13.1, 2.0.1\ntwo\n", ""])
def test_a_record_edited_by_hand_is_found(folder, text):
    (folder / "t/plain.versions.txt").write_text(text)
    [problem] = record.problems(folder, snippets(folder))
    assert problem.startswith(f"{folder}/t/plain.versions.txt was edited.")
    assert known(folder, "t/plain") == {}


def test_a_record_that_was_removed_or_made_up_is_found(folder):
    (folder / "t/plain.versions.txt").unlink()
    (folder / "t/choice.versions.txt").write_text("=== torch 2.0.1\n3\n")
    assert len(record.problems(folder, snippets(folder))) == 2


def test_a_new_program_and_one_that_is_gone_are_found(folder):
    shutil.move(folder / "t/plain.py", folder / "t/other.py")
    assert [one.split()[0] for one in record.problems(folder, snippets(folder))] == [f"{folder}/t/other.py", "t/plain"]


def test_no_record_of_this_site_was_edited():
    index = record.read(SNIPPETS)
    found = [read(SNIPPETS / f"{name}.py", name) for name in names(SNIPPETS)]
    assert [one.name for one in found if one.name in index.entries and index.entries[one.name].kept != record.kept(one)] == []
    files = {path.relative_to(SNIPPETS).as_posix() for path in SNIPPETS.rglob("*.versions.txt")}
    kept = {name for name, entry in index.entries.items() if entry.kept != record.NONE}
    assert files == {f"{name}.versions.txt" for name in kept}


def test_the_files_of_this_site_s_record_are_read_as_they_were_written():
    index = record.read(SNIPPETS)
    for snippet in (read(SNIPPETS / f"{name}.py", name) for name in names(SNIPPETS)):
        path = record.path_of(snippet)
        if path.exists() and (found := record.elsewhere(snippet, index)):
            assert record.text(snippet, found) == path.read_text(encoding="utf-8"), snippet.name


def test_other_outputs_hold_nothing_of_this_machine():
    strange = re.compile(r"/tmp/|/home/|/root/|site-packages|0x[0-9a-f]{6}")
    texts = {path.name: Path(path).read_text(encoding="utf-8") for path in SNIPPETS.rglob("*.versions.txt")}
    assert {name: strange.findall(text) for name, text in texts.items() if strange.search(text)} == {}
