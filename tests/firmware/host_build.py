"""What this computer builds of the firmware, made when a test needs it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

FIRMWARE = Path(__file__).parents[2] / "firmware"


def make(target: str, build: Path, *variables: str) -> str:
    """What `make TARGET` of firmware/host writes; `build` is the directory it builds in, one for each process."""
    command = ["make", "--silent", "-f", "host/host.mk", f"HOST_BUILD={build}", *variables, target]
    done = subprocess.run(command, cwd=FIRMWARE, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(name: str, build: Path, require_program: Callable[[str], str]) -> Path:
    """The path of one thing that is built: `board-32`, `core-50.so`, ..."""
    require_program("gcc")
    require_program("make")
    make(str(build / name), build)
    return build / name
