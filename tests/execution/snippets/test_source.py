"""The snippet file."""

import re

import pytest

from weaver.execution.snippets.source import find, names, read
from weaver.problem import Problem


@pytest.fixture
def write(tmp_path):
    def write(source, name="t/x"):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(source.encode("utf-8") if isinstance(source, str) else source)
        return path

    return write


def test_a_program_without_announcement_is_shown_whole(write):
    snippet = read(write("print(1)\n"), "t/x")
    assert (snippet.code, snippet.raises, snippet.first_line) == ("print(1)\n", None, 1)


def test_an_announcement_is_read_and_not_shown(write):
    snippet = read(write("# raises: ValueError\nraise ValueError\n"), "t/x")
    assert (snippet.code, snippet.raises, snippet.first_line) == ("raise ValueError\n", "ValueError", 2)


@pytest.mark.parametrize(
    "line", ["#raises: ValueError", "# raises ValueError", "# Raises: A, B", "# raise: A"]
)
def test_what_is_almost_an_announcement_is_refused(write, line):
    with pytest.raises(Problem, match=r"x\.py:1: .* doesn't name an error\. Write `# raises: "):
        read(write(f"{line}\n"), "t/x")


def test_a_character_that_only_one_language_reads_is_refused_with_its_place(write):
    with pytest.raises(Problem, match=r"x\.py:2: the character U\+BCC0 isn't printable ASCII"):
        read(write("x = 1\n# 변화도\n"), "t/x")


def test_a_byte_order_mark_has_a_sentence_of_its_own(write):
    with pytest.raises(Problem, match=r"t/x.py:1: the file begins with an invisible byte-order mark.*without it\.$"):
        read(write(b"\xef\xbb\xbfprint(1)\n"), "t/x")


def test_a_file_that_is_not_utf8_is_refused(write):
    with pytest.raises(Problem, match=r"byte 1 is not UTF-8"):
        read(write(b"#\xe9\n"), "t/x")


def test_an_unknown_name_gets_the_nearest_one(write):
    folder = write("print(1)\n", "leaf/who_is_a_leaf").parent.parent
    assert names(folder) == ["leaf/who_is_a_leaf"]
    with pytest.raises(Problem, match=r"Did you mean `leaf/who_is_a_leaf`\?"):
        find(folder, "leaf/who_is_leaf")


@pytest.mark.parametrize("name", ["../secret", "leaf", "leaf/who is", "/etc/passwd"])
def test_a_name_that_is_no_topic_and_lesson_is_not_looked_up(tmp_path, name):
    with pytest.raises(Problem, match="there is no snippet"):
        find(tmp_path, name)


def test_a_file_with_a_name_that_no_page_can_write_is_to_be_renamed_and_never_proposed(write):
    folder = write("print(1)\n", "t/my-lesson").parent.parent
    with pytest.raises(Problem, match=r"t/my-lesson\.py: A snippet's name is `topic/lesson`, in lowercase .*Rename"):
        find(folder, "t/my-lesson")
    with pytest.raises(Problem, match=r"there is no snippet `t/my_lesson` \([^)]*\)\.$"):
        find(folder, "t/my_lesson")
    with pytest.raises(Problem, match=r"A snippet's name is `topic/lesson`, in lowercase letters and digits"):
        find(folder, "T/X")


def test_what_an_editor_hides_is_no_snippet(tmp_path):
    for name in ("t/x.py", "t/.#x.py", ".ipynb_checkpoints/y.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "t/folder.py").mkdir()
    assert names(tmp_path) == ["t/x"]


@pytest.mark.parametrize(
    "name, meant",
    [
        ("detach/nope", "Did you mean `detach/move_the_cut`?"),
        ("detch/move_the_cut", "Did you mean `detach/move_the_cut`?"),
        ("hooks/nope", "The topics are: `detach`, `leaf`."),
    ],
)
def test_a_snippet_that_is_not_there_gets_the_nearest_of_its_topic_or_the_topics(write, name, meant):
    for one in ("detach/move_the_cut", "detach/zzz", "leaf/who"):
        folder = write("print(1)\n", one).parents[1]
    with pytest.raises(Problem, match=re.escape(meant)):
        find(folder, name)


def test_the_expected_output_of_each_variant_is_below_what_is_chosen(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("y = 1  # or: 2 | 3\nprint(y)\n")
    file = read(path, "t/x")
    assert [one.expected for one in file.variants] == [None] * 3
    path.with_suffix(".out").write_text("--- 1\n1\n--- 2\n--- 4\n2\n")
    assert [one.expected for one in file.variants] == ["1\n", "--- 4\n2\n", None]
