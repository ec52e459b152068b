// What has the focus, and whether that is seen
() => {
  const focused = document.activeElement;
  const seen = focused.matches('.md-option') ? focused.nextElementSibling : focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(seen);
  const box = seen.getBoundingClientRect();
  const inside = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  const isOutlined = outlineStyle !== 'none' && outlineWidth !== '0px';
  return [focused.outerHTML.slice(0, 120), isOutlined && box.width > 0 && inside];
}
