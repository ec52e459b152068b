// What was read, and which questions were answered right, is kept in this browser alone. A page has the name
// that its address has in every language; the names that it once had count as well.
const told = document.getElementById("way");
if (told) {
  const { page, on, root, moved, questions } = JSON.parse(told.textContent);
  const base = new URL(root, location).href;
  const article = document.querySelector("article");

  const named = (href) =>
    href.startsWith(base) && href.slice(base.length).replace(/[?#].*/, "").replace(/(^|\/)(index\.html)?$|\.html$/, "");
  const map = (value) => (value && typeof value === "object" ? value : {});
  const whole = (kept) => ({ read: map(kept?.read), right: map(kept?.right), last: map(kept?.last) });
  const today = () => new Date().toISOString().slice(0, 10);

  function load() {
    try {
      return whole(JSON.parse(localStorage.getItem("progress")));
    } catch {
      return whole(); // storage is switched off, or what is in it is not ours
    }
  }
  function change(act) {
    const progress = load();
    act(progress);
    try {
      localStorage.setItem("progress", JSON.stringify(progress));
    } catch {
      // storage is switched off: nothing is remembered
    }
    show();
  }

  // Whether something is there by its name, or by one that it had when its page was called otherwise
  const former = (name) =>
    Object.entries(moved).flatMap(([old, now]) =>
      name === now || name.startsWith(`${now}/`) ? [old + name.slice(now.length)] : []
    );
  const has = (all, name) => [name, ...former(name)].some((one) => one in all);
  window.wasRight = (question) => has(load().right, question); // for the page of all questions

  function mark(link, text, label) {
    const sign = link.querySelector(".done");
    if (sign?.textContent === text || (!sign && !text)) return;
    sign?.remove();
    if (!text) return;
    const made = Object.assign(document.createElement("span"), { className: "done", textContent: text });
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", label);
    link.append(made);
  }

  function show() {
    const { read, right, last } = load();
    const ticked = (link) => mark(link, has(read, named(link.href)) ? "✓" : "", told.dataset.read);
    document.querySelectorAll(".md-nav--primary a.md-nav__link:not(.md-nav--secondary *)").forEach(ticked);
    if (!questions) return;
    const counts = { read: 0, pages: 0, right: 0, questions: 0 };
    let goOn;
    for (const link of article.querySelectorAll("li > a:first-child")) {
      const asked = questions[named(link.href)];
      if (!asked) continue;
      const known = asked.filter((one) => has(right, one)).length;
      const isRead = has(read, named(link.href));
      counts.pages += 1;
      counts.read += isRead;
      counts.right += known;
      counts.questions += asked.length;
      const said = told.dataset.asked.replace("{right}", known).replace("{questions}", asked.length);
      mark(link.parentNode, `${isRead ? " ✓" : ""}${known ? ` ${known}/${asked.length}` : ""}`,
        [isRead && told.dataset.read, known && said].filter(Boolean).join(", "));
      if ([named(link.href), ...former(named(link.href))].includes(last.page)) goOn = link;
    }
    panel(counts, goOn, last.id);
  }

  function panel(counts, goOn, id) {
    let place = article.querySelector(".progress");
    if (!place && (counts.read || counts.right || goOn)) {
      place = document.getElementById("progress").content.cloneNode(true).firstElementChild;
      place.querySelector(".save").addEventListener("click", save);
      place.querySelector(".clear").addEventListener("click", ({ target }) => {
        if (!confirm(target.dataset.sure)) return;
        localStorage.removeItem("progress");
        place.remove();
        show();
      });
      article.querySelector("h2").before(place);
    }
    if (!place) return;
    const said = place.querySelector(".counts");
    said.textContent = said.dataset.said.replace(/\{(\w+)\}/g, (field, name) => counts[name]);
    const link = place.querySelector(".go-on a");
    link.parentNode.hidden = !goOn;
    if (!goOn) return;
    link.href = goOn.href + (id ? `#${id}` : "");
    link.textContent = goOn.firstChild.textContent;
  }

  function save() {
    const file = new Blob([JSON.stringify(load(), null, 1)], { type: "application/json" });
    const href = URL.createObjectURL(file);
    Object.assign(document.createElement("a"), { href, download: "progress.json" }).click();
    URL.revokeObjectURL(href);
  }

  // A page is read when its end was seen, and it was open for a while.
  if (on) {
    let seen = false;
    let long = false;
    const tell = () => seen && long && change(({ read }) => (read[page] ||= today()));
    new IntersectionObserver((ends) => {
      seen ||= ends.some(({ isIntersecting }) => isIntersecting);
      tell();
    }).observe(article.querySelector("aside.about"));
    setTimeout(() => {
      long = true;
      tell();
    }, 10_000);
    addEventListener("pagehide", () => change((progress) => (progress.last = { page, id: heading() })));
  }

  // Only the first choice counts: it opens the answer.
  const tried = new Set();
  addEventListener("change", ({ target }) => {
    const name = target.closest("section.question")?.dataset.question;
    if (!name || tried.has(name)) return;
    tried.add(name);
    if (target.dataset.right === "true") change(({ right }) => (right[name] ||= today()));
  });
  addEventListener("storage", show);
  show();
}
