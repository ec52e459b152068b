"""Snippets -> results: what the cache has, and what a warm server runs. The only way to run one."""

import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from weaver.execution import launch, protocol
from weaver.execution.cache import Cache, key
from weaver.execution.changes import doubtful
from weaver.execution.contract import OnProgress
from weaver.execution.fingerprint import fingerprint
from weaver.execution.protocol import Done, Ended, Job, Mode, Query, Run, Started, is_drawn
from weaver.execution.refusals import measures
from weaver.execution.scratch import scratch
from weaver.execution.snippets.result import Result, judge
from weaver.execution.snippets.source import Snippet
from weaver.execution.snippets.supervision import fork_is_safe
from weaver.problem import shown

LIMIT = 20.0  # seconds of processor time that a snippet may use
OTHER = 1  # the seed of the second run of what could change
SERVER = "weaver.execution.snippets.server"
Asked = tuple[Snippet, tuple[Query, ...]]
PASSING = {"kills_the_server", "misses_a_package", "never_ends"}  # refusals that the next run may not meet
# What decides a result, beside the program and what is asked of it
DECIDING = (SERVER, "weaver.execution.snippets.result", "weaver.execution.launch")


class Runner:
    """Runs snippets beside the work of its caller.

    `request` starts them and returns at once, `results` waits for them. The server that runs
    them starts with the first request that the cache cannot serve, stays warm for further
    ones, and ends with `close` (or with the process, however that ends).

    A snippet of which a trace is wanted runs once, watched, if it prints what a plain run wrote to its `.out`
    file. If it prints something else, or looks at what watching changes, a plain run decides what's shown.

    `limit` is in seconds of processor time. `workers` is how many run at a time (None: one per core that this
    process may use). `seed` is what unseeded generators and Python's hashes begin with. With seed 0, what
    could depend on what changes runs once more, by a runner with another seed: see `changes`. `fork` False
    runs each in a fresh interpreter, as is done where forking isn't safe.
    """

    def __init__(
        self,
        cache: Path | None = None,
        limit: float = LIMIT,
        workers: int | None = None,
        seed: int = 0,
        fork: bool | None = None,
    ):
        self.cache = Cache(cache) if cache else None
        self.limit, self.seed = limit, seed
        self.workers = workers or launch.cores()
        self.fork = fork_is_safe() if fork is None else fork
        self.keeps_failures = False  # while it lives
        self.ran = self.reused = 0
        self._settings = {"PYTHONHASHSEED": str(seed), **(launch.ELSEWHERE if seed else launch.SERVER)}
        self._asked: dict[str, Asked] = {}  # by name
        self._results: dict[str, Result] = {}  # by name
        self._jobs: dict[int, Asked] = {}  # by id, not yet answered
        self._watched: dict[int, tuple[Run, ...]] = {}  # by id, what didn't print what was expected
        self._plain: list[int] = []  # ids of these that have yet to be sent for a plain run
        self._started: set[int] = set()  # ids
        self._number = 0
        self._server: subprocess.Popen[bytes] | None = None
        self._broken: Exception | None = None  # what went wrong in the thread that listens
        self._elsewhere: Runner | None = None
        self._doubted: dict[str, tuple[Asked, Run]] = {}  # by name, whose second run hasn't been compared
        self._news = threading.Condition()

    def request(self, asked: Iterable[tuple[Snippet, Iterable[Query]]]) -> None:
        """Start what is asked for: snippets, each with the expressions whose values are wanted.

        What was asked for before, and has not changed, is not run again.
        """
        numbers = []
        with self._news:
            for snippet, queries in asked:
                wanted = (snippet, tuple(sorted(set(queries))))
                if self._asked.get(snippet.name) == wanted and not self._runs_again(snippet.name):
                    self.reused += 1
                    continue
                self._asked[snippet.name] = wanted
                self._results.pop(snippet.name, None)
                self._doubted.pop(snippet.name, None)
                cached = self._kept(*wanted)
                if cached:
                    self.reused += 1
                    self._results[snippet.name] = cached
                else:
                    self._number += 1
                    self._jobs[self._number] = wanted
                    numbers.append(self._number)
        self._send(numbers)

    def warm(self) -> None:
        """Start the server, so that the first request need not wait until it has loaded torch."""
        with self._news:
            self._server = self._server or self._start()

    def results(self, progress: OnProgress | None = None) -> Mapping[str, Result]:
        """Wait until all that was requested has run; return the results by the snippets' names.

        `progress(done, all, name)` is called whenever a snippet has started or ended.
        """
        while self._jobs:
            with self._news:
                if self._jobs and not (self._plain or self._broken):
                    self._news.wait()
                if self._broken:
                    raise self._broken
                if progress:
                    names = [self._jobs[job][0].name for job in self._started & self._jobs.keys()]
                    progress(len(self._results), len(self._asked), ", ".join(sorted(names)))
                plain, self._plain = self._plain, []
            self._send(plain)
        self._compare()
        return dict(self._results)

    def so_far(self) -> Mapping[str, Result]:
        """Return the results that are there, by the snippets' names; don't wait for the others."""
        with self._news:
            return {name: one for name, one in self._results.items() if name not in self._doubted}

    def run(
        self, snippets: Iterable[Snippet], queries: Mapping[str, Iterable[Query]] = {}
    ) -> dict[str, Result]:
        """Run `snippets` and return their results by name; `queries` maps names to expressions."""
        snippets = list(snippets)
        self.request((snippet, queries.get(snippet.name, ())) for snippet in snippets)
        results = self.results()
        return {snippet.name: results[snippet.name] for snippet in snippets}

    def close(self) -> None:
        """End the server and whatever it runs; what has not run by then is forgotten."""
        with self._news:
            server, self._server = self._server, None
            for snippet, _ in self._jobs.values():
                self._asked.pop(snippet.name, None)
            self._jobs.clear()
            self._started.clear()
            self._watched.clear()
            self._plain.clear()
            elsewhere, self._elsewhere = self._elsewhere, None
            for name in self._doubted:
                self._asked.pop(name, None)
            self._doubted.clear()
            self._news.notify_all()
        if elsewhere:
            elsewhere.close()
        if server and server.stdin:
            server.stdin.close()
            server.wait()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _key(self, snippet: Snippet, queries: tuple[Query, ...]) -> str:
        asked, path = [(query.kind, query.argument) for query in queries], shown(snippet.path)
        return key(fingerprint(*DECIDING), snippet.name, path, snippet.source, asked, self.seed)

    def _kept(self, snippet: Snippet, queries: tuple[Query, ...]) -> Result | None:
        return self.cache.message(self._key(snippet, queries), Result) if self.cache else None

    def _runs_again(self, name: str) -> bool:
        """Tell whether a program that was asked for before runs again: it failed, and may not next time."""
        result = self._results.get(name)
        is_certain = result and self.keeps_failures and result.rule not in PASSING
        return bool(result and result.failure and not is_certain)

    def _send(self, numbers: Sequence[int]) -> None:
        """Give jobs to the server; not under the lock: the pipe may be full until the listener has read."""
        if not numbers:
            return
        with self._news:
            self._server = server = self._server or self._start()
            jobs = [protocol.write(self._job(number)) + b"\n" for number in numbers]
        assert server.stdin
        with suppress(BrokenPipeError):  # it died: the thread that listens to it sees that too
            server.stdin.write(b"".join(jobs))
            server.stdin.flush()

    def _job(self, number: int) -> Job:
        """Return a job for the server: a watched run, or a plain one that answers what no run has yet."""
        snippet, queries = self._jobs[number]
        modes: tuple[Mode, ...] = (Mode.PLAIN,)
        if watched := self._watched.get(number):
            queries = tuple(one for one in queries if one.mode not in {run.modes[-1] for run in watched})
        elif snippet.expected is not None and not measures(snippet.source):
            modes = tuple(sorted({Mode.PLAIN, *(one.mode for one in queries)}))
        path, hidden = str(snippet.path.resolve()), tuple(self._settings)
        return Job(
            number, path, snippet.source, queries, self.seed, hidden, self.limit, self.fork, modes=modes
        )

    def _start(self) -> subprocess.Popen[bytes]:
        mode, kept = "fork" if self.fork else "fresh", ExitStack()
        folder = str(kept.enter_context(scratch(self.cache.folder if self.cache else None)))
        server = subprocess.Popen(
            [sys.executable, "-P", "-m", SERVER, folder, str(self.workers), str(self.limit), mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=launch.environment(self._settings),
            start_new_session=True,
        )
        threading.Thread(target=self._listen, args=[server, kept], daemon=True).start()
        return server

    def _listen(self, server: subprocess.Popen[bytes], kept: ExitStack) -> None:
        """In a thread: take the server's answers until it ends. An exception goes to who waits."""
        assert server.stdout
        try:
            for line in server.stdout:
                message: Started | Done = protocol.read(line, Started | Done)  # type: ignore[arg-type]
                with self._news:
                    if isinstance(message, Started):
                        self._started.add(message.number)
                    elif message.number in self._jobs:
                        self._take(message.number, message.run)
                    self._news.notify_all()
            if server is self._server:
                self._bury()
        except Exception as error:
            with self._news:
                self._broken = error
                self._news.notify_all()
        server.stdout.close()
        kept.close()

    def _take(self, number: int, run: Run) -> None:
        """Judge and keep the answer to a job, unless the snippet was asked for anew meanwhile."""
        snippet, queries = self._jobs[number]
        if watched := self._watched.pop(number, None):
            run = msgspec.structs.replace(run, again=watched)
        result = judge(snippet, run, self.limit, is_drawn=is_drawn(queries))
        if Mode.WATCHED in run.modes and (result.failure or result.output != snippet.expected):
            self._watched[number] = msgspec.structs.replace(run, again=()), *run.again
            self._plain.append(number)
            self._started.discard(number)
            return
        del self._jobs[number]
        self.ran += 1
        is_wanted = self._asked.get(snippet.name) == (snippet, queries)
        if is_wanted:
            self._results[snippet.name] = result
        if self.seed or result.failure or not doubtful(snippet.source, (query.argument for query in queries)):
            self._keep(snippet, queries, run, result)
        elif is_wanted:
            self._doubted[snippet.name] = (snippet, queries), run
            if not self._elsewhere:
                folder = self.cache.folder if self.cache else None
                self._elsewhere = Runner(folder, self.limit, self.workers, OTHER, self.fork)
            self._elsewhere.request([(snippet, queries)])

    def _keep(self, snippet: Snippet, queries: tuple[Query, ...], run: Run, result: Result) -> None:
        is_late = any(one.ended is Ended.LATE for one in run.again)  # which the next run may not be
        if self.cache and not result.failure and not is_late:
            self.cache.write(self._key(snippet, queries), protocol.write(result))

    def _compare(self) -> None:
        """Wait for the second runs of what could change from run to run, and judge by both."""
        others = self._elsewhere.results() if self._elsewhere and self._doubted else {}
        with self._news:
            for name in self._doubted.keys() & others.keys():
                (snippet, queries), run = self._doubted.pop(name)
                self._results[name] = judge(snippet, run, self.limit, others[name], is_drawn(queries))
                self._keep(snippet, queries, run, self._results[name])

    def _bury(self) -> None:
        """The server died. Blame the job that ran; of several, find the one by running one at a time."""
        self._server = None
        with self._news:
            begun = self._started & self._jobs.keys()
            if len(begun) < 2:
                for number in sorted(begun or self._jobs):
                    self._take(number, Run(Ended.SERVER_DIED if begun else Ended.NEVER_BEGAN))
            else:
                self.workers = 1
            self._started.clear()
            self._plain.clear()
            self._news.notify_all()
        self._send(sorted(self._jobs, key=lambda number: (number not in begun, number)))
