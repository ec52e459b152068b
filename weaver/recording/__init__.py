"""Watches a program's run and records it as data. The modules `model` and `compact` don't need torch."""
