"""The firmware in the emulator, in figures; run it as a script, with `--write docs/figures.md` to put them there.

Sizes and the stack, scans a second, how long a contact takes to reach the host, and what the emulator takes for it.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

# Instead of the folder of this file, whose name is that of the folder of what it imports.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from firmware.rig import Rig, of

from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from damas_board.session.inputs import See
from damas_board.sources.serial_board import SerialBoard
from simulator.clock import RunningClock
from simulator.emulated import FIRMWARE, EmulatedBoard, Emulator

RAM = 2048
BUSY_SECONDS = 10
CHANGES = 200
PACED_SECONDS = 10
TITLE = "## The firmware"


def sizes() -> dict[str, tuple[int, int]]:
    """Bytes of flash and RAM of each build; needs avr-gcc."""
    made = subprocess.run(
        ["make", "--silent", "sizes"], cwd=FIRMWARE, capture_output=True, text=True, check=True
    ).stdout
    return {
        build: (int(flash), int(ram))
        for build, flash, ram in re.findall(r"^(\S+) +(\d+) bytes of flash +(\d+) of RAM$", made, re.MULTILINE)
    }


def in_lock_step(build: str) -> str:
    """A row of the table."""
    random = Random(1)
    with Emulator(build) as board:
        rig = Rig(board)
        rig.clear()
        begun, cpu, boot = time.perf_counter(), board.figures()["cpu_seconds"], board.time
        frames: list[wire.BoardFrame] = []
        for _ in range(BUSY_SECONDS * 10):
            board.place(random.randint(1, rig.places), random.randrange(board.levels))
            frames += rig.run(0.1)
        figures = board.figures()
        wall = (board.time - boot) / (time.perf_counter() - begun)
        of_cpu = (board.time - boot) / (figures["cpu_seconds"] - cpu)
        delays = []
        rig.clear()
        for change in range(CHANGES):
            board.run(0.3 + random.random() / 100)
            at = board.time
            board.place(7, change % 2 == 0)
            while not (pieces := [piece for piece in board.until(0.2) if of(wire.Event, rig.read(piece.data))]):
                pass
            delays.append(1000 * (pieces[0].at - at))
    scans = of(wire.Heartbeat, frames)[-1].scans
    row = f"| `{build}` | {scans} | {100 * (1 - figures['asleep']):.0f} % | {figures['stack_bytes']} "
    return row + f"| {spread(delays)} | {wall:.1f} | {of_cpu:.1f} |"


async def paced() -> str:
    """A sentence on a board at the speed of time, behind a pty."""
    squares, clock = SquareMap(10, "left"), RunningClock()
    async with EmulatedBoard("matrix-50") as board, SerialBoard(board.path, squares, clock.now) as source:
        await anext(source)
        delays = []
        for change in range(CHANGES):
            begun = time.perf_counter()
            board.place(1, int(change % 2 == 0))
            assert isinstance(await anext(source), See)
            delays.append(1000 * (time.perf_counter() - begun))
            await asyncio.sleep(0.03)
        begun, before = time.perf_counter(), await board.figures()
        await asyncio.sleep(PACED_SECONDS)
        after, took = await board.figures(), time.perf_counter() - begun
    ratio = (after["seconds"] - before["seconds"]) / took
    used = (after["cpu_seconds"] - before["cpu_seconds"]) / took
    return (
        f"At the speed of time, behind a pty (`matrix-50`): emulated to real time {ratio:.3f}, {100 * used:.0f} % of\n"
        f"a core; from the contact to the `See` in asyncio {spread(delays)} ms."
    )


def spread(delays: Iterable[float]) -> str:
    ordered = sorted(delays)
    return f"{statistics.median(ordered):.1f} / {ordered[int(len(ordered) * 0.95)]:.1f} / {ordered[-1]:.1f}"


def page() -> str:
    lines = [
        TITLE,
        "",
        "`python tests/benchmarks/firmware.py` (avr-gcc 5.4; avr8js in node; other work ran on the machine). Bytes, of",
        "32 KB and 2 KB:",
        "",
        "| build | flash | RAM | left for the stack |",
        "|---|---|---|---|",
        *(f"| `{build}` | {flash:,} | {ram:,} | {RAM - ram} |" for build, (flash, ram) in sizes().items()),
        "",
        "In lock-step, with ten changes a second: scans a second; how much the processor is awake; the most bytes of",
        f"stack; milliseconds from a contact to its event at the host ({CHANGES} changes, debounce 10 ms, the line",
        "takes 1.1; median / 95 % / most); seconds of the board in a second here, and in a second of node's own",
        "processor time:",
        "",
        "| build | scans/s | awake | stack | contact to event, ms | emulated / real | / CPU |",
        "|---|---|---|---|---|---|---|",
    ]
    for build in ("matrix-32", "matrix-50", "matrix-64", "matrix-64-lights", "hall-32", "hall-50", "hall-64-lights"):
        lines.append(in_lock_step(build))
    return "\n".join([*lines, "", asyncio.run(paced()), ""])


def put(text: str, into: Path) -> None:
    """Make `text` the section of that title, or the last one."""
    old = into.read_text()
    before, found, behind = old.partition(TITLE + "\n")
    rest = behind[behind.index("\n## ") :] if found and "\n## " in behind else ""
    into.write_text((before if found else old.rstrip() + "\n\n") + text + rest)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the figures into that page")
    chosen = parser.parse_args()
    figures = page()
    print(figures)
    if chosen.write:
        put(figures, chosen.write)
