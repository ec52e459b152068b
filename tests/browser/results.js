// The addresses of the results, page by page, in the order shown
() => [...document.querySelectorAll('.md-search-result__item')].map((item) =>
  [...item.querySelectorAll('a')].map((link) => new URL(link.href)).map(({ pathname, hash }) => pathname + hash)
)
