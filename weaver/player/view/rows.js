// A state and the one before -> rows: one for each tensor, first what changed; those of one storage together
(function (api) {
  api.rows = function (state, was) {
    const rows = new Map();
    for (const [name, facts] of Object.entries(state)) {
      if (api.isGrad(name, state)) continue;
      const key = facts.place || name;
      if (!rows.has(key)) rows.set(key, { names: [], facts });
      rows.get(key).names.push(name);
    }
    const found = [...rows.values()];
    for (const row of found) compare(row, state, was);
    return together(found);
  };

  function compare(row, state, was) {
    const { facts } = row, names = api.ownFirst(row.names);
    const before = Object.keys(was).find((name) => was[name].place === facts.place) || names.find((name) => was[name]);
    const old = was[before];
    row.was = old?.place === facts.place || old?.storage === facts.storage ? old : undefined;
    row.grad = state[`${names.find((name) => state[`${name}.grad`])}.grad`];
    row.wasGrad = was[`${before}.grad`];
    row.moved = {
      value: row.was && !api.same(old.value, facts.value),
      version: row.was?.version < facts.version,
      grad: !api.same(row.grad?.value, row.wasGrad?.value),
      kind: row.was && (old.requires_grad !== facts.requires_grad || old.grad_fn !== facts.grad_fn),
    };
    const { value, grad, kind, version } = row.moved;
    const changed = value || grad || kind ? "changed" : version && "written";
    row.mark = row.was ? changed : "new";
  }

  // Tensors of one storage are together, where the first of them is.
  function together(rows) {
    const storages = Map.groupBy(rows, (row) => row.facts.storage);
    storages.delete(null);
    const shared = [...storages.values()].filter((all) => all.length > 1);
    shared.forEach((all, index) => all.forEach((row) => { row.shared = index + 1; }));
    const ordered = [...rows.filter((row) => row.mark), ...rows.filter((row) => !row.mark)];
    return [...new Set(ordered.flatMap((row) => (row.shared ? shared[row.shared - 1] : row)))];
  }
})(weaverTrace);
