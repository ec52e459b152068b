"""What a page shows of a run: as HTML, as Markdown, as a notebook."""
