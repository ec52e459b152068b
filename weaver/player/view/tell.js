// A moment -> what it did, in one or two sentences of the reader's language (weaver/player/words.py)
(function (api) {
  const LONGEST = 46; // characters of a line that is quoted; a longer one is called "this line"
  const UNNAMED = "AccumulateGrad"; // the node of a leaf that no name leads to
  const STOPPED = "_StopRecomputationError"; // how a checkpoint ends what it computes again

  api.escape = (text) => String(text).replace(/[&<>"]/g, (one) => `&#${one.charCodeAt()};`);
  const code = (text) => `<code>${api.escape(text)}</code>`;
  const raw = (html) => ({ html });
  let least = ""; // a plus where not all tensors were looked at
  const list = (all, most = 3) => {
    const shown = all.slice(0, most).map((one) => one.html || code(one)).join(", ");
    return raw(all.length > (least ? 1 : most) ? `${shown} … (${all.length}${least})` : shown);
  };
  const namesOf = (nodes) => nodes.map((node) => node.name).reverse();
  const isDetached = (facts) => facts.place[0] === "p";
  const isLeaf = (place) => place[0] === "l";
  const isListed = ({ value }) => Array.isArray(value) || (value !== null && typeof value !== "object");
  const openIn = (text) => text.split(/[([{]/).length - text.split(/[)\]}]/).length;

  // What the engine did, by the kind of the event
  const TELLERS = {
    start: (teller, { event, moment, name, received }) =>
      [teller.say("start", { call: teller.call(moment.line, event.of), name, value: received })],
    hook(teller, { event, name, received }) {
      const told = [teller.say("hook", { name: event.name, place: name, received })];
      if (event.of === "post-accumulate") return told;
      const passed = event.passed && { passed: list(teller.texts(event.passed)) };
      return [...told, teller.say(passed ? "hook_returned" : "hook_none", passed)];
    },
    freed(teller, { event: { freed } }) {
      if (freed.length > 1) return [teller.say("freed_many", { n: freed.length })];
      const names = freed.map((id) => teller.nodes[id]?.name).filter(Boolean);
      return [teller.say("freed", { nodes: list(names) })];
    },
    failed(teller, { event, moment, node, name }) {
      if (event.met !== undefined) {
        const { wanted, met } = event, written = teller.writer(event, moment);
        const saved = teller.saved(node, event.name, moment, written?.name);
        const given = { node: node ? node.name : event.of || name, name: saved, wanted, met };
        if (!written) return [teller.say("failed_version", given)];
        const { line } = written.moment;
        return [teller.say("failed_written", { ...given, line, at: teller.at(line) })];
      }
      if (node && moment.freed.has(node.id)) {
        const by = teller.moments.slice(0, moment.index).findLast((one) => one.event?.freed?.includes(node.id));
        return [teller.say("failed_freed", { node: node.name, line: by.line, at: teller.at(by.line) })];
      }
      if (event.node?.[0] === "p") { // a tensor without a node
        return [teller.say("failed_plain", { name }), ...teller.froze(moment), code(event.text.slice(0, 160))];
      }
      const n = teller.moments.filter((one) => one.event?.run === event.run && one.event.kind === "visit").length;
      const key = n ? "failed_after" : "failed_start";
      return [teller.say(node ? "failed" : key, { node: node?.name, n }), code(event.text.slice(0, 160))];
    },
    visit(teller, at) {
      const told = { ...at, received: teller.sum(at.moment, at.received) };
      return isLeaf(at.event.node) ? [teller.accumulated(told)] : teller.passed(told);
    },
  };

  api.Teller = class {
    constructor(data, words, moments) {
      Object.assign(this, { words, moments, first: {}, seen: {}, made: {}, cuts: {}, ends: {}, met: {} });
      for (const { event, index } of moments) if (event?.node) this.met[event.node.split(".")[0]] = index;
      for (const { state, index } of moments.toSorted((a, b) => a.depth - b.depth)) // a caller's names live longer
        for (const [name, { place }] of Object.entries(state)) {
          if (!/params'/.test(name)) this.first[place] ||= name; // an optimizer's is nobody's
          if (!(this.seen[place] < index)) this.seen[place] = index;
        }
      this.steps = data.trace.steps;
      this.nodes = Object.fromEntries(data.trace.nodes.map((node) => [node.id, node]));
      // From here on nodes are missing: which of them a line recorded isn't known
      const isLost = ({ place }) => place[0] === "n" && !this.nodeAt(place);
      const lost = data.trace.nodes_hidden && moments.find(({ state }) => Object.values(state).some(isLost));
      this.whole = lost ? lost.step.index : Infinity;
      for (const node of data.trace.nodes) {
        const { born = 0, made = data.trace.steps[born]?.g ? -1 : born } = node;
        (this.made[made] ||= []).push(node);
      }
      for (const edge of data.trace.edges.filter(({ why }) => why !== "constant")) {
        (this.cuts[edge.born] ||= []).push(edge);
        this.ends[edge.end] = edge;
      }
    }

    say(key, given = {}) {
      return this.words[key].replace(/\{(#?)(\w+)(\|(.*?)\|(.*?))?\}/g, (_, plain, name, forms, one, many) => {
        const value = given[name];
        if (forms) return value === 1 ? one : many;
        return value?.html ?? (plain ? api.escape(value) : code(value));
      });
    }

    value(value) {
      const text = api.short(value);
      return text[0] === "(" ? `${this.words.shape} ${text}` : text;
    }

    // A gradient: where its elements aren't listed, what they are together
    gradient(value) {
      const text = this.value(value), flat = Array.isArray(value) && value.flat(Infinity);
      if (!value || typeof value !== "object" || text[0] === "[") return text;
      const count = (name) => flat.filter((one) => String(one).endsWith(name)).length;
      const finite = flat && flat.filter((one) => typeof one === "number");
      const [low, high] = flat ? [Math.min(...finite), Math.max(...finite)] : [value.min, value.max];
      const [nan, inf] = flat ? [count("nan"), count("inf")] : [value.nan || 0, value.inf || 0], parts = [text];
      if (flat && finite.length + nan + inf < flat.length) return text; // they aren't real numbers
      const isKnown = Number.isFinite(low), isOne = low === high && !nan && !inf;
      if (isKnown && isOne) parts.push(this.words.all_of.replace("{#n}", api.short(low)));
      else if (isKnown) parts.push(`${api.short(low)} … ${api.short(high)}`);
      return [...parts, nan && `nan × ${nan}`, inf && `±inf × ${inf}`].filter(Boolean).join(", ");
    }

    texts(values) {
      return (values || []).filter((one) => one !== null).map((one) => this.gradient(one));
    }

    text(line) {
      return this.lines[line - 1] || "";
    }

    quoted(line) {
      const text = this.text(line).trim().replace(/\s+#[^'"]*$/, "");
      return text.length <= LONGEST && openIn(text) <= 0 && !/"""|'''/.test(text) && text;
    }

    line(line) {
      const text = this.quoted(line);
      return raw(text ? this.say("line", { code: text }) : api.escape(this.words.this_line));
    }

    // A line in the middle of a sentence
    at(line) {
      const text = this.quoted(line);
      return raw(text ? this.say("line_at", { code: text, line }) : this.say("place", { line }));
    }

    names(all) {
      if (all.length < 4) return list(all);
      return raw(this.say("and_more", { names: list(all.slice(0, 2)), n: all.length - 2 }));
    }

    iteration(line, iteration) {
      const name = /^\s*for (\w+)(, .*)? in (range|enumerate)\([^,]*\):/.exec(this.text(line))?.[1];
      const isSet = this.lines.join("\n").match(`\n *${name} .?= `); // by the program itself
      return name && !isSet ? `${name} = ${iteration}` : this.words.iteration.replace("{#n}", iteration + 1);
    }

    nodeAt(place) {
      return this.nodes[place.split(".")[0]];
    }

    // What a reader calls a place: a name that leads there in one of the states, and in the first to nothing
    // else, or the name of its node.
    called(place, states = []) {
      const isClear = (name) => name && !(states[0]?.[name] && !leads(states[0], name, place));
      const named = (state) => api.ownFirst(Object.keys(state).filter((name) => leads(state, name, place)));
      const name = states.flatMap(named).find(isClear) || this.nodeAt(place)?.name;
      return name || [this.first[place]].find(isClear) || (isLeaf(place) ? UNNAMED : "tensor");
    }

    tell(moment, before, fold) {
      this.freed = moment.freed;
      least = Object.keys(moment.step.hidden).length ? "+" : "";
      this.result = undefined;
      if (fold?.kind === "loop") {
        const { line, first, last, times } = fold;
        const [from, to] = [first, last].map(({ iteration }) => this.iteration(line, iteration));
        return this.say("folded_loop", { first: from, last: to, n: raw(String(times)) });
      }
      if (moment.kind === "begin") return this.say("begin");
      if (moment.kind === "gap") {
        const { steps: n, line, iterations: times, recorded = 0 } = moment.gap;
        const runs = this.moments.map(({ event }) => event?.run);
        const why = { 0: "unwatched", [n]: "left" }[recorded] || "some";
        const given = { n, line, times, recorded }, isInside = (run, at) =>
          run >= 0 && at > moment.index && runs.indexOf(run) < moment.index;
        const pass = runs.some(isInside) ? ` ${this.words.gap_pass}` : "";
        return `${this.say(times ? "gap_loop" : "gap", given)} ${this.say(`gap_${why}`, given)}${pass}`;
      }
      const told = moment.kind === "event" ? this.event(moment, before) : this.ran(moment, before, fold);
      if (moment.kind === "line") told.push(...this.missing(moment, before));
      if (moment.nan) told.push(this.say("nan", { name: moment.nan }));
      return told.join(" ");
    }

    event(moment, before) {
      const { event, step } = moment;
      const states = [moment.by, moment, before, step].flatMap((one) => one?.state || []);
      const find = (place) => this.called(place, states);
      const texts = this.texts(event.received), received = list(texts.length ? texts : ["None"]);
      const node = event.node && this.nodeAt(event.node), name = event.node && find(event.node);
      return TELLERS[event.kind](this, { event, moment, node, name, received, find });
    }

    accumulated({ event, moment, name, received }) {
      const { before = null, after = null } = event, leaf = event.node.replace("l", "p"); // if frozen
      const isNamed = name !== UNNAMED, shown = isNamed ? name : raw(`(${api.escape(this.words.unnamed)})`);
      const grad = isNamed ? `${name}.grad` : ".grad";
      const given = { received, name: shown, grad, old: this.value(before), new: this.value(after) };
      let key = before === null ? "leaf_first" : "leaf_sum";
      if (after === null) key = "leaf_emptied";
      if (Object.values(moment.state).some(({ place }) => place === leaf)) key = "leaf_frozen";
      if (!this.texts(event.received).length) key = "leaf_nothing";
      return this.say(key, given);
    }

    // What arrived, as a sum if it came on several ways; after a hook the parts don't add up to it.
    sum({ event, index }, received) {
      const parts = [];
      for (const { event: one } of this.moments.slice(0, index)) {
        if (one?.run !== event.run) continue;
        if (one.kind === "hook" && one.node.split(".")[0] === event.node) return received;
        const next = one.kind === "visit" && this.nodes[one.node]?.next;
        const isOurs = (_, slot) => next[slot]?.split(".")[0] === event.node;
        parts.push(...this.texts(next && one.passed.filter(isOurs)));
      }
      const text = parts.join(" + "), isSum = parts.length > 1 && event.received.length === 1;
      return isSum && !text.includes("(") ? raw(`${code(text)} = ${received.html}`) : received;
    }

    // The line that wrote to what a node had saved, and the name that it was written by
    writer({ storage, wanted }, { index }) {
      const passes = (then, now) => then?.storage === storage && now.storage === storage
        && then.version <= wanted && now.version > wanted;
      for (const moment of storage === undefined ? [] : this.moments.slice(0, index)) {
        const { step, state, was } = moment, isWriter = (name) => was && !step.gap && passes(was[name], state[name]);
        const name = Object.keys(state).find(isWriter);
        if (name) return { moment, name };
      }
      return undefined;
    }

    // What was saved under a name, with the tensor's own name: the first it had, or the one it has now.
    saved(node, name, moment, written) {
      const place = node?.saved?.find((one) => one.name === name)?.place;
      const own = written || (place && (this.first[place] || this.called(place, [moment.state])));
      return raw(own && own !== name && own !== node.name ? `${code(name)} (${code(own)})` : code(name));
    }

    passed({ event, node, received, find }) {
      const told = [], name = node?.name || event.name || event.node;
      (event.passed || []).forEach((value, slot) => {
        const to = node?.next?.[slot];
        if (value === null || !to) return;
        const local = event.local?.[slot] ?? null, also = told.length;
        const key = local === null ? ["passed", "passed_to"] : ["passed_local", "passed_also"];
        const given = { node: name, received, passed: this.gradient(value), to: this.target(to, find) };
        told.push(this.say(key[also ? 1 : 0], { ...given, local: api.short(local) }));
      });
      if (told.length > 3) told.splice(2, Infinity, this.say("passed_more", { n: told.length - 2 }));
      return told.length ? told : [this.say("passed_none", { node: name, received })];
    }

    // Where a gradient goes: a leaf by its name, a node by its own and its tensor's.
    target(place, find) {
      const node = this.nodeAt(place), name = find(place);
      return raw(!node || node.name === name ? code(name) : `${code(node.name)} (${code(name)})`);
    }

    // What a line called of autograd; `of` is the function of torch that ran the engine.
    call(line, of) {
      const calls = /(?<!\w)(autograd\.)?(grad|backward|jacobian|hessian|vjp|jvp|vhp|hvp)\(/g;
      const every = [...this.text(line).matchAll(calls)];
      const found = every.find(([, , name]) => !of || (name === "backward") === (of === "backward"));
      return found ? `${found[1] || ""}${found[2]}()` : raw(api.escape(this.words.engine));
    }

    ran(moment, before, fold) {
      const { raised } = moment.step, line = this.line(moment.line);
      if (raised?.startsWith(STOPPED)) return [this.say("recomputed", { line })];
      const error = raised?.length > 320 ? `${raised.slice(0, 320)}…` : raised;
      if (raised) return [this.say("raised", { line }), code(error)];
      const told = this.changes(moment, before, line);
      if (fold?.own) told.unshift(this.say(`ran_backward${fold.least}`, { line, n: fold.own }));
      else if (!told.length || (told.length === 1 && told[0] === this.result)) {
        const called = fold && this.say(`called${fold.least}`, { line, n: fold.to - fold.from });
        told.unshift(called || this.statement(moment, before, line));
      }
      return told.slice(0, fold?.own ? 3 : 2);
    }

    // Why gradients that the line read, or the program ends with, are None
    missing({ step, state }, before) {
      const alike = {};
      for (const { name, ...why } of step.missing) (alike[JSON.stringify(why)] ||= []).push(name);
      return Object.entries(alike).slice(0, 3).map(([text, names]) => {
        const one = JSON.parse(text), root = this.called(one.root || "", [state, before.state]);
        return this.say(`none_${one.why}`, { ...one, name: this.names(names), at: this.at(one.line), root });
      });
    }

    // The last line that froze tensors
    froze({ index, state }) {
      const frozen = {};
      let line;
      for (const { event, step, was, state: now, line: at } of this.moments.slice(0, index))
        for (const name in event || step.gap ? {} : was)
          if (was[name].requires_grad && isSame(was, now, name) && !now[name].requires_grad)
            (frozen[line = at] ||= {})[this.called(now[name].place, [state])] = 1;
      if (!line) return [];
      return [this.say("failed_frozen", { line, at: this.at(line), name: this.names(Object.keys(frozen[line])) })];
    }

    // A line that changed no tensor, by its statement
    statement(moment, before, line) {
      const text = this.text(moment.line).trim();
      if (/^(import|from)\b/.test(text)) return this.say("imported", { line });
      const head = text[0] === "@" ? this.lines.slice(moment.line - 1, moment.line + 4).join("\n") : text;
      const [, kind, name] = /^\s*(?:async\s+)?(def|class)\s+(\w+)/m.exec(head) || [];
      const isCall = /^return\b/.test(text) || name === moment.function; // of a function on one line
      if (moment.function && isCall) return this.say("returned", { function: moment.function });
      if (kind) return this.say(`defined_${kind}`, { name });
      if (this.isOver(moment)) return this.say("loop_over");
      if (/^(for|while)\b/.test(text) && moment.loops.length && moment.goesOn !== undefined)
        return this.say("loop_line", { iteration: this.iteration(...moment.loops.at(-1)) });
      if (/^(async )?with\b/.test(text)) {
        return this.say(`with_${this.side(moment)}`, { line: this.at(moment.line) });
      }
      const isSure = this.isUnchanged(moment, before, text);
      if (moment.step.printed) return this.say(isSure ? "printed" : "printed_ran", { line });
      return this.say(isSure ? "nothing" : "ran", { line });
    }

    // Whether the header of a loop found that there's nothing more: no iteration has the number that it shows.
    isOver(moment) {
      return this.isHeader(moment) && moment.goesOn === false;
    }

    isHeader({ line, loops }) {
      return loops.at(-1)?.[0] === line && /^\s*(async )?(for|while)\b/.test(this.text(line));
    }

    // Whether it's sure that no tensor changed. What's hidden may have, and what isn't listed by a write that no
    // version tells of, if the line calls something or assigns; and what it calls may reach a leaf without a name.
    isUnchanged({ step, state, index }, before, text) {
      if (Object.keys(step.hidden).length || step.gap) return false;
      if (api.rows(state, before.state).some(({ mark }) => mark)) return false;
      const calls = /[\w\])]\s*\(|\b(await|yield)\b/.test(text) || openIn(text), all = Object.values(state);
      const isLost = (leaf) => isLeaf(leaf) && this.seen[leaf] < index && !all.some(({ place }) => place === leaf);
      if (calls && Object.keys(this.seen).some(isLost)) return false;
      return !(calls || /(^|[^=!<>])=(?!=)/.test(text)) || all.every(isListed);
    }

    // Whether a `with` is entered or left: which lines of its function ran before and after it, in its block or not
    side({ line, depth, index }) {
      const isAfter = (text) => /^\s*[^\s#)]/.test(text) && text.search(/\S/) <= this.text(line).search(/\S/);
      const end = this.lines.findIndex((text, at) => at >= line && isAfter(text));
      const isInside = (moments) => {
        const one = moments.find(({ kind, depth: at }) => kind === "gap" || (kind === "line" && at <= depth));
        if (one?.kind === "gap") return undefined;
        return one?.depth === depth && one.line > line && (end < 0 || one.line <= end);
      };
      const was = isInside(this.moments.slice(0, index).reverse()), will = isInside(this.moments.slice(index + 1));
      if (will || was === false) return "entered";
      return was || will === false ? "left" : "line";
    }

    // What became of the tensors, most telling first
    changes(moment, before, line) {
      const { step, state } = moment, was = before.state, text = this.text(moment.line);
      const isGrad = (name) => api.isGrad(name, state) && isSame(was, state, name.slice(0, -5));
      const changed = Object.keys(state).filter((name) => !was[name] || !api.same(was[name], state[name]));
      const grads = changed.filter(isGrad);
      const tensors = changed.filter((name) => !api.isGrad(name, state));
      const isWritten = (name) => was[name]?.version < state[name].version
        && was[name].storage === state[name].storage
        && (isSame(was, state, name) || (isNode(was, state, name) && !this.ends[state[name].place]));
      const written = distinct(tensors.filter(isWritten), state);
      written.sort((a, b) => text.includes(b) - text.includes(a));
      const nodes = (step.index < this.whole && this.made[step.index]) || [], told = [];
      const isNew = (name) => !isSame(was, state, name); // else only requires_grad changed
      const news = tensors.filter((name) => was[name]?.place !== state[name].place && isNew(name));
      // The others are of something else that the line did
      const own = nodes.filter(({ id }) => written.some((name) => state[name].place.startsWith(`${id}.`)));
      if (written.length) told.push(...this.written(written, moment, was, line, own));
      const isTold = news.length || written.length || /^\s*return\b/.test(text);
      if (nodes.length && !own.length && isTold) {
        const [first, ...rest] = this.recorded(nodes, line);
        told.unshift(first);
        told.push(...rest);
      }
      const made = [...news.filter((name) => !written.includes(name)), ...step.given];
      told.splice(1, 0, ...this.named(made, moment, was, nodes));
      told.push(...this.kept(distinct(tensors.filter((one) => !news.includes(one)), state), moment, was));
      const lost = Object.keys(was).filter((name) => !(name in state));
      told.push(...this.grads([...grads, ...lost.filter(isGrad)], was, state));
      const isSilent = !told.length && !step.printed;
      return isSilent && lost.length && /^\s*del\b/.test(text) ? [this.say("gone", { names: list(lost) })] : told;
    }

    // What became of tensors that were there before, other than by a write that has a version
    kept(names, moment, was) {
      const { state, step } = moment, found = {};
      const since = this.moments.slice(0, moment.index)
        .findLast(({ kind, depth }) => kind === "line" && depth <= moment.depth)?.step.index ?? -1;
      // Statistics that a kernel has saved, or that the line doesn't name
      const isRunning = (name, place) => Object.values(this.nodes).some(({ born = 0, saved = [] }) =>
        born > since && born <= step.index && saved.some((one) => one.place === place && /running_/.test(one.name)))
        || (/\.running_\w+$/.test(name) && !/running_/.test(this.text(moment.line)));
      for (const name of names) {
        const [then, now] = [was[name], state[name]];
        let key;
        if (then.requires_grad !== now.requires_grad) key = `requires_${now.requires_grad}`;
        else if (then.version === now.version && then.dtype === now.dtype) {
          const isCounted = (one) => state[one].storage === now.storage && was[one]?.version < state[one].version;
          const isSilent = !api.same(then.value, now.value) && !Object.keys(state).some(isCounted);
          if (then.storage !== now.storage && then.place) key = "moved";
          else if (isSilent) key = isRunning(name, now.place) ? "running" : "silent";
        }
        if (key) (found[key] ||= []).push(name);
      }
      return Object.entries(found).map(([key, all]) => this.say(key, { name: list(all) }));
    }

    written(names, moment, was, line, nodes) {
      const { state, index } = moment, versions = {};
      const counts = (one) => ({ old: was[one].version, new: state[one].version });
      const each = (one) => raw(`${code(one)} (${counts(one).old} → ${counts(one).new})`);
      const isAlike = names.every((one) => api.same(counts(one), counts(names[0])));
      const told = isAlike ? [this.say("version", { line, name: list(names), ...counts(names[0]) })]
        : [this.say("versions", { line, names: list(names.map(each), 6) })];
      for (const one of names) versions[was[one].place] = versions[state[one].place] = state[one].version;
      const isOutdated = (saved) => saved.place && (saved.version || 0) < versions[saved.place];
      for (const node of Object.values(this.nodes)) {
        const isMet = this.met[node.id] > index && !this.freed.has(node.id); // else nothing comes of it
        const outdated = isMet && (node.saved || []).find(isOutdated);
        if (!outdated) continue;
        told.push(this.say("had_saved", { node: node.name, old: outdated.version || 0 }));
        break;
      }
      if (nodes.length) told.push(this.say("also_recorded", { nodes: list(namesOf(nodes)) }));
      return told;
    }

    recorded(nodes, line) {
      const told = [this.say("recorded", { line, nodes: list(namesOf(nodes)) })];
      const kept = nodes.flatMap((node) => node.saved || []).filter((one) => one.place || one.packed);
      if (kept.some(({ packed }) => packed)) told.push(this.words.packed);
      else if (kept.length > 2) told.push(this.say("saved_many", { n: kept.length }));
      else if (kept.length && kept.every(({ value }) => (value ?? null) !== null)) {
        const saved = kept.map((one) => raw(`${code(one.name)} = ${code(this.value(one.value))}`));
        told.push(this.say("saved", { saved: list(saved) }));
      }
      return told;
    }

    grads(names, was, state) {
      const isMoved = (one) => !api.same(was[one]?.value, state[one]?.value);
      const moved = distinct(names, { ...was, ...state }).filter(isMoved);
      const value = (facts) => this.value(facts ? facts.value : null);
      const isPlain = (grad) => value(was[grad]) !== value(state[grad]);
      const isReset = moved.length > 1 && moved.every((one) => !state[one]);
      if (isReset) return [this.say("grads_reset", { names: list(moved) })];
      if (moved.length > 2 || !moved.every(isPlain)) return [this.say("grads_set", { names: list(moved) })];
      return moved.map((grad) => this.say("grad_set", { grad, old: value(was[grad]), new: value(state[grad]) }));
    }

    // Names that lead to a tensor which wasn't there before; `nodes` are those that the line made
    named(news, moment, was, nodes) {
      const { state, step } = moment, known = new Set(Object.values(was).map((facts) => facts.place));
      const fresh = distinct(news, state).filter((name) => !known.has(state[name].place));
      const leaves = this.leaves(fresh, moment, was), told = this.leafNew(leaves);
      const isOf = (name) => nodes.some(({ id }) => state[name].place.startsWith(`${id}.`));
      const isUntold = (name) => !isDetached(state[name]) && !leaves.includes(name) && !isOf(name);
      const text = this.text(moment.line);
      // Other names came into sight otherwise
      const isResult = (name) => !step.given.includes(name) && this.isSeen(name, text);
      const results = fresh.filter(isResult), areUntold = results.some(isUntold);
      if (areUntold) told.push(this.result = this.results(results, state));
      const isPlain = !nodes.length && !areUntold;
      for (const name of distinct(news, state)) {
        const how = { isFresh: fresh.includes(name), isPlain: isPlain && told.length < 2 };
        told.push(...this.one(name, moment, was, how));
      }
      // a detached value that a line returns isn't an input
      return nodes.length && !step.gap && !/^\s*return/.test(text) ? [...this.innerCut(moment, was), ...told] : told;
    }

    // What a name leads to that it didn't lead to before; `isPlain`: nothing else is told of the line
    one(name, moment, was, { isFresh, isPlain }) {
      const { state, step } = moment, facts = state[name], isGiven = step.given.includes(name), told = [];
      const shares = (one) => one !== name && !one.endsWith(".grad") && state[one]?.storage === facts.storage;
      const other = facts.storage !== null && Object.keys(was).find(shares);
      const isAlias = other && state[other].place === facts.place;
      const isSeen = this.isSeen(name, this.text(moment.line)), cut = this.cut(name, was, moment);
      if (!isGiven && !isFresh) {
        const isNamed = isAlias && (moment.depth === 0 || this.text(moment.line).includes(`append(${other})`));
        return isNamed ? [this.say("same_new", { name, other })] : [];
      }
      if (cut) told.push(cut);
      else if (isGiven) told.push(this.handed(name, moment.was?.[name] || facts));
      else if (isPlain && isDetached(facts) && !other && isSeen) told.push(this.say("plain_new", { name }));
      if (other && !isAlias && isSeen) told.push(this.say("shares", { name, other }));
      return told;
    }

    // What an input of the line's nodes, which has no name, was cut off from
    innerCut(moment, was) {
      const { step, state } = moment;
      const places = Object.values(state).map((facts) => facts.place);
      const inner = (this.cuts[step.index] || []).filter(({ why, end }) => why === "detach" && !places.includes(end));
      const from = [...new Set(inner.map(({ start }) => this.called(start, [was, state])))];
      if (inner.length) return [this.say("inner_cut", { before: this.names(from), why: this.detached(moment.line) })];
      const text = this.text(moment.line), mayNotRun = /\b(if|and|or|lambda|for)\b/.test(text);
      return /\)\.detach\(\)/.test(text) && !mayNotRun ? [this.say("inner_detach")] : [];
    }

    handed(name, { value }) {
      return this.say(value === null ? "handed_unread" : "handed", { name, value: this.value(value) });
    }

    // Whether a line, or one that it goes on in, can have the name
    isSeen(name, text) {
      return openIn(text) || text.split(/\W/).includes(name.split(/\W/)[0]);
    }

    // What detached a tensor, as the line that did it says
    detached(line) {
      const text = this.text(line);
      return /\.data\b/.test(text) && !/detach/.test(text) ? ".data" : "detach";
    }

    leafNew(names) {
      const grad = names.length > 1 ? ".grad" : `${names[0]}.grad`;
      return names.length ? [this.say("leaf_new", { name: list(names), grad })] : [];
    }

    // What names lead to after a line, each with its node
    results(names, state) {
      const shown = names.map((name) => {
        const { value, grad_fn: node } = state[name];
        return raw(`${code(name)} = ${code(this.value(value))}${node ? ` (${code(node)})` : ""}`);
      });
      const told = this.say("results", { results: list(shown) });
      const isLost = ({ place }) => place[0] === "n" && !this.nodeAt(place);
      return names.some((name) => isLost(state[name])) ? `${told} ${this.say("node_hidden")}` : told;
    }

    // A leaf is new where it was the same tensor without a gradient, or where nothing was hidden before and the
    // line can have made one: it calls something, and doesn't only take the next of what it made before.
    leaves(news, { state, step, line, loops, index }, was) {
      const text = this.text(line), isNext = /^\s*(async )?for\b/.test(text) && loops.at(-1)?.[1] > 0;
      const isSure = /\w\(/.test(text) && !isNext && !Object.keys(step.hidden).length;
      const isFirst = (name) => this.seen[state[name].place] === index; // else a function has returned it
      const isMade = (name) => isLeaf(state[name].place) && ((isSure && isFirst(name)) || isSame(was, state, name));
      return news.filter(isMade);
    }

    // What cut a tensor off; nothing if there's no other name for what it was cut off from.
    cut(name, was, moment) {
      const { state } = moment;
      const { why, start, born = 0 } = this.ends[state[name].place] || {};
      if (!why) return undefined;
      const from = this.called(start, [was, state]);
      if (from === name && !(was[name] && leads(was, name, start))) return undefined;
      const isWhole = /^u?int|^bool/.test(state[name].dtype); // no path leads there, whatever is on or off
      let key = `cut_${why}`, by = "";
      if (why === "detach") by = this.detached(this.steps[born]?.l);
      else if (/_/.test(why)) { // a switch's name, such as no_grad
        key = isWhole ? "cut_operation" : "cut_no_grad";
        by = `torch.${why}(${why.startsWith("s") ? "False" : ""})`;
      }
      return this.say(key, { name, before: from === name ? this.called(start) : from, why: by });
    }
  };

  // Whether a name leads to a place; a leaf that doesn't need a gradient any more is a "p"
  function leads(state, name, place) {
    const at = state[name].place;
    return at === place || at === place.replace("l", "p") || at.startsWith(`${place}.`);
  }

  // Whether a name leads to the same tensor without history as before; of one with, no state tells for sure.
  function isSame(was, state, name) {
    const [then, now] = [was[name]?.place, state[name]?.place];
    return then && (then === now || (!isNode(was, state, name) && then.slice(1) === now?.slice(1)));
  }
  const isNode = (was, state, name) => /n/.test(was[name]?.place + state[name]?.place);

  // One name for each tensor
  function distinct(names, state) {
    const seen = new Set();
    return names.filter((name) => {
      const key = state[name]?.place || name;
      return !seen.has(key) && seen.add(key);
    });
  }
})(weaverTrace);
