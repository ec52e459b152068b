// A state and the one before -> rows: one for each tensor, what changed first, what shares a storage together.
(function (api) {

  api.rows = function (state, was) {
    const rows = new Map();
    for (const [name, facts] of Object.entries(state)) {
      if (name.endsWith(".grad") && name.slice(0, -5) in state) continue;
      const key = facts.place || name;
      if (!rows.has(key)) rows.set(key, { names: [], facts });
      rows.get(key).names.push(name);
    }
    const found = [...rows.values()];
    for (const row of found) {
      row.names.sort((a, b) => a.startsWith("self.") - b.startsWith("self."));
      compare(row, state, was);
    }
    return together(found);
  };

  function compare(row, state, was) {
    const { facts, names } = row, then = names.find((name) => was[name]), same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    const old = Object.values(was).find((one) => one.place === facts.place) || was[then];
    row.was = old && old.storage === facts.storage ? old : undefined;
    row.grad = state[names.map((name) => `${name}.grad`).find((name) => state[name])];
    row.wasGrad = was[names.map((name) => `${name}.grad`).find((name) => was[name])];
    row.moved = {
      value: !!row.was && !same(old.value, facts.value),
      version: !!row.was && old.version !== facts.version,
      grad: !same(row.grad && row.grad.value, row.wasGrad && row.wasGrad.value) || (!row.grad !== !row.wasGrad),
      kind: !!row.was && (old.requires_grad !== facts.requires_grad || old.grad_fn !== facts.grad_fn),
    };
    row.mark = !row.was ? "new" : Object.values(row.moved).some(Boolean) ? "changed" : "";
  }

  // Tensors of one storage stand below one another, where the first that changed does.
  function together(rows) {
    const storages = new Map(), shared = [];
    for (const row of rows) {
      const key = row.facts.storage;
      if (key !== null) storages.set(key, [...(storages.get(key) || []), row]);
    }
    for (const all of storages.values()) if (all.length > 1) { shared.push(all); for (const row of all) row.shared = shared.length; }
    const ordered = [...rows.filter((row) => row.mark), ...rows.filter((row) => !row.mark)], done = new Set(), result = [];
    for (const row of ordered) {
      for (const one of row.shared ? shared[row.shared - 1] : [row]) {
        if (!done.has(one)) { done.add(one); result.push(one); }
      }
    }
    return result;
  }
})(weaverTrace);
