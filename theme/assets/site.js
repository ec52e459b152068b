// A line of output and the line of code that printed it point at each other.
function pair(figure) {
  const lines = figure.querySelectorAll("[data-line], [data-from]");
  const number = (line) => line.dataset.line || line.dataset.from;
  const mark = (target) => {
    const line = target && target.closest("[data-line], [data-from]");
    const printed = line && figure.querySelector(`[data-from="${number(line)}"]`);
    lines.forEach((other) => other.classList.toggle("paired", Boolean(printed) && number(other) === number(line)));
  };
  figure.addEventListener("pointerover", (event) => mark(event.target));
  figure.addEventListener("pointerleave", () => mark(null));
  figure.addEventListener("focusin", (event) => mark(event.target));
  figure.addEventListener("focusout", () => mark(null));
  figure.querySelectorAll("[data-from]").forEach((line) => line.setAttribute("tabindex", "0"));
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

document.querySelectorAll("figure.snippet").forEach(pair);
document.querySelectorAll("figure.graph .panel").forEach(step);
document.querySelectorAll("section.question").forEach(ask);

// An address of what is elsewhere now leads there.
function follow() {
  const moved = [...document.querySelectorAll(".moved")].find(({ id }) => `#${id}` === location.hash);
  if (moved) location.replace(moved.dataset.to);
}
addEventListener("hashchange", follow);
follow();

// What is wider than its place can be scrolled by keyboard; the rest is no stop.
function reach() {
  const boxes = "pre > code, math[display=block], .run-table, .picture, .md-typeset__scrollwrap:not(.run-table *)";
  document.querySelectorAll(boxes).forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  });
  // Material makes a landmark of each copy button
  document.querySelectorAll(".md-code__nav").forEach((nav) => nav.setAttribute("role", "none"));
}
document.querySelector("[data-md-component=dialog]").setAttribute("role", "status"); // says "copied"
addEventListener("load", reach);
addEventListener("resize", reach);
addEventListener("toggle", reach, true);

// What is copied is the program to the last line's end, which Material cuts off.
addEventListener(
  "click",
  (event) => {
    const { clipboardTarget } = event.target.closest(".md-code__button")?.dataset || {};
    if (clipboardTarget) {
      event.target.closest("button").dataset.clipboardText = document.querySelector(clipboardTarget).textContent;
    }
  },
  true
);

// The label that opens the drawer becomes a button, which the keyboard reaches.
function menu(label) {
  const drawer = document.getElementById("__drawer");
  const button = document.createElement("button");
  button.className = `${label.className} menu`;
  button.title = label.title;
  button.setAttribute("aria-label", label.title);
  button.append(...label.childNodes);
  button.addEventListener("click", () => drawer.click());
  const tell = () => button.setAttribute("aria-expanded", String(drawer.checked));
  drawer.addEventListener("change", tell);
  tell();
  label.replaceWith(button);
}
document.querySelectorAll(".md-header label[for=__drawer]").forEach(menu);

// The heading that is being read: the one in the address as long as it can be seen.
function heading() {
  const top = (element) => element.getBoundingClientRect().top;
  const target = document.querySelector(":target");
  if (target && top(target) >= 0 && top(target) < innerHeight) return target.id;
  const above = [...document.querySelectorAll("article :is(h2, h3, h4)[id]")].filter((one) => top(one) < 100);
  return above.length ? above[above.length - 1].id : "";
}

// The language that the reader chooses is the one in which the gate opens next time; the link goes
// to the heading that is being read.
document.querySelectorAll("a.md-select__link[hreflang]").forEach((link) =>
  link.addEventListener("click", () => {
    link.hash = heading();
    try {
      localStorage.setItem("language", link.hreflang);
    } catch {
      // storage is switched off: nothing is remembered
    }
  })
);

// Material looks into the search field when a key is let go: pasted or spoken words need none.
document.querySelector("[data-md-component=search-query]")?.addEventListener("input", ({ target }) =>
  target.dispatchEvent(new KeyboardEvent("keyup"))
);
