from __future__ import annotations

import asyncio
from pathlib import Path
from subprocess import PIPE
from types import TracebackType
from typing import Self

from sources.bench import PATIENCE_SECONDS, Bench
from sources.simulated import MAP, START

from damas_board.decoding.conversation import Timing
from damas_board.sources.reconnection import Backoff
from damas_board.sources.serial_board import SerialBoard
from simulator.clock import RunningClock

LET_STAND_MS = 15
"""A little longer than the board's debounce: what a hand does in less is a bounce to it."""


class NativeBench(Bench):
    """The firmware's core as a program of its own behind a pseudo-terminal, and the serial source."""

    def __init__(self, program: Path, directory: Path) -> None:
        self.clock = RunningClock()
        self.carrier = self
        self._command = [str(program), "--link", str(directory / "board"), "--eeprom", str(directory / "eeprom")]
        self._path = str(directory / "board")
        self._pieces = list(START)
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE)
        set_up = [f"s {place} {level}" for place, level in enumerate(START, 1)]
        self._do(*set_up, f"w {LET_STAND_MS}", "w 0")
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await self._line() == self._path
            for _ in range(len(START) + 2):
                assert await self._line() == "ok"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None
        self._do("q")
        async with asyncio.timeout(PATIENCE_SECONDS):
            said, _ = await self._process.communicate()
        assert b"error" not in said
        assert self._process.returncode == 0

    def _do(self, *commands: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{command}\n" for command in commands).encode())

    async def _line(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().strip()

    def source(self) -> SerialBoard:
        return SerialBoard(self._path, MAP, self.clock.now, timing=Timing(), backoff=Backoff(0.05, 2.0, 0.2))

    def lift(self, place: int) -> None:
        self._set(place, 0)

    def put(self, place: int) -> None:
        self._set(place, 1)

    def _set(self, place: int, level: int) -> None:
        self._pieces[place - 1] = level
        self._do(f"s {place} {level}", f"w {LET_STAND_MS}")

    def press_clock(self) -> None:
        self._do("press a", f"w {LET_STAND_MS}")

    def cut(self) -> None:
        self._do("unplug")

    def restore(self) -> None:
        self._do("plug")

    def rows(self) -> str:
        return MAP.rows(self._pieces, 2)
