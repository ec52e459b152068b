"""What changed from one version of torch to the next."""

import pytest

from weaver.versions.changes import ChangeKind, changes, kind_of
from weaver.versions.record import Elsewhere, Other

KNOWN = ("2.0.1", "2.13.0", "2.15.0")


@pytest.mark.parametrize(
    "before, after, kind",
    [
        ([], ["FutureWarning: `f` is deprecated."], ChangeKind.WARNING),
        (["UserWarning: old"], ["UserWarning: new"], ChangeKind.WARNING),
        (["1.0"], ["0.0"], ChangeKind.VALUE),
        (["1.0"], ["UserWarning: new", "0.0"], ChangeKind.VALUE),
        (["RuntimeError: one"], ["RuntimeError: two"], ChangeKind.ERROR),
        (["1.0"], ["torch.linalg.LinAlgError: singular"], ChangeKind.ERROR),
        (["AttributeError: module 'torch' has no attribute 'func'"], ["1.0"], ChangeKind.POSSIBLE),
        (["RuntimeError: Python 3.11+ not yet supported for torch.compile"], ["1.0"], ChangeKind.POSSIBLE),
        (["[ended by SIGSEGV]"], ["1.0"], ChangeKind.POSSIBLE),
        (["0.0"], ["AttributeError: 'NoneType' object has no attribute 'zero_'"], ChangeKind.ERROR),
        (["[1.0, 2.0]"], ["[2.0]"], ChangeKind.VALUE),
    ],
)
def test_a_change_is_of_a_kind(before, after, kind):
    assert kind_of(before, after) is kind


def test_programs_that_change_alike_are_together_and_the_newest_version_is_first():
    other = Elsewhere(("2.0.1", "2.15.0"), (Other(("2.15.0",), "UserWarning: new\n1\n"),))
    old = Elsewhere(("2.0.1", "2.15.0"), (Other(("2.0.1",), "2\n"),))
    found = changes(KNOWN, "2.13.0", {"t/a": other, "t/b": other, "t/c": old}, dict.fromkeys(("t/a", "t/b", "t/c"), "1\n"))
    assert [(before, after) for before, after, _ in found] == [("2.13.0", "2.15.0"), ("2.0.1", "2.13.0")]
    [[new], [value]] = [some for *_, some in found]
    assert new == (ChangeKind.WARNING, (), ("UserWarning: new",), ("t/a", "t/b"))
    assert value == (ChangeKind.VALUE, ("2",), ("1",), ("t/c",))


def test_what_a_version_has_not_run_is_not_compared():
    new = Elsewhere(("2.15.0",), (Other(("2.15.0",), "2\n"),))
    found = changes(("2.13.0", "2.14.0", "2.15.0"), "2.13.0", {"t/a": new}, {"t/a": "1\n"})
    assert [some for *_, some in found] == [(), ()]
