// The reader chooses a torch once, and each output that differs there follows; the browser keeps the choice.
{
  const select = document.getElementById("torch");
  const { own, versions } = select.dataset;
  const short = (version) => version.replace(/\.\d+$/, "");
  select.append(...versions.split(" ").map((one) => new Option(short(one), one, one === own, one === own)));

  const follow = (place) => place.querySelectorAll(".output").forEach((output) => {
    const isChosen = (pre) => pre.dataset.torch.split(" ").includes(select.value);
    const other = [...output.querySelectorAll("details.versions pre")].find(isChosen);
    const [head] = output.children;
    output.querySelector(".chosen")?.remove();
    output.classList.toggle("other", Boolean(other));
    head.dataset.own ??= head.textContent;
    head.textContent = other ? head.dataset.own.replace(/\(.*\)/, `(torch ${select.value})`) : head.dataset.own;
    if (!other) return;
    const chosen = document.createElement("pre");
    chosen.className = "chosen";
    chosen.append(document.createElement("samp"));
    chosen.firstChild.append(...other.cloneNode(true).childNodes);
    head.after(chosen);
  });

  select.addEventListener("change", () => {
    follow(document);
    try {
      localStorage.setItem("torch", select.value);
    } catch {
      // storage is switched off: the choice is this page's
    }
  });
  addEventListener("flip", ({ target }) => follow(target));
  try {
    const kept = localStorage.getItem("torch");
    if (versions.split(" ").includes(kept)) select.value = kept;
  } catch {
    // nothing was kept
  }
  select.parentElement.hidden = false;
  if (select.value !== own) follow(document);
}
