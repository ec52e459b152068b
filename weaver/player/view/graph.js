// The picture of the graph at a moment: what exists is in ink, what comes is pale; the engine's way is lit.
(function (api) {
  api.Graph = class {
    constructor(element, data, replay) {
      this.element = element;
      this.same = data.same || {};
      this.nodes = [...data.trace.nodes].sort((a, b) => (a.born || 0) - (b.born || 0));
      this.moments = replay.moments;
      const find = (key) =>
        Object.fromEntries([...element.querySelectorAll(`[data-${key}]`)].map((one) => [one.dataset[key], one]));
      [this.boxes, this.edges, this.labels] = ["place", "edge", "label"].map(find);
      for (const { dataset } of Object.values(this.edges))
        if (dataset.cut) text(this.labels[dataset.edge], "grad", dataset.cut);
    }

    box(place) {
      const id = place.split(".")[0];
      return this.same[id] || id;
    }

    show(moment) {
      const until = moment.step.index, there = moment.kind === "gap" ? until - 1 : until;
      const isLater = (one) => Number(one.dataset.born) > there;
      const boxes = Object.values(this.boxes);
      for (const one of [...boxes, ...Object.values(this.edges)]) {
        one.classList.toggle("later", isLater(one));
        one.classList.remove("now", "lit", "walked", "gone", "failed", "freed");
      }
      for (const [name, label] of Object.entries(this.labels)) {
        label.classList.toggle("later", isLater(this.edges[name]));
        label.classList.remove("lit");
        if (this.edges[name].dataset.cut) continue;
        text(label, "grad", "");
        text(label, "local", "");
      }
      this.values(moment, there);
      this.walk(moment);
      const lit = this.element.querySelector(".now") || boxes.find((box) => Number(box.dataset.born) === there);
      if (lit) bring(this.element, lit);
    }

    // Values and `.grad`, by the names of now; a box without a name of now keeps the last it had, pale.
    values(moment, there) {
      const seen = {}, grads = {}, kept = {};
      for (const [name, facts] of Object.entries(moment.state)) {
        const id = this.box(facts.place), grad = moment.state[`${name}.grad`];
        (seen[id] ||= { names: [], value: facts.value }).names.push(name);
        if (grad) grads[id] = grad.value;
      }
      for (const node of this.nodes) {
        if ((node.born || 0) > there) break;
        const id = this.box(node.id), isFreed = moment.freed.has(node.id);
        this.boxes[id]?.classList.toggle("freed", isFreed);
        kept[id] = (node.saved || []).filter((one) => one.place || one.packed).map((one) => {
          const { name, place, value, version = 0 } = one, now = moment.versions[place];
          const saved = place && this.box(place);
          if (place && !this.boxes[saved]?.dataset.title) seen[saved] ||= { names: [], value };
          return now > version && !isFreed ? `${name} v${version} → v${now}` : name;
        });
      }
      for (const [id, box] of Object.entries(this.boxes)) {
        const { names, value } = seen[id] || { names: [] }, { title } = box.dataset, saved = kept[id] || [];
        const own = title.split(" = ").filter((name) => names.includes(name));
        const name = own.join(" = ") || names[0] || title;
        box.classList.toggle("gone", !!title && !names.length && !box.classList.contains("folded"));
        box.classList.toggle("stale", saved.some((one) => one.includes("→")));
        text(box, "value", [name, value === undefined ? "" : api.short(value)].filter(Boolean).join(" = "));
        text(box, "grad", names.length ? `.grad = ${api.short(grads[id])}` : ""); // without a name it isn't known
        text(box, "saved", saved.length ? `▪ ${saved.join(", ")}` : "");
      }
    }

    // What the engine has done in its last run until now stays written on the edges.
    walk(moment) {
      const past = this.moments.slice(0, moment.index + 1);
      const last = past.findLast(({ event }) => event)?.event;
      for (const { event, index } of past) {
        if (event?.run !== last?.run || !event?.node) continue;
        const now = index === moment.index, id = this.box(event.node), box = this.boxes[id];
        box?.classList.toggle("now", now);
        box?.classList.toggle("failed", event.kind === "failed");
        if (event.kind !== "visit" || event.node[0] === "l") continue;
        (event.passed || []).forEach((value, slot) => this.pass(`${id}/${slot}`, value, event, slot, now));
      }
    }

    pass(name, value, event, slot, now) {
      const edge = this.edges[name], label = this.labels[name];
      if (!edge || value === null) return;
      edge.classList.add("walked");
      edge.classList.toggle("lit", now);
      if (!label) return;
      label.classList.toggle("lit", now);
      const { local, received } = event;
      const factor = received.length === 1 ? local?.[slot] ?? null : null;
      text(label, "grad", api.short(value));
      text(label, "local", factor === null ? "" : `${api.short(received[0])} × ${api.short(factor)}`);
    }
  };

  function text(group, kind, value) {
    const line = group?.querySelector(`text.${kind}`);
    if (!line) return;
    line.textContent = value;
    if (kind === "grad") group.classList.toggle("empty", !value);
  }

  // The picture scrolls in its own frame, never the page.
  function bring(frame, part) {
    const outer = frame.getBoundingClientRect(), inner = part.getBoundingClientRect();
    if (inner.left < outer.left || inner.right > outer.right)
      frame.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
})(weaverTrace);
