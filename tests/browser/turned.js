// Wait until the page has the colours of the scheme
async (scheme) => {
  const wanted = { light: 'default', dark: 'slate' }[scheme];
  const turned = () => [wanted, undefined].includes(document.body.dataset.mdColorScheme);
  while (!turned()) await new Promise(requestAnimationFrame);
}
