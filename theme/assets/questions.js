// Of all questions of the site ten at a time, first those that were never answered right.
{
  const all = document.getElementById("undrawn");
  const list = new DOMParser().parseFromString(all.textContent, "text/html").querySelector("ol");
  const place = document.getElementById("draw").content.firstElementChild.cloneNode(true);
  const [button, said, topic] = ["button", "p", "select"].map((name) => place.querySelector(name));
  const items = [...list.children];
  let drawn = [];
  wake(list);
  list.replaceChildren();
  all.replaceWith(list);

  const answered = (item) => item.querySelector(".verdict").dataset.given;
  const fresh = () => items.filter((item) => !answered(item) && (!topic?.value || item.dataset.topic === topic.value));

  function offer() {
    button.hidden = fresh().every((item) => drawn.includes(item));
  }

  function draw() {
    // progress.js, where it is, knows what was answered
    const wasRight = (item) => Boolean(window.wasRight?.(item.querySelector("section").dataset.question));
    const scored = fresh().map((item) => [Number(wasRight(item)) + Math.random(), item]);
    drawn = scored.sort(([one], [two]) => one - two).slice(0, 10).map(([, item]) => item);
    list.replaceChildren(...drawn); // in the order in which they were drawn
    said.textContent = "";
    button.textContent = button.dataset.more;
    offer();
    list.after(place); // the next ten come after these, and how many are right stays in sight
    list.scrollIntoView();
    if (!drawn[0]) return;
    drawn[0].tabIndex = -1;
    drawn[0].focus({ preventScroll: true });
  }

  function tell() {
    const right = drawn.filter((item) => item.dataset.first === "right").length;
    const left = drawn.filter((item) => !answered(item)).length;
    const counts = { right, number: drawn.length, left };
    said.textContent = said.dataset[left ? "some" : "all"].replace(/\{(\w+)\}/g, (field, name) => counts[name]);
  }

  list.addEventListener("change", ({ target }) => {
    const item = target.closest("li");
    item.dataset.first ||= target.dataset.right === "true" ? "right" : "wrong";
    tell();
  });
  button.addEventListener("click", draw);
  topic?.addEventListener("change", offer);
  list.before(place);
  addEventListener("beforeprint", () => list.append(...items.filter((item) => !drawn.includes(item))));
  addEventListener("afterprint", () => list.replaceChildren(...drawn));
}
