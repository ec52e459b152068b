"""Every lab: its cells fit a phone. `test_notebook` runs them anew."""

import pytest
from support.project import content

CELLS = [(name, page) for name, page in content().pages["en"].items() if page.cells]


@pytest.mark.parametrize("name, page", CELLS, ids=[name for name, _ in CELLS])
def test_its_cells_are_narrow_and_short_enough_for_a_phone(name, page):
    for cell in page.cells:
        lines = cell.argument.splitlines()
        wide = [line for line in lines if len(line) > 72]
        assert not wide, f"{cell.place}: `{wide[0]}` has more than 72 columns. Break the line."
        assert len(lines) <= 30, f"{cell.place}: {len(lines)} lines are more than 30. Make two cells of it."
        assert cell.argument.isascii(), cell.place
