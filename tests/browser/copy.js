// What each copy button copies; it comes when its program is seen
async () => {
  document.querySelectorAll('details').forEach((details) => (details.open = true));
  const copied = [];
  for (const program of document.querySelectorAll('figure.snippet .highlight:not(.no-copy)')) {
    program.scrollIntoView();
    while (!program.querySelector('.md-code__button')) await new Promise(requestAnimationFrame);
    program.querySelector('.md-code__button').click();
    copied.push(await navigator.clipboard.readText());
  }
  return copied;
}
