// All that a page carries before the click: <button data-trace="address" data-name="name" hidden>. The file at
// the address is a script, `weaverTrace.add(name, data)`, as nothing else can be loaded from a disk; the
// player's (`data-player`), its style and the words are asked for with the first of them.
(() => {
  const api = window.weaverTrace ||= {}, files = {}, asked = {};
  const add = (tag, facts) => new Promise((done, failed) => document.head.append(Object.assign(document.createElement(tag), facts, { onload: done, onerror: failed })));
  const once = (address) => asked[address] ||= add("script", { src: address });
  api.add = (name, data) => { files[name] = data; };
  const open = async (button) => {
    const { trace, name, player, style, words, target } = button.dataset;
    asked[style] ||= add("link", { rel: "stylesheet", href: style });
    await Promise.all([once(player), once(words), once(trace), asked[style]]);
    const place = document.getElementById(target);
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", !place.hidden);
    if (!place.firstChild) api.show(place, files[name], files.words, { name });
  };
  const of = new URLSearchParams(location.search).get("of");
  for (const button of document.querySelectorAll("[data-trace]")) {
    button.hidden = false;
    button.onclick = () => open(button);
    if (of && of === button.dataset.name) open(button);
  }
})();
