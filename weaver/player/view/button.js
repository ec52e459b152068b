// All that a page carries before the click: <button data-trace="address" data-name="name" hidden>. The file at
// the address is a script, `weaverTrace.add(name, data)`, as nothing else can be loaded from a disk. The
// player (`data-player`), its style and its words are loaded with the first trace; `weaverTrace.beside` may say
// once for all buttons where they are. The steps of a graph are a text until a reader opens them: as a list they
// are many elements. If they have `data-for`, each gets a button that opens the trace in that place at its moment.
(() => {
  const api = window.weaverTrace ||= {}, files = {}, asked = {};
  function add(tag, facts) {
    return new Promise((onload, onerror) => {
      document.head.append(Object.assign(document.createElement(tag), facts, { onload, onerror }));
    });
  }
  // Where a trace opens: below the program, or below a button that isn't in its title
  function made(button, id) {
    const place = Object.assign(document.createElement("div"), { id, hidden: true });
    (button.closest("figcaption")?.nextElementSibling || button).after(place);
    return place;
  }
  const once = (address) => asked[address] ||= add("script", { src: address });
  api.add = (name, data) => { files[name] = data; };
  api.open = async (button, at) => {
    const { trace, name, player, style, words, target, start } = { ...api.beside, ...button.dataset };
    asked[style] ||= add("link", { rel: "stylesheet", href: style });
    await Promise.all([once(player), once(words), once(trace), asked[style]]);
    const place = document.getElementById(target) || made(button, target);
    place.hidden = !at && !place.hidden;
    button.setAttribute("aria-expanded", !place.hidden);
    if (!place.firstChild) place.player = api.show(place, files[name], files.words, { name, start });
    if (!at) return place.player;
    place.player.go(+at);
    place.querySelector("input").focus();
    place.scrollIntoView({ block: "nearest" });
    return place.player;
  };
  function list(summary) {
    const told = summary.parentNode, steps = document.createElement("ol");
    if (told.lastChild === told.lastElementChild) return;
    const { for: target, label, moments = "" } = told.dataset, text = told.innerHTML.split("</summary>")[1];
    const coded = text.replace(/<!---->(.*?)<!---->/g, "<code>$1</code>");
    steps.innerHTML = coded.replace(/^\d+\. (.*)\n?/gm, "<li>$1</li>");
    moments.split(",").forEach((moment, at) => {
      if (!moment) return;
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: "▶", ariaLabel: `${label} ${moment}` });
      button.onclick = () => api.open(document.querySelector(`[data-target="${target}"]`), moment);
      steps.children[at].dataset.moment = moment;
      steps.children[at].append(" ", button);
    });
    told.replaceChildren(summary, steps);
  }
  // Also for what comes onto the page later
  api.wake = (within) => {
    within.querySelectorAll("[data-trace]").forEach((button) => {
      button.hidden = false;
      button.onclick = () => api.open(button);
    });
    // Not when they toggle: a browser that has found a word there shows the word in the text as it is.
    within.querySelectorAll(".steps summary").forEach((summary) => { summary.onclick = () => list(summary); });
  };
  api.wake(document);
  const of = new URLSearchParams(location.search).get("of") || "";
  const mine = document.querySelector(`[data-name="${CSS.escape(of)}"][data-trace]`);
  if (mine) api.open(mine);
})();
