"""How far a build is: a bar on a terminal, a line now and then elsewhere, and each phase by its name."""

import io
import logging
import sys

import pytest

from weaver.mkdocs import progress as module
from weaver.mkdocs.progress import Phase, Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def told(caplog):
    """The lines that were logged."""
    caplog.set_level("INFO", "mkdocs")
    return lambda: [record.message for record in caplog.records]


def test_a_phase_says_how_long_the_rest_takes(clock):
    phase = Phase("Programs", 1000, began=clock[0])
    assert phase.said() == "Programs: 0 of 1,000"
    clock[0], phase.done = clock[0] + 30, 250
    assert phase.said() == "Programs: 250 of 1,000, about 90 s left"
    clock[0] += 30
    assert phase.said() == "Programs: 250 of 1,000, about 3 min left"
    phase.done = 1000
    assert phase.said() == "Programs: 1,000 of 1,000"


def test_without_a_terminal_there_is_a_line_every_ten_seconds(clock, told, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    progress = Progress()
    progress.begin("Pages (ko)", 100)
    for _ in range(50):
        clock[0] += 0.5
        progress.step()
    with progress.phase("Programs", 4) as programs:
        clock[0] += 10
        programs.at(2, 4, "t/x")
    assert told() == [
        "Pages (ko): 20 of 100, about 40 s left",
        "Pages (ko): 40 of 100, about 30 s left",
        "Programs: 2 of 4, about 10 s left",
    ]
    assert progress.end().began == 110 and sys.stderr.getvalue() == ""


def test_on_a_terminal_a_bar_is_drawn_again_and_taken_away_before_a_line(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    logging.getLogger("mkdocs").setLevel("INFO")
    progress = Progress()
    with progress.phase("Programs", 4) as programs:
        for done in range(1, 5):
            clock[0] += 1
            programs.at(done, 4, "t/x")
        drawn = terminal.getvalue()
        assert drawn.count("\r\x1b[K") == 4 and "█" * 6 + "░" * 18 + " Programs: 1 of 4, about 3 s left  t/x" in drawn
        logging.getLogger("mkdocs.plugins.other").info("A line.")
        assert terminal.getvalue() == drawn + "\r\x1b[K"
    assert terminal.getvalue() == drawn + "\r\x1b[K"


def test_a_quiet_build_says_nothing(clock, told, monkeypatch):
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    logging.getLogger("mkdocs").setLevel("ERROR")
    with Progress().phase("Programs", 4) as programs:
        clock[0] += 60
        programs.at(1, 4)
    assert terminal.getvalue() == "" and told() == []
