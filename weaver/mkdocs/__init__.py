"""MkDocs' events, and nothing else of the engine, know MkDocs."""
