// Elements with text of their own, outside of code, where Korean breaks within a word
() => [...document.querySelectorAll('body *:not(code, code *, pre *, svg *, script, style)')].filter((e) =>
  [...e.childNodes].some((node) => node.nodeType === 3 && /[가-힣]/.test(node.data)) &&
  getComputedStyle(e).wordBreak !== 'keep-all').map((e) => e.outerHTML.slice(0, 99))
