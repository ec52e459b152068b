// On the page for missing pages: what a reader asks, or else the missing address, is the title of the issue.
addEventListener("DOMContentLoaded", () => {
  for (const link of document.querySelectorAll("a.ask")) {
    const field = link.closest("section").querySelector("[name=q]");
    const fill = () => {
      const issue = new URL(link.href);
      issue.searchParams.set("title", field.value || location.pathname);
      link.href = issue.href;
    };
    field.addEventListener("input", fill);
    fill();
  }
});
