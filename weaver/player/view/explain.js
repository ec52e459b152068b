// What a page of its own says besides: what gradients were multiplied by, what makes one 0, numbers, conditions
(function (api) {
  const UNNAMED = "AccumulateGrad"; // the node of a leaf that no name leads to
  const DIGITS = 5; // that a number has at most, but whole ones have all
  const MANY = 200; // nodes whose turn it was for one line
  const EQUAL = 1e-5; // how far factors may be apart, in parts of the first; means, which are rounded, much more
  const ROUNDING = 1e-3; // a sum that's so small beside its parts depends on digits that aren't shown
  const FACTORS = /^(Mul|Mm|Addmm|Bmm|Baddbmm|Convolution|Relu)Backward/; // nodes that multiply by what they saved
  const COUNTER = /\bnum_batches_tracked$/; // of a batch normalization, which counts in training mode
  const SETTINGS = /padding|stride|dilation|groups|alpha|beta/; // which a node saves as well, and aren't factors
  const VIEWS = /^(T|Transpose|Permute|View|Expand|Unsqueeze|ToCopy)Backward/;
  const TARGETS = /^[^=]*[^=!<>](?==[^=])|^\s*(async )?for .*? in\b|\bas .*/; // what a line gives its names to
  const JUMPS = /^\s*((?:el)?if\b.*:)\s*(?:break|continue|return|raise)\b/; // if its condition holds
  const isSure = (text) => !/\b(if|and|or|lambda|for)\b/.test(text); // nothing in a line depends on a condition
  const passesDetached = (text, state) => { // to what a line calls; not what needs no gradient anyway
    const [is, name] = /([\w.]*)\.detach\(\)\s*[,)]/.exec(text) || [];
    return is && isSure(text) && state[name]?.requires_grad !== false;
  };
  const owner = (name, depth) => name.split(/[.[]/).slice(0, depth).join("."); // of `self.net.weight`: `self.net`
  const code = (text) => ({ html: `<code>${api.escape(text)}</code>` });
  const list = (codes, most = codes.length, least = "") => {
    const shown = codes.slice(0, most).map((one) => one.html).join(", ");
    return { html: codes.length > most ? `${shown} … (${codes.length}${least})` : shown };
  };

  // A value's elements, or what is known of them
  function numbers(value) {
    if (Array.isArray(value)) return value.flat(Infinity);
    if (!value || typeof value !== "object") return [value];
    return [value.min, value.max, value.mean].filter((one) => one !== undefined);
  }

  // Of a range, what is exact: its mean is rounded
  const ends = (value) => (value?.shape ? [value.min, value.max] : numbers(value));

  function isZero(value) {
    const all = numbers(value);
    return all.length > 0 && !value?.nan && !value?.inf && all.every((one) => one === 0);
  }

  // Names that begin with an optimizer's groups or a loop's variable go last.
  const passingLast = (names, passing) => {
    const isPassing = (name) => /params'/.test(name) || passing.has(name.split(/\W/)[0]);
    const { true: last = [], false: first } = Object.groupBy(names, isPassing);
    return [...spread(first || []), ...last];
  };

  // Gradients that changed in a gap before a pass are what the visit of their leaf says, until then.
  function refresh(moments) {
    const plain = (value) => JSON.stringify(value?.shape ? { ...value, zero: 0 } : value ?? null);
    const runs = Map.groupBy(moments.filter(({ event }) => event), ({ event }) => event.run);
    for (const [first, ...rest] of runs.values()) {
      const known = first.state, stale = {};
      for (const moment of [...rest.reverse(), first]) {
        if (Object.keys(stale).length) moment.state = { ...moment.state, ...stale };
        for (const name in stale) if (!stale[name]) delete moment.state[name];
        const { kind, node, before } = moment.event;
        if (kind !== "visit" || node[0] !== "l") continue;
        for (const [name, { place }] of Object.entries(known)) {
          const grad = `${name}.grad`, old = known[grad];
          if (place !== node || !old || plain(old.value) === plain(before)) continue;
          stale[grad] = plain(before) === "null" ? null : { ...old, value: before };
        }
      }
    }
  }

  // The one number that all elements of some gradients were multiplied by, in place
  function factor(all, was, state) {
    const names = Object.values(Object.fromEntries(all.map((name) => [state[name]?.place, name])));
    if (!names.every((name) => was[name] && was[name].place === state[name]?.place)) return undefined;
    const pairs = names.flatMap((name) => {
      const [then, now] = [was[name], state[name]].map((facts) => ends(facts.value));
      return then.map((one, at) => [one, now[at]]);
    });
    const areNumbers = pairs.every((pair) => pair.every(Number.isFinite));
    const ratios = pairs.filter((pair) => pair.some(Boolean)).map(([then, now]) => now / then);
    const [first] = ratios, isAlike = (one, by = EQUAL) => Math.abs(one - first) <= by * Math.abs(first);
    const both = names.map((name) => [was[name].value?.mean, state[name].value?.mean]);
    const means = both.filter(([then]) => then).map(([then, now]) => now / then);
    const areAlike = ratios.every((one) => isAlike(one)) && means.every((one) => isAlike(one, 100 * EQUAL));
    const isFactor = areNumbers && ratios.length > 1 && areAlike;
    return isFactor && first && Math.abs(first - 1) > EQUAL ? first : undefined;
  }

  // Memory may hold a nan before the program fills it. That isn't reported.
  const { replay } = api;
  api.replay = function (trace) {
    const found = replay(trace), { moments } = found, first = moments.find(({ nan }) => nan);
    const births = new Set(trace.nodes.map(({ born }) => born)), isTraining = moments.some(({ event }) => event);
    const loud = moments.map((moment, index) => isLoud(moment, moments[index - 1]?.state || {}, births));
    const isDull = ({ from, to }) => isTraining && !loud.slice(from, to).includes(true);
    for (const fold of found.folds) if (fold.visits > MANY || isDull(fold)) fold.open = false;
    refresh(moments);
    const place = first?.state[first.nan]?.place;
    const isFinite = (value) => value && !value.nan && !value.inf && numbers(value).every(Number.isFinite);
    const isFilled = ({ state }) => Object.values(state).some((one) => one.place === place && isFinite(one.value));
    if (place && place[0] !== "n" && moments.slice(first.index).some(isFilled)) delete first.nan;
    return found;
  };

  // Names in an order that begins with one of each module that they part into
  function spread(names) {
    const parts = names.map((name) => name.split(".")), depth = parts[0]?.findIndex((part, at) =>
      parts.some((one) => one[at] !== part));
    const groups = Map.groupBy(names, (name) => name.split(".")[depth]);
    const firsts = [...groups.values()].map(([first]) => first);
    return [...firsts, ...names.filter((name) => !firsts.includes(name))];
  }

  const indent = (text) => text.search(/\S/);

  // Whether a loop's line is its header alone, so that a step tells how the loop goes on
  function isHeader(text, moment) {
    const isOpen = text.split(/[([{]/).length > text.split(/[)\]}]/).length;
    return (isOpen || /:\s*(#.*)?$/.test(text)) && moment.function !== "<lambda>";
  }

  // Whether a line passes on what it detaches: the innermost call around detach() isn't closed before it
  function isDetachedInCall(text) {
    const before = text.split(".detach()")[0], open = [];
    for (const [at, one] of [...before].entries()) {
      if ("([{".includes(one)) open.push(/[\w\])]/.test(before[at - 1] || "") && one === "(");
      else if (")]}".includes(one)) open.pop();
    }
    return before !== text && open.includes(true);
  }

  // Whether the statement that these lines begin with runs the engine once, with create_graph=True
  function isRecorded(lines) {
    const open = (text) => text.split("(").length - text.split(")").length;
    const end = lines.findIndex((_, at) => open(lines.slice(0, at + 1).join("\n")) <= 0);
    const text = lines.slice(0, end + 1).join("\n");
    return text.includes("create_graph=True") && text.match(/\b(grad|backward)\(/g)?.length === 1;
  }

  // Whether a moment has to do with gradients: a node is recorded or runs, a leaf changes, or something fails
  function isLoud({ kind, step, state, nan }, was, births) {
    const isChanged = Object.entries(state).some(([name, now]) => {
      const old = was[name], isSame = old?.place.slice(1) === now.place.slice(1); // else it's another object's
      return old !== now && isSame && "lp".includes(now.place[0]) && !api.same(old, now);
    });
    return kind !== "line" || births.has(step.index) || isChanged || !!(nan || step.raised || step.missing.length);
  }

  const { rows } = api;

  api.Teller = class extends api.Teller {
    constructor(data, words, moments) {
      super(data, words, moments);
      Object.assign(this.first, data.trace.names);
      this.modes = data.trace.modes || {};
      this.updates = data.trace.updates || {};
      this.resets = data.trace.resets || {};
      this.clips = data.trace.clips || {};
      this.hiding = moments.findIndex(({ step }) => Object.keys(step?.hidden || {}).length);
      this.instead = {}; // of a sentence's key, one that fits better where the program is
      if (this.hiding >= 0) api.rows = (state, was) => rows(state, { ...this.hiddenBefore(state, was), ...was });
    }

    // What the state before doesn't list although it was there: since when it's as it is, nobody knows.
    hiddenBefore(state, was) {
      const index = this.moments.findIndex((one) => one.state === state), earlier = this.moments.slice(0, index);
      const isKnown = (name) => earlier.some((one) => one.state[name]?.place === state[name].place);
      const names = Object.keys(state).filter((name) => !(name in was) && !api.isGrad(name, state));
      const hidden = index > this.hiding ? names.filter(isKnown) : [];
      const all = hidden.flatMap((name) => [name, `${name}.grad`]).filter((name) => state[name]);
      return Object.fromEntries(all.map((name) => [name, state[name]]));
    }

    say(key, given) {
      return super.say(this.instead[key] || key, given);
    }

    tell(moment, before, fold) {
      this.isEvent = moment.kind === "event";
      this.index = moment.index;
      this.here = moment.line && this.text(moment.line);
      this.isTelling = true; // of one loop
      const isEmpty = /\b(empty\w*|\w*Tensor)\(/.test(this.here); // what nobody has filled may hold anything
      const hidden = this.hiddenInFrame(moment), step = hidden && { ...moment.step, hidden };
      const known = { ...moment, ...(isEmpty && { nan: undefined }), ...(step && { step }) };
      const told = super.tell(known, before, fold), n = moment.kind === "gap" && moment.gap.runs;
      this.isTelling = false;
      return n ? `${told} ${this.say("gap_passes", { n })}` : told;
    }

    // What is hidden after a line, or was before it: what changed is counted among the rest.
    hiddenInFrame({ index, depth, step }) {
      const isOwn = (one) => one.kind === "line" && one.depth <= depth;
      const before = this.hiding >= 0 && this.moments.slice(0, index).findLast(isOwn);
      return before && step && { ...before.step.hidden, ...step.hidden };
    }

    // Loops without a number of their own are told apart by their headers.
    iteration(line, iteration) {
      const text = super.iteration(line, iteration), plain = this.words.iteration.replace("{#n}", iteration + 1);
      const head = /^\s*(?:async )?(for .{1,24}?(?= in\b)|while\b)/.exec(this.text(line))?.[1];
      return head && text === plain && !this.isTelling ? `${head}: ${text}` : text;
    }

    // A gradient's range, with how many of its elements are 0: what a mask, a clamp or an index leaves out
    gradient(value) {
      const text = super.gradient(value), flat = Array.isArray(value) && value.flat(Infinity);
      const n = flat ? flat.filter((one) => one === 0).length : value?.zero;
      return n > 1 && text.includes(" … ") ? `${text}, 0 × ${n}` : text;
    }

    event(moment, before) {
      const told = super.event(moment, before), { kind, of } = moment.event;
      if (kind !== "start") return told;
      if (of === "grad") told.push(this.words.start_grad);
      if (isRecorded(this.lines.slice(moment.line - 1))) told.push(this.say("start_recorded"));
      return told;
    }

    // The variables of loops
    get passing() {
      const names = (text) => /^\s*for (.+?) in\b/.exec(text)?.[1].match(/(?<![.\w])\w+(?![.[\w])/g) || [];
      return (this.variables ||= new Set(this.lines.flatMap(names)));
    }

    // In a backward pass, a parameter by its own name, not by that of a loop's variable; else by one in the line
    called(place, states = []) {
      for (const depth of this.isEvent ? [] : [2, 1]) { // `self.model`, else `self`
        const isHere = ([name]) => this.isSeen(name, this.here || "") && (this.here || "").includes(owner(name, depth));
        const here = states.map((state) => Object.fromEntries(Object.entries(state).filter(isHere)));
        const near = super.called(place, here);
        if (here.some((state) => near in state)) return near;
      }
      const found = super.called(place, states);
      const isElsewhere = found === this.first[place] && !states.some((state) => found in state);
      const isOwn = (name) => name.startsWith("self.");
      const isOthers = isOwn(found) && states.some((state) => Object.keys(state).some(isOwn)); // another object's
      if (isElsewhere && (isOthers || this.hasMoved(found, place))) return place[0] === "l" ? UNNAMED : "tensor";
      const isPassing = (name) => this.passing.has(name.split(".")[0]);
      if (!this.isEvent || place[0] !== "l" || !isPassing(found)) return found;
      const own = (state) => Object.entries(state).filter(([name]) => !isPassing(name));
      const named = super.called(place, states.map((state) => Object.fromEntries(own(state))));
      return named.includes(".") ? named : found;
    }

    // Whether a name that a function above has led to something else when it was seen last
    hasMoved(name, place) {
      const last = this.moments.slice(0, this.index + 1).findLast(({ state }) => name in state);
      return !!last && last.state[name].place.split(".")[0].slice(1) !== place.split(".")[0].slice(1);
    }

    ran(moment, before, fold) {
      const { j: n } = this.steps[moment.step.index], told = super.ran(moment, before, n ? undefined : fold);
      const text = this.text(moment.line);
      if (moment.step.raised?.startsWith("SystemExit")) return [this.say("exits", { line: this.line(moment.line) })];
      const isCut = fold?.kind === "call" && !moment.step.raised && passesDetached(text, before.state);
      if (isCut) told.splice(1, 0, this.say("inner_detach"));
      const update = this.update(moment);
      if (update) told.splice(1, 2, update);
      const line = this.line(moment.line), set = fold && !moment.step.raised ? this.set(moment) : [];
      if (set.length) told.push(this.say("set", { line, numbers: list(set) }));
      const [reset, by] = this.resets[moment.step.index] || [];
      const key = by ? "unscaled" : `emptied${reset ? "" : "_none"}`;
      if (reset >= 0 && !rows(moment.state, before.state).some(({ mark }) => mark))
        told.push(this.say(key, { n: reset, by }));
      return n ? [this.say("ran_briefly", { line, n }), ...told.slice(0, 2)] : told.slice(0, 3);
    }

    // With how many gradients an optimizer stepped
    update({ step: { index }, state }) {
      const [by, some, zero, none, isStill, without = []] = this.updates[index] || [];
      const given = { by, n: some + zero, all: some + zero + none, zero, none };
      const how = zero && none ? "_some" : (zero && "_zero") || (none && "_none") || "";
      const names = without.map((place) => this.called(place, [state])).filter((name) => name !== UNNAMED);
      const told = [by && this.say(`update${how}`, given), isStill && this.say("update_still")];
      const isNamed = names.length && names.length === without.length;
      if (isNamed) told.push(this.say("update_without", { names: list(names.map(code)) }));
      return by && told.filter(Boolean).join(" ");
    }

    // What's said of a loop whose header isn't what ran, and of a line after which Python warned
    outside(moment, text) {
      const { printed } = moment.step, isFor = /^\s*(for|while)\b/.test(text);
      if (isFor && !isHeader(text, moment)) return printed ? "printed_ran" : "ran";
      return /^\S*:\d+: \w*Warning: /m.test(printed) && "warned";
    }

    // What a line did that changed no tensor: the numbers that it set, or which way a condition sent the program
    statement(moment, before, whole) {
      const text = this.text(moment.line), key = this.outside(moment, text);
      const [, asks] = JUMPS.exec(text) || [], line = asks ? { html: this.say("line", { code: asks }) } : whole;
      if (key) return this.say(key, { line });
      const set = this.isOver(moment) ? [] : this.set(moment);
      if (set.length) return this.say("set", { line, numbers: list(set) });
      const [module, isOn, isSame] = this.modes[moment.step.index] || [];
      const isCall = /^\s*[\w.]+\.(eval|train)\([^()]*\)\s*(#.*)?$/.test(text);
      const mode = `mode_${isOn ? "training" : "evaluation"}${isSame ? "_before" : ""}`;
      if (module && (isCall || !moment.step.gap)) return this.say(mode, { line, module });
      const isRun = this.runsBlock(moment), isEnd = this.isOver(moment) && !moment.loops.at(-1)[1];
      if (/^\s*for/.test(text) && isEnd && !moment.step.gap) return this.say("loop_none");
      const idle = this.idle(moment, text, line);
      if (idle && isRun === undefined && !moment.step.printed) return idle;
      return isRun === undefined ? super.statement(moment, before, line) : this.say(`condition_${isRun}`);
    }

    // What a line did with gradients that it left as they were, or with values that it took out of torch
    idle({ state, step }, text, line) {
      const isClip = /^[^#]*\bclip_grad_norm_\(/.test(text) && isSure(text);
      const isSome = (name) => api.isGrad(name, state) && !isZero(state[name].value);
      const seen = Object.keys(state).filter(isSome).map((name) => state[name.slice(0, -5)]?.place);
      const clipped = this.clips[step.index] || [];
      const isSeen = clipped.length && clipped.every((one) => seen.includes(one));
      if (isClip && isSeen) return this.say("clip_none", { line });
      const reads = (name) => state[name].requires_grad && text.includes(name);
      const [, by] = /\.(numpy|tolist)\(\)/.exec(text) || [];
      if (by) return Object.keys(state).some(reads) && this.say("left", { line, by: `${by}()` });
      const called = /([\w.]+)\.(detach\(\)|data\b(?!\.|\s*=[^=])|retain_grad\(\)|register_hook\()/;
      const now = text.replace(/\blambda\b.*/, ""), [, name, method] = called.exec(now) || [];
      if (!state[name]?.requires_grad || !isSure(now)) return undefined;
      const isOfLeaf = state[name].place[0] === "l" && method === "retain_grad()";
      const key = isOfLeaf ? "nothing" : { "retain_grad()": "kept", "register_hook(": "hooked" }[method] || "cut_away";
      return this.say(key, { line, name: code(name), by: method.replace(/^data/, ".data") });
    }

    // The numbers that a line set, without the one that names its loop's iteration
    set(moment) {
      if (/^\s*for\b/.test(this.text(moment.line)) && !moment.goesOn) return []; // perhaps nothing came any more
      const found = Object.entries(this.steps[moment.step.index].x || {});
      const iteration = this.isHeader(moment) && this.iteration(...moment.loops.at(-1));
      const exact = (value) => (Number.isInteger(value) ? String(value) : value.toPrecision(DIGITS));
      const short = (value) => (Math.abs(value) < 10 ** DIGITS ? api.short(value) : exact(value));
      const texts = found.map(([name, value]) =>
        `${name} = ${typeof value === "number" ? short(value) : api.short(value)}`);
      return texts.filter((text) => text !== iteration).map(code);
    }

    // Whether the block of an `if` runs next
    runsBlock({ line, depth, index }) {
      const text = this.text(line), isAfter = (one) => /^\s*[^\s#)]/.test(one) && indent(one) <= indent(text);
      if (!/^\s*(el)?if\b.*:\s*(#.*)?$/.test(text)) return undefined;
      const end = this.lines.findIndex((one, at) => at >= line && isAfter(one));
      const isNext = (one) => one.kind === "gap" || (one.kind === "line" && one.depth <= depth);
      const next = this.moments.slice(index + 1).find(isNext);
      if (!next || next.kind === "gap") return undefined;
      return next.depth === depth && next.line > line && (end < 0 || next.line <= end);
    }

    changes(moment, before, line) {
      const between = this.moments.slice(before.index + 1, moment.index);
      const { o: off } = this.steps[moment.step.index];
      this.instead = off ? { plain_new: `plain_${off}` } : {};
      this.least = Object.keys(moment.step.hidden).length ? "+" : "";
      this.isOwn = between.every(({ kind }) => kind === "line"); // the engine adds gradients, and so may a gap
      this.isGrads = Object.entries(moment.state).some(([name, facts]) =>
        api.isGrad(name, moment.state) && !api.same(facts, before.state[name]));
      const told = super.changes(moment, before, line), { step } = moment;
      const nodes = !told.length && !step.gap && step.index < this.whole && this.made[step.index];
      return nodes ? this.recorded(nodes, line) : told; // of what no name leads to, such as a list that goes on
    }

    // Since tensors are hidden, what comes into sight may have been there, but for what the line assigns.
    named(news, moment, was, nodes) {
      const known = new Set(Object.values(was).map(({ place }) => place)), { state, step, index } = moment;
      const areHidden = this.hiding >= 0 && this.hiding <= index;
      const text = this.text(moment.line), targets = (TARGETS.exec(text) || []).join().split(/\W+/);
      const isMade = (name) => state[name].place[0] !== "l" && targets.includes(name.split(/\W/)[0]);
      const isKnown = (name) => known.has(state[name].place) && this.isSeen(name, text);
      const isThere = (name) => isMade(name) || name in was || isKnown(name);
      const isPassed = (name) => step.given.includes(name) && !this.cut(name, was, moment); // to the function
      const isRead = (name) => !isPassed(name) || this.isSeen(name, text);
      const shown = news.filter((name) => isRead(name) && (!areHidden || isThere(name)));
      const told = super.named(shown, moment, was, nodes);
      const isCut = /^\s*return\b/.test(text) && isDetachedInCall(text);
      return nodes.length && !step.gap && isCut ? [...this.innerCut(moment, was), ...told] : told;
    }

    // What a custom function makes of its inputs isn't a leaf to anybody.
    leaves(news, moment, was) {
      return /ward/.test(this.steps[moment.step.index].o || "") ? [] : super.leaves(news, moment, was);
    }

    // Where gradients changed, that's told, and not that a norm requires none.
    one(name, moment, was, how) {
      const isPlain = how.isPlain && !this.isGrads && !this.wasPlain(name, moment);
      const told = super.one(name, moment, was, { ...how, isPlain });
      return told.length || how.isFresh ? told : this.renamed(name, moment, was);
    }

    // Whether a name led to a constant when it was seen last, such as a batch in the iteration before
    wasPlain(name, { index, step }) {
      let at = this.steps[step.index].o ? -1 : index - 1; // why nothing is recorded is told each time
      while (at >= 0 && !(name in this.moments[at].state)) at -= 1;
      return at >= 0 && this.moments[at].state[name].place[0] === "p";
    }

    // What an attribute is another name for: a tensor, or, told at the first of its tensors, a module
    renamed(name, { line, state }, was) {
      const [, to, from] = /^\s*([a-z_]\w*(?:\.\w+)+) = ([a-z_]\w*(?:\.\w+)*)\s*(?:#.*)?$/i.exec(this.text(line)) || [];
      const parts = Object.keys(state).filter((one) => one === to || one.startsWith(`${to}.`));
      const isSame = (one) => was[from + one.slice(to.length)]?.place === state[one].place;
      return name === parts[0] && parts.every(isSame) ? [this.say("same_new", { name: to, other: from })] : [];
    }

    kept(names, moment, was) {
      const places = names.map((name) => was[name].place), isMet = ({ id, born = 0, saved = [] }) =>
        born <= moment.step.index && this.met[id] > moment.index && !this.freed.has(id)
        && saved.some(({ place }) => places.includes(place));
      if (!Object.values(this.nodes).some(isMet)) this.instead.silent = "silent_harmless";
      const { state } = moment, hasNone = (name) => state[name].version === null; // of an inference tensor
      if (names.some((name) => hasNone(name) && !api.same(was[name].value, state[name].value)))
        this.instead.silent = "silent_inference";
      const areListed = Object.values(moment.state).every(({ value }) => !value?.shape);
      const told = super.kept(names, moment, was); // a range may stay as it was where an element changes
      return areListed ? told : told.map((text) => text.replace(/ … \((\d+)\)/, " … ($1+)"));
    }

    written(all, moment, was, line, own) {
      const names = all.every((name) => COUNTER.test(name)) ? [] : all, { step, state } = moment;
      const nodes = [...own], every = this.made[step.index] || [];
      const isChain = names.some((name) => state[name].version - was[name].version > 1); // several in place
      for (const { next } of isChain ? nodes : [])
        nodes.push(...every.filter((one) => !nodes.includes(one) && next.some((to) => to?.startsWith(`${one.id}.`))));
      return names.length ? super.written(passingLast(names, this.passing), moment, was, line, nodes) : [];
    }

    detached(line) {
      const texts = /detach|\.data\b/.test(this.text(line)) ? [this.text(line)] : this.lines;
      const has = (pattern) => texts.some((text) => pattern.test(text));
      const by = [has(/detach|state_dict\(/) && "detach", has(/\.data\b/) && ".data"].filter(Boolean);
      return by.join("/") || super.detached(line);
    }

    // A whole number has no gradient, whether or not what it was computed from is cut off; and what detach_()
    // made a constant isn't cut off from another tensor.
    cut(name, was, moment) {
      const { dtype, place } = moment.state[name], isWhole = /^u?int|^bool/.test(dtype), end = this.ends[place];
      const isSame = end?.start.slice(1) === place.slice(1), isUnclear = isSame || (isWhole && end?.why === "detach");
      if (isUnclear) return undefined;
      const from = Object.values(this.cuts).flat().filter((one) => one.end === place).map(({ start }) => start);
      const names = new Set(from.map((one) => this.called(one, [was, moment.state])));
      const others = [...names].filter((one) => ![name, UNNAMED, "tensor"].includes(one));
      const least = from.some((one) => one[0] === "l") ? "+" : ""; // of a module's parameters only some may be known
      if (others.length > 1) this.called = () => list(others.map(code), 3, least); // it's cut off from each
      const told = super.cut(name, was, moment);
      delete this.called;
      return told?.includes(UNNAMED) ? undefined : told; // it's a view without a history
    }

    // Where nodes are only counted, so is each that a view got when it was written to.
    recorded(nodes, line) {
      const isOf = (place) => nodes.some(({ id }) => place?.startsWith(`${id}.`));
      const isView = (one) => one.name.startsWith("AsStrided") && !nodes.includes(one) && isOf(one.next?.[0]);
      const views = nodes.length > 3 ? Object.values(this.nodes).filter(isView) : [];
      return super.recorded([...views, ...nodes], line);
    }

    grads(all, was, state) {
      const names = passingLast(all, this.passing), told = super.grads(names, was, state);
      const by = this.isOwn && factor(names, was, state);
      if (by) told.push(`${told.pop()} ${this.say("grads_scaled", { n: api.short(by), names: code(names[0]) })}`);
      const isNewZero = (name) => state[name] && !was[name] && isZero(state[name].value);
      const isFirst = (name, at, every) => every.findIndex((one) => state[one].place === state[name].place) === at;
      const zeros = names.filter(isNewZero).filter(isFirst);
      const isSome = told.length && zeros.length && names.some((name) => state[name] && !isNewZero(name));
      const given = { names: list(zeros.map(code), 3, this.least) };
      if (isSome) told.push(`${told.pop()} ${this.say("grads_zero", given)}`);
      return told;
    }

    passed(at) {
      const told = super.passed(at), { event, node, find } = at;
      const isMade = event.received.some((one) => !isZero(one)) && (event.passed || []).some(isZero);
      const isFactor = ({ name, value }) => !SETTINGS.test(name) && isZero(value);
      const zero = isMade && FACTORS.test(node?.name) && (node.saved || []).find(isFactor);
      if (this.isSum(at.moment)) told.push(this.say("summed"));
      const own = zero && this.own(zero, find), isSaved = own === zero?.name || own === UNNAMED;
      const name = zero && code(isSaved ? zero.name : own);
      return zero ? [...told, this.say(isSaved ? "zeroed_saved" : "zeroed", { name })] : told;
    }

    accumulated(at) {
      const told = super.accumulated(at), isTold = String(at.received.html).includes(" + ");
      return !isTold && this.isSum(at.moment) ? `${told} ${this.say("summed")}` : told;
    }

    // Parts that cancel add up to what's only their rounding error, which doesn't follow from them as they're shown.
    sum(moment, received) {
      const told = super.sum(moment, received), [parts, sum] = String(told.html).split(" = ");
      const largest = (text) => Math.max(...(text?.match(/[\d.]+(e[-+]\d+)?/g) || []).map(parseFloat));
      return largest(sum) < ROUNDING * largest(parts) ? received : told;
    }

    // Whether several gradients arrived at the same place and were added up
    isSum({ event, index }) {
      const times = {}, isBefore = ({ event: one }) => one?.run === event.run && one.kind === "visit";
      for (const { event: one } of this.moments.slice(0, index).filter(isBefore)) {
        const next = this.nodes[one.node]?.next || [];
        (one.passed || []).forEach((value, slot) => {
          if (value !== null && next[slot]) times[next[slot]] = (times[next[slot]] || 0) + 1;
        });
      }
      return Object.keys(times).some((place) => place.split(".")[0] === event.node && times[place] > 1);
    }

    // The name of what was saved, or of what that is a view of
    own({ name, place }, find) {
      let at = place || "";
      while (VIEWS.test(this.nodeAt(at)?.name)) at = this.nodeAt(at).next?.[0] || "";
      const found = at && find(at);
      return found && found !== this.nodeAt(at)?.name && found !== "tensor" ? found : name;
    }
  };
})(weaverTrace);
