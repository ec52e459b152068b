"""What pages say: their Markdown, read once; pairs of languages; the glossary."""
