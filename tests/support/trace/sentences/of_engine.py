"""Decides each sentence about the engine: its visits in order, what they received, and where it went."""

import math
from collections import Counter

from support.trace.sentences.of_lines import UNSURE, codes
from support.trace.sentences.outside import reads_as, short


def judged_events(moments, engine, writes):
    """Yield what `Case.end` does, of what is said about the engine; `writes` are the lines that wrote."""
    counts = Counter()
    for one in moments:
        if one["kind"] != "event" or one["run"] >= len(engine.runs):
            continue
        run, said = engine.runs[one["run"]], one["said"][0]
        number = counts[one["run"], one["event"]]
        counts[one["run"], one["event"]] += 1
        if one["event"] == "visit":
            all_visits = [*run.visits, *(visit for visit in run.begun if visit not in run.visits)]
            verdicts = of_visit(run, all_visits[number], said) if number < len(all_visits) else [UNSURE] * len(said)
        elif one["event"] == "hook":
            verdicts = [UNSURE] * len(said) if one["of"] == "module" else of_hook(run, said)
        else:
            verdicts = [of_run(engine, run, number, key, given, writes) for key, given in said]
        for (key, given), verdict in zip(said, verdicts, strict=True):
            yield one["line"], key, str(given), verdict


def of_visit(run, visit, said):
    """Yield whether each sentence about a node's visit is true."""
    nodes = [node for node, _ in visit.node.next_functions]
    slots = [(node, value) for node, value in zip(nodes, visit.passed or (), strict=False) if node is not None and value is not None]
    for key, given in said:
        if key in ("passed", "passed_local", "passed_to", "passed_also") and slots:
            node, value = slots.pop(0)
            verdict = reads_as(given["passed"], value) and is_target(given["to"], node, run.leaves)
            yield verdict and ("node" not in given or is_node(visit, given))
        elif key.startswith("zeroed"):
            yield became_zero(visit) and run.zeros.get(codes(given["name"])[-1], True)  # else nobody knows
        elif key == "summed":
            yield arrived(run, visit) > 1
        elif key == "passed_none":
            yield is_node(visit, given) and not slots
        elif key == "passed_more":
            yield len(slots) == given["n"]
        elif key == "nan":
            nan = [any(value is not None and any(map(math.isnan, value[1])) for value in all) for all in (visit.received, visit.passed)]
            yield nan == [False, True]
        elif key.startswith("leaf_"):
            yield hasattr(visit.node, "variable") and of_leaf(visit, key, given)
        else:
            yield UNSURE


def arrived(run, visit):
    """Return how many gradients at most were passed to the same place of a node."""
    ways = (way for one in run.visits for way in zip(one.node.next_functions, one.passed or (), strict=False))
    slots = Counter(slot for (node, slot), value in ways if node is visit.node and value is not None)
    return max(slots.values(), default=0)


def became_zero(visit):
    """Tell whether a node received a gradient that isn't 0 and passed on one that is."""
    received, passed = ([any(one[1] or ()) for one in all if one is not None] for all in (visit.received, visit.passed))
    return any(received) and not all(passed)


def is_node(visit, given):
    received = codes(given["received"])[-1]
    return given["node"] == short(visit.node) and (len(visit.received) != 1 or reads_as(received, visit.received[0]))


def of_leaf(visit, key, given):
    [received] = visit.received
    if key == "leaf_nothing":
        return received is None
    if not reads_as(codes(given["received"])[-1], received):
        return False
    if key == "leaf_frozen":
        return not visit.node.variable.requires_grad or UNSURE
    return reads_as(given["old"], visit.before) and (key != "leaf_first" or visit.before is None)


def of_hook(run, said):
    """Yield whether each sentence about a hook is true: it is one of the calls of the program's functions."""
    calls = [call for call in run.calls if call.name == said[0][1]["name"]]
    if not calls:
        return [UNSURE] * len(said)  # it's no function of the program
    received = codes(said[0][1]["received"])
    calls = [call for call in calls for given in (call.received, call.grads) if len(received) != len(given) or all(map(reads_as, received, given))]
    result = {"hook_none": lambda call, given: call.returned == [None],
              "hook_returned": lambda call, given: len(codes(given["passed"])) != len(call.returned) or all(map(reads_as, codes(given["passed"]), call.returned))}
    return [bool(calls), *(any(result[key](call, given) for call in calls) for key, given in said[1:])]


def of_run(engine, run, number, key, given, writes):
    """Tell whether a sentence about a run of the engine is true."""
    stopped = [visit.node for visit in run.begun if visit not in run.visits]
    if key == "start":
        called = codes(given["call"])
        is_call = not called or (called[0].removesuffix("()").split(".")[-1] == "backward") == (run.call == "backward")
        return is_call and is_root(run, number, given)
    if key == "start_recorded":
        return run.creates
    if key.startswith("freed") and run.is_wrapped:
        return UNSURE
    if key == "freed_many":
        return given["n"] == len(run.freed) and not run.retains
    if key == "freed":
        return codes(given["nodes"]) == list(map(short, run.freed)) and not run.retains
    if key == "failed":
        return given["node"] in map(short, stopped)
    if key in ("failed_version", "failed_written"):
        is_told = f"is at version {given['met']}; expected version {given['wanted']} " in str(run.error)
        return is_told and given["node"] in map(short, stopped) and (key == "failed_version" or did_write(given, writes))
    if key == "failed_freed":
        earlier = [one for one in engine.runs if one.caller and one.caller.line == given["line"] and one is not run]
        return "second time" in str(run.error) and any(node in stopped for one in earlier for node in one.freed)
    if key == "failed_plain":
        return "does not require grad" in str(run.error) and not run.visits
    if key in ("failed_after", "failed_start"):
        return run.error is not None and (key != "failed_start" or not run.visits)
    return UNSURE


def is_root(run, number, given):
    return number >= len(run.seeds) or reads_as(codes(given["value"])[-1], run.seeds[number])


def did_write(given, writes):
    """Tell whether the line wrote to a tensor that leads on from the version that was wanted."""
    pairs = writes.get((given["line"], codes(given["name"])[-1]), ())
    return any(then.version <= given["wanted"] < now.version and then.storage == now.storage for then, now in pairs if then and now)


def is_target(to, node, leaves):
    told = codes(to)
    if not hasattr(node, "variable"):
        return told[0] == short(node) or len(told) == 1
    found = leaves.get(told[-1])  # of a function that has returned there's none
    return found is None or found is node.variable
