// What is wrong in the pictures of a page: text that leaves its box, labels on each other or on a box
() => [...document.querySelectorAll('figure.graph svg')].flatMap((svg) => {
  const box = (element) => element.getBBox();
  const wrong = [];
  const texts = [...svg.querySelectorAll('text')];
  const corners = /M([-\d.]+) ([-\d.]+)h([\d.]+)a([\d.]+) ([\d.]+) [-\d. ]+v([\d.]+)/g;
  const frames = [...svg.querySelectorAll('path.box')].flatMap((path) =>
    [...path.getAttribute('d').matchAll(corners)].map((found) => {
      const [x, y, width, rx, ry, height] = found.slice(1).map(Number);
      return { x: x - rx, y, width: width + 2 * rx, height: height + 2 * ry };
    }));
  const inside = new Set();
  for (const outer of frames) {
    for (const text of texts) {
      const inner = box(text), x = inner.x + inner.width / 2, y = inner.y + inner.height / 2;
      if (x < outer.x || x > outer.x + outer.width || y < outer.y || y > outer.y + outer.height) continue;
      inside.add(text);
      if (inner.x < outer.x - 1 || inner.x + inner.width > outer.x + outer.width + 1 ||
          inner.y < outer.y - 2 || inner.y + inner.height > outer.y + outer.height + 3)
        wrong.push(`leaves its box: ${text.textContent}`);
    }
  }
  const touch = (a, b) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y + 4 < b.y + b.height && b.y < a.y + a.height - 4;
  for (const label of frames.length ? texts.filter((text) => !inside.has(text)) : [])
    if (frames.some((frame) => touch(box(label), frame))) wrong.push(`is on a box: ${label.textContent}`);
  texts.forEach((one, i) => texts.slice(0, i).forEach((other) => {
    const a = box(one), b = box(other);
    if (a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 4 && b.y < a.y + a.height - 4)
      wrong.push(`overlap: ${one.textContent} and ${other.textContent}`);
  }));
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const all = svg.getBBox();
  if (all.x < -4 || all.y < -4 || all.x + all.width > width || all.y + all.height > height)
    wrong.push('is clipped at its border');
  return wrong;
})
