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

// What the search needs is on its way before the first key.
document.querySelector("[data-md-component=search-query]")?.addEventListener(
  "focus",
  () => {
    const { base } = JSON.parse(document.getElementById("__config").textContent);
    if (location.protocol !== "file:") fetch(new URL(`${base}/search/documents.json`, location));
  },
  { once: true }
);

// Material looks into the search field when a key is let go: pasted or spoken words need none.
document.querySelector("[data-md-component=search-query]")?.addEventListener("input", ({ target }) =>
  target.dispatchEvent(new KeyboardEvent("keyup"))
);
