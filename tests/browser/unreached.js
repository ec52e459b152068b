// What is wider than its place, and out of the keyboard's reach
() => [...document.querySelectorAll('article *')].filter((e) =>
  e.scrollWidth > e.clientWidth + 1 && e.clientWidth && /auto|scroll/.test(getComputedStyle(e).overflowX) &&
  e.tabIndex < 0).map((e) => e.outerHTML.slice(0, 99))
