// A stored trace -> the moments that are shown one after the other, each with its whole state, and its folds
// The form is that of weaver/recording/compact.py. A moment is a step's line, an event of the engine, or a gap.
window.weaverTrace ||= {};
(function (api) {
  const NAMES = { true: "True", false: "False" };
  // A whole number isn't rounded: it may be an index
  const number = (one) => NAMES[one] || (one % 1 || one > 1e9 ? `${+one.toPrecision(5)}` : `${one}`);
  const tuple = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const shapeOf = (value) => (Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : value?.shape || []);
  const all = (value) => (Array.isArray(value) ? `[${value.map(all).join(", ")}]` : number(value));

  api.same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  api.isGrad = (name, state) => name.endsWith(".grad") && name.slice(0, -5) in state;
  // Sorts names: what is a module's own comes last.
  api.ownFirst = (names) => names.sort((a, b) => a.startsWith("self.") - b.startsWith("self."));

  // As `short` in weaver/player/picture.py, which makes boxes as wide as this needs
  api.short = function (value, room = 26) {
    if (value === null || value === undefined) return "None";
    if (typeof value !== "object") return all(value);
    const text = Array.isArray(value) ? all(value) : "";
    return text && text.length <= room ? text : tuple(shapeOf(value));
  };
  // In a row there is more room; in what it opens to there is all of it.
  api.inRow = function (value, room = 34) {
    if (Array.isArray(value)) {
      const text = all(value), cut = text.slice(0, room - 12).replace(/(^|,)[^,]*$/, ""); // whole numbers
      return text.length <= room ? text : tuple(shapeOf(value)) + (cut && ` ${cut}, …`);
    }
    if (!value || typeof value !== "object") return api.short(value);
    const { shape, min, max, mean, nan, inf } = value;
    const parts = [tuple(shape)];
    if (min !== undefined) parts.push(` ${number(min)} … ${number(max)}`);
    if (mean !== undefined) parts.push(`, mean ${number(mean)}`);
    if (nan) parts.push(`, nan × ${nan}`);
    if (inf) parts.push(`, ±inf × ${inf}`);
    return parts.join("");
  };
  api.inFull = function (value, pad = "") {
    if (!Array.isArray(value?.[0])) return api.inRow(value, 1e9);
    const inner = `${pad} `;
    return `[${value.map((one) => api.inFull(one, inner)).join(",\n" + inner)}]`;
  };

  const LONG = {
    v: "value", s: "shape", d: "dtype", c: "device", p: "place", g: "grad_fn", r: "requires_grad", i: "is_leaf",
    n: "version", m: "storage",
  };
  const idOf = (place) => (place || "").split(".")[0];

  function facts(told, names) {
    const place = told.p || "", known = Object.entries(told).filter(([key]) => key in LONG);
    return {
      value: null, shape: shapeOf(told.v), dtype: "float32", device: "cpu", place,
      grad_fn: names[idOf(place)] || null, requires_grad: place[0] === "n" || place[0] === "l",
      is_leaf: place[0] !== "n", version: 0, storage: null,
      ...Object.fromEntries(known.map(([key, value]) => [LONG[key], value])), told,
    };
  }

  function applied(state, changes, names) {
    const now = { ...state };
    for (const [name, change] of Object.entries(changes)) {
      const before = now[name];
      if (change === null) delete now[name];
      else now[name] = facts(before && !change["="] ? { ...before.told, ...change } : change, names);
    }
    return now;
  }

  // `was` is the state before the line, of its own function.
  function states(trace, names, first) {
    const last = [first]; // the last state of each depth
    let loops = [], state = first;
    return trace.steps.map((step, index) => {
      if (step.t) state = applied(state, step.t, names);
      loops = step.i || loops;
      const depth = step.d || 0;
      last.splice(depth + 1);
      const was = step.b ? applied(state, step.b, names) : last.findLast(Boolean);
      last[depth] = state;
      return {
        index, line: step.l, depth, function: step.f, printed: step.p || "", state, loops, was,
        given: step.a || [], missing: step.u || [], hidden: step.h || {}, raised: step.r, gap: step.g,
        events: step.e || [],
      };
    });
  }

  // The line that called the engine for each run: the first of its depth that ends after the start. If it may
  // have been left out, it isn't sure, and taken is the last step that tells of the run.
  function called(steps) {
    const callers = {}, sure = {};
    let open = [];
    for (const step of steps) {
      if (step.gap) open = [];
      for (const event of step.events) {
        callers[event.run] = sure[event.run] || step;
        if (event.kind === "start") open.push(event);
      }
      for (const { run, depth } of open) if (depth === step.depth) callers[run] = sure[run] = step;
      open = open.filter(({ depth }) => depth < step.depth);
    }
    return { callers, sure };
  }

  // While the engine runs, the leaves that it has visited have their new `.grad`.
  function during(before, after, event) {
    if (event.kind !== "visit" || event.node[0] !== "l") return before;
    const state = { ...before };
    for (const [name, { place, dtype }] of Object.entries(before)) {
      const grad = `${name}.grad`;
      if (place === event.node) state[grad] = after[grad] || { ...facts({ v: event.after }, {}), dtype };
    }
    return state;
  }

  api.replay = function (trace) {
    const names = Object.fromEntries(trace.nodes.map((node) => [node.id, node.name]));
    const first = Object.entries(trace.t || {}).map(([name, told]) => [name, facts(told, names)]);
    let state = Object.fromEntries(first), printed = "";
    const none = { index: -1, line: 0, depth: 0, printed: "", state, loops: [], hidden: {}, events: [] };
    const steps = states(trace, names, state);
    const moments = [{ ...none, kind: "begin", step: none }];
    const { callers, sure } = called(steps), born = {};
    // a node that was seen first after a gap was perhaps made in it
    for (const { id, born: at = 0, made = trace.steps[at]?.g ? -1 : at } of trace.nodes)
      born[id] = (steps[made] || none).loops;
    let before = none;
    for (const step of steps) {
      const { gap, depth } = step, { line, loops } = before;
      if (gap) {
        printed += gap.printed || "";
        moments.push({ kind: "gap", step, line, depth, state, loops, printed, gap });
      }
      for (const event of step.events) {
        const caller = callers[event.run], id = idOf(event.node), own = born[id] || [];
        // the engine goes back through a loop
        const isInside = event.kind === "visit" && String(own).startsWith(String(caller.loops));
        state = during(state, step.state, event);
        moments.push({
          kind: "event", event, caller, by: sure[event.run], name: names[id] || id[0], step,
          line: caller.line, depth: caller.depth + 1, function: caller.function, state,
          loops: isInside ? own : caller.loops, printed,
        });
      }
      state = step.state;
      printed += step.printed;
      moments.push({ ...step, kind: "line", step, printed });
      before = step;
    }
    moments.at(-1).printed += trace.printed_at_end || "";
    moments.forEach((moment, index) => { moment.index = index; });
    remember(moments, trace.stopped);
    firstNan(moments);
    const loops = runs(moments, 1, moments.length, 0);
    return { moments, loops, folds: [...calls(moments), ...loops.flatMap((run) => run.folds)] };
  };

  // The moment that a moment is compared with; a line with the state before it in its own function
  api.before = function (moments, index, fold) {
    const moment = moments[index], isFolded = fold && (fold.kind === "loop" || fold.own || !fold.open);
    const from = isFolded ? fold.from : index, first = fold?.kind === "loop" ? moments[from] : moment;
    const state = first.depth === moment.depth && first.was;
    const before = moments[Math.max(from - 1, 0)];
    return state ? { ...before, state } : before;
  };

  // What no state says: the nodes that are freed, the versions of tensors without a name, and whether a loop
  // goes on after its header.
  function remember(moments, isStopped) {
    let freed = new Set(), versions = {}, then = {};
    const counts = {}; // of places; those of one tensor have one
    moments.forEach((moment, index) => {
      const { state, event } = moment;
      if (event?.freed) freed = new Set([...freed, ...event.freed]);
      for (const [name, { storage, version, place }] of Object.entries(state)) {
        const old = then[name];
        if (old?.storage !== storage || !(version > old.version)) continue;
        counts[old.place] = counts[place] = Object.assign(counts[old.place] || {}, { version });
        versions = null;
      }
      versions ||= Object.fromEntries(Object.entries(counts).map(([place, count]) => [place, count.version]));
      const next = moments[index + 1], last = moment.loops.length - 1;
      const goesOn = next?.kind === "gap" || (!next && isStopped) ? undefined // nobody knows
        : last >= 0 && api.same(next?.loops[last], moment.loops[last]);
      Object.assign(moment, { freed, versions, goesOn });
      then = state;
    });
  }

  const hasNan = (value) => /"nan"/.test(JSON.stringify(value)); // an element, or how many there are in a range

  // Notes at the first moment that shows a nan what it's in: a tensor, or the node that passed it on.
  function firstNan(moments) {
    let then = {};
    for (const moment of moments) {
      const { event, state } = moment, isNew = (name) => state[name] !== then[name] && hasNan(state[name].value);
      moment.nan = (hasNan(event?.passed) && moment.name) || Object.keys(state).find(isNew);
      if (moment.nan || hasNan(event?.received)) return;
      then = state;
    }
  }

  // What a line called, or had the engine do, folds into it: open at first, but not again and again in a loop. What's
  // before a gap may be of another call.
  function calls(moments) {
    const found = [];
    moments.forEach((moment, to) => {
      let from = to;
      while (moments[from - 1]?.depth > moment.depth && moments[from - 1].kind !== "gap") from -= 1;
      if (from === to || moment.kind !== "line") return;
      const visits = moments.slice(from, to).filter((one) => one.event?.kind === "visit");
      const own = visits.filter((one) => one.by === moment.step).length;
      const open = !moment.loops.some(([, iteration]) => iteration > 0);
      const least = moments[from - 1].kind === "gap" ? "_least" : ""; // more of it, or the end of another call
      found.push({ kind: "call", from, to, visits: visits.length, own, open, least });
    });
    return found;
  }

  // Iterations with the same signature look alike, whichever layers they go through; one with a gap of whole
  // iterations like no other.
  function signature(moments, from, to) {
    return JSON.stringify(moments.slice(from, to).map((moment, index) => {
      const { kind, gap, line, depth, event, name, raised, printed, state } = moment;
      const before = moments[from + index - 1];
      const looks = gap?.iterations ? from : gap?.steps || kind;
      const changed = Object.keys({ ...state, ...before.state }).filter((one) => state[one] !== before.state[one]);
      return [printed !== before.printed, looks, line, depth, event?.kind, name, raised, changed.map((one) => {
        const now = state[one], then = before.state[one];
        return [one, !then, now?.version !== then?.version, now?.grad_fn, now?.requires_grad];
      })];
    })).replace(/[.[ ]\d+/g, ""); // only of names
  }

  // Each run of a loop as its iterations, `[from, to)`; of more than three alike in a row the middle is folded.
  function runs(moments, from, to, level) {
    const found = [];
    for (let at = from; at < to;) {
      const [line] = moments[at].loops[level] || [];
      if (line === undefined) { at += 1; continue; }
      const iterations = [];
      let step = 0;
      for (; at < to && moments[at].loops[level]?.[0] === line; at += 1) {
        const [, iteration] = moments[at].loops[level], last = iterations.at(-1);
        const by = last ? iteration - last.iteration : 0;
        if (by * step < 0) break; // the engine goes through it from its end
        step ||= by;
        if (last && !by) last.to = at + 1;
        else iterations.push({ iteration, from: at, to: at + 1 });
      }
      for (const one of iterations) one.signature = signature(moments, one.from, one.to);
      found.push({ line, level, iterations, folds: alike(iterations, line) });
      found.push(...iterations.flatMap((one) => runs(moments, one.from, one.to, level + 1)));
    }
    return found;
  }

  function alike(iterations, line) {
    const folds = [];
    for (let i = 0, j = 0; i < iterations.length; i = j) {
      while (iterations[j]?.signature === iterations[i].signature) j += 1;
      if (j - i <= 3) continue;
      const first = iterations[i + 1], last = iterations[j - 2], times = j - i - 2;
      folds.push({ kind: "loop", line, from: first.from, to: last.to - 1, open: false, first, last, times });
    }
    return folds;
  }
})(weaverTrace);
