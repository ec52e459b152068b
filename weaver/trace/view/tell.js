// A moment -> what it did, in one or two sentences of the reader's language (weaver/trace/words.py), as HTML.
(function (api) {
  const LONGEST = 46; // letters of a line that is quoted; of a longer one it says "this line"

  api.escape = (text) => String(text).replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one]);
  const code = (text) => `<code>${api.escape(text)}</code>`;
  const raw = (html) => ({ html });
  const list = (all, most = 3) => raw(all.slice(0, most).map((one) => one.html || code(one)).join(", ") + (all.length > most ? ` … (${all.length})` : ""));

  api.Teller = class {
    constructor(data, words, moments) {
      Object.assign(this, { words, moments });
      this.first = {};
      for (const { state } of moments) for (const [name, facts] of Object.entries(state)) this.first[facts.place] ||= name;
      this.nodes = Object.fromEntries(data.trace.nodes.map((node) => [node.id, node]));
      this.born = {};
      for (const node of data.trace.nodes) (this.born[node.born] ||= []).push(node);
      this.cuts = {};
      this.ends = {};
      for (const edge of data.trace.edges) if (edge.why !== "constant") { (this.cuts[edge.born] ||= []).push(edge); this.ends[edge.end] = edge; }
    }

    say(key, given = {}) {
      return this.words[key].replace(/\{(#?)(\w+)\}/g, (_, plain, name) => {
        const value = given[name];
        return value?.html ? value.html : plain ? api.escape(value) : code(value);
      });
    }

    value(value) {
      const text = api.short(value);
      return value && typeof value === "object" && text[0] === "(" ? `${this.words.shape} ${text}` : text;
    }

    source(line) {
      const text = (this.lines[line - 1] || "").trim().replace(/\s+#[^'"]*$/, "");
      const open = (text.match(/[([{]/g) || []).length - (text.match(/[)\]}]/g) || []).length;
      return text.length > LONGEST || open > 0 || /("""|''')/.test(text) || !text ? null : text;
    }

    line(line) {
      const text = this.source(line);
      return raw(text ? this.say("line", { code: text }) : api.escape(this.words.this_line));
    }

    iteration(line, iteration) {
      const name = /^\s*for (\w+)(?:, .*)? in (?:range\([^,]*\)|enumerate\([^,]*\)):/.exec(this.lines[line - 1] || "");
      return name ? `${name[1]} = ${iteration}` : this.words.iteration.replace("{#n}", iteration + 1);
    }

    // What a reader calls a place: a name that leads there, else its node; `full`: a node with the name, too.
    called(place, ...states) {
      for (const state of states) {
        const frozen = place.replace("l", "p"); // a leaf that needs a gradient no more
        const names = Object.keys(state).filter((name) => [place, frozen].includes(state[name].place) || state[name].place.startsWith(`${place}.`));
        names.sort((a, b) => a.startsWith("self.") - b.startsWith("self."));
        if (names.length) return names[0];
      }
      const node = this.nodes[place.split(".")[0]];
      return node ? node.name : place[0] === "l" ? "AccumulateGrad" : "tensor";
    }

    // Where a gradient goes: a leaf by its name, a node by its own and that of its tensor.
    target(place, find) {
      const node = this.nodes[place.split(".")[0]], name = find(place);
      return raw(!node || node.name === name ? code(name) : `${code(node.name)} (${code(name)})`);
    }

    tell(moment, before, fold) {
      this.freed = moment.freed;
      if (fold?.kind === "loop") return this.loop(moment, fold);
      if (moment.kind === "begin") return this.say("begin");
      if (moment.kind === "gap") return this.gap(moment.gap);
      const told = moment.kind === "event" ? this.event(moment, before) : this.ran(moment, before, fold);
      return told.join(" ");
    }

    loop(moment, fold) {
      const [first, last] = [fold.first, fold.last].map((one) => this.iteration(fold.line, one.iteration));
      return this.say("folded_loop", { first, last, n: raw(String(fold.times)) });
    }

    gap(gap) {
      return this.say(gap.iterations ? "gap_loop" : "gap", { n: gap.steps, line: gap.line, times: gap.iterations });
    }

    event(moment, before) {
      const { event, step } = moment, states = [moment.state, before.state, step.state], find = (place) => this.called(place, ...states);
      const texts = (values) => (values || []).filter((one) => one !== null).map((one) => this.value(one));
      const received = list(texts(event.received).length ? texts(event.received) : ["None"]);
      const node = event.node ? this.nodes[event.node.split(".")[0]] : null, name = event.node && find(event.node);
      if (event.kind === "start") return [this.say("start", { call: this.call(moment.line), name, value: received })];
      if (event.kind === "hook") {
        const told = [this.say("hook", { name: event.name, place: name, received })];
        if (event.of !== "post-accumulate") told.push(event.passed ? this.say("hook_returned", { passed: list(texts(event.passed)) }) : this.say("hook_none"));
        return told;
      }
      if (event.kind === "freed") {
        const all = [...new Set(event.freed.map((one) => this.nodes[one]?.name).filter(Boolean))];
        return [event.freed.length > 1 ? this.say("freed_many", { n: event.freed.length }) : this.say("freed", { nodes: list(all) })];
      }
      if (event.kind === "failed") {
        if (event.met !== undefined) return [this.say("failed_version", { node: node ? node.name : name, name: this.saved(node, event.name, moment), wanted: event.wanted, met: event.met })];
        if (node && moment.freed.has(node.id)) return [this.say("failed_freed", { node: node.name })];
        return [node ? this.say("failed", { node: node.name }) : this.say("failed_start"), code(event.text.slice(0, 160))];
      }
      if (event.node[0] === "l") {
        const { before = null, after = null } = event, facts = moment.state[name];
        const key = !texts(event.received).length ? "leaf_nothing" : facts && !facts.requires_grad ? "leaf_frozen" : after === null ? "leaf_emptied" : before === null ? "leaf_first" : "leaf_sum";
        return [this.say(key, { received: this.sum(moment, received), name, grad: `${name}.grad`, old: this.value(before), new: this.value(after) })];
      }
      return this.passed(event, node, this.sum(moment, received), find);
    }

    // What arrived, with the parts that came on several ways; where a hook stood between, they are not it.
    sum({ event, index }, received) {
      const parts = [];
      for (const { event: one } of this.moments.slice(0, index)) {
        if (!one || one.run !== event.run) continue;
        if (one.kind === "hook" && one.node.split(".")[0] === event.node) return received;
        if (one.kind === "visit") (this.nodes[one.node]?.next || []).forEach((to, slot) => { if (to && to.split(".")[0] === event.node && one.passed[slot] !== null) parts.push(this.value(one.passed[slot])); });
      }
      const text = parts.join(" + ");
      return parts.length > 1 && event.received.length === 1 && !text.includes("(") ? raw(`${code(text)} = ${received.html}`) : received;
    }

    // What was saved under a name, with the tensor's own name beside it: that of now, or the first it had.
    saved(node, name, moment) {
      const one = (node?.saved || []).find((each) => each.name === name), place = one?.place;
      const own = place && (this.first[place] || this.called(place, moment.state));
      return raw(own && own !== name && own !== node.name ? `${code(name)} (${code(own)})` : code(name));
    }

    passed(event, node, received, find) {
      const told = [], name = node ? node.name : event.node;
      (event.passed || []).forEach((value, slot) => {
        const to = node?.next?.[slot];
        if (value === null || !to) return;
        const given = { node: name, received, passed: this.value(value), to: this.target(to, find) };
        const local = !!event.local && event.local[slot] !== null && event.local[slot] !== undefined;
        if (local) given.local = api.short(event.local[slot]);
        told.push(this.say((told.length ? ["passed_to", "passed_also"] : ["passed", "passed_local"])[+local], given));
      });
      return told.length ? told.slice(0, 3) : [this.say("passed_none", { node: name, received })];
    }

    call(line) {
      const text = this.lines[line - 1] || "";
      const found = /(autograd\.)?(grad|backward|jacobian|hessian|vjp|jvp|vhp|hvp)\(/.exec(text);
      return found ? `${found[1] || ""}${found[2]}()` : raw(api.escape(this.words.engine));
    }

    ran(moment, before, fold) {
      const { step } = moment, line = this.line(moment.line), told = [];
      if (step.raised) return [this.say("raised", { line }), code(step.raised.length > 320 ? `${step.raised.slice(0, 320)}…` : step.raised)];
      const visits = fold?.own;
      told.push(...this.changes(moment, before, line, fold));
      if (visits) told.unshift(this.say("ran_backward", { line, n: visits }));
      if (!told.length && fold && !visits) told.push(this.say("called", { line, n: fold.to - fold.from }));
      return told.length ? told.slice(0, 2) : [this.plain(moment, line)];
    }

    plain(moment, line) {
      const text = (this.lines[moment.line - 1] || "").trim();
      let found;
      if (/^(import|from)\b/.test(text)) return this.say("imported", { line });
      if (text[0] === "@") found = /(?:def|class)\s+(\w+)/.exec(this.lines.slice(moment.line - 1, moment.line + 4).join("\n"));
      found ||= /^(?:async\s+)?(?:def|class)\s+(\w+)/.exec(text);
      if (found) return this.say("defined", { name: found[1] });
      if (/^return\b/.test(text) && moment.function) return this.say("returned", { function: moment.function });
      if (/^(for|while)\b/.test(text) && moment.loops.length) {
        const [at, iteration] = moment.loops[moment.loops.length - 1];
        const over = !moment.goesOn && /^for/.test(text);
        return over ? this.say("loop_over") : this.say("loop_line", { iteration: this.iteration(at, iteration) });
      }
      if (/^(async )?with\b/.test(text)) return this.say("with_line", { line });
      return this.say(moment.step.printed ? "printed" : "nothing", { line });
    }

    // What became of the tensors, most telling first.
    changes(moment, before, line, fold) {
      const { step, state } = moment, told = [], was = before.state, same = moment.depth === before.depth;
      const names = Object.keys(state).filter((name) => !was[name] || JSON.stringify(was[name]) !== JSON.stringify(state[name]));
      const grads = names.filter((name) => name.endsWith(".grad") && name.slice(0, -5) in state);
      const plain = names.filter((name) => !grads.includes(name));
      const lost = Object.keys(was).filter((name) => !(name in state) && name.endsWith(".grad") && name.slice(0, -5) in state);
      const nodes = this.born[step.index] || [], news = plain.filter((name) => !was[name] || was[name].place !== state[name].place);
      const written = distinct(plain.filter((name) => was[name] && state[name].version > was[name].version && was[name].storage === state[name].storage), state);
      const text = this.lines[moment.line - 1] || "";
      written.sort((a, b) => text.includes(b) - text.includes(a));
      if (written.length) {
        const [name] = written;
        told.push(this.say("version", { line, name: list(written), old: was[name].version, new: state[name].version }), ...this.outdated(was, state, written));
        if (nodes.length) told.push(this.say("also_recorded", { nodes: list(names_of(nodes)) }));
      } else if (nodes.length && (news.length || /^\s*return\b/.test(text))) told.push(...this.recorded(nodes, line));
      told.splice(1, 0, ...this.made(news.filter((name) => !written.includes(name)), moment, was, nodes.length));
      for (const name of distinct(plain.filter((one) => was[one] && was[one].place === state[one].place), state)) {
        const [then, now] = [was[name], state[name]];
        if (then.requires_grad !== now.requires_grad) told.push(this.say(now.requires_grad ? "requires" : "requires_not", { name, flag: `requires_grad=${api.short(now.requires_grad)}` }));
        else if (then.version === now.version && JSON.stringify(then.value) !== JSON.stringify(now.value)) told.push(this.say("silent", { name }));
      }
      const all = distinct([...grads, ...lost], { ...was, ...state }), show = (facts) => this.value(facts ? facts.value : null);
      const moved = all.filter((name) => JSON.stringify((was[name] || {}).value) !== JSON.stringify((state[name] || {}).value));
      if (moved.length > 2) told.push(this.say("grads_set", { names: list(moved) }));
      else for (const name of moved) told.push(this.say("grad_set", { grad: name, old: show(was[name]), new: show(state[name]) }));
      if (!told.length && same && !step.printed) {
        const gone = Object.keys(was).filter((name) => !(name in state));
        if (gone.length && /^\s*del\b/.test(this.lines[moment.line - 1] || "")) told.push(this.say("gone", { names: list(gone) }));
      }
      return told;
    }

    outdated(was, state, written) {
      const places = new Set(written.flatMap((name) => [was[name].place, state[name].place]));
      for (const node of Object.values(this.nodes)) {
        for (const saved of node.saved || []) {
          if (saved.place && places.has(saved.place) && (saved.version || 0) < state[written[0]].version && !this.freed.has(node.id)) {
            return [this.say("had_saved", { node: node.name, old: saved.version || 0 })];
          }
        }
      }
      return [];
    }

    recorded(nodes, line) {
      const kept = nodes.flatMap((node) => (node.saved || []).filter((one) => one.place || one.packed).map((saved) => ({ node, saved })));
      const told = [this.say("recorded", { line, nodes: list(names_of(nodes)) })];
      if (kept.length > 2) told.push(this.say("saved_many", { n: kept.length }));
      else if (kept.length) {
        const text = ({ saved }) => raw(`${code(saved.name)} = ${saved.packed ? api.escape(this.words.packed) : code(this.value(saved.value))}`);
        told.push(this.say("saved", { saved: list(kept.map(text)) }));
      }
      return told;
    }

    // Names that lead to a tensor which was not there before.
    made(news, moment, was, recorded) {
      const { state, step } = moment, told = [], known = new Set(Object.values(was).map((facts) => facts.place));
      const leaves = distinct(news.filter((name) => state[name].place[0] === "l" && !known.has(state[name].place)), state);
      if (leaves.length) told.push(this.say("leaf_new", { name: list(leaves), grad: leaves.length > 1 ? ".grad" : `${leaves[0]}.grad` }));
      const cuts = this.cuts[step.index] || [];
      for (const name of distinct(news, state)) {
        const facts = state[name], cut = this.ends[facts.place];
        const other = Object.keys(was).find((one) => state[one] && one !== name && !one.endsWith(".grad") && state[one].storage === facts.storage && facts.storage !== null);
        if (known.has(facts.place)) {
          if (other && moment.depth === 0 && state[other].place === facts.place) told.push(this.say("same_new", { name, other }));
          continue;
        }
        if (cut) {
          const key = { inference_mode: "cut_no_grad" }[cut.why] || `cut_${cut.why}`;
          const from = this.called(cut.start, was, state);
          told.push(this.say(key, { name, before: from === name ? this.called(cut.start) : from, why: { detach: "detach", no_grad: "torch.no_grad()", inference_mode: "torch.inference_mode()" }[cut.why] || "" }));
        } else if (facts.place[0] === "p" && told.length < 2 && !other) {
          const own = new RegExp(`(^|\\W)${name.replace(/\W.*/, "")}\\b[^=]*=`).test(this.lines[moment.line - 1]);
          told.push(moment.depth && !own ? this.say("handed", { name, value: this.value(facts.value) }) : this.say("plain_new", { name }));
        }
        if (other && state[other].place !== facts.place) told.push(this.say("shares", { name, other }));
      }
      const inner = cuts.find((edge) => edge.why === "detach" && !Object.values(state).some((facts) => facts.place === edge.end));
      if (inner && recorded) told.unshift(this.say("inner_cut", { before: this.called(inner.start, was, state), why: inner.why }));
      return told;
    }
  };

  const names_of = (nodes) => [...nodes].reverse().map((node) => node.name);

  // One name for each tensor.
  function distinct(names, state) {
    const seen = new Set();
    return names.filter((name) => {
      const key = state[name]?.place || name;
      return !seen.has(key) && seen.add(key);
    });
  }
})(weaverTrace);
