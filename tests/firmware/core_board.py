"""The core of the firmware in this process: a board like the one in software, whose time is a virtual clock."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

from simulator.clock import VirtualClock

BUTTONS = ("clock-a", "clock-b", "adjust")
ROOM = 65536
CARRIED_EVERY = 5
"""Milliseconds from one exchange of bytes to the next."""
PRESSED_FOR = 40
"""Milliseconds that a button stays down."""


class CoreBoard:
    """One at a time of each library. `levels` are what the contacts read, places first; buttons behind them."""

    def __init__(self, library: Path, clock: VirtualClock, uid: int = 7) -> None:
        self._core = ctypes.CDLL(str(library))
        self._core.library_take.restype = ctypes.c_uint
        self._clock = clock
        self._uid = uid
        self.boot_id = 0
        self.levels = bytearray(self._core.library_keys())
        self.loses = 0
        """So many of the next bytes to the host are lost."""
        self._releases: list[tuple[int, int]] = []
        self._buffer = ctypes.create_string_buffer(ROOM)
        self.reset()

    @property
    def places(self) -> int:
        return len(self.levels) - len(BUTTONS)

    def place(self, place: int, level: int = 1) -> None:
        self.advance()
        self.levels[place - 1] = level

    def lift(self, place: int) -> None:
        self.place(place, 0)

    def set_up(self, levels: Sequence[int]) -> None:
        self.advance()
        self.levels[: self.places] = bytes(levels)

    def press(self, button: str) -> None:
        self.advance()
        key = self.places + BUTTONS.index(button)
        self.levels[key] = 1
        self._releases.append((self._ms + PRESSED_FOR, key))

    def reset(self) -> None:
        self.boot_id += 1
        self._core.library_start(self._uid, self.boot_id)
        self._ms = round(self._clock.now() * 1000)

    @property
    def deadline(self) -> float:
        return (self._ms + CARRIED_EVERY) / 1000

    def advance(self) -> None:
        """Scan each millisecond up to the clock's time."""
        now = round(self._clock.now() * 1000)
        while self._ms < now:
            until = min([now, *(at for at, _ in self._releases)])
            self._scan(until - self._ms)
            self._ms = until
            for _, key in (release for release in self._releases if release[0] <= until):
                self.levels[key] = 0
            self._releases = [release for release in self._releases if release[0] > until]

    def _scan(self, count: int) -> None:
        self._core.library_scan(count, 1, bytes(self.levels))

    def receive(self, data: bytes) -> None:
        self._core.library_give(data, len(data))

    def data_to_send(self) -> bytes:
        count = self._core.library_take(self._buffer)
        data = self._buffer.raw[:count]
        lost, self.loses = self.loses, max(self.loses - len(data), 0)
        return data[lost:]
