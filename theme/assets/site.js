// The keyboard reaches a box, to scroll it, only if it's wider than its place. A box that the browser hasn't laid
// out yet, because it's far from the screen, is measured when it has been.
const BOXES = "pre > code, math[display=block], .run-table, .picture, .md-typeset__scrollwrap:not(.run-table *)";
function reach(box) {
  const scrolls = box.scrollWidth > box.clientWidth;
  if (scrolls === box.hasAttribute("tabindex")) return;
  if (scrolls) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}
const sizes = new ResizeObserver((boxes) => boxes.forEach(({ target }) => reach(target)));
const laidOut = ({ skipped, currentTarget }) => skipped || reach(currentTarget);
function watch(place) {
  place.querySelectorAll(BOXES).forEach((box) => {
    sizes.observe(box);
    box.addEventListener("contentvisibilityautostatechange", laidOut);
    (window.requestIdleCallback || setTimeout)(() => box.checkVisibility() && reach(box));
  });
}
addEventListener("load", () => watch(document));
addEventListener("flip", ({ target }) => watch(target));
// Where there is no mouse, Material takes `tabindex` from the boxes it handles; and it makes each copy button a
// landmark.
new MutationObserver((changes) => changes.forEach(({ target, attributeName }) => {
  if (attributeName && target.matches(BOXES)) reach(target);
  if (!attributeName) target.querySelector(":scope > .md-code__nav")?.setAttribute("role", "none");
})).observe(document.querySelector("article"), { attributeFilter: ["tabindex"], childList: true, subtree: true });
document.querySelector("[data-md-component=dialog]").setAttribute("role", "status"); // says "copied"

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

// On a phone the drawer has the page's contents, too, once it's open.
document.getElementById("__drawer").addEventListener(
  "change",
  () => {
    const contents = document.querySelector(".md-sidebar--secondary nav").cloneNode(true);
    document.querySelector(".md-nav--primary .md-nav__link--active")?.after(contents);
  },
  { once: true }
);

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
