// What a page of its own has besides the player: the ways to go through a real program, and a graph of any size.
(function (api) {
  // The moment where a page opens: where the engine failed, at the first nan if a pass meets one, where a gradient is
  // None, or else where what the first backward pass starts from comes to be, or that pass.
  api.opening = function (moments, { error }) {
    // One that no gradient meets may be a table's empty cell
    const isMet = moments.some(({ event }) => /"nan"/.test(JSON.stringify([event?.received, event?.passed])));
    const tells = ({ event, nan, missing }) => (isMet && nan) || missing?.length || event?.kind === "failed";
    const isEnd = ({ kind, event, step }) =>
      kind !== "gap" && step?.raised && step.raised === error && (!event || event.kind === "failed");
    const starts = moments.filter(({ event }) => event?.kind === "start");
    const pass = starts.find(({ event }) => event.of === "backward") || starts[0];
    const isFirst = ({ kind, state }) => kind === "line"
      && Object.values(state).some((one) => (pass ? one.place === pass.event.node : one.requires_grad));
    return (moments.find(isEnd) || moments.findLast(tells) || moments.find(isFirst) || pass)?.index;
  };

  api.whole = function (player) {
    const { words, root, moments } = player;
    const moves = {
      over: { key: "o", to: () => next(player, (moment) => moment.depth <= moments[player.at].depth) },
      out: { key: "u", to: () => next(player, (moment) => moment.depth < moments[player.at].depth) },
      iteration_next: { key: "i", to: () => iteration(player) },
    };
    const bar = document.createElement("div");
    bar.className = "wt-moves";
    const button = (name) => `<button type="button" data-move="${name}">${words[name]}</button>`;
    bar.innerHTML = Object.keys(moves).map(button).join("");
    player.bar.prepend(bar);
    root.querySelector(".wt-keys").textContent += ` ${words.keys_moves}`;
    if (player.data.files) tabs(player);
    const go = (name) => {
      const found = moves[name].to();
      if (found !== undefined) player.go(found);
    };
    bar.addEventListener("click", ({ target }) => { if (target.dataset.move) go(target.dataset.move); });
    const remarks = [...document.querySelectorAll(".wt-found button")], here = document.createElement("div");
    for (const one of remarks) one.addEventListener("click", () => player.go(Number(one.dataset.moment)));
    here.className = "wt-here";
    root.querySelector(".wt-told").append(here);
    const shows = [() => { // what's said of the moment at the top of the page
      const found = remarks.filter(({ dataset }) => Number(dataset.moment) === player.at);
      here.replaceChildren(...found.flatMap((one) => [...one.closest("div").cloneNode(true).children]));
      here.querySelectorAll("button").forEach((one) => one.replaceWith(one.textContent));
    }];
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const name = Object.keys(moves).find((one) => moves[one].key === event.key.toLowerCase());
      if (name) go(name);
    });
    if (!player.data.svg && player.data.trace.nodes.length) {
      const box = document.createElement("div");
      box.className = "wt-graph";
      box.innerHTML = `<p class="wt-title">${words.graph}</p><div class="wt-buttons"></div>
<div class="wt-picture" role="group" aria-label="${words.graph}" tabindex="0"></div>`;
      root.querySelector(".wt-tensors").after(box);
      const scope = new api.Scope(box.lastElementChild, box.children[1], player);
      shows.push((index) => scope.show(moments[index]));
    }
    const { place } = player, { steps } = player.data.trace;
    player.place = (moment) => { // of a node's turn, with the line that recorded the node
      const { born = -1, made = steps[born]?.g ? -1 : born } = player.teller.nodes[moment.event?.node] || {};
      const line = made < 0 ? "" : ` · ${player.teller.say("recorded_on", { line: steps[made].l })}`;
      return place.call(player, moment) + line;
    };
    const plainly = player.go;
    player.go = (index, first) => {
      plainly.call(player, index, first);
      for (const show of shows) show(index);
    };
    for (const show of shows) show(player.at);
    return player;
  };

  // Each file in a tab of its own, its lines numbered from 1
  function tabs(player) {
    const { data, rows, teller } = player, files = [[data.trace.program.split("/").at(-1), 1], ...data.files];
    const of = (line) => files.findLastIndex(([, first]) => first <= line);
    const local = (line) => line - files[of(line)][1] + 1;
    const called = (line) => (of(line) > 0 ? `${files[of(line)][0]}:${local(line)}` : line);
    rows.forEach((row, index) => { row.querySelector("i").textContent = local(index + 1); });
    const strip = document.createElement("div");
    strip.className = "wt-strip";
    strip.innerHTML = files.map(([name], number) =>
      `<button type="button" data-file="${number}">${api.escape(name)}</button>`).join("");
    player.code.before(strip);
    const open = (file) => {
      rows.forEach((row, index) => { row.hidden = of(index + 1) !== file; });
      [...strip.children].forEach((one, number) => { one.ariaCurrent = number === file ? "true" : null; });
    };
    strip.addEventListener("click", ({ target }) => { if (target.dataset.file) open(Number(target.dataset.file)); });
    const say = teller.say.bind(teller), { lines } = player;
    teller.say = (key, given = {}) =>
      say(key, typeof given.line === "number" ? { ...given, line: called(given.line) } : given);
    player.lines = (moment, at) => {
      open(moment.line ? of(moment.line) : 0);
      lines.call(player, moment, at);
    };
    player.go(player.at, true);
  }

  function next({ moments, at }, test) {
    const found = moments.findIndex((moment, index) => index > at && test(moment));
    return found < 0 ? undefined : found;
  }

  // The next iteration of the innermost loop around the line, or of the next loop
  function iteration({ loops, at, moments }) {
    const around = loops.filter(({ iterations: all }) => all[0].from <= at && at < all.at(-1).to);
    for (const { iterations } of around.sort((a, b) => b.level - a.level)) {
      const found = iterations.find((one) => one.from > at);
      if (found) return found.from;
    }
    const later = loops.map(({ iterations }) => iterations[0].from).filter((from) => from > at);
    if (later.length) return Math.min(...later);
    return around.length ? moments.length - 1 : undefined;
  }
})(weaverTrace);
