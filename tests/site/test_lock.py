"""Builds that would write to the same folder, or into each other's, take turns."""

import subprocess
import sys

import pytest

from weaver.site.lock import Lock

WAITS = """
import sys
from pathlib import Path
from weaver.site.lock import Lock

def waiting():
    print("waits", flush=True)
    sys.exit()

Lock(Path(sys.argv[1]), sys.argv[2]).acquire(waiting)
print("goes on")
"""


@pytest.mark.parametrize(
    ("other", "said"),
    [("site", "waits"), ("site/en", "waits"), (".", "waits"), ("site/../site", "waits"), ("site2", "goes on")],
)
def test_a_build_waits_for_one_that_writes_to_its_folder_or_around_or_in_it(tmp_path, other, said):
    lock = Lock(tmp_path / "cache", str(tmp_path / "site"))
    lock.acquire(lambda: pytest.fail("nobody has it"))
    command = [sys.executable, "-c", WAITS, str(tmp_path / "cache"), str(tmp_path / other)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == said
    lock.release()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "goes on"
