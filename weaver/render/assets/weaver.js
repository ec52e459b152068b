const woken = new WeakSet();

// A word of a program that has a color is no element but a range, which the style sheet colors by its kind.
const KEYWORDS =
  "and as assert async await break case class continue def del elif else except finally for from global if " +
  "import in is lambda nonlocal not or pass raise return try while with yield";
const WORDS = new RegExp(
  [
    /(?<comment>#.*)/,
    /(?<string>(?:\b[bfruBFRU]{1,2})?(?:"""[^]*?"""|'{3}[^]*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))/,
    /(?<=\b(?:class|def) )(?<function>\w+)/,
    { source: `(?<keyword>(?<=^ *)@[\\w.]+|\\b(?:${KEYWORDS.replaceAll(" ", "|")})\\b)` },
    /(?<number>\b\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?)/,
  ].map(({ source }) => source).join("|"),
  "gm"
);
const EXPRESSION = /((?<=\{)[^{}=!:]+)/; // in an f-string
const colored = new WeakMap(); // a program -> its ranges, each with its kind

function color(program) {
  colored.get(program)?.forEach(([kind, range]) => CSS.highlights.get(kind).delete(range));
  const texts = document.createTreeWalker(program, NodeFilter.SHOW_TEXT), nodes = [], found = [];
  for (let length = 0, node; (node = texts.nextNode()); length += node.length) nodes.push([node, length]);
  const place = (index) => {
    const [node, first] = nodes.findLast(([, start]) => start <= index);
    return [node, index - first];
  };
  for (const { 0: word, index, groups } of program.textContent.matchAll(WORDS)) {
    const kind = Object.keys(groups).find((name) => groups[name]);
    const parts = kind === "string" && /^r?f/i.test(word) ? word.split(EXPRESSION) : [word];
    let end = index;
    parts.forEach((part, number) => {
      const [[startContainer, startOffset], [endContainer, endOffset]] = [place(end), place((end += part.length))];
      const range = new StaticRange({ startContainer, startOffset, endContainer, endOffset });
      if (number % 2 === 0) found.push([kind, range]);
    });
  }
  for (const [kind, range] of found) {
    if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
    CSS.highlights.get(kind).add(range);
  }
  colored.set(program, found);
}

// Programs are colored when they come near the screen; on paper, all are.
const PROGRAMS = "figure.snippet .highlight code";
const near = new IntersectionObserver(
  (ends) => ends.forEach(({ target, isIntersecting }) => {
    if (!isIntersecting) return;
    near.unobserve(target);
    color(target);
  }),
  { rootMargin: "100%" }
);
const canColor = "highlights" in CSS;
if (canColor) addEventListener("beforeprint", () => document.querySelectorAll(PROGRAMS).forEach(color));

// Makes an element of each line in `place` that isn't one yet; `data-NAME` is `number(index)`. Returns whether
// there was something to do.
function split(place, name, number) {
  if (place.lined === place.firstChild) return false;
  let index = 0, line = null;
  const nodes = Array.from(place.childNodes); // as they are now: lines come among them
  for (const node of nodes) {
    if (node.dataset?.[name]) { index += 1; continue; }
    for (const part of node.nodeType === Node.TEXT_NODE ? node.data.split(/(?<=\n)/) : [node]) {
      if (!line) {
        line = document.createElement("span");
        line.dataset[name] = number(index);
        place.insertBefore(line, node);
      }
      line.append(part);
      if (typeof part === "string" && part.endsWith("\n")) { index += 1; line = null; }
    }
    if (node.nodeType === Node.TEXT_NODE) node.remove();
  }
  place.lined = place.firstChild;
  return true;
}

// A line of output and the line of code that printed it point at each other, once a reader points at one.
function pair(figure) {
  if (woken.has(figure)) return;
  woken.add(figure);
  const number = (line) => line.dataset.line || line.dataset.by;
  const mark = (target) => {
    const line = target?.closest("[data-line], [data-by]");
    const printed = line && figure.querySelector(`[data-by="${number(line)}"]`);
    figure.querySelectorAll("[data-line], [data-by]").forEach((other) => {
      other.classList.toggle("paired", Boolean(printed) && number(other) === number(line));
    });
  };
  const open = () => {
    figure.querySelectorAll(".highlight code").forEach((code) => {
      const line = (index) => Number(code.dataset.first || 1) + index;
      if (split(code, "line", line) && canColor) color(code);
    });
    figure.querySelectorAll("samp[data-from]").forEach((samp) => {
      const sources = samp.dataset.from.split(" ");
      if (!split(samp, "by", (index) => sources[index])) return;
      samp.querySelectorAll("[data-by]").forEach((line) => line.setAttribute("tabindex", "0"));
    });
  };
  figure.addEventListener("pointerover", (event) => {
    open();
    mark(document.elementFromPoint(event.clientX, event.clientY));
  });
  figure.addEventListener("pointerleave", () => mark(null));
  figure.addEventListener("focusin", (event) => {
    open();
    mark(event.target);
  });
  figure.addEventListener("focusout", () => mark(null));
}

// A choice opens the answer, which is closed until then, and says whether it was right.
function ask(question) {
  if (woken.has(question)) return;
  woken.add(question);
  const verdict = question.querySelector(".verdict");
  question.addEventListener("change", (event) => {
    const right = event.target.dataset.right === "true";
    verdict.textContent = right ? verdict.dataset.right : verdict.dataset.wrong;
    verdict.dataset.given = right ? "right" : "wrong";
    question.querySelector("details").open = true;
  });
}

// For what is on the page, and for what comes onto it later
function wake(place) {
  place.querySelectorAll("section.question").forEach(ask);
  place.querySelectorAll("figure.snippet").forEach(pair);
  if (canColor) place.querySelectorAll(PROGRAMS).forEach((program) => near.observe(program));
  window.weaverTrace?.wake(place);
}
wake(document);
if (document.querySelector("section.what-if")) {
  const flip = new URL("flip.js", document.currentScript.src);
  document.head.append(Object.assign(document.createElement("script"), { src: flip }));
}

// An address of something that has moved leads to its new place.
function follow() {
  const moved = [...document.querySelectorAll(".moved")].find(({ id }) => `#${id}` === location.hash);
  if (moved) location.replace(moved.dataset.to);
}
addEventListener("hashchange", follow);
follow();
