// Words of the one language that do not say so on a page of the other
(language) => {
  const hasHangul = (text) => /[가-힣]/.test(text);
  const foreign = language === 'ko' ? (text) => /[a-z]/i.test(text) && !hasHangul(text) : hasHangul;
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    if (e.closest('[lang]').lang !== language) continue;
    const names = [e.getAttribute('aria-label'), e.title, e.placeholder].filter(Boolean);
    const nodes = language === 'en' ? [...e.childNodes].filter((node) => node.nodeType === 3) : [];
    const texts = nodes.map((node) => node.data);
    if (!e.closest('script, style')) found.push(...[...names, ...texts].filter(foreign));
  }
  return found;
}
