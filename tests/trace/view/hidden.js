// The parts that begin above the screen, or of which less than 60 pixels are seen above the bar
([parts, bar]) => parts.filter((part) => {
  const box = document.querySelector(part)?.getBoundingClientRect();
  return box?.width && (box.top < 0 || box.top + Math.min(box.height, 60) > bar);
})
