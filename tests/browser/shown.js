// Elements that a selector finds and that are (not) to be seen
([selector, seen]) =>
  [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility() === seen).map((e) => e.outerHTML)
