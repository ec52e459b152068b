// The parts that begin above the screen, or of which less than 60 pixels are seen above the bar, after some step
([parts, bar, steps]) => {
  const hidden = [];
  for (; steps; steps -= 1) {
    hidden.push(...parts.filter((part) => {
      const box = document.querySelector(part)?.getBoundingClientRect();
      return box?.width && (box.top < 0 || box.top + Math.min(box.height, 60) > bar);
    }));
    const next = document.querySelector('[data-go=next]');
    if (next.getAttribute('aria-disabled') === 'true') break;
    next.click();
  }
  return hidden;
}
