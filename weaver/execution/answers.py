"""What pages ask of the variables that a program left: no expression changes another, or the program."""

import ast
import gc
import json
import os
import random
import re
import select
import shutil
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from inspect import ismodule
from typing import Any

from weaver.execution import protocol
from weaver.execution.protocol import Answer, Kind, Mode, Query
from weaver.execution.snippets.supervision import die_with_parent, fork_is_safe
from weaver.execution.timer import IDLE, TICK, Over, Timer, children, family, sentence
from weaver.graph.recorded import write
from weaver.graph.variables import evaluate
from weaver.syntax import parsed

LARGEST = 1 << 16  # characters of an answer's text; more is a mistake. Graphs count nodes, traces steps.
LEAST = 0.5  # seconds that an expression gets though those before it used all of them
# Calls that leave what they are given as it is. Any other is made on a copy of the process.
READING = {
    *("bool", "dict", "float", "int", "isinstance", "item", "items", "keys", "len", "list", "numel"),
    *("repr", "size", "str", "sum", "tolist", "tuple", "type", "values"),
}
Namespace = dict[str, Any]
Ways = Mapping[Kind, Callable[[str, Namespace], str]]


def _field(expression: str) -> str:
    """Return the f-string that holds `{expression}` alone."""
    apart = " " if expression.startswith("{") else ""  # two braces together would be a literal one
    return f'f"""{{{apart}{expression}}}"""'


def _text(expression: str, namespace: Namespace) -> str:
    """Return the text of the f-string field `{expression}`."""
    text: str = eval(_field(expression), dict(namespace))
    return text


def _data(expression: str, namespace: Namespace) -> str:
    """Return the JSON of an expression whose value is plain data."""
    return json.dumps(eval(expression, dict(namespace)))


def _memory(argument: str, namespace: Namespace) -> str:
    """Return the JSON of the storages of the variables `a, b`."""
    from weaver.recording.storage import memory  # when torch is there

    return write(memory(dict(evaluate(argument, namespace))))


# How a query is answered: kind -> (argument, namespace) -> text
WAYS: Ways = {Kind.TEXT: _text, Kind.DATA: _data, Kind.MEMORY: _memory}


def answer(
    queries: Iterable[Query],
    namespace: Namespace,
    limit: float,
    fork: bool = True,
    drawn: Callable[[], list[str]] = list,
    ways: Ways = WAYS,
) -> tuple[Answer, ...]:
    """Answer queries by the variables in `namespace`, all together in `limit` seconds of processor time.

    What could change a variable is evaluated in a fork of this process, each expression in one of its
    own; if `fork` is False or forking is not safe, then here, behind all that only reads. `drawn`
    returns the names of the random generators that were drawn from without a seed.
    """
    queries, left = list(queries), [limit, IDLE * limit]
    odd = any(_changes_when_read(value) for name, value in namespace.items() if name[0] != "_")
    reading = {query for query in queries if not odd and only_reads(query, namespace)}
    found = {query: _here(query, namespace, ways) for query in queries if query in reading}
    for query in (query for query in queries if query not in reading):
        evaluate = partial(_here, query, namespace, ways, drawn)
        if not (fork and fork_is_safe()):
            found[query] = evaluate()
            continue
        found[query] = _apart(query, evaluate, left, limit)
        again = found[query].error is None and _asks_a_module(query, namespace)
        if again and found[query] != _apart(query, evaluate, left, limit):
            found[query] = Answer(query, None, "it differs in every run")
    return tuple(found[query] for query in queries)


def allowance(limit: float, count: int) -> float:
    """Return the seconds of processor time after which whoever watches from outside stops `count` queries."""
    return 2 * limit + LEAST * (count + 1)


def unanswered(query: Query, limit: float, over: Over | None) -> Answer:
    """Return the answer to a query that was stopped, as its time was `over`, or that ended its process."""
    return Answer(query, None, f"it {sentence(over, limit)}" if over else "it ends the process")


def only_reads(query: Query, namespace: Namespace) -> bool:
    """Tell whether answering a query leaves all variables as they are, as far as its calls show."""
    for function in _called(query):
        name, attribute = getattr(function, "id", None), getattr(function, "attr", None)
        is_known = (name in READING and name not in namespace) or attribute in READING
        if not is_known and not isinstance(function, ast.Lambda):
            return False
    return True


def _called(query: Query) -> list[ast.expr]:
    """Return what a query calls; nothing if it isn't Python, as evaluating it says, or names variables."""
    if query.kind not in (Kind.TEXT, Kind.DATA):
        return []
    try:
        tree = parsed(_field(query.argument) if query.kind is Kind.TEXT else query.argument)
    except SyntaxError:
        return []
    return [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _asks_a_module(query: Query, namespace: Namespace) -> bool:
    """Tell whether a query calls what a module other than torch has, such as `time.time`."""
    nodes = [node for function in _called(query) for node in ast.walk(function)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    found = [namespace.get(name) for name in names]
    homes = [value.__name__ if ismodule(value) else getattr(value, "__module__", None) for value in found]
    return "__import__" in names or any(
        home and home.split(".")[0] not in ("torch", "__main__") for home in homes
    )


def _holds_an_address(text: str) -> bool:
    """Tell whether a text has a number that is a place in this process's memory, as `id` gives it."""
    numbers = [int(number) for number in re.findall(r"(?<![\w.])\d{11,16}(?![\w.])", text)]
    if not numbers or not os.path.exists("/proc/self/maps"):
        return False
    with open("/proc/self/maps") as file:
        held = [tuple(int(end, 16) for end in line.split()[0].split("-")) for line in file]
    return any(first <= number < last for number in numbers for first, last in held)


def _changes_when_read(value: object) -> bool:
    """Tell whether looking at a value may change it: an iterator, a defaultdict, the program's own."""
    form = value if isinstance(value, type) else type(value)
    return form.__module__ == "__main__" or hasattr(form, "__next__") or hasattr(form, "__missing__")


def _here(query: Query, namespace: Namespace, ways: Ways, drawn: Callable[[], list[str]] = list) -> Answer:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = ways[query.kind](query.argument, namespace)
        text.encode()  # which a lone surrogate cannot be
        names = drawn()
    except BaseException as error:
        said = traceback.format_exception_only(type(error), error)[-1].strip()
        return Answer(query, None, said[:LARGEST])
    if names:
        return Answer(query, None, f"it draws random numbers from {' and '.join(names)} without a seed")
    if len(text) > LARGEST and query.mode is Mode.PLAIN:
        return Answer(query, None, f"it gives {len(text):,} characters, more than {LARGEST:,}. Ask for less")
    if query.kind is Kind.TEXT and _holds_an_address(text):
        return Answer(query, None, "it gives a memory address, which differs in every run")
    return Answer(query, text)


def _apart(query: Query, evaluate: Callable[[], Answer], left: list[float], limit: float) -> Answer:
    """Return what `evaluate()` answers in a fork of this process, which ends with all that it started.

    `left` are the seconds that it may use, and those that it may do nothing; what it took is taken off.
    """
    known, state, answered = _children(), random.getstate(), os.memfd_create("answer")
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            die_with_parent()
            gc.disable()  # a look at every object would copy the memory that is shared
            random.setstate(state)  # which Python seeds again in a fork
            _be_silent()
            os.write(answered, protocol.write(_without_files(query, evaluate)))
        finally:
            os._exit(0)
    used, idle = (max(LEAST, seconds) for seconds in left)
    timer = Timer(used, lambda: family(pid, *_children() - known - {pid}), idle)
    ended, over = os.pidfd_open(pid), None
    while not select.select([ended], [], [], TICK)[0] and not (over := timer.look()):
        pass
    left[:] = left[0] - timer.used, left[1] - timer.idle
    for group in (os.killpg, os.kill):
        with suppress(ProcessLookupError):
            group(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    left_running = _end(_children() - known)
    data = os.pread(answered, os.fstat(answered).st_size, 0)
    os.close(ended)
    os.close(answered)
    try:
        found = protocol.read(data, Answer)
    except ValueError:  # it didn't live to write it
        return unanswered(query, limit, over)
    return Answer(query, None, "it leaves a process running") if left_running else found


def _without_files(query: Query, evaluate: Callable[[], Answer]) -> Answer:
    """Return the answer, if evaluating it leaves nothing in the program's folder; what it left is removed."""
    held = set(os.listdir())
    found = evaluate()
    left = sorted(set(os.listdir()) - held)
    for name in left:
        shutil.rmtree(name, ignore_errors=True)
        with suppress(OSError):
            os.unlink(name)
    return Answer(query, None, f"it writes the file {left[0]}") if left else found


def _be_silent() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (it ends with the process)


def _children() -> set[int]:
    return set(children(os.getpid()))


def _end(children: set[int]) -> bool:
    """Kill processes that were left to this one; tell whether there were any."""
    for pid in children:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return bool(children)
