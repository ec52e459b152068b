// Beside the button that copies a program stands one that opens a menu: its link, or all of it as Markdown.
{
  const menu = document.getElementById("share");
  const clip = "share";

  // Where the figure is found as it is now: with the choice of its what-if, and the step that its trace is at
  const address = (figure, scope) => {
    const canonical = document.querySelector("link[rel=canonical]");
    const url = new URL(location.protocol === "file:" && canonical ? canonical.href : location.pathname, location);
    const file = figure.querySelector("figcaption a")?.textContent || "";
    const name = figure.querySelector("figcaption")?.id || file.replace(/\.\w+$/, "");
    const isMine = (one) => one === name || one.startsWith(`${name}.`);
    const chosen = new URLSearchParams(location.search).getAll("if").filter(isMine);
    for (const one of chosen) url.searchParams.append("if", one);
    const trace = [...scope.querySelectorAll(".wt")].find((one) => one.checkVisibility());
    if (trace) {
      const { at, options } = trace.parentElement.player;
      url.searchParams.set("step", at);
      url.searchParams.set("of", options.name);
    }
    const origin = url.origin === "null" ? "" : url.origin;
    const anchor = document.getElementById(name) ? `#${name}` : "";
    return origin + url.pathname + url.search.replaceAll("%2F", "/") + anchor;
  };

  const fenced = (kind, text) => `\`\`\`${kind}\n${text.replace(/\n*$/, "\n")}\`\`\`\n`;

  // Program, output and address, as a forum shows them; an answer that is still closed stays so
  const markdown = (figure, scope, link) => {
    const isSeen = (one) => one.querySelector("samp") && one.checkVisibility({ visibilityProperty: true });
    const text = (one) => fenced("text", one.querySelector("samp").textContent);
    const printed = [...scope.querySelectorAll(".output")].filter(isSeen);
    return [
      fenced("python", figure.querySelector("pre > code").textContent),
      ...printed.map((one) => `${one.querySelector("p").textContent}:\n\n${text(one)}`),
      `[${document.title}](${link})\n`,
    ].join("\n");
  };

  const open = (button, figure) => {
    const scope = figure.closest("section.question, section.what-if") || figure;
    const link = address(figure, scope);
    const texts = { link, markdown: markdown(figure, scope, link) };
    menu.replaceChildren(...Object.entries(texts).map(([share, clipboardText]) => {
      const textContent = menu.dataset[share], offer = document.createElement("button");
      Object.assign(Object.assign(offer, { type: "button", textContent }).dataset, { share, clipboardText });
      return offer;
    }));
    const { left, bottom } = button.getBoundingClientRect();
    menu.style.top = `${bottom + scrollY + 4}px`;
    menu.style.right = `${Math.max(document.documentElement.clientWidth - left - button.offsetWidth, 8)}px`;
  };

  const add = (figure) => {
    const nav = figure.querySelector(".md-code__nav");
    if (!nav || nav.querySelector(`.${clip}`)) return;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: clip, title: menu.dataset.label, popoverTargetElement: menu });
    button.setAttribute("aria-label", menu.dataset.label);
    button.addEventListener("click", () => open(button, figure));
    nav.append(button);
  };

  // Material writes the copied text and says so; then the menu has done its work
  menu?.addEventListener("click", () => setTimeout(() => menu.hidePopover()));
  if (menu && "popover" in menu) {
    menu.popover = "auto";
    menu.hidden = false;
    // its own buttons come when a program is about to be seen
    const seen = new MutationObserver((changes) => {
      const figures = changes.map(({ target }) => target.closest?.("figure.snippet"));
      figures.filter(Boolean).forEach(add);
    });
    seen.observe(document.querySelector("article"), { childList: true, subtree: true });
    document.querySelectorAll("figure.snippet").forEach(add);
  }
}
