"""What goes between the build, the server and the processes that run programs; the only place that
writes and reads it as JSON."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

import msgspec
from msgspec.json import decode, encode

from weaver.execution.timer import Over

Message = TypeVar("Message")


class Mode(StrEnum):
    """How a program runs: as it is, or recorded."""

    PLAIN = "plain"
    WATCHED = "watched"


class Kind(StrEnum):
    """What a page can ask of a program that has ended.

    TEXT is what stands inside an f-string's braces, DATA an expression whose value is plain data.
    MEMORY asks for the storages of variables, GRAPH for the graph that leads to them, TRACE what each line
    did, WHY the same with what findings need: see `recording.storage`, `graph.project` and
    `recording.record`.
    """

    TEXT = "text"
    DATA = "data"
    MEMORY = "memory"
    GRAPH = "graph"
    TRACE = "trace"
    WHY = "why"


class Query(msgspec.Struct, frozen=True, order=True):
    """A question to a program that has ended: its kind and what it is about, `x.grad:.2f`."""

    kind: Kind
    argument: str

    @property
    def mode(self) -> Mode:
        """Which run answers it."""
        return Mode.WATCHED if self.kind in (Kind.GRAPH, Kind.TRACE, Kind.WHY) else Mode.PLAIN


TRACE = Query(Kind.TRACE, "")
WHY = Query(Kind.WHY, "")


def is_drawn(queries: Iterable[Query]) -> bool:
    """Tell whether a graph is asked for."""
    return any(query.kind is Kind.GRAPH for query in queries)


class Answer(msgspec.Struct, frozen=True):
    """The answer to a query: its text, or else the error that it raised. All but TEXT is JSON."""

    query: Query
    text: str | None
    error: str | None = None


class Raised(msgspec.Struct, frozen=True):
    """An error that ended a program: its class, the end of its traceback, the line of the file."""

    type: str
    text: str
    line: int | None


class Write(msgspec.Struct, frozen=True, array_like=True):
    """Bytes `start` to `end` of an output: the line of the program that wrote them, and their kind."""

    start: int
    end: int
    line: int | None
    kind: str


class Job(msgspec.Struct, frozen=True):
    """A program to run: see `snippets.worker.run`.

    `folder` is an empty folder of its own (the server gives it), `hidden` are environment variables
    to forget, `modes` are those whose queries this run answers, and the last one says whether it's watched.
    `limit` is the seconds of processor time that its queries may use, in forks of its process if `fork`
    says so.
    """

    number: int
    path: str
    source: str
    queries: tuple[Query, ...]
    seed: int
    hidden: tuple[str, ...]
    limit: float
    fork: bool
    folder: str = ""
    modes: tuple[Mode, ...] = (Mode.PLAIN,)

    def asked(self, *kinds: Kind) -> list[Query]:
        """Return the queries that this run answers; of them those of some kinds, if any are named."""
        return [one for one in self.queries if one.mode in self.modes and (not kinds or one.kind in kinds)]


class Report(msgspec.Struct, frozen=True):
    """What a program's process says of itself, last of all.

    `unseeded` are the generators that were drawn from and never seeded, `siblings` modules imported
    from beside the program, `imported` parts of torch that were loaded late, `files` what it left.
    `answers` is None in a first report, which is there while the queries are answered.
    """

    folder: str
    exit: int
    raised: Raised | None
    names: tuple[str, ...]
    answers: tuple[Answer, ...] | None
    writes: tuple[Write, ...]
    unseeded: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    imported: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Ended(StrEnum):
    """How a process ended: by itself, by a signal, stopped when its time was over; or the server did."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    LATE = "late"
    SERVER_DIED = "server died"
    NEVER_BEGAN = "never began"


class Run(msgspec.Struct, frozen=True):
    """A run of a program as the server saw it.

    `over` says why it is LATE, `code` is the exit code or the signal's number, `output` all that reached
    stdout and stderr, in order, `report` None if the process did not live to write one; `left_processes`
    says that something it started outlived it. `modes` are those of its job, `again` the runs for the other
    modes that queries ask for.
    """

    ended: Ended
    over: Over | None = None
    code: int = 0
    output: bytes = b""
    report: Report | None = None
    left_processes: bool = False
    modes: tuple[Mode, ...] = (Mode.PLAIN,)
    again: tuple["Run", ...] = ()


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The server's word that a job runs now."""

    number: int


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The server's answer to a job."""

    number: int
    run: Run


class LabJob(msgspec.Struct, frozen=True):
    """A lab to run: see `labs.worker.run`. `limit` is the seconds of processor time that a cell may use."""

    name: str
    cells: tuple[str, ...]
    queries: tuple[Query, ...]
    limit: float
    folder: str


class Seen(msgspec.Struct, frozen=True):
    """What a kernel says of its variables: the answers to queries, and their names.

    `unseeded` are the generators that were drawn from and never seeded.
    """

    answers: tuple[Answer, ...]
    names: tuple[str, ...]
    unseeded: tuple[str, ...] = ()


def write(message: object) -> bytes:
    """Return a message, or several, as JSON, on one line without its end."""
    return encode(message)


def read(data: bytes | str, kind: type[Message]) -> Message:
    """Return the message that `write` made. Raises ValueError if it is none of that kind."""
    return decode(data, type=kind)
