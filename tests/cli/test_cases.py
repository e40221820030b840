"""The behaviour cases that lie beside the project: lawful play, with other ticks and cut short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_case_of_lawful_play_passes(shared: Path) -> None:
    run = subprocess.run(
        [
            *(sys.executable, str(shared / "cases" / "run_cases.py"), "--legal", "--ticks"),
            *("--command", f"{sys.executable} -m damas_board replay -"),
        ],
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert run.returncode == 0, run.stdout
