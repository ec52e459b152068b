// Steps through a trace whose script has run, with all folds open, by the right arrow key; returns what is told,
// what is printed last, the last state, and the names in its rows.
(name) => {
  const place = document.createElement("div");
  const player = weaverTrace.show(place, traces[name], traces.words, { name }), told = [];
  for (const one of player.folds) one.open = true;
  player.fold();
  const press = (key) =>
    player.range.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  press("Home");
  for (let at = null; at !== player.at;) { at = player.at; told.push(player.sentence.innerHTML); press("ArrowRight"); }
  delete traces[name];
  clearTimeout(player.later);
  clearTimeout(player.keeping);
  if (player.at !== player.moments.length - 1) told.push("");
  const { printed, state } = player.moments.at(-1);
  const rows = [...place.querySelectorAll(".wt-name b")].map((one) => one.textContent);
  return [told, printed, state, rows];
}
