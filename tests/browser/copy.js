// What each copy button copies
async () => {
  document.querySelectorAll('details').forEach((details) => (details.open = true));
  const copied = [];
  for (const button of document.querySelectorAll('figure.snippet .md-code__button')) {
    button.click();
    copied.push(await navigator.clipboard.readText());
  }
  return copied;
}
