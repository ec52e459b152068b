"""Snippets: complete programs, each run in a process of its own."""
