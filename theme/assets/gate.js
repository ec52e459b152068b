// To the language that the reader chose last, else the first of the browser's that there is.
addEventListener("DOMContentLoaded", () => {
  const links = [...document.querySelectorAll("a[hreflang]")];
  let chosen = null;
  try {
    chosen = localStorage.getItem("language");
  } catch {
    // storage is switched off: the browser's languages decide
  }
  for (const language of [chosen, ...navigator.languages]) {
    const link = links.find((a) => language && language.split("-")[0] === a.hreflang);
    if (link) return location.replace(link.href);
  }
});
