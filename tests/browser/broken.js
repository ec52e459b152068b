// Hangul right behind something else than Hangul, in the same paragraph, but below it: the line ended between
() => {
  document.querySelectorAll('details').forEach((details) => (details.open = true));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest('pre, svg, script, style, aside, .md-header')
      ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const blocks = 'p, li, td, th, h1, h2, h3, h4, dt, dd, figcaption, summary, label, button, .offer, a.md-nav__link';
  const block = (node) => node.parentElement.closest(blocks);
  const box = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getClientRects()[0];
  };
  const broken = [];
  let last, pairs = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < node.length; at++) {
      if (node.data[at] === '\u2060') continue;
      const now = { node, at, block: block(node) };
      const before = last && last.block === now.block && last.node.data[last.at];
      if (before && /[가-힣]/.test(node.data[at]) && /[^\s가-힣—–/-]/.test(before)) {
        const above = box(last.node, last.at), below = box(node, at);
        pairs += Boolean(above && below);
        if (above && below && below.top >= above.bottom - 2 && below.left < above.right)
          broken.push(last.node.data.slice(-20, last.at + 1) + ' / ' + node.data.slice(at, at + 9));
      }
      last = now;
    }
  }
  return [pairs, broken];
}
