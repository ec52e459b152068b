// Start axe, once all that moves has arrived. Contrast is most of its work: of the elements whose text has the same
// color and size on the same backgrounds, it looks at the first two.
(options) => {
  document.getAnimations().forEach((animation) => animation.finish());
  const [behind, known, seen] = [new Map(), new Map(), new Map()];
  const number = (...facts) => { // equal facts have the same one
    const key = facts.join('|');
    if (!known.has(key)) known.set(key, known.size + 1);
    return known.get(key);
  };
  const background = (e) => {
    if (e && !behind.has(e)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(e);
      const own = [e.tagName, e.getAttribute('class'), backgroundColor, backgroundImage, opacity, filter];
      behind.set(e, number(...own, background(e.parentElement)));
    }
    return behind.get(e);
  };
  for (const e of document.querySelectorAll('body *')) {
    e.removeAttribute('data-contrast');
    const hasText = [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!hasText && !e.matches('input, select')) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(e);
    const look = number(color, fontSize, fontWeight, textShadow, background(e));
    seen.set(look, (seen.get(look) ?? 0) + 1);
    if (seen.get(look) <= 2) e.setAttribute('data-contrast', '');
  }
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-contrast]' }] });
  window.heard = axe.run(document, { resultTypes: ['violations'], ...options });
}
