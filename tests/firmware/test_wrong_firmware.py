"""Firmware that would be dead on a real board is dead in the emulator: the sources with one thing forgotten each."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from firmware.conftest import require_modules
from firmware.rig import Rig, changes, of

from damas_board.decoding import wire
from simulator.emulated import FIRMWARE, Emulator, EmulatorError

WRONG = {
    "columns without pull-ups": ("matrix-50", "matrix.c", "PORTC = COLUMNS_C;", "PORTC = 0;"),
    "columns as outputs": ("matrix-50", "matrix.c", "PORTC = COLUMNS_C;", "PORTC = DDRC = COLUMNS_C;"),
    "columns of port B without pull-ups": ("matrix-64", "matrix.c", "PORTB = COLUMNS_B;", "PORTB = 0;"),
    "columns that are read at once": ("matrix-50", "matrix.c", "SETTLE_US 5", "SETTLE_US 0"),
    "rows that are never driven": ("matrix-50", "matrix.c", "        drive(row);\n", ""),
    "133333 baud": ("matrix-50", "uart.c", "DIVIDER 16", "DIVIDER 14"),
    "half the speed": ("matrix-50", "uart.c", "UCSR0A = 1 << U2X0;", "UCSR0A = 0;"),
    "even parity": ("matrix-50", "uart.c", "UCSR0C = 1 << UCSZ01", "UCSR0C = 1 << UPM01 | 1 << UCSZ01"),
    "seven bits": ("matrix-50", "uart.c", "1 << UCSZ01 | 1 << UCSZ00", "1 << UCSZ01"),
    "a deep sleep": ("matrix-50", "main.c", "SLEEP_MODE_IDLE", "SLEEP_MODE_PWR_DOWN"),
    "buttons without pull-ups": ("hall-50", "hall.c", "PORTD = RX | 7 << FIRST_PIN;", "PORTD = RX;"),
    "no reference": ("hall-50", "adc.h", "1 << REFS0 | 1 << ADLAR", "1 << ADLAR"),
    "the reference of 1.1 V": ("hall-50", "adc.h", "1 << REFS0 |", "1 << REFS1 | 1 << REFS0 |"),
    "select lines that are inputs": ("hall-50", "hall.c", "    DDRB |= SELECT;\n", ""),
    "a converter at 8 MHz": ("hall-50", "adc.h", "1 << ADPS2 | 1 << ADPS0", "1 << ADPS0"),
    "channels that are read at once": ("hall-50", "hall.c", "SETTLE_US 5", "SETTLE_US 0"),
    "a supply that is measured at once": ("hall-50", "supply.c", "SETTLES_US 150", "SETTLES_US 1"),
}


@pytest.fixture(autouse=True)
def _needs(require_program: Callable[[str], str]) -> None:
    for program in ("avr-gcc", "make", "node"):
        require_program(program)
    require_modules()


def image_of(folder: Path, build: str) -> Path:
    done = subprocess.run(
        ["make", "-s", "-C", str(folder), f"build/{build}.hex"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "build" / f"{build}.hex"


def sources(to: Path) -> Path:
    return shutil.copytree(FIRMWARE, to, ignore=shutil.ignore_patterns("node_modules", "build", "images"))


def works(board: Emulator) -> bool:
    """Whether it says who it is, tells pieces and buttons, scans, and measures its supply."""
    rig = Rig(board)
    started = rig.clear()
    if not of(wire.Hello, started) or not of(wire.Snapshot, started):
        return False
    places = [1, 5, 6, 16, 17, 33, rig.places]
    told = {place: place % 2 + 1 if board.hall else 1 for place in places if place <= rig.places}
    for place, level in told.items():
        board.place(place, level)
    events = changes(rig.run(0.1))
    board.hold("clock-a", True)
    pressed = changes(rig.run(0.05))
    # With readings asked for a good many conversions go before that of the supply.
    answered = not board.hall or bool(of(wire.Ack, rig.ask(lambda tag: wire.ReportRaw(tag, 50))))
    if sorted(events) != sorted(told.items()) or pressed != [(wire.Key.CLOCK_A, 1)] or not answered:
        return False
    beat = of(wire.Heartbeat, rig.run(2.2))[-1]
    if board.hall:
        rig.ask(lambda tag: wire.ReportRaw(tag, 0))
    supplied = beat.supply_mv is not None and abs(beat.supply_mv - 5000) < 100
    return supplied and beat.scans > 400 and rig.levels()[: rig.places] == tuple(board.pieces)


@pytest.mark.slow
@pytest.mark.parametrize(
    "build", ["matrix-32", "matrix-50", "matrix-64-lights", "hall-32", "hall-50", "hall-64-lights"]
)
def test_the_right_firmware_works(build: str) -> None:
    with Emulator(build) as board:
        assert works(board)


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG)
def test_firmware_that_would_be_dead_on_a_real_board_is_dead_in_the_emulator(wrong: str, tmp_path: Path) -> None:
    build, name, right, instead = WRONG[wrong]
    folder = sources(tmp_path / "firmware")
    source = folder / "avr" / name
    text = source.read_text("utf-8")
    assert right in text
    source.write_text(text.replace(right, instead, 1), "utf-8")
    try:
        with Emulator(build, image_path=image_of(folder, build)) as board:
            working = works(board)
    except EmulatorError:
        working = False
    assert not working
