// The picture of the graph at a moment: what exists is in ink, what comes is pale; the engine's way is lit.
(function (api) {

  api.Graph = class {
    constructor(element, data, replay) {
      this.element = element;
      this.same = data.same || {};
      this.nodes = [...data.trace.nodes].sort((a, b) => (a.born || 0) - (b.born || 0));
      this.byId = Object.fromEntries(this.nodes.map((node) => [node.id, node]));
      this.moments = replay.moments;
      const find = (key) => Object.fromEntries([...element.querySelectorAll(`[data-${key}]`)].map((one) => [one.dataset[key], one]));
      [this.boxes, this.edges, this.labels] = ["place", "edge", "label"].map(find);
      for (const one of Object.values(this.edges)) if (one.dataset.cut) text(this.labels[one.dataset.edge], "grad", one.dataset.cut);
    }

    box(place) {
      const id = place.split(".")[0];
      return this.same[id] || id;
    }

    show(moment) {
      const until = moment.step.index, there = moment.kind === "gap" ? until - 1 : until;
      const born = (one) => Number(one.dataset.born) <= there;
      for (const one of [...Object.values(this.boxes), ...Object.values(this.edges)]) {
        one.classList.toggle("later", !born(one));
        one.classList.remove("now", "lit", "walked", "gone", "failed", "freed");
      }
      for (const [name, label] of Object.entries(this.labels)) {
        label.classList.toggle("later", !born(this.edges[name]));
        label.classList.remove("lit");
        if (!this.edges[name].dataset.cut) { text(label, "grad", ""); text(label, "local", ""); }
      }
      this.values(moment, there);
      this.walk(moment);
      const lit = this.element.querySelector(".now") || Object.values(this.boxes).find((box) => Number(box.dataset.born) === there);
      if (lit) bring(this.element, lit);
    }

    // Values and `.grad`, by the names of now; a box without a name of now keeps the last it had, pale.
    values(moment, there) {
      const seen = {}, grads = {}, versions = moment.versions || {};
      for (const [name, facts] of Object.entries(moment.state)) {
        const id = this.box(facts.place), grad = moment.state[`${name}.grad`];
        (seen[id] ||= { names: [], value: facts.value }).names.push(name);
        if (grad) grads[id] = grad.value;
      }
      const kept = {};
      for (const node of this.nodes) {
        if ((node.born || 0) > there) break;
        const id = this.box(node.id);
        kept[id] = (node.saved || []).filter((one) => one.place || one.packed).map((one) => {
          const now = versions[one.place];
          if (one.place && !this.boxes[this.box(one.place)]?.dataset.title) seen[this.box(one.place)] ||= { names: [], value: one.value };
          return one.name + (now > (one.version || 0) && !moment.freed.has(node.id) ? ` v${one.version || 0} → v${now}` : "");
        });
        if (this.boxes[id]) this.boxes[id].classList.toggle("freed", moment.freed.has(node.id));
      }
      for (const [id, box] of Object.entries(this.boxes)) {
        const { names, value } = seen[id] || { names: [] }, title = box.dataset.title;
        const own = title.split(" = ").filter((name) => names.includes(name));
        box.classList.toggle("gone", !!title && !names.length && !box.classList.contains("folded"));
        const last = own.join(" = ") || names[0] || title;
        text(box, "value", [last, value === undefined ? "" : api.short(value)].filter(Boolean).join(" = "));
        text(box, "grad", names.length ? `.grad = ${api.short(grads[id])}` : ""); // of what has no name it is not known
        text(box, "saved", kept[id] && kept[id].length ? `▪ ${kept[id].join(", ")}` : "");
        box.classList.toggle("stale", /→/.test(kept[id]));
      }
    }

    // What the engine has done in its last run until now stays written on the edges.
    walk(moment) {
      let run = null;
      for (let i = moment.index; i >= 0; i -= 1) {
        const { event } = this.moments[i];
        if (event) { run = event.run; break; }
      }
      if (run === null) return;
      for (const { event, index } of this.moments) {
        if (index > moment.index) break;
        if (!event || event.run !== run || !event.node) continue;
        const now = index === moment.index, id = this.box(event.node), box = this.boxes[id];
        if (box) {
          box.classList.toggle("now", now);
          box.classList.toggle("failed", event.kind === "failed");
        }
        if (event.kind !== "visit" || event.node[0] === "l") continue;
        (event.passed || []).forEach((value, slot) => this.pass(`${id}/${slot}`, value, event, slot, now));
      }
    }

    pass(name, value, event, slot, now) {
      const edge = this.edges[name], label = this.labels[name];
      if (!edge || value === null) return;
      edge.classList.add("walked");
      for (const one of [edge, label]) if (one) one.classList.toggle("lit", now);
      if (!label) return;
      const local = event.local && event.received.length === 1 ? event.local[slot] : undefined;
      text(label, "grad", api.short(value));
      text(label, "local", local === null || local === undefined ? "" : `${api.short(event.received[0])} × ${api.short(local)}`);
    }
  };

  function text(group, kind, value) {
    const line = group && group.querySelector(`text.${kind}`);
    if (line) line.textContent = value;
    if (line && kind === "grad") group.classList.toggle("empty", !value);
  }

  // The picture scrolls in its own frame, never the page.
  function bring(frame, part) {
    const [outer, inner] = [frame.getBoundingClientRect(), part.getBoundingClientRect()];
    if (inner.left < outer.left || inner.right > outer.right) frame.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
    if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
})(weaverTrace);
