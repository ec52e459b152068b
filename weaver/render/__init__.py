"""What a page shows of a run, as HTML and as Markdown."""
