// What is wider than its place, and out of the keyboard's reach, when all that is far away was looked at
async () => {
  await new Promise(requestIdleCallback);
  return [...document.querySelectorAll('article *')].filter((e) => e.checkVisibility() &&
    e.scrollWidth > e.clientWidth + 1 && e.clientWidth && /auto|scroll/.test(getComputedStyle(e).overflowX) &&
    e.tabIndex < 0).map((e) => e.outerHTML.slice(0, 99));
}
