"""The images that are shipped: they are what the sources give, within their budgets, and take a board's identity."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from firmware.conftest import Start
from firmware.rig import only

from damas_board.cli.flash import UID_AT, UID_SIZE
from damas_board.decoding import wire
from damas_board.decoding.intel_hex import read_intel_hex, write_intel_hex
from simulator.emulated import FIRMWARE, image

BUILDS = {
    f"{kind}-{places}{lights}" for kind in ("matrix", "hall") for places in (32, 50, 64) for lights in ("", "-lights")
}


def test_every_build_is_shipped_and_no_other() -> None:
    assert {path.stem for path in (FIRMWARE / "images").iterdir()} == BUILDS


@pytest.mark.timeout(300)
def test_images_are_what_the_sources_give_and_are_within_their_budgets(
    require_program: Callable[[str], str], tmp_path: Path
) -> None:
    for program in ("make", "avr-gcc", "avr-size"):
        require_program(program)
    command = ["make", "--silent", "-j2", f"OUT={tmp_path}", "sizes", "check-images"]
    made = subprocess.run(command, cwd=FIRMWARE, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    sizes = re.findall(r"^(\S+) +(\d+) bytes of flash +(\d+) of RAM$", made.stdout, re.MULTILINE)
    assert {build for build, _, _ in sizes} == BUILDS
    assert all(int(flash) < 16384 and int(ram) < 1500 for _, flash, ram in sizes)


def test_an_image_with_an_identity_is_a_board_with_it(start: Start, tmp_path: Path) -> None:
    flash = read_intel_hex(image("matrix-50").read_text())
    assert [flash[UID_AT + i] for i in range(UID_SIZE)] == [0xFF] * UID_SIZE
    uid = 0x0DA35B07
    patched = tmp_path / "board.hex"
    patched.write_text(
        write_intel_hex(flash | dict(zip(range(UID_AT, 0x4000), uid.to_bytes(4, "little"), strict=True)))
    )
    rig = start("matrix-50", image_path=patched)
    assert rig.hello().uid == uid
    rig.board.place(3)
    assert only(rig.run(0.03), wire.Event).key == 3
