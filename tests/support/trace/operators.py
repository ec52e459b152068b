"""Records a program for each operator of torch's own database, and checks what is recorded and drawn of it.

`PYTHONPATH=tests python -m support.trace.operators` does so for every operator that supports autograd. The
program applies it to the first sample that takes a gradient, runs as the build runs it, and is compared with
plain runs: what it prints, the nodes of its graph, and the gradients of its leaves.
"""

import os
import random
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import zip_longest
from pathlib import Path
from types import ModuleType

import numpy
import torch
from torch.utils._pytree import tree_leaves, tree_map

from support.trace.oracle import runs
from support.trace.warm import forked, preload_once, take_output
from weaver.execution.protocol import TRACE, Answer, Job, Kind, Mode, Query, Report, read
from weaver.execution.snippets.traced import LIMITS
from weaver.execution.snippets.worker import run
from weaver.graph import recorded
from weaver.graph.picture.figure import Panel, drawings, figure
from weaver.recording import compact
from weaver.recording.facts import value_of
from weaver.recording.model import Range
from weaver.site.words import words

ROOT = Path(__file__).parents[3]
DTYPES = torch.float64, torch.complex128, torch.float32  # the first one in which there are gradients
FORWARD = """\
import torch
from operand import fixed, inputs, leaves, named, operator, scalar

torch.manual_seed(0)
torch.set_printoptions(precision=12)
constant = operator(*fixed[0], **fixed[1])
output = operator(*inputs, **named)
loss = scalar(output)
"""
SOURCE = f"{FORWARD}loss.backward()\nprint(constant, output, loss, *[leaf.grad for leaf in leaves])\n"
# Where a mode notes operations, torch's `reshape` makes a view of what isn't contiguous in another way
AS_WATCHED = partial(re.compile("ReshapeAliasBackward0").sub, "ViewBackward0")
GRAPHS = [Query(Kind.GRAPH, name) for name in ("constant", "output", "loss")]


@dataclass
class Checked:
    """What came of an operator: whether it was drawn, how many gradients were compared, and what differs."""

    is_drawn: bool = False
    gradients: int = 0
    differs: list[str] = field(default_factory=list)


@cache
def operators() -> dict[str, object]:
    """Return the operators that have gradients on a processor, by their names."""
    preload_once()
    from torch.testing._internal.common_methods_invocations import op_db  # takes two seconds

    return {one.full_name: one for one in op_db if one.supports_autograd and _dtype(one)}


def check(name: str) -> Checked:
    """Record the program of an operator, and compare it with plain runs."""
    operator = operators()[name]
    plain, watched = _run(operator, Mode.PLAIN), _run(operator, Mode.WATCHED)
    expected = forked(lambda folder: _expected(operator))
    if failed := [ran.error for ran in (plain, watched) if ran.error] or not expected:
        return Checked(differs=[f"didn't come to its end: {failed}."])
    found = Checked(differs=list(_unlike(plain.printed, watched.printed)))
    shapes, gradients = expected
    undrawn = [
        f"{query.argument}: {one}"
        for query, shape in zip(GRAPHS, shapes, strict=True)
        for one in _undrawn(watched.answers[query], shape)
    ]
    found.differs += undrawn
    found.is_drawn = not undrawn
    _compare_gradients(watched.answers[TRACE], gradients, found)
    return found


def _unlike(plain, watched):
    """Yield what is wrong with the first line that a plain run and a watched one print otherwise."""
    for one, other in zip_longest(AS_WATCHED(plain).splitlines(), watched.splitlines()):
        if one != other:
            yield f"printed {one!r}, watched {other!r}."
            return


def _undrawn(answer, shape):
    """Yield what is wrong with the graph in an answer, or with its picture."""
    if answer.error:
        yield answer.error
        return
    graph = recorded.read(answer.text, recorded.Graph)
    if (drawn := _shape_of(graph)) != shape:
        yield f"the nodes are {shape}, drawn {drawn}."
    nodes = Counter(box.node for box in graph.boxes if box.kind == "operation")
    if more := nodes - Counter(name for name, _ in shape):
        yield f"has nodes that nothing leads to: {dict(more)}."
    try:
        for language in ("en", "ko"):
            figure([Panel("", answer.text)], words(ROOT / "words", language).page)
        for *_, picture in drawings([answer.text]):
            ElementTree.fromstring(picture)
    except Exception as error:
        yield f"the picture raises {error!r}."


def _compare_gradients(answer, gradients, found):
    """Compare what the engine brought to the leaves with what `torch.autograd.grad` gave for them."""
    if answer.error:
        found.differs.append(f"the trace: {answer.error}")
        return
    trace = compact.read(answer.text)
    if trace.notes:
        found.differs.append(f"the trace lacks something: {trace.notes}.")
    [(_, step, visits)] = runs(trace)
    for number, gradient in enumerate(gradients):
        name = f"leaves[{number}]"
        (received,) = visits.get(step.tensors[name].place, [None])
        kept = step.tensors.get(f"{name}.grad")
        found.gradients += 1
        for got in (received, kept and kept.value):
            if not _alike(got, gradient):
                found.differs.append(f"{name} got {got}, and autograd.grad gives {gradient}.")


# The runs


def _expected(operator):
    """Return the shapes of an operator's graphs in a plain run, and the gradients of its leaves."""
    take_output("output")
    _lend(operator)
    names = {}
    exec(compile(FORWARD, "operator.py", "exec"), names)
    shapes = [_shape_behind(names[query.argument]) for query in GRAPHS]
    gradients = torch.autograd.grad(names["loss"], names["leaves"], allow_unused=True)
    return shapes, [value_of(one, LIMITS.elements) for one in gradients]


@dataclass
class Ran:
    """A run of an operator's program: what ended it, if not its end, what it printed, its answers by query."""

    error: str | None = None
    printed: str = ""
    answers: dict[Query, Answer] = field(default_factory=dict)


def _run(operator, mode):
    """Run the program of an operator as the build does."""

    def work(folder):
        _lend(operator)
        queries = (*GRAPHS, TRACE)
        run(Job(0, str(ROOT / "operator.py"), SOURCE, queries, 0, (), 10, True, folder, (mode,)))
        os.chdir(folder)
        report = read(Path("report.json").read_bytes(), Report)
        answers = {one.query: one for one in report.answers or ()}
        return report.raised and report.raised.text, Path("output").read_text("utf-8"), answers

    return Ran(*(forked(work) or ("it left no report",)))


def _lend(operator):
    """Let the program import an operator, its sample as leaves and as constants, and what makes a scalar."""
    sample, known = _sample(operator), {}
    given = [sample.input, *sample.args], sample.kwargs

    def leaf(value):
        if not needs_gradient(value):
            return value
        return known.setdefault(id(value), value.detach().requires_grad_())

    def constant(value):
        return value.detach().clone() if torch.is_tensor(value) else value

    sys.modules["operand"] = operand = ModuleType("operand")
    operand.operator = operator.op
    operand.scalar = lambda output: scalar(sample.output_process_fn_grad(output))
    operand.fixed = tree_map(constant, given)
    operand.inputs, operand.named = tree_map(leaf, given)
    operand.leaves = [*known.values()]


def _dtype(operator):
    """Return the type of the numbers in which an operator has gradients here, None if there is none."""
    dtypes = operator.supported_backward_dtypes("cpu")
    return next((one for one in DTYPES if one in dtypes), None)


def _sample(operator):
    """Return the first sample that takes a gradient, for something."""
    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)
    for sample in operator.sample_inputs("cpu", _dtype(operator), requires_grad=True):
        leaves = list(filter(needs_gradient, tree_leaves([sample.input, sample.args, sample.kwargs])))
        if leaves and all(map(torch.numel, leaves)):
            return sample
    raise ValueError("no sample takes a gradient")


def needs_gradient(value: object) -> bool:
    return torch.is_tensor(value) and value.requires_grad


def scalar(output: object) -> torch.Tensor:
    """Return a real number that all differentiable tensors in an output have a part in, each element another."""
    return sum(_weighed(one) for one in tree_leaves(output) if needs_gradient(one))


def _weighed(tensor):
    tensor = tensor if tensor.layout == torch.strided else tensor.to_dense()
    tensor = tensor.real + tensor.imag if tensor.is_complex() else tensor
    return (tensor * torch.linspace(1, 2, tensor.numel()).reshape(tensor.shape)).sum()


# What is compared


def _shape_behind(value):
    """Return the shape of the graph behind some tensors, as their nodes tell it."""
    edges = [torch.autograd.graph.get_gradient_edge(one) for one in tree_leaves(value) if needs_gradient(one)]
    return _shape(
        [edge.node for edge in edges],
        lambda node: AS_WATCHED(node.name().split("::")[-1]),
        lambda node: [(slot, *one) for slot, one in enumerate(node.next_functions) if one[0] is not None],
    )


def _shape_of(graph):
    """Return the shape of a recorded graph, without what no gradient goes through."""
    boxes = {box.id: box for box in graph.boxes}
    return _shape(
        [id for id in graph.roots if boxes[id].kind in ("operation", "leaf")],
        lambda id: boxes[id].node or "AccumulateGrad",
        lambda id: sorted(
            (edge.slot, edge.start, edge.output)
            for edge in graph.edges
            if edge.end == id and edge.kind == "recorded"
        ),
    )


def _shape(roots, name, inputs):
    """Return of each node its name, and of each of its inputs the slot, the number of the node and its output.

    Nodes are numbered in the order in which they are met.
    """
    numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
    found, todo = [], list(numbers)
    for node in todo:
        row = []
        for slot, earlier, output in inputs(node):
            if earlier not in numbers:
                numbers[earlier] = len(numbers)
                todo.append(earlier)
            row.append((slot, numbers[earlier], output))
        found.append((name(node), row))
    return found


def _alike(one, other):
    """Tell whether two recorded values are the same but for the last digits."""
    one, other = numpy.array(_numbers(one)), numpy.array(_numbers(other))
    return one.shape == other.shape and numpy.allclose(one, other, rtol=1e-5, atol=1e-8, equal_nan=True)


def _numbers(value):
    if isinstance(value, Range):
        return _numbers([*value.shape, value.min, value.max, value.mean, value.nan, value.inf])
    if isinstance(value, list):
        return [number for one in value for number in _numbers(one)]
    return [] if value is None else [complex(value)]


def main(wanted):
    names = [name for name in operators() if not wanted or any(word in name for word in wanted)]
    drawn = gradients = wrong = 0
    for number, name in enumerate(names):
        found = check(name)
        drawn += found.is_drawn
        gradients += found.gradients
        wrong += bool(found.differs)
        print(*(f"{name} {one}\n" for one in found.differs), sep="", end="", flush=True)
        print(f"{number + 1} of {len(names)}", file=sys.stderr, flush=True)
    print(f"{len(names)} operators, {drawn} drawn, {gradients} gradients compared, {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
