// What has the focus, and whether that is seen
() => {
  const focused = document.activeElement;
  const seen = focused.matches('.md-option') ? focused.nextElementSibling : focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(seen);
  const box = seen.getBoundingClientRect();
  const inside = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  return [focused.outerHTML.slice(0, 120), outlineStyle !== 'none' && outlineWidth !== '0px' && box.width > 0 && inside];
}
