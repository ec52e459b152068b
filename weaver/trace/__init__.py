"""A program's run, step by step: `worker` records it, `compact` stores it, `full` spells it out."""
