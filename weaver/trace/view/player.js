// The view of a trace: program, sentence, tensors, graph, output, and a bar to step with.
//   weaverTrace.show(element, {code, trace, svg, boxes, same}, words, {name, start, whole})
// `name` tells several on a page apart (`?step=7&of=name`); it opens at the moment `start`; `whole`: the page is
// nothing but this.
(function (api) {
  const SHOWN = 3; // changed tensors that are not folded away
  const COLOURS = 4; // of storages; they repeat
  const { escape } = api;

  let count = 0;
  api.show = (element, data, words, options = {}) => new Player(element, data, words, options);

  class Player {
    constructor(element, data, words, options) {
      Object.assign(this, { element, data, words, options, id: `trace${count += 1}`, opened: new Set(), at: 0 });
      Object.assign(this, api.replay(data.trace));
      this.teller = new api.Teller(data, words, this.moments);
      this.build();
      this.teller.lines = [...this.code.querySelectorAll("code")].map((one) => one.textContent);
      this.fold();
      const asked = new URLSearchParams(location.search);
      const mine = asked.has("step") && (!asked.has("of") || asked.get("of") === options.name);
      this.go(Math.min(Math.max(mine ? Math.round(asked.get("step")) || 0 : +options.start || 1, 0), this.moments.length - 1), true);
    }

    build() {
      const { words, data, id } = this, part = (name, html, title = words[name]) =>
        `<div class="wt-${name}" role="group" aria-labelledby="${id}-${name}"><p class="wt-title" id="${id}-${name}">${title}</p>${html}</div>`;
      const button = (name, sign) => `<button type="button" data-go="${name}"><span aria-hidden="true">${sign}</span><span class="wt-word">${words[name]}</span></button>`;
      const note = (key, n) => (n ? `<p class="wt-note">${this.teller.say(key, n.why ? n : { n })}</p>` : "");
      const notes = note("large_graph", data.svg ? 0 : data.boxes) + note("nodes_hidden", data.trace.nodes_hidden);
      this.element.innerHTML = `<div class="wt" role="group" aria-label="${words.player}"><div class="wt-grid">
${part("program", `<div class="wt-code" tabindex="0"><ol>${this.program()}</ol></div><div class="wt-strips"></div>`)}
<div class="wt-told"><p class="wt-where"></p><p class="wt-sentence"></p><div class="wt-buttons"></div></div>
${part("tensors", "<div class=\"wt-table\"></div>")}
${data.svg || notes ? part("graph", `<div class="wt-picture" tabindex="0" role="img" aria-label="${words.graph}">${data.svg}</div>${notes}`) : ""}
${part("output", "<pre tabindex=\"0\"><samp></samp></pre>")}
</div>${(data.trace.notes || []).map((one) => note("note_" + one.why, one)).join("")}<div class="wt-bar">${button("back", "◀")}<input type="range" min="0" aria-label="${words.position}">
<output></output>${button("next", "▶")}${button("to_backward", "∂")}${button("whole", "▶▶")}</div>
<p class="wt-keys">${words.keys}</p><p class="wt-said" role="status"></p></div>`;
      this.root = this.element.firstElementChild;
      const find = (name) => this.root.querySelector(`.wt-${name}`);
      for (const name of ["code", "strips", "where", "sentence", "buttons", "table", "picture", "bar", "said"]) this[name] = find(name);
      this.printed = find("output samp");
      this.range = find("bar input");
      this.position = find("bar output");
      this.rows = [...this.code.querySelectorAll("li")];
      if (data.svg) this.graph = new api.Graph(this.picture, data, this);
      this.listen();
    }

    // The program, each line that ever runs a button: to press it is to run to it.
    program() {
      const ran = new Set(this.moments.map((moment) => moment.line));
      return this.data.code.map((line, index) => {
        const [start, end] = ran.has(index + 1) ? [`button type="button" tabindex="-1" data-line="${index + 1}"`, "button"] : ["span", "span"];
        return `<li><${start}><i>${index + 1}</i><code>${line || " "}</code></${end}></li>`;
      }).join("");
    }

    listen() {
      const go = { back: () => this.step(-1), next: () => this.step(1), whole: () => this.go(this.shown.at(-1)), to_backward: () => this.backward() };
      this.root.addEventListener("click", ({ target }) => {
        const button = target.closest("button");
        if (!button) return;
        const { line, fold, at } = button.dataset;
        if (button.dataset.go) go[button.dataset.go]();
        else if (line) this.runTo(Number(line));
        else if (at) this.go(Number(at));
        else if (fold) this.toggle(this.folds[fold]);
      });
      this.range.addEventListener("input", () => this.go(this.shown[this.range.value]));
      (this.options.whole ? document : this.root).addEventListener("keydown", (event) => this.key(event, go));
      this.table.addEventListener("toggle", ({ target }) => {
        this.opened[target.open ? "add" : "delete"](target.dataset.name);
      }, true);
    }

    key(event, go) {
      const { target, key } = event, within = (kind) => target.closest && target.closest(kind);
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (within("pre, .wt-picture") && key.startsWith("Arrow")) return; // they scroll
      if (key === " " && within("button, summary")) return; // it presses them
      const line = (by) => {
        const all = [...this.code.querySelectorAll("button")], next = all[all.indexOf(target) + by];
        if (next) { next.focus({ preventScroll: true }); this.scroll(next); }
      };
      const act = within(".wt-code") && { ArrowUp: () => line(-1), ArrowDown: () => line(1) }[key]
        || { ArrowLeft: go.back, ArrowRight: go.next, Home: () => this.go(this.shown[0]), End: go.whole, " ": go.to_backward }[key];
      if (!act) return;
      act();
      event.preventDefault();
    }

    // Which moments are to be stepped on: all but those in a fold that is closed.
    fold() {
      const hidden = new Set();
      for (const one of this.folds) if (!one.open) for (let i = one.from; i < one.to; i += 1) hidden.add(i);
      this.shown = this.moments.map((_, index) => index).filter((index) => !hidden.has(index));
      this.range.max = this.shown.length - 1;
    }

    toggle(one) {
      one.open = !one.open;
      this.fold();
      this.go(one.open ? one.from : one.to);
      (this.root.querySelector("[data-fold]") || this.range).focus({ preventScroll: true });
    }

    step(by) { this.go(this.shown[Math.min(Math.max(this.shown.indexOf(this.at) + by, 0), this.shown.length - 1)]); }

    next(test) {
      const start = this.shown.indexOf(this.at);
      return [...this.shown.slice(start + 1), ...this.shown.slice(0, start + 1)].find((index) => test(this.moments[index], index));
    }

    backward() {
      const found = this.next((moment, index) => (moment.event?.kind === "start" && this.moments[index - 1].event?.kind !== "start")
        || this.folds.some((one) => !one.open && one.to === index && one.kind === "call" && one.visits));
      if (found !== undefined) this.go(found);
    }

    runTo(line) {
      const test = (moment) => moment.line === line && moment.kind === "line", found = this.next(test) ?? this.moments.findIndex(test);
      if (found >= 0) this.go(found);
    }

    go(index, first) {
      if (!this.shown.includes(index)) {
        for (const one of this.folds) if (one.from <= index && index < one.to) one.open = true;
        this.fold();
      }
      this.at = index;
      const moment = this.moments[index], place = this.shown.indexOf(index);
      const closed = this.folds.find((one) => !one.open && one.to === index && one.kind === "loop");
      const fold = closed || this.folds.find((one) => one.to === index && one.kind === "call");
      // What is marked as changed is since the moment that was shown before; in a call, since before it.
      const since = (closed || (fold && (fold.own || !fold.open)) ? fold.from : index) - 1;
      const before = this.moments[Math.max(since, 0)];
      this.lines(moment, place);
      const { stopped, error } = this.data.trace, end = index === this.moments.length - 1;
      const last = stopped ? this.teller.say(`stopped_${stopped.why}`, { n: stopped.number }) : index ? "" : escape(error || ""); // what is no Python has no step
      this.sentence.innerHTML = this.teller.tell(moment, before, fold) + (end && last ? ` ${last}` : "");
      this.sentence.classList.toggle("wt-error", !!(moment.step.raised && moment.kind === "line") || moment.event?.kind === "failed");
      this.where.textContent = this.place(moment);
      this.foldButtons(moment);
      this.iterations(moment);
      this.fill(moment, before);
      if (this.graph) this.graph.show(moment);
      this.print(moment, before);
      this.range.value = place;
      this.range.ariaValueText = this.position.textContent = `${index} / ${this.moments.length - 1}`;
      for (const [name, ends] of [["back", 0], ["next", this.shown.length - 1]]) this.bar.querySelector(`[data-go="${name}"]`).ariaDisabled = place === ends;
      if (!first) { this.announce(); this.address(); }
    }

    announce() {
      clearTimeout(this.later);
      this.later = setTimeout(() => { this.said.textContent = `${this.where.textContent}. ${this.sentence.textContent}`; }, 250);
    }

    address() {
      clearTimeout(this.keeping);
      this.keeping = setTimeout(() => {
        const asked = new URLSearchParams(location.search);
        asked.set("step", this.at);
        if (this.options.name) asked.set("of", this.options.name);
        try { history.replaceState(history.state, "", `?${asked}${location.hash}`); } catch { /* a frame without an address */ }
      }, 300);
    }

    place(moment) {
      const { words } = this, parts = [];
      if (moment.line) parts.push(words.place.replace("{#line}", moment.line));
      if (moment.function) parts.push(words.inside.replace("{name}", moment.function));
      for (const [line, iteration] of moment.loops) parts.push(this.teller.iteration(line, iteration));
      return parts.join(" · ");
    }

    lines(moment, place) {
      const past = new Set(this.moments.slice(0, this.at + 1).map((one) => one.line)), follows = this.moments[this.shown[place + 1]];
      this.rows.forEach((row, index) => {
        const line = index + 1, now = line === moment.line, next = !!follows && line === follows.line && !now;
        row.className = [!past.has(line) && "wt-later", now && "wt-now", now && moment.event && "wt-running", now && moment.step.raised && !moment.event && "wt-raised", next && "wt-next"].filter(Boolean).join(" ");
        const button = row.querySelector("button");
        if (button) { button.tabIndex = now ? 0 : -1; button.ariaCurrent = now ? "step" : null; }
        if (now) this.scroll(row);
      });
    }

    // The line stays in sight with two around it; only the program's own frame scrolls.
    scroll(row) {
      const frame = this.code, top = row.offsetTop, room = 2 * row.offsetHeight;
      if (top - room < frame.scrollTop) frame.scrollTop = top - room;
      else if (top + row.offsetHeight + room > frame.scrollTop + frame.clientHeight) frame.scrollTop = top + row.offsetHeight + room - frame.clientHeight;
    }

    foldButtons(moment) {
      const found = this.folds.map((one, index) => [one, index]).filter(([one]) => one.to === moment.index || (one.kind === "loop" && one.open && one.from <= moment.index && moment.index <= one.to));
      this.buttons.innerHTML = found.map(([one, index]) => `<button type="button" data-fold="${index}" aria-expanded="${one.open}">${one.open ? "▾" : "▸"} ${one.open ? this.words.close : this.words.open.replace("{#n}", one.to - one.from)}</button>`).join("");
    }

    // The iterations of each loop around the line.
    iterations(moment) {
      this.strips.innerHTML = this.loops.filter((run) => run.iterations[0].from <= moment.index && moment.index < run.iterations.at(-1).to).map((run) => {
        const now = run.iterations.findIndex((one) => moment.index < one.to);
        return `<div class="wt-strip">${run.iterations.map((one, index) => {
          const fold = run.folds.find((each) => !each.open && each.from <= one.from && one.from <= each.to);
          if (fold && fold.first !== one) return "";
          const here = fold ? fold.from <= moment.index && moment.index <= fold.to : index === now;
          const text = fold ? this.words.alike.replace("{#n}", fold.times) : index && one.to - one.from === 1 ? this.words.loop_end : this.teller.iteration(run.line, one.iteration);
          return `<button type="button" data-at="${fold ? fold.to : one.from}"${here ? ' aria-current="true"' : ""}>${escape(text)}</button>`;
        }).join("")}</div>`;
      }).join("");
    }

    print(moment, before) {
      const fresh = moment.printed.slice(before.printed.length);
      this.printed.innerHTML = moment.printed ? `${escape(before.printed)}<mark>${escape(fresh)}</mark>` : this.words.no_output;
      this.printed.parentElement.scrollTop = 1e6;
    }

    fill(moment, before) {
      const rows = api.rows(moment.state, before.state), { words } = this;
      const changed = rows.filter((row) => row.mark), rest = rows.filter((row) => !row.mark);
      const list = (all) => (all.length ? `<ul>${all.map((row) => this.row(row)).join("")}</ul>` : "");
      const more = (all, key) => (all.length ? `<details class="wt-more" data-name="${key}"${this.opened.has(key) ? " open" : ""}><summary>${words[key].replace("{#n}", all.length)}</summary>${list(all)}</details>` : "");
      const few = rows.length <= SHOWN + 1;
      const hidden = Object.entries(moment.step.hidden || {}).map(([name, n]) => `<p class="wt-note">${this.teller.say("hidden", { name, n })}</p>`).join("");
      this.table.innerHTML = (few ? list(rows) : list(changed.slice(0, SHOWN)) + more(changed.slice(SHOWN), "more") + more(rest, "unchanged"))
        + hidden || `<p class="wt-note">${words.no_tensors}</p>`;
    }

    row(row) {
      const { words } = this, { facts, was } = row;
      const tag = (text, kind = "") => `<span class="wt-tag ${kind}">${escape(text)}</span>`;
      const value = (now, then, moved) => (moved && then !== undefined ? `<del>${escape(then)}</del> → ` : "") + escape(now);
      const old = was && row.moved.value ? api.inRow(was.value, 18) : undefined;
      const grad = row.grad || row.wasGrad || (facts.is_leaf && facts.requires_grad) ? tag(".grad", "grad") + `<code class="grad">${value(api.inRow(row.grad ? row.grad.value : null, 20), api.inRow(row.wasGrad ? row.wasGrad.value : null, 12), row.moved.grad && row.mark !== "new")}</code>` : "";
      const kind = facts.grad_fn ? tag(facts.grad_fn) : tag(facts.requires_grad ? words.leaf : words.needs_none, facts.requires_grad ? "leaf" : "");
      const version = facts.version || row.moved.version ? tag(row.moved.version && was ? `v${was.version} → v${facts.version}` : `v${facts.version}`, row.moved.version ? "moved" : "") : "";
      const dtype = facts.dtype === "float32" ? "" : tag(facts.dtype), device = facts.device === "cpu" ? "" : tag(facts.device);
      const shared = row.shared ? ` style="--wt-storage: var(--wt-s${row.shared % COLOURS})"` : "";
      const names = row.names.slice(0, 2).map((name) => `<b>${escape(name)}</b>`).join(" = ");
      const full = [`shape (${facts.shape.join(", ")})`, facts.dtype, facts.device, ...["requires_grad", "is_leaf", "grad_fn"].map((name) => `${name} ${api.short(facts[name])}`), `_version ${api.short(facts.version)}`];
      const key = `t:${row.names[0]}`;
      return `<li class="wt-row${row.mark ? " wt-changed" : ""}${row.shared ? " wt-shared" : ""}"${shared}><details data-name="${escape(key)}"${this.opened.has(key) ? " open" : ""}><summary>
<span class="wt-name">${names}</span> <code>${value(api.inRow(facts.value), old, old !== undefined && row.mark !== "new")}</code> ${row.mark ? tag(words[row.mark], "mark") : ""}${kind}${version}${dtype}${device}${row.shared ? tag(words.storage.replace("{#n}", row.shared), "storage") : ""} ${grad}</summary>
<pre tabindex="0">${escape(api.inFull(facts.value))}</pre>${row.grad ? `<pre tabindex="0">.grad = ${escape(api.inFull(row.grad.value))}</pre>` : ""}<pre tabindex="0" class="wt-note">${escape(full.join("\n"))}</pre></details></li>`;
    }
  }
})(weaverTrace);
