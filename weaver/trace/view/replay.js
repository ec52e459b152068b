// A stored trace -> the moments that are shown one after the other, each with its whole state; its folds.
// The form is that of weaver/trace/compact.py. A moment is a step's line, an event of the engine, or a gap.
var weaverTrace = window.weaverTrace || {};
(function (api) {
  const number = (one) => (typeof one === "number" ? String(Number(one.toPrecision(5))) : one === true ? "True" : one === false ? "False" : one);
  const tuple = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const shapeOf = (value) => (Array.isArray(value) ? [value.length, ...(value.length ? shapeOf(value[0]) : [])]
    : value?.shape || []);

  const all = (value) => (Array.isArray(value) ? `[${value.map(all).join(", ")}]` : number(value));

  // As `short` in weaver/trace/picture.py: how wide a box is, is known from there.
  api.short = function (value, room = 26) {
    if (value === null || value === undefined) return "None";
    const text = Array.isArray(value) || typeof value !== "object" ? all(value) : "";
    return text && (text.length <= room || !Array.isArray(value)) ? text : tuple(shapeOf(value));
  };
  // In a row there is more room; in what it opens to there is all of it.
  api.inRow = function (value, room = 34) {
    if (Array.isArray(value)) {
      const text = all(value);
      return text.length <= room ? text : `${tuple(shapeOf(value))} ${text.slice(0, room - 12).replace(/,[^,]*$/, "")}, …`;
    }
    if (value && typeof value === "object") {
      const range = value.min === undefined ? "" : ` ${number(value.min)} … ${number(value.max)}`;
      return tuple(value.shape) + range + (value.mean === undefined ? "" : `, mean ${number(value.mean)}`) + (value.nan ? `, nan × ${value.nan}` : "") + (value.inf ? `, inf × ${value.inf}` : "");
    }
    return api.short(value);
  };
  api.inFull = (value, pad = "") => (!Array.isArray(value) || !Array.isArray(value[0]) ? api.inRow(value, 1e9)
    : `[${value.map((one) => api.inFull(one, `${pad} `)).join(`,\n${pad} `)}]`);

  function facts(told, names) {
    const place = told.p || "";
    return {
      value: null, shape: shapeOf(told.v), dtype: "float32", device: "cpu", place, grad_fn: names[place.split(".")[0]] || null,
      requires_grad: place[0] === "n" || place[0] === "l", is_leaf: place[0] !== "n", version: 0, storage: null,
      ...Object.fromEntries(Object.entries(told).filter(([key]) => key in LONG).map(([key, value]) => [LONG[key], value])), told,
    };
  }
  const LONG = { v: "value", s: "shape", d: "dtype", c: "device", p: "place", g: "grad_fn", r: "requires_grad", i: "is_leaf", n: "version", m: "storage" };

  function states(trace, names, state) {
    let loops = [];
    return trace.steps.map((step, index) => {
      if (step.t) state = { ...state };
      for (const [name, change] of Object.entries(step.t || {})) {
        if (change === null) delete state[name];
        else state[name] = facts(state[name] && !change["="] ? { ...state[name].told, ...change } : change, names);
      }
      loops = step.i || loops;
      return { index, line: step.l, depth: step.d || 0, function: step.f || null, printed: step.p || "", state, loops,
        hidden: step.h || {}, raised: step.r || null, gap: step.g || null, events: step.e || [] };
    });
  }

  // While the engine is on its way, the leaves that it has been at have their new `.grad`.
  function during(before, after, event) {
    if (event.kind !== "visit" || event.node[0] !== "l") return before;
    const state = { ...before };
    for (const [name, one] of Object.entries(before)) {
      const grad = `${name}.grad`;
      if (one.place !== event.node) continue;
      state[grad] = after[grad] || { ...facts({ v: event.after }, {}), dtype: one.dtype };
    }
    return state;
  }

  api.replay = function (trace) {
    const names = Object.fromEntries(trace.nodes.map((node) => [node.id, node.name])), moments = [], callers = {};
    let state = Object.fromEntries(Object.entries(trace.t || {}).map(([name, told]) => [name, facts(told, names)]));
    const steps = states(trace, names, state);
    for (const step of steps) for (const event of step.events) callers[event.run] = step; // the last to tell of a run is the line that called
    const none = { index: -1, line: 0, depth: 0, function: null, printed: "", state, loops: [], hidden: {}, events: [] };
    moments.push({ kind: "begin", step: none, line: 0, depth: 0, state, loops: [], printed: "" });
    let before = none, printed = "";
    const born = Object.fromEntries(trace.nodes.map((node) => [node.id, (steps[node.born || 0] || none).loops]));
    for (const step of steps) {
      if (step.gap) {
        printed += step.gap.printed || "";
        moments.push({ kind: "gap", step, line: before.line, depth: step.depth, state, loops: before.loops, printed, gap: step.gap });
      }
      for (const event of step.events) {
        const caller = callers[event.run], own = born[(event.node || "").split(".")[0]] || [];
        const loops = event.kind === "visit" && String(own).startsWith(String(caller.loops)) ? own : caller.loops; // back through a loop
        state = during(state, step.state, event);
        moments.push({ kind: "event", event, caller, name: names[(event.node || "").split(".")[0]] || (event.node || "")[0], step, line: caller.line, depth: caller.depth + 1, function: caller.function, state, loops, printed });
      }
      state = step.state;
      printed += step.printed;
      moments.push({ kind: "line", step, line: step.line, depth: step.depth, function: step.function, state, loops: step.loops, printed });
      before = step;
    }
    moments[moments.length - 1].printed += trace.printed_at_end || "";
    moments.forEach((moment, index) => { moment.index = index; });
    remember(moments);
    const loops = runs(moments, 1, moments.length, 0), folds = [...calls(moments), ...loops.flatMap((run) => run.folds)];
    return { moments, loops, folds };
  };

  // What no state says: which nodes were freed by then, the versions of what has no name any more, and whether
  // a loop goes on behind its header.
  function remember(moments) {
    let freed = new Set(), versions = {};
    const counts = {};
    moments.forEach((moment, index) => {
      const then = index ? moments[index - 1].state : {}, { event } = moment;
      if (event?.freed) freed = new Set([...freed, ...event.freed]);
      const moved = Object.keys(moment.state).filter((name) => then[name] && then[name].storage === moment.state[name].storage && moment.state[name].version > then[name].version);
      for (const name of moved) {
        const [old, now] = [then[name].place, moment.state[name].place], count = counts[old] || { at: 0 };
        counts[old] = counts[now] = count;
        count.at = moment.state[name].version;
      }
      if (moved.length) versions = Object.fromEntries(Object.entries(counts).map(([place, count]) => [place, count.at]));
      const next = moments[index + 1], last = moment.loops.length - 1;
      moment.goesOn = last >= 0 && !!next && String(next.loops[last]) === String(moment.loops[last]);
      Object.assign(moment, { freed, versions });
    });
  }

  // What a line called, or had the engine do, folds into it: open at first, but not again and again in a loop.
  function calls(moments) {
    const found = [];
    moments.forEach((moment, to) => {
      let from = to;
      while (moments[from - 1] && moments[from - 1].depth > moment.depth) from -= 1;
      if (from < to && moment.kind === "line") {
        const visits = moments.slice(from, to).filter((one) => one.event?.kind === "visit");
        const own = visits.filter((one) => one.caller === moment.step).length;
        found.push({ kind: "call", from, to, visits: visits.length, own, open: !moment.loops.some(([, iteration]) => iteration > 0) });
      }
    });
    return found;
  }

  const kinds = (moment, before) => Object.keys({ ...moment.state, ...before.state }).filter((name) => moment.state[name] !== before.state[name])
    .map((name) => {
      const [now, then] = [moment.state[name], before.state[name]];
      return now && then ? `${name}${now.version !== then.version}${now.grad_fn}${now.requires_grad}` : `${name}${!now}`;
    });
  const signature = (moments, from, to) => moments.slice(from, to).map((moment) =>
    [moment.kind, moment.line, moment.depth, moment.event?.kind, moment.name,
      moment.step.raised, moment.printed !== moments[moment.index - 1].printed, moment.kind === "line" ? kinds(moment, moments[moment.index - 1]) : ""].join("|")).join("\n");

  // Loops: each run of one as its iterations, `[from, to)`; of more than three alike ones in a row the middle is folded.
  function runs(moments, from, to, level) {
    const found = [];
    for (let at = from; at < to;) {
      const [line] = moments[at].loops[level] || [null];
      if (line === null) { at += 1; continue; }
      const run = { line, level, iterations: [], folds: [] };
      let step = 0;
      while (at < to && (moments[at].loops[level] || [])[0] === line) {
        const [, iteration] = moments[at].loops[level], last = run.iterations.at(-1);
        if (last && (iteration - last.iteration) * step < 0) break; // the engine goes through it from its end
        if (last) step ||= iteration - last.iteration;
        if (last && last.iteration === iteration) last.to = at + 1;
        else run.iterations.push({ iteration, from: at, to: at + 1 });
        at += 1;
      }
      for (const one of run.iterations) one.signature = signature(moments, one.from, one.to);
      for (let i = 0; i < run.iterations.length;) {
        let j = i;
        while (j < run.iterations.length && run.iterations[j].signature === run.iterations[i].signature) j += 1;
        if (j - i > 3) {
          const [first, last] = [run.iterations[i + 1], run.iterations[j - 2]];
          run.folds.push({ kind: "loop", line, from: first.from, to: last.to - 1, open: false, first, last, times: j - i - 2 });
        }
        i = j;
      }
      found.push(run, ...run.iterations.flatMap((one) => runs(moments, one.from, one.to, level + 1)));
    }
    return found;
  }
})(weaverTrace);
window.weaverTrace = weaverTrace;
