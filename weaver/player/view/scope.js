// The graph of what is looked at: what is connected with the node that was made or visited last. What belongs to one
// call, one line or one module of a large graph is one box, which opens by a click.
(function (api) {
  const MOST = 24; // boxes, if no more are asked for
  const LETTER = 7.8, SMALL = 6.6, LINE = 16, PAD = 8; // pixels
  const idOf = (place) => place.split(".")[0];
  const { escape } = api;

  api.Scope = class {
    constructor(element, chips, player) {
      Object.assign(this, { element, chips, player, opened: new Set(), closed: new Set() });
      const { nodes, edges } = player.data.trace;
      this.nodes = Object.fromEntries(nodes.map((node) => [node.id, node]));
      this.edges = edges;
      this.steps = player.moments.filter((moment) => moment.kind === "line");
      this.callers = callers(this.steps);
      Object.assign(this, names(player.moments, player.data.trace.names));
      this.parts = components(nodes, this.nodes);
      element.addEventListener("click", ({ target }) => this.toggle(target.closest("[data-group]")));
      element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        if (this.toggle(event.target.closest("[data-group]"))) event.preventDefault();
      });
      chips.addEventListener("click", ({ target }) => this.toggle(target.closest("[data-group]")));
    }

    toggle(one) {
      if (!one) return false;
      const { group } = one.dataset, isOpen = this.isOpen(group);
      this[isOpen ? "closed" : "opened"].add(group);
      this[isOpen ? "opened" : "closed"].delete(group);
      this.drawn = undefined;
      this.show(this.moment);
      (this.element.querySelector(`[data-group="${CSS.escape(group)}"]`)
        || this.chips.querySelector(`[data-group="${CSS.escape(group)}"]`))?.focus({ preventScroll: true });
      return true;
    }

    isOpen(group) {
      return this.opened.has(group) || (this.auto.has(group) && !this.closed.has(group));
    }

    // The part of the graph that a moment is about
    part(moment) {
      const at = moment.event?.node && idOf(moment.event.node);
      if (this.nodes[at]) return this.parts[at];
      const { index } = moment.step, made = Object.values(this.nodes);
      const leaf = at && made.find((node) => (node.next || []).some((place) => place && idOf(place) === at)
        && this.player.moments.some(({ event }) => event?.run === moment.event.run && event.node === node.id));
      const last = leaf || made.filter((node) => (node.born || 0) <= index).at(-1);
      return last && this.parts[last.id];
    }

    show(moment) {
      this.moment = moment;
      const part = this.part(moment) || Object.values(this.parts)[0];
      if (!part) return;
      const key = `${part[0].id} ${[...this.opened]} ${[...this.closed]}`;
      if (key !== this.drawn) this.draw(part);
      this.drawn = key;
      this.graph.show(moment);
    }

    // What holds a node, from the outside in: the lines that called its line, its line, its module.
    path(node) {
      const { made = node.born || 0 } = node, groups = [];
      for (let at = made; at >= 0 && this.steps[at]; at = this.callers[at] ?? -1) groups.unshift(`s${at}`);
      const [module] = this.modules(node);
      const parts = module ? module.split(".") : [];
      parts.forEach((_, at) => groups.push(`${groups[groups.length - at - 1]} ${parts.slice(0, at + 1).join(".")}`));
      return groups;
    }

    // The modules whose parameters a node takes, itself or at the end of ways without lines
    modules(node) {
      const leaves = (node.next || []).filter((place) => place?.[0] === "l");
      const inner = (node.next || []).map((place) => place && this.nodes[idOf(place)])
        .filter((one) => one && /^T|Transpose|Permute|View|Expand/.test(one.name))
        .flatMap((one) => (one.next || []).filter((place) => place?.[0] === "l"));
      const named = [...leaves, ...inner].map((place) => this.names[idOf(place)]).filter((name) => name?.includes("."));
      return [...new Set(named.map((name) => name.slice(0, name.lastIndexOf("."))))];
    }

    // Groups of a part, as a tree: key -> its nodes and the groups within it
    tree(part) {
      const groups = {};
      let last = [];
      for (const node of part) {
        let path = this.path(node);
        const own = path.filter((key) => !key.includes(" ")), prefix = last.filter((key) => !key.includes(" "));
        if (own.length === path.length && String(own) === String(prefix)) path = last; // goes with the one before
        last = path;
        path.forEach((key, at) => {
          const group = groups[key] ||= { key, nodes: [], inner: new Set(), outer: path[at - 1] };
          group.nodes.push(node);
          if (path[at + 1]) group.inner.add(path[at + 1]);
        });
        node.path = path;
      }
      return groups;
    }

    // Opens groups, the smallest first, while there's room.
    open(groups, part) {
      this.auto = new Set();
      const boxOf = (node) => node.path.find((key) => groups[key].nodes.length > 1 && !this.isOpen(key)) || node.id;
      const boxes = () => new Set(part.map(boxOf));
      const order = Object.values(groups).sort((a, b) => a.nodes.length - b.nodes.length);
      for (let more = true; more;) {
        more = false;
        for (const { key, outer } of order) {
          if (this.auto.has(key) || (outer && !this.isOpen(outer))) continue;
          this.auto.add(key);
          if (boxes().size > MOST) this.auto.delete(key);
          else more = true;
        }
      }
      for (const { key, outer } of order.reverse()) // a single box tells nothing
        if (boxes().size < 3 && (!outer || this.isOpen(outer))) this.auto.add(key);
      return Object.fromEntries(part.map((node) => [node.id, boxOf(node)]));
    }

    draw(part) {
      const groups = this.tree(part), boxOf = this.open(groups, part), boxes = {}, edges = {}, same = {};
      for (const node of part) {
        const id = boxOf[node.id];
        if (id === node.id) boxes[id] = this.nodeBox(node);
        else {
          same[node.id] = id;
          boxes[id] ||= this.groupBox(groups[id]);
        }
      }
      const add = (start, end, name, cut, born) => {
        if (start !== end) edges[name] ||= { start, end, cut, born };
      };
      for (const node of part) {
        const end = boxOf[node.id], isOpen = end === node.id;
        (node.next || []).forEach((place, slot) => {
          const start = place && (boxOf[idOf(place)] || (isOpen && place[0] === "l" && idOf(place)));
          if (!start) return;
          if (place[0] === "l") boxes[start] ||= this.leafBox(start, node.born);
          add(start, end, isOpen ? `${end}/${slot}` : `${end}/${start}`, "", node.born);
        });
      }
      for (const { start, end, why, born } of this.edges) {
        const to = boxOf[idOf(end)] || (boxes[idOf(end)] && idOf(end)), from = boxOf[idOf(start)] || idOf(start);
        if (!to || (!boxes[from] && why === "constant" && !this.names[from])) continue;
        boxes[from] ||= this.nodes[from] ? this.nodeBox(this.nodes[from]) : this.leafBox(from, born);
        add(from, to, `${from}>${to}`, why === "constant" ? "" : why, born);
      }
      this.render(boxes, edges, same, groups);
    }

    nodeBox(node) {
      const name = this.names[`${node.id}.0`] || "";
      const saved = (node.saved || []).filter((one) => one.place || one.packed);
      const lines = [["value", name && this.wide(`${node.id}.0`), ""], ["node", node.name, node.name]];
      if (saved.length) lines.push(["saved", `▪ ${saved.map((one) => one.name).join(", ")}`.slice(0, 40), ""]);
      return { kind: "node", born: node.born || 0, title: name, lines: lines.filter(([, text]) => text) };
    }

    // About as wide as what will be written in a box
    wide(place) {
      return `${this.names[place] || ""} = ${api.short(this.values[place]).padEnd(10)}`;
    }

    leafBox(id, born) {
      const name = this.names[id] || "";
      const lines = [["value", this.wide(id), ""], ...(id[0] === "l" ? [["grad", ".grad = (0000, 0000)", ""]] : [])];
      return { kind: id[0] === "l" ? "leaf" : "constant", born: born || 0, title: name, lines };
    }

    groupBox(group) {
      const title = this.title(group), n = this.player.words.group_nodes.replace("{#n}", group.nodes.length);
      const lines = [["title", title, title], ["node", n, n]];
      return { kind: "folded", born: group.nodes[0].born || 0, title, lines, group: group.key };
    }

    // A group is called by the module whose parameters it takes, among others without any, or by its line.
    title({ key, nodes }) {
      const [step, module] = key.split(" "), named = (name) => this.player.words.group_with.replace("{#name}", name);
      if (module) return named(module);
      const found = [...new Set(nodes.flatMap((node) => this.modules(node)))].map((name) => name.split("."));
      const common = (found[0] || []).filter((part, at) => found.every((one) => one[at] === part));
      if (common.length) return named(common.join("."));
      const text = this.player.teller.text(this.steps[step.slice(1)].line).trim();
      return text.length > 26 ? `${text.slice(0, 25)}…` : text;
    }

    render(boxes, edges, same, groups) {
      const sizes = {};
      for (const [id, { lines }] of Object.entries(boxes)) {
        const isSmall = (kind) => kind === "node" || kind === "saved";
        const widths = lines.map(([kind, text]) => text.length * (isSmall(kind) ? SMALL : LETTER));
        sizes[id] = [Math.max(40, ...widths) + 2 * PAD, LINE * lines.length + PAD];
      }
      const every = Object.entries(edges), links = every.map(([, { start, end }]) => [start, end]);
      const { width, height, places, ways, upward } = api.layOut(sizes, links);
      const drawn = every.map(([name, { cut, born, end }], at) => {
        const kind = cut ? "cut" : "recorded", [x, y] = places[end];
        const by = upward.has(at) ? 1 : -1, tip = y + by * sizes[end][1] / 2;
        return `<g class="edge ${kind}" data-edge="${escape(name)}" data-born="${born || 0}"><path d="${ways[at]}"/>
<path class="head" d="M${x} ${tip}l-3.5 ${7 * by}h7Z"/></g>${cut ? label(places, every[at][1], cut) : ""}`;
      });
      for (const [id, box] of Object.entries(boxes)) drawn.push(drawBox(id, box, places[id], sizes[id]));
      const size = `viewBox="-4 -4 ${width + 8} ${height + 8}" width="${width + 8}" height="${height + 8}"`;
      this.element.innerHTML = `<svg ${size}>${drawn.join("")}</svg>`;
      const open = Object.values(groups).filter((one) => one.nodes.length > 1 && this.opened.has(one.key));
      this.chips.innerHTML = open.map((one) => {
        const facts = `type="button" aria-expanded="true" data-group="${escape(one.key)}"`;
        return `<button ${facts}>▾ ${escape(this.title(one))}</button>`;
      }).join("");
      this.graph = new api.Graph(this.element, { ...this.player.data, same }, this.player);
    }
  };

  function label(places, { start, end, born }, text) {
    const [x, y] = [0, 1].map((at) => Math.round((places[start][at] + places[end][at]) / 2));
    const width = (text.length + 3) * SMALL + 8;
    const frame = `<rect x="${x - width / 2}" y="${y - 8}" width="${width}" height="16"/>`;
    return `<g class="label" data-born="${born || 0}">${frame}
<text class="grad" x="${x}" y="${y + 4}">// ${escape(text)}</text></g>`;
  }

  function drawBox(id, { kind, born, title, lines, group }, [x, y], [width, height]) {
    const rounded = kind === "leaf" || kind === "constant" ? 12 : 3;
    const texts = lines.map(([name, , text], at) =>
      `<text class="${name}" x="${x}" y="${y - height / 2 + PAD / 2 + LINE * (at + 0.75)}">${escape(text)}</text>`);
    const name = escape(title), isButton = `role="button" tabindex="0" aria-expanded="false" aria-label="${name}"`;
    const press = group ? ` data-group="${escape(group)}" ${isButton}` : "", corner = [x - width / 2, y - height / 2];
    return `<g class="box ${kind}" data-place="${escape(id)}" data-born="${born}" data-title="${name}"${press}>
<rect x="${corner[0]}" y="${corner[1]}" width="${width}" height="${height}" rx="${rounded}"/>${texts.join("")}</g>`;
  }

  // The step of the line that called a step's function: the first after it that is less deep, if it's in the same
  // iterations and not another, whose beginning is missing
  function callers(steps) {
    const found = [], waiting = [];
    steps.forEach((step, index) => {
      while (waiting.length && steps[waiting.at(-1)].depth > step.depth) {
        const at = waiting.pop();
        if (String(steps[at].loops).startsWith(String(step.loops))) found[at] = index;
      }
      waiting.push(index);
    });
    return found;
  }

  // The name of each place, and a value that it has had: of a leaf, its longest path of modules, of others the first
  // name that isn't within a module
  function names(moments, known) {
    const found = { ...known }, values = {};
    const rank = (name) => (name.includes("[") ? 0 : 1) + (name.startsWith("self.") ? 0 : 2);
    let then;
    for (const { state } of moments) {
      if (state === then) continue;
      then = state;
      for (const [name, { place, value }] of Object.entries(state)) {
        const key = place[0] === "n" ? place : idOf(place || ""), old = found[key] || "[self.";
        values[key] ??= value;
        const isBetter = rank(name) - rank(old) || (place[0] === "l" && name.split(".").length - old.split(".").length);
        if (old === "[self." || isBetter > 0) found[key] = name;
      }
    }
    return { names: found, values };
  }

  // Each node's connected part of the graph, leaves apart
  function components(nodes, known) {
    const root = {}, found = {};
    const find = (id) => { while (root[id] !== id) id = root[id] = root[root[id]]; return id; };
    for (const { id } of nodes) root[id] = id;
    for (const { id, next } of nodes)
      for (const place of next || []) if (place && known[idOf(place)]) root[find(id)] = find(idOf(place));
    for (const node of nodes) (found[find(node.id)] ||= []).push(node);
    for (const part of Object.values(found)) part.sort((a, b) => a.id.slice(1) - b.id.slice(1));
    return Object.fromEntries(nodes.map((node) => [node.id, found[find(node.id)]]));
  }
})(weaverTrace);
