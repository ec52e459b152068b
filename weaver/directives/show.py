"""What the kinds of directives need to show one: the programs, what came of them, the words."""

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from weaver.execution.contract import Outcome
from weaver.execution.snippets.source import Snippet

if TYPE_CHECKING:
    from weaver.directives.kind import Question


class Cells(Protocol):
    """A notebook that is being written: the text of the cell that is open, and code to add."""

    text: str

    def add_code(self, source: str, outputs: Sequence[Mapping[str, Any]] | None, tags: Sequence[str] = ()):
        """Add a code cell; with `outputs` None it has not run."""


@dataclass(frozen=True)
class Asked:
    """A question of the site: the title and path of its page, the way there, and the section of `nav`."""

    question: "Question"
    title: str
    page: str
    address: str
    section: str = ""


@dataclass(frozen=True)
class Show:
    """What is shown on the pages of one language.

    `snippets` and `results` are by name; `words` are the language's; `torch` is the version that is shown
    with outputs, empty if no program uses it; `keep(key, make)` returns what `make()` returns, or returned
    before for that key; `terms` is the glossary as Markdown, `stages` the pages of each section of the
    navigation; `programs` is where the page finds the programs' files. `first` is what is shown of the first
    variant of a program, while another is. `asked` are all questions, on a page that shows those; `built` is
    what the build knows of itself, as Markdown, by the names in `built.FACTS`.
    """

    snippets: Mapping[str, Snippet]
    results: Mapping[str, Outcome]
    words: Mapping[str, Any]
    torch: str
    keep: Callable[[str, Callable[[], str]], str] = lambda key, make: make()
    terms: str = ""
    stages: Mapping[str, str] = field(default_factory=dict)
    programs: str = "snippets"
    first: "Show | None" = None
    asked: tuple[Asked, ...] = ()
    built: Mapping[str, str] = field(default_factory=dict)

    def at(self, programs: str) -> "Show":
        """Return the same for a page that finds the programs at `programs`."""
        return replace(self, programs=programs)

    def variants(self, name: str) -> list["Show"]:
        """Return what is shown of each variant of a program; of the one that the file is, the same."""
        own = self.snippets[name]
        return [self if one.name == name else self._with(name, one) for one in own.variants]

    def _with(self, name, variant):
        return replace(
            self,
            snippets=ChainMap({name: variant}, self.snippets),
            results=ChainMap({name: self.results[variant.name]}, self.results),
            first=self,
        )

    @property
    def output_head(self) -> str:
        """The line above an output: what it is, and which torch printed it, if programs use one."""
        return f"{self.words['output']} (torch {self.torch})" if self.torch else self.words["output"]

    def output_html(self, *remarks: str) -> str:
        """Return that line as HTML, with remarks on the output."""
        about = ", ".join([f"torch {self.torch}"] * bool(self.torch) + list(remarks))
        return f"{self.words['output']} <small>{about}</small>" if about else self.words["output"]
