// What leaves the paper
() => [...document.querySelectorAll('article *')].filter((e) => !e.closest('svg, math') && e.clientWidth &&
  e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 99))
