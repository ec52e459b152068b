// The view of a trace: program, sentence, tensors, graph, output, and a bar to step with.
//   weaverTrace.show(element, {code, trace, svg, boxes, same}, words, {name, start, whole})
// `name` tells the traces of a page apart (`?step=7&of=name`); it opens at the moment `start`; `whole`: the page
// is nothing but this, and it opens where `opening` of whole.js says.
(function (api) {
  const SHOWN = 3; // changed tensors that are not folded away
  const COLORS = 4; // of storages; they repeat
  const { escape } = api;

  let count = 0;
  api.show = (element, data, words, options = {}) => new Player(element, data, words, options);

  const between = (number, least, most) => Math.min(Math.max(number, least), most);

  class Player {
    constructor(element, data, words, options) {
      Object.assign(this, { element, data, words, options, id: `trace${count += 1}`, opened: new Set(), at: 0 });
      Object.assign(this, api.replay(data.trace));
      this.teller = new api.Teller(data, words, this.moments);
      this.build();
      this.teller.lines = [...this.code.querySelectorAll("code")].map((one) => one.textContent);
      this.fold();
      const asked = new URLSearchParams(location.search);
      const isMine = asked.has("step") && (!asked.has("of") || asked.get("of") === options.name);
      const opens = Number(options.start) || api.opening?.(this.moments, data.trace) || 1;
      const start = isMine ? Math.round(asked.get("step")) || 0 : opens;
      this.go(between(start, 0, this.moments.length - 1), true);
    }

    build() {
      const { words, data, id } = this, { notes = [], nodes_hidden: hidden } = data.trace;
      const part = (name, html) => {
        const title = `<p class="wt-title" id="${id}-${name}">${words[name]}</p>`;
        return `<div class="wt-${name}" role="group" aria-labelledby="${id}-${name}">${title}${html}</div>`;
      };
      const button = (name, sign) => {
        const inside = `<span aria-hidden="true">${sign}</span><span class="wt-word">${words[name]}</span>`;
        return `<button type="button" data-go="${name}">${inside}</button>`;
      };
      const note = (key, given) => `<p class="wt-note">${this.teller.say(key, given)}</p>`;
      const code = `<div class="wt-code" tabindex="0"><ol>${this.program()}</ol></div>`;
      const missing = data.svg || !data.boxes ? "" : note("large_graph", { n: data.boxes });
      const below = missing + (hidden ? note("nodes_hidden", { n: hidden }) : "");
      const frame = `<div class="wt-picture" tabindex="0" role="img" aria-label="${words.graph}">${data.svg}</div>`;
      this.element.innerHTML = `<div class="wt" role="group" aria-label="${words.player}"><div class="wt-grid">
${part("program", code + '<div class="wt-strips"></div>')}
<div class="wt-told"><p class="wt-where"></p><p class="wt-sentence"></p><div class="wt-buttons"></div></div>
${part("tensors", '<div class="wt-table"></div>')}
${data.svg || below ? part("graph", frame + below) : ""}
${part("output", '<pre tabindex="0"><samp></samp></pre>')}
</div>${notes.map((one) => note("note_" + one.why, one)).join("")}<div class="wt-bar">${button("back", "◀")}\
<input type="range" min="0" aria-label="${words.position}">
<output></output>${button("next", "▶")}${button("to_backward", "∂")}${button("whole", "▶▶")}</div>
<p class="wt-keys">${words.keys}</p><p class="wt-said" role="status"></p></div>`;
      this.root = this.element.firstElementChild;
      const find = (name) => this.root.querySelector(`.wt-${name}`);
      for (const name of ["code", "strips", "where", "sentence", "buttons", "table", "picture", "bar", "said"])
        this[name] = find(name);
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
      return this.data.code.map((text, index) => {
        const line = index + 1, tag = ran.has(line) ? "button" : "span";
        const facts = ran.has(line) ? ` type="button" tabindex="-1" data-line="${line}"` : "";
        return `<li><${tag}${facts}><i>${line}</i><code>${text || " "}</code></${tag}></li>`;
      }).join("");
    }

    listen() {
      const go = {
        back: () => this.step(-1), next: () => this.step(1), whole: () => this.go(this.shown.at(-1)),
        to_backward: () => this.backward(),
      };
      this.root.addEventListener("click", ({ target }) => {
        const button = target.closest("button");
        if (!button) return;
        const { line, fold, at, go: name } = button.dataset;
        if (name) go[name]();
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
      const { target, key } = event, isWithin = (kind) => target.closest?.(kind);
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (isWithin("pre, .wt-picture") && key.startsWith("Arrow")) return; // they scroll
      if (key === " " && isWithin("button, summary")) return; // it presses them
      const line = (by) => {
        const all = [...this.code.querySelectorAll("button")], next = all[all.indexOf(target) + by];
        next?.focus({ preventScroll: true });
        if (next) this.scroll(next);
      };
      const acts = {
        ArrowLeft: go.back, ArrowRight: go.next, End: go.whole, " ": go.to_backward,
        Home: () => this.go(this.shown[0]),
      };
      if (isWithin(".wt-code")) Object.assign(acts, { ArrowUp: () => line(-1), ArrowDown: () => line(1) });
      if (!acts[key]) return;
      acts[key]();
      event.preventDefault();
    }

    // Which moments are stepped on: all but those in a closed fold.
    fold() {
      const isHidden = (index) => this.folds.some((one) => !one.open && one.from <= index && index < one.to);
      this.shown = [...this.moments.keys()].filter((index) => !isHidden(index));
      this.range.max = this.shown.length - 1;
    }

    toggle(one) {
      one.open = !one.open;
      this.fold();
      this.go(one.open ? one.from : one.to);
      (this.root.querySelector("[data-fold]") || this.range).focus({ preventScroll: true });
    }

    step(by) {
      this.go(this.shown[between(this.shown.indexOf(this.at) + by, 0, this.shown.length - 1)]);
    }

    next(test) {
      const start = this.shown.indexOf(this.at) + 1;
      const inOrder = [...this.shown.slice(start), ...this.shown.slice(0, start)];
      return inOrder.find((index) => test(this.moments[index], index));
    }

    backward() {
      const isStart = (moment) => moment.event?.kind === "start";
      const isCall = (one, index) => !one.open && one.to === index && one.kind === "call" && one.visits;
      const found = this.next((moment, index) => (isStart(moment) && !isStart(this.moments[index - 1]))
        || this.folds.some((one) => isCall(one, index)));
      if (found !== undefined) this.go(found);
    }

    runTo(line) {
      const test = (moment) => moment.line === line && moment.kind === "line";
      const found = this.next(test) ?? this.moments.findIndex(test);
      if (found >= 0) this.go(found);
    }

    go(index, first) {
      if (!this.shown.includes(index)) {
        for (const one of this.folds) if (one.from <= index && index < one.to) one.open = true;
        this.fold();
      }
      this.at = index;
      const moment = this.moments[index], place = this.shown.indexOf(index), last = this.moments.length - 1;
      const closed = this.folds.find((one) => !one.open && one.to === index && one.kind === "loop");
      const fold = closed || this.folds.find((one) => one.to === index && one.kind === "call");
      // Marked as changed is what did since the moment that was shown before; in a call, since before it.
      const before = api.before(this.moments, index, fold);
      this.lines(moment, place);
      this.sentence.innerHTML = [this.teller.tell(moment, before, fold), this.end(index)].filter(Boolean).join(" ");
      const raised = moment.kind === "line" && moment.step.raised;
      this.sentence.classList.toggle("wt-error", !!raised || moment.event?.kind === "failed");
      this.where.textContent = this.place(moment);
      this.foldButtons(moment);
      this.iterations(moment);
      this.fill(moment, before);
      this.graph?.show(moment);
      this.print(moment, before);
      this.range.value = place;
      this.range.ariaValueText = this.position.textContent = `${index} / ${last}`;
      const disable = (name, end) => { this.bar.querySelector(`[data-go=${name}]`).ariaDisabled = place === end; };
      disable("back", 0);
      disable("next", this.shown.length - 1);
      if (!first) { this.announce(); this.address(); }
    }

    // Why there are no more moments; a program that is not Python has no step at all.
    end(index) {
      const { stopped, error } = this.data.trace;
      if (index < this.moments.length - 1) return "";
      if (stopped) return this.teller.say(`stopped_${stopped.why}`, { n: stopped.number });
      return index ? "" : escape(error || "");
    }

    announce() {
      clearTimeout(this.later);
      this.later = setTimeout(() => {
        this.said.textContent = `${this.where.textContent}. ${this.sentence.textContent}`;
      }, 250);
    }

    address() {
      clearTimeout(this.keeping);
      this.keeping = setTimeout(() => {
        const asked = new URLSearchParams(location.search);
        asked.set("step", this.at);
        if (this.options.name) asked.set("of", this.options.name);
        try {
          history.replaceState(history.state, "", `?${asked}${location.hash}`);
        } catch { /* a frame without an address */ }
      }, 300);
    }

    place(moment) {
      const { words, teller } = this;
      // A header's iteration is only sure where it goes on
      const around = teller.isHeader(moment) && !moment.goesOn ? moment.loops.slice(0, -1) : moment.loops;
      const parts = around.map((one) => teller.iteration(...one));
      if (moment.function) parts.unshift(words.inside.replace("{name}", moment.function));
      if (moment.line) parts.unshift(teller.say("place", moment));
      return parts.join(" · ");
    }

    lines(moment, place) {
      const past = new Set(this.moments.slice(0, this.at + 1).map((one) => one.line));
      const follows = this.moments[this.shown[place + 1]];
      this.rows.forEach((row, index) => {
        const line = index + 1, now = line === moment.line, button = row.querySelector("button");
        const classes = {
          later: !past.has(line), now, running: now && moment.event,
          raised: now && moment.step.raised && !moment.event, next: line === follows?.line && !now,
        };
        row.className = Object.keys(classes).filter((name) => classes[name]).map((name) => `wt-${name}`).join(" ");
        if (button) {
          button.tabIndex = now ? 0 : -1;
          button.ariaCurrent = now ? "step" : null;
        }
        if (now) this.scroll(row);
      });
    }

    // The line stays in sight with two around it; only the program's own frame scrolls.
    scroll(row) {
      const frame = this.code, room = 2 * row.offsetHeight;
      const top = row.offsetTop - room, bottom = row.offsetTop + row.offsetHeight + room - frame.clientHeight;
      if (top < frame.scrollTop) frame.scrollTop = top;
      else if (bottom > frame.scrollTop) frame.scrollTop = bottom;
    }

    foldButtons({ index }) {
      const isHere = ({ kind, open, from, to }) =>
        to === index || (kind === "loop" && open && from <= index && index <= to);
      this.buttons.innerHTML = this.folds.map((one, number) => {
        const text = one.open ? `▾ ${this.words.close}` : `▸ ${this.teller.say("open", { n: one.to - one.from })}`;
        const facts = `data-fold="${number}" aria-expanded="${one.open}"`;
        return isHere(one) ? `<button type="button" ${facts}>${text}</button>` : "";
      }).join("");
    }

    // The iterations of each loop around the line
    iterations({ index }) {
      const isIn = ({ from }, { to }) => from <= index && index < to;
      const around = this.loops.filter(({ iterations }) => isIn(iterations[0], iterations.at(-1)));
      this.strips.innerHTML = around.map((run) => {
        const now = run.iterations.find((one) => index < one.to);
        const chips = run.iterations.map((one) => this.iterationButton(one, run, now, index));
        return `<div class="wt-strip">${chips.join("")}</div>`;
      }).join("");
    }

    iterationButton(one, run, now, index) {
      const fold = run.folds.find((each) => !each.open && each.from <= one.from && one.from <= each.to);
      if (fold && fold.first !== one) return "";
      const isHere = fold ? fold.from <= index && index <= fold.to : one === now;
      let text = this.teller.iteration(run.line, one.iteration);
      if (one !== run.iterations[0] && one.to - one.from === 1) text = this.words.loop_end;
      if (fold) text = this.teller.say("alike", { n: fold.times });
      const facts = `data-at="${fold ? fold.to : one.from}"${isHere ? ' aria-current="true"' : ""}`;
      return `<button type="button" ${facts}>${escape(text)}</button>`;
    }

    print(moment, before) {
      const fresh = moment.printed.slice(before.printed.length);
      const text = `${escape(before.printed)}<mark>${escape(fresh)}</mark>`;
      this.printed.innerHTML = moment.printed ? text : this.words.no_output;
      this.printed.parentElement.scrollTop = 1e6;
    }

    fill(moment, before) {
      const rows = api.rows(moment.state, before.state);
      const changed = rows.filter((row) => row.mark), rest = rows.filter((row) => !row.mark);
      const list = (all) => (all.length ? `<ul>${all.map((row) => this.row(row)).join("")}</ul>` : "");
      const more = (all, key) => {
        const summary = `<summary>${this.teller.say(key, { n: all.length })}</summary>`;
        return all.length ? `<details class="wt-more" ${this.named(key)}>${summary}${list(all)}</details>` : "";
      };
      const { "": others, ...inside } = moment.step.hidden;
      const note = (n, key) => (n ? `<p class="wt-note">${this.teller.say(key, { n, name: n })}</p>` : "");
      const first = list(changed.slice(0, SHOWN)) + more(changed.slice(SHOWN), "more");
      const shown = rows.length <= SHOWN + 1 ? list(rows) : first + more(rest, "unchanged");
      this.table.innerHTML = shown + note(Object.keys(inside).join(", "), "hidden") +
        note(others, "hidden_all") || note(1, "no_tensors");
    }

    // A part that opens has a name, and stays open from moment to moment.
    named(key) {
      return `data-name="${escape(key)}"${this.opened.has(key) ? " open" : ""}`;
    }

    row(row) {
      const { facts, mark, shared } = row;
      const value = row.moved.value ? change(facts.value, row.was.value, 34, 18, row) : escape(api.inRow(facts.value));
      const names = row.names.slice(0, 2).map((name) => `<b>${escape(name)}</b>`).join(" = ");
      const properties = ["requires_grad", "is_leaf", "grad_fn"].map((name) => `${name} ${api.short(facts[name])}`);
      const shape = `shape (${facts.shape.join(", ")})`;
      const full = [shape, facts.dtype, facts.device, ...properties, `_version ${api.short(facts.version)}`];
      const grad = row.grad ? `<pre tabindex="0">.grad = ${escape(api.inFull(row.grad.value))}</pre>` : "";
      const style = shared ? ` style="--wt-storage: var(--wt-s${shared % COLORS})"` : "";
      const classes = `wt-row${mark ? " wt-changed" : ""}${shared ? " wt-shared" : ""}`;
      return `<li class="${classes}"${style}><details ${this.named("t:" + row.names[0])}><summary>
<span class="wt-name">${names}</span> <code>${value}</code> ${this.tags(row)} ${gradient(row)}</summary>
<pre tabindex="0">${escape(api.inFull(facts.value))}</pre>${grad}\
<pre tabindex="0" class="wt-note">${escape(full.join("\n"))}</pre></details></li>`;
    }

    tags({ facts, was, moved, mark, shared }) {
      const { words } = this, { place, version } = facts, tags = [];
      if (mark) tags.push(tag(words[mark], "mark"));
      if (facts.grad_fn) tags.push(tag(facts.grad_fn));
      else tags.push(place[0] === "l" ? tag(words.leaf, "leaf") : tag(words.needs_none));
      if (moved.version) tags.push(tag(`v${was.version} → v${version}`, "moved"));
      else if (version) tags.push(tag(`v${version}`));
      if (facts.dtype !== "float32") tags.push(tag(facts.dtype));
      if (facts.device !== "cpu") tags.push(tag(facts.device));
      if (shared) tags.push(tag(this.teller.say("storage", { n: shared }), "storage"));
      return tags.join("");
    }
  }

  const tag = (text, kind = "") => `<span class="wt-tag ${kind}">${escape(text)}</span>`;

  // A value in a row, after the one that it had before
  function change(now, then, room, before, { mark }) {
    const old = mark === "new" ? "" : `<del>${escape(api.inRow(then, before))}</del> → `;
    return old + escape(api.inRow(now, room));
  }

  function gradient(row) {
    const { grad, wasGrad, facts } = row;
    if (!grad && !wasGrad && facts.place[0] !== "l") return "";
    const now = grad ? grad.value : null, then = wasGrad ? wasGrad.value : null;
    const value = row.moved.grad ? change(now, then, 20, 12, row) : escape(api.inRow(now, 20));
    return `${tag(".grad", "grad")}<code class="grad">${value}</code>`;
  }
})(weaverTrace);
