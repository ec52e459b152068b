// A line of output and the line of code that printed it point at each other.
function pair(figure) {
  figure.querySelectorAll("[data-from]").forEach((line) => line.setAttribute("tabindex", "0"));
  if (figure.dataset.paired) return;
  figure.dataset.paired = "";
  const number = (line) => line.dataset.line || line.dataset.from;
  const mark = (target) => {
    const line = target && target.closest("[data-line], [data-from]");
    const printed = line && figure.querySelector(`[data-from="${number(line)}"]`);
    figure.querySelectorAll("[data-line], [data-from]").forEach((other) => other.classList.toggle("paired", Boolean(printed) && number(other) === number(line)));
  };
  figure.addEventListener("pointerover", (event) => mark(event.target));
  figure.addEventListener("pointerleave", () => mark(null));
  figure.addEventListener("focusin", (event) => mark(event.target));
  figure.addEventListener("focusout", () => mark(null));
}

// A choice opens the answer, which is closed until then, and says whether it was right.
function ask(question) {
  const verdict = question.querySelector(".verdict");
  question.addEventListener("change", (event) => {
    const right = event.target.dataset.right === "true";
    verdict.textContent = right ? verdict.dataset.right : verdict.dataset.wrong;
    verdict.dataset.given = right ? "right" : "wrong";
    question.querySelector("details").open = true;
  });
}

// What is on the page, or came to it.
function wake(place) {
  place.querySelectorAll("figure.snippet").forEach(pair);
  window.weaverTrace?.wake(place);
}
wake(document);
document.querySelectorAll("section.question").forEach(ask);
if (document.querySelector("section.what-if")) {
  const flip = new URL("flip.js", document.currentScript.src);
  document.head.append(Object.assign(document.createElement("script"), { src: flip }));
}

// An address of what is elsewhere now leads there.
function follow() {
  const moved = [...document.querySelectorAll(".moved")].find(({ id }) => `#${id}` === location.hash);
  if (moved) location.replace(moved.dataset.to);
}
addEventListener("hashchange", follow);
follow();
