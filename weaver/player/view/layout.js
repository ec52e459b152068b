// Boxes with sizes and the edges between them -> where they are, row by row from top to bottom
(function (api) {
  const GAP = 18, ROW = 34; // pixels between the boxes of a row, and between rows

  // `sizes` maps ids to [width, height], `edges` are pairs of ids. A long edge has a stop in each row; one that
  // closes a cycle, as boxes of several nodes can, goes up: its number is in `upward`.
  api.layOut = function (sizes, edges) {
    const ids = Object.keys(sizes), into = {}, out = {}, row = {};
    for (const id of ids) [into[id], out[id]] = [[], []];
    const known = edges.filter(([a, b]) => a !== b && sizes[a] && sizes[b]), upward = closing(ids, known);
    const pairs = known.map(([a, b], number) => (upward.has(number) ? [b, a] : [a, b]));
    for (const [a, b] of pairs) { into[b].push(a); out[a].push(b); }
    const rank = (id) => row[id] ??= Math.max(-1, ...into[id].map(rank)) + 1;
    ids.forEach(rank);
    // What begins the graph is right above what it feeds, and so is what only such things feed.
    const isFirst = (id) => !into[id].length;
    for (const moves of [(id) => !isFirst(id) && into[id].every(isFirst), isFirst])
      for (const id of ids) if (moves(id) && out[id].length) row[id] = Math.min(...out[id].map(rank)) - 1;
    const all = { ...sizes }, links = {}, stops = pairs.map(([a, b], number) => {
      const way = [a];
      for (let at = row[a] + 1; at < row[b]; at += 1) {
        const id = `·${number}·${at}`;
        [all[id], row[id]] = [[6, 6], at];
        way.push(id);
      }
      return [...way, b];
    });
    for (const id of Object.keys(all)) links[id] = { up: [], down: [] };
    for (const way of stops) way.slice(1).forEach((id, at) => {
      links[way[at]].down.push(id);
      links[id].up.push(way[at]);
    });
    const rows = [];
    for (const id of Object.keys(all)) (rows[row[id]] ||= []).push(id);
    const x = {};
    const spread = (one) => {
      let at = 0;
      for (const id of one) { x[id] = at + all[id][0] / 2; at += all[id][0] + GAP; }
      for (const id of one) x[id] -= (at - GAP) / 2;
    };
    rows.forEach(spread);
    const mean = (id, side) => {
      const near = links[id][side];
      return near.length ? near.reduce((sum, one) => sum + x[one], 0) / near.length : x[id];
    };
    for (let turn = 0; turn < 8; turn += 1) {
      const side = turn % 2 ? "down" : "up";
      for (const one of turn % 2 ? [...rows].reverse() : rows) {
        const wanted = Object.fromEntries(one.map((id) => [id, mean(id, side)]));
        one.sort((a, b) => wanted[a] - wanted[b]);
        settle(one, wanted);
      }
    }
    // Each as near to where it's wanted as the ones beside it allow
    function settle(one, wanted) {
      let least = -Infinity;
      for (const id of one) {
        x[id] = Math.max(wanted[id], least + all[id][0] / 2);
        least = x[id] + all[id][0] / 2 + GAP;
      }
      const by = one.reduce((sum, id) => sum + wanted[id] - x[id], 0) / one.length;
      for (const id of one) x[id] += by;
    }
    const left = Math.min(...Object.keys(all).map((id) => x[id] - all[id][0] / 2));
    const right = Math.max(...Object.keys(all).map((id) => x[id] + all[id][0] / 2));
    let top = 0;
    const places = {};
    for (const one of rows) {
      const height = Math.max(...one.map((id) => all[id][1]));
      for (const id of one) places[id] = [x[id] - left, top + height / 2];
      top += height + ROW;
    }
    const ways = stops.map((way) => curve(way, places, all));
    return { width: right - left, height: top - ROW, places, ways, pairs, upward };
  };

  // The numbers of the edges that lead back to where a walk along the edges came from
  function closing(ids, pairs) {
    const found = new Set(), out = {}, state = {};
    pairs.forEach(([a], number) => (out[a] ||= []).push(number));
    const walk = (id) => {
      state[id] = "open";
      for (const number of out[id] || []) {
        const [, end] = pairs[number];
        if (state[end] === "open") found.add(number);
        else if (!state[end]) walk(end);
      }
      state[id] = "done";
    };
    for (const id of ids) if (!state[id]) walk(id);
    return found;
  }

  function curve(way, places, sizes) {
    const points = way.flatMap((id, at) => {
      const [x, y] = places[id], half = sizes[id][1] / 2;
      return [...(at ? [[x, y - half]] : []), ...(at < way.length - 1 ? [[x, y + half]] : [])];
    });
    let path = `M${points[0].map(Math.round)}`;
    for (let at = 1; at < points.length; at += 1) {
      const [[x0, y0], [x1, y1]] = [points[at - 1], points[at]], middle = Math.round((y0 + y1) / 2);
      path += `C${Math.round(x0)} ${middle} ${Math.round(x1)} ${middle} ${Math.round(x1)} ${Math.round(y1)}`;
    }
    return path;
  }
})(weaverTrace);
