"""The plugin: the only package that imports MkDocs."""
