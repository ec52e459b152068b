"""Runs the snippets that pages show and weaves their real outputs in."""
