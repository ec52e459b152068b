// All that a page carries before the click: <button data-trace="address" data-name="name" hidden>. The file at
// the address is a script, `weaverTrace.add(name, data)`, as nothing else can be loaded from a disk; the
// player's (`data-player`), its style and the words are asked for with the first of them. A button with `data-at`
// opens the trace in the place `data-for` at that moment.
(() => {
  const api = window.weaverTrace ||= {}, files = {}, asked = {};
  const add = (tag, facts) => new Promise((done, failed) => document.head.append(Object.assign(document.createElement(tag), facts, { onload: done, onerror: failed })));
  const once = (address) => asked[address] ||= add("script", { src: address });
  api.add = (name, data) => { files[name] = data; };
  const open = async (button, at) => {
    const { trace, name, player, style, words, target, start } = button.dataset;
    asked[style] ||= add("link", { rel: "stylesheet", href: style });
    await Promise.all([once(player), once(words), once(trace), asked[style]]);
    const place = document.getElementById(target);
    place.hidden = !at && !place.hidden;
    button.setAttribute("aria-expanded", !place.hidden);
    place.player ||= api.show(place, files[name], files.words, { name, start });
    if (at) {
      place.player.go(+at);
      place.querySelector("input").focus();
      place.scrollIntoView({ block: "nearest" });
    }
  };
  const all = [...document.querySelectorAll("[data-trace],[data-at]")];
  for (const button of all) {
    button.hidden = false;
    const { at } = button.dataset;
    button.onclick = () => open(at ? all.find((one) => one.dataset.target === button.dataset.for) : button, at);
  }
  const of = new URLSearchParams(location.search).get("of"), mine = all.find((one) => of && of === one.dataset.name);
  if (mine) open(mine);
})();
