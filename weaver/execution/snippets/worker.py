"""One snippet, executed as `python -u file.py` would, in a process that ends with it."""

import atexit
import builtins
import gc
import importlib
import io
import json
import os
import random
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import islice, takewhile

from weaver.execution import protocol
from weaver.execution.protocol import Answer, Job, Kind, Query, Raised, Report, Seen, Write
from weaver.graph.worker import storage

try:
    import resource
except ImportError:  # Windows
    resource = None

SEED = 0x5EED0F0A  # a seed no program sets: a generator that still has it was never seeded
KERNELS_OWN = {"In", "Out", "exit", "quit", "get_ipython", "open"}  # names that IPython puts there
FILE_LIMIT = 64 << 20  # bytes of the largest file a snippet may write, its output included


def preload():
    """Import torch on one thread and use it once, so that a forked child need not.

    One thread, because a pool of them does not survive a fork; the first backward and the
    first printed tensor import and allocate what every snippet needs.
    """
    import torch

    importlib.import_module("numpy.random")  # which NumPy itself loads only when it is used
    torch.set_num_threads(1)
    for watch in (nullcontext(), _subgraph().Watch({})):
        with watch:
            x = torch.ones(2, requires_grad=True)
            (x * x).sum().backward()
            repr(x.grad)


class Recorder(io.FileIO):
    """The raw stdout or stderr that notes which line of the program wrote which bytes."""

    def __init__(self, descriptor, kind, program, writes):
        super().__init__(descriptor, "w", closefd=False)
        self.kind, self.program, self.writes = kind, program, writes

    def write(self, data):
        start = os.fstat(self.fileno()).st_size
        written = super().write(data)
        if self.writes is not None:
            self.writes.append(Write(start, start + written, self._line(), self.kind))
        return written

    def _line(self):
        frame = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self.program:
            frame = frame.f_back
        return frame and frame.f_lineno


def _stream(descriptor, kind, program, writes):
    """Return a text stream on `descriptor` as `python -u` makes it: every write reaches the file."""
    errors = "backslashreplace" if kind == "err" else "strict"
    raw = Recorder(descriptor, kind, program, writes)
    stream = io.TextIOWrapper(raw, "utf-8", errors, newline="\n", write_through=True)
    stream.mode = "w"
    return stream


class Generators:
    """The global random generators, seeded with a known state to see which are drawn from unseeded."""

    def __init__(self, seed):
        import numpy
        import torch

        self.torch = torch.default_generator
        self.torch.manual_seed(SEED + seed)
        random.seed(SEED + seed)
        numpy.random.seed((SEED + seed) % 2**32)
        self.numpy = numpy.random.get_state
        self.seed = SEED + seed
        self.before = self._words()
        self.torch_before = self.torch.get_state()

    def _words(self):
        """Return the 624 words and the position of Python's and NumPy's Mersenne twisters."""
        python, numpy = random.getstate()[1], self.numpy()
        return {"random": (python[:-1], python[-1]), "numpy": (tuple(numpy[1].tolist()), numpy[2])}

    def drawn_from(self):
        """Return the names of the generators that were drawn from though nothing seeded them."""
        moved = []
        state = self.torch.get_state()
        if self.torch.initial_seed() == self.seed and not bool((state == self.torch_before).all()):
            moved.append("torch")
        for name, now in self._words().items():
            if now != self.before[name] and self._reaches(self.before[name], now):
                moved.append(name)
        return moved

    @staticmethod
    def _reaches(before, now, rounds=512):
        """Tell whether drawing from the twister `before` leads to `now`, within `rounds` refills."""
        twin = random.Random()
        twin.setstate((3, (*before[0], before[1]), None))
        for _ in range(rounds):
            if twin.getstate()[1][:-1] == now[0]:
                return True
            for _ in range(624):
                twin.getrandbits(32)
        return False


def run(job: Job) -> int:
    """Execute the program that `job` describes and write its report; return the exit code.

    The process must be fresh: forked from one that only called `preload`, or started for this. stdout
    and stderr go to `output` in the job's folder, in the order of the writes; the report goes to
    `report.json`, last of all, so that a process that was cut off has none.
    """
    program, folder = job.path, job.folder
    work = os.path.join(folder, "work")
    os.mkdir(work)
    os.chdir(work)
    null = os.open(os.devnull, os.O_RDONLY)
    output = os.open(os.path.join(folder, "output"), os.O_RDWR | os.O_CREAT | os.O_APPEND)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.closerange(3, 1 << 16)
    _limit_files()

    writes = []
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.__stdout__ = _stream(1, "out", program, writes)
    sys.stderr = sys.__stderr__ = _stream(2, "err", program, writes)
    for name in job.hidden:  # what the server was started with
        os.environ.pop(name, None)
    sys.dont_write_bytecode = True
    sys.argv[:] = [program]
    sys.path.insert(0, os.path.dirname(program))
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__dict__.update(__file__=program, __builtins__=builtins, __annotations__={}, __cached__=None)
    generators = Generators(job.seed)
    _walk_only_the_program()
    loaded = len(sys.modules)

    process = os.getpid()
    watch = _subgraph().Watch(vars(main)) if job.is_watched else nullcontext()
    with watch:
        raised, code = _execute(main, job.source, program, writes)
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()

    if os.getpid() != process:  # a copy that the program forked, and that came to the end as well
        return code
    names, imported = _public(main), _imported(loaded)
    with _unheard(writes):
        answers = _answer(job, main.__dict__, watch)
    unseeded = generators.drawn_from()
    _finalise(main)
    report = Report(
        folder=folder,
        exit=code,
        raised=raised,
        names=tuple(names),
        answers=answers,
        writes=tuple(writes),
        unseeded=tuple(unseeded),
        siblings=tuple(_beside(os.path.dirname(program), imported)),
        imported=tuple(name for name in imported if name.startswith("torch.")),
        files=tuple(sorted(os.listdir(work))),
    )
    with open(os.path.join(folder, "report.part"), "wb") as file:
        file.write(protocol.write(report))
    os.rename(os.path.join(folder, "report.part"), os.path.join(folder, "report.json"))
    return code


def _limit_files():
    """Keep the program from filling the disk: past the limit a write raises OSError."""
    if resource:
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))


def _execute(main, source, program, writes):
    """Run the program; return what it raised (type, text, line) or None, and its exit code."""
    try:
        exec(compile(source, program, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as error:
        code = error.code
        if not (code is None or isinstance(code, int)):
            print(code, file=sys.stderr)
            code = 1
        return _raised(error, _own_frames(error.__traceback__, program), program), code or 0
    except BaseException as error:
        trace = _own_frames(error.__traceback__, program)
        raised = _raised(error, trace, program)
        start = os.fstat(1).st_size
        count = len(writes)
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        del writes[count:]
        writes.append(Write(start, os.fstat(1).st_size, raised.line, "traceback"))
        return raised, 1
    return None, 0


def _walk_only_the_program():
    """Let a printed stack begin with the program's first frame, as a script's does; leave out ours.

    Anomaly mode prints the stack of the operation, and with it the frames that lead to the program.
    """
    whole = traceback.walk_stack

    def walk(frame):
        if frame is None:
            return whole(None)
        frames = takewhile(lambda one: one[0].f_code is not _execute.__code__, whole(frame))
        return (one for one in frames if not one[0].f_globals.get("__name__", "").startswith("weaver."))

    traceback.walk_stack = walk


def _own_frames(trace, program):
    """Drop the frames above the program's first: a script has none."""
    while trace is not None and trace.tb_frame.f_code.co_filename != program:
        trace = trace.tb_next
    return trace


def _raised(error, trace, program):
    """Return the error's class name, the end of its traceback as Python prints it, and its line."""
    text = traceback.format_exception_only(type(error), error)
    lines = [number for frame, number in traceback.walk_tb(trace) if frame.f_code.co_filename == program]
    if isinstance(error, SyntaxError):
        text, lines = text[-1:], lines or [error.lineno]
    return Raised(type(error).__name__, "".join(text), lines[-1] if lines else None)


def _imported(count):
    """Return the modules that were imported since there were `count`, newest first.

    The others are not even looked at: a glance writes to memory that is shared with the server.
    """
    return dict(islice(reversed(sys.modules.items()), max(0, len(sys.modules) - count)))


def _beside(folder, modules):
    """Return the names of the modules that come from the program's own folder."""
    files = {name: getattr(module, "__file__", None) for name, module in modules.items()}
    return [name for name, file in files.items() if file and os.path.dirname(file) == folder]


def _public(main):
    """Return the names that the program gave to things."""
    return sorted(name for name in vars(main) if not name.startswith("_"))


@contextmanager
def _unheard(writes):
    """Keep what is written meanwhile out of the output."""
    count, kept = len(writes), [os.dup(1), os.dup(2)]
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    try:
        yield
    finally:
        for descriptor, stream in enumerate(kept, 1):
            os.dup2(stream, descriptor)
        del writes[count:]


def _text(expression, namespace):
    """Return the text of the f-string field `{expression}`."""
    apart = " " if expression.startswith("{") else ""  # two braces together would be a literal one
    return eval(f'f"""{{{apart}{expression}}}"""', dict(namespace))


def _data(expression, namespace):
    """Return the JSON of an expression whose value is plain data."""
    return json.dumps(eval(expression, dict(namespace)))


# How a query is answered: kind -> (argument, namespace) -> text
ANSWERS = {Kind.TEXT: _text, Kind.DATA: _data, Kind.MEMORY: storage.see}


def answer(queries: Iterable[Query], namespace: dict, how: Mapping[Kind, Callable] = ANSWERS) -> list[Answer]:
    """Answer queries by the variables in `namespace`."""
    return [_answer_one(query, namespace, how[query.kind]) for query in queries]


def _answer_one(query, namespace, see):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Answer(query, see(query.argument, namespace))
    except BaseException as error:
        return Answer(query, None, traceback.format_exception_only(type(error), error)[-1].strip())


def _answer(job, namespace, watch):
    """Answer those of the job's queries that this run is for: a watched one is for graphs."""
    queries = [query for query in job.queries if query.is_watched == job.is_watched]
    how = {Kind.GRAPH: partial(_subgraph().see, watch)} if job.is_watched else ANSWERS
    return tuple(answer(queries, namespace, how))


def report_on_kernel(queries: str, path: str) -> None:
    """Write to `path` what a kernel's variables answer to `queries`, a list as JSON, and their names."""
    main = sys.modules["__main__"]
    answers = answer(protocol.read(queries, list[Query]), vars(main))
    names = (name for name in _public(main) if name not in KERNELS_OWN)
    with open(path, "wb") as file:
        file.write(protocol.write(Seen(tuple(answers), tuple(names))))


def _subgraph():
    from weaver.graph.worker import subgraph  # when torch is there

    return subgraph


def _finalise(main):
    """Let the program's objects die while stdout still works, as the interpreter's end does.

    Not beside a daemon thread, which the interpreter would have frozen first.
    """
    if threading.active_count() > 1:
        return
    namespace = vars(main)
    for private in (True, False):
        for name in list(namespace):
            if name != "__builtins__" and (name[0] == "_" and name[1:2] != "_") == private:
                namespace[name] = None
    gc.collect()
    sys.stdout.flush()


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as job_file:
        job = protocol.read(job_file.read(), Job)
    preload()
    os._exit(run(job))
