// All that a page carries before the click: <button data-trace="address" data-name="name" hidden>. The file at
// the address is a script, `weaverTrace.add(name, data)`, as nothing else can be loaded from a disk; the
// player's (`data-player`), its style and the words are asked for with the first of them; where they lie may also
// be said once, in `weaverTrace.beside`. A button with `data-moment` opens the trace in the place `data-for` there.
(() => {
  const api = window.weaverTrace ||= {}, files = {}, asked = {};
  const add = (tag, facts) => new Promise((done, failed) => document.head.append(Object.assign(document.createElement(tag), facts, { onload: done, onerror: failed })));
  const once = (address) => asked[address] ||= add("script", { src: address });
  api.add = (name, data) => { files[name] = data; };
  const open = async (button, at) => {
    const { trace, name, player, style, words, target, start } = { ...api.beside, ...button.dataset };
    asked[style] ||= add("link", { rel: "stylesheet", href: style });
    await Promise.all([once(player), once(words), once(trace), asked[style]]);
    const place = document.getElementById(target);
    place.hidden = !at && !place.hidden;
    button.setAttribute("aria-expanded", !place.hidden);
    if (!place.firstChild) place.player = api.show(place, files[name], files.words, { name, start });
    if (!at) return place.player;
    place.player.go(+at);
    place.querySelector("input").focus();
    place.scrollIntoView({ block: "nearest" });
    return place.player;
  };
  api.open = open;
  // Also what came later
  api.wake = (within) => within.querySelectorAll("[data-trace],[data-moment]").forEach((button) => {
    const { moment, for: place } = button.dataset;
    button.hidden = false;
    button.onclick = () => open(moment ? document.querySelector(`[data-target="${place}"]`) : button, moment);
  });
  api.wake(document);
  const of = new URLSearchParams(location.search).get("of"), mine = of && document.querySelector(`[data-name="${CSS.escape(of)}"][data-trace]`);
  if (mine) open(mine);
})();
