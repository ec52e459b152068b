// The home page: its program plays once, when it is asked to, and a pasted message opens the search.
{
  const PACE = 1800; // milliseconds that a step stays
  const play = document.querySelector(".play button");
  const step = document.querySelector("figure.snippet [data-trace]");
  let player = null;
  let timer = 0;

  function tell() {
    play.toggleAttribute("data-playing", Boolean(timer));
    play.textContent = timer ? play.dataset.pause : play.dataset.play;
  }
  function pause() {
    clearInterval(timer);
    timer = 0;
    tell();
  }
  function next() {
    player.step(1);
    if (player.at === player.shown.at(-1)) pause();
  }
  async function start() {
    const isOver = !player || player.at === player.shown.at(-1) || !player.element.offsetParent;
    player = await weaverTrace.open(step, isOver ? 1 : player.at);
    play.focus();
    play.parentElement.scrollIntoView();
    timer = setInterval(next, PACE);
    tell();
    // who takes it in hand goes on alone
    for (const sign of ["pointerdown", "keydown"]) player.element.addEventListener(sign, pause, { once: true });
  }
  play.addEventListener("click", () => (timer ? pause() : start()));

  // Of a traceback, the line that says what was wrong is what is looked for.
  const TOLD = /^\s*[\w.]*(Error|Warning|Exception)\b/;
  const told = (text) => text.split("\n").findLast((line) => TOLD.test(line)) || text;
  const ask = document.querySelector("form.ask");
  const field = ask.querySelector("input");

  function search(text) {
    if (!text.trim()) return field.focus();
    const query = document.querySelector("[data-md-component=search-query]");
    query.focus();
    query.value = told(text).trim();
    query.dispatchEvent(new Event("input"));
  }
  ask.addEventListener("submit", (event) => {
    event.preventDefault();
    search(field.value);
  });
  field.addEventListener("paste", ({ clipboardData }) => {
    const text = clipboardData.getData("text");
    setTimeout(() => search(text));
  });
}
