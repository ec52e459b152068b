// Of all questions of the site ten at a time, first those that were never answered right.
{
  const list = document.querySelector("ol.questions");
  const place = document.getElementById("draw").content.firstElementChild.cloneNode(true);
  const [button, said] = [place.querySelector("button"), place.querySelector("p")];
  const items = [...list.children];
  let drawn = [];

  const answered = (item) => item.querySelector(".verdict").dataset.given;

  function draw() {
    // progress.js, where it is, knows what was answered
    const score = (item) => Number(Boolean(window.wasRight?.(item.querySelector("section").dataset.question))) + Math.random();
    const fresh = items.filter((item) => !answered(item)).map((item) => [score(item), item]);
    drawn = fresh.sort(([one], [two]) => one - two).slice(0, 10).map(([, item]) => item);
    items.forEach((item) => item.classList.toggle("drawn", drawn.includes(item)));
    list.append(...drawn); // in the order in which they were drawn
    said.textContent = "";
    button.textContent = button.dataset.more;
    button.hidden = items.filter((item) => !answered(item)).length <= drawn.length;
    list.before(place);
    drawn[0]?.scrollIntoView({ block: "nearest" });
  }

  function tell() {
    const right = drawn.filter((item) => item.dataset.first === "right").length;
    const left = drawn.filter((item) => !answered(item)).length;
    const counts = { right, number: drawn.length, left };
    said.textContent = said.dataset[left ? "some" : "all"].replace(/\{(\w+)\}/g, (field, name) => counts[name]);
    if (!left) list.after(place);
  }

  list.addEventListener("change", ({ target }) => {
    const item = target.closest("li");
    item.dataset.first ||= target.dataset.right === "true" ? "right" : "wrong";
    tell();
  });
  button.addEventListener("click", draw);
  list.before(place);
}
