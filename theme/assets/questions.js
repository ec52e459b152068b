// Of all questions of the site ten at a time, first those that were never answered right.
{
  const { moved } = JSON.parse(document.getElementById("way").textContent);
  const list = document.querySelector("ol.questions");
  const place = document.getElementById("draw").content.firstElementChild.cloneNode(true);
  const [button, said] = [place.querySelector("button"), place.querySelector("p")];
  const items = [...list.children];
  let drawn = [];

  const answered = (item) => item.querySelector(".verdict").dataset.given;
  function known() {
    try {
      return Object.keys(JSON.parse(localStorage.getItem("progress"))?.right || {});
    } catch {
      return [];
    }
  }

  function draw() {
    const former = (name) => Object.entries(moved).map(([old, now]) => name.replace(`${now}/`, `${old}/`));
    const right = new Set(known());
    const score = (item) => {
      const { question } = item.querySelector("section").dataset;
      return Number([question, ...former(question)].some((one) => right.has(one))) + Math.random();
    };
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
