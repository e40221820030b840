"""When and where to try a board again that went away."""

from __future__ import annotations

import os.path
from collections.abc import Sequence

from serial.tools import list_ports

FIRST_WAIT = 0.25
WAIT_FACTOR = 2.0
LONGEST_WAIT = 5.0
"""A board that is plugged in again is found within these seconds."""


class Backoff:
    """Waits, seconds, that grow from `first` by `factor` up to `longest`, until `reset`."""

    def __init__(self, first: float = FIRST_WAIT, factor: float = WAIT_FACTOR, longest: float = LONGEST_WAIT) -> None:
        self._first = first
        self._factor = factor
        self._longest = longest
        self._next = first

    def next(self) -> float:
        """The seconds to wait before the next try."""
        wait = self._next
        self._next = min(self._next * self._factor, self._longest)
        return wait

    def reset(self) -> None:
        """The last try succeeded."""
        self._next = self._first


class UsbNeighbours:
    """The ports where a board that was on `port` may come back: `port` itself, then those with the same USB chip.

    A board plugged in again often gets another device name. Only ports with the same vendor and product are asked, so
    that no other device on the machine is sent bytes it does not understand.
    """

    def __init__(self, port: str) -> None:
        self._port = port
        self._chip: tuple[int, int] | None = None

    def remember(self) -> None:
        """Note the USB chip behind the port while the board is there."""
        device = os.path.realpath(self._port)
        for found in list_ports.comports():
            if found.device == device and found.vid is not None and found.pid is not None:
                self._chip = (found.vid, found.pid)

    def __call__(self) -> Sequence[str]:
        if self._chip is None:
            return [self._port]
        same = [found.device for found in list_ports.comports() if (found.vid, found.pid) == self._chip]
        return [self._port, *(device for device in same if device != self._port)]
