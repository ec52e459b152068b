"""Takes each Python that a program starts elsewhere there too, for as long as it runs."""

from weaver.execution.elsewhere import world

WORLD = world(1)
WORLD.__enter__()
