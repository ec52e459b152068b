"""Every lab: its cells fit a phone. `test_notebook` runs them anew."""

import pytest
from support.project import content

CELLS = [(name, page) for name, page in content().pages["en"].items() if page.cells]


@pytest.mark.parametrize("name, page", CELLS, ids=[name for name, _ in CELLS])
def test_its_cells_are_narrow_and_short_enough_for_a_phone(name, page):
    for cell in page.cells:
        lines = cell.argument.splitlines()
        assert max(map(len, lines)) <= 72 and len(lines) <= 30, cell.place
        assert cell.argument.isascii(), cell.place
