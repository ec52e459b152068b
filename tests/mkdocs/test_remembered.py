"""What a method returned is remembered as long as its object lives, and no longer."""

import gc
import weakref

from weaver.mkdocs.remembered import remembered


class Build:
    def __init__(self):
        self.made = []

    @remembered
    def page(self, path, language=None):
        self.made.append((path, language))
        return [path]

    @remembered
    def words(self):
        self.made.append(())
        return {}


def test_it_is_computed_once_for_the_same_arguments_of_each_object():
    one, other = Build(), Build()
    assert one.page("a") is one.page("a") and one.page("a", "ko") == ["a"]
    assert one.words() is one.words() and other.page("a") is not one.page("a")
    assert one.made == [("a", None), ("a", "ko"), ()]


def test_the_object_goes_when_nobody_else_has_it():
    build = Build()
    build.page("a"), build.words()
    gone = weakref.ref(build)
    del build
    gc.collect()
    assert gone() is None
