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

// A graph is gone through one step at a time: what a later step speaks of is not there yet. Step 0 is
// the whole picture.
function step(panel) {
  const stepper = panel.querySelector(".stepper");
  const told = panel.querySelector(".told");
  const steps = [...panel.querySelectorAll(".steps li")];
  const parts = [...panel.querySelectorAll("[data-part]")];
  const spoken = steps.map((one) => one.dataset.parts.split(" "));
  const first = new Map();
  spoken.forEach((names, at) => names.forEach((name) => first.has(name) || first.set(name, at + 1)));
  const intro = told.textContent;
  let now = 0;
  const go = (to) => {
    now = Math.max(0, Math.min(steps.length, to));
    parts.forEach((part) => {
      const name = part.dataset.part;
      part.classList.toggle("later", now > 0 && (first.get(name) || 0) > now);
      part.classList.toggle("now", now > 0 && spoken[now - 1].includes(name));
    });
    stepper.querySelector("output").textContent = `${now} / ${steps.length}`;
    told.innerHTML = now ? steps[now - 1].innerHTML : intro;
    stepper.querySelectorAll("button").forEach((button) =>
      button.setAttribute("aria-disabled", String(now === (button.dataset.go === "1" ? steps.length : 0)))
    );
  };
  stepper.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) go(button.dataset.go === "0" ? 0 : now + Number(button.dataset.go));
  });
  panel.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length }[event.key];
    if (to === undefined || event.target.closest(".picture, .steps")) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  });
  stepper.hidden = told.hidden = false;
  go(0);
}

// What is on the page, or came to it.
function wake(place) {
  place.querySelectorAll("figure.snippet").forEach(pair);
  place.querySelectorAll("figure.graph .panel").forEach(step);
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
