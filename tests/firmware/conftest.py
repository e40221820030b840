"""What the tests of the emulated firmware share: one emulator a module and build, started again for each test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from firmware.rig import Rig

from simulator.emulated import FIRMWARE, Emulator

Start = Callable[..., Rig]


def require_modules() -> None:
    """What `make -C firmware emulator` installs; without it the test is skipped, in CI it fails."""
    if not (FIRMWARE / "emulator" / "node_modules" / "avr8js").is_dir():
        missing = "the emulator is not installed: make -C firmware emulator"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


@pytest.fixture(scope="module")
def _emulators(require_program: Callable[[str], str]) -> Iterator[Callable[..., Emulator]]:
    require_program("node")
    require_modules()
    running: dict[tuple[str, bool, Path | None], Emulator] = {}
    with ExitStack() as stack:

        def emulator(build: str, diodes: bool = True, image_path: Path | None = None) -> Emulator:
            key = (build, diodes, image_path)
            if key not in running:
                running[key] = stack.enter_context(Emulator(build, diodes=diodes, image_path=image_path))
            return running[key]

        yield emulator


@pytest.fixture
def start(_emulators: Callable[..., Emulator]) -> Start:
    """`start("matrix-50", diodes=True)`: a board with nothing on it that has just said who it is."""

    def start(build: str, diodes: bool = True, image_path: Path | None = None) -> Rig:
        rig = Rig(_emulators(build, diodes, image_path))
        rig.clear()
        return rig

    return start
