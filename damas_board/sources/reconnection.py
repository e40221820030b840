"""When and where to try a board again that went away."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from serial.tools.list_ports_common import ListPortInfo

from damas_board.sources.usb_converter import Converter, converter, on_usb

FIRST_WAIT = 0.25
WAIT_FACTOR = 2.0
LONGEST_WAIT = 5.0
"""Between tries of what answers slowly or not at all: a port elsewhere, or one that opens without a board behind it."""
LOCAL_WAIT = 1.0
"""The longest wait where a local port is there and cannot be opened."""
LOOK_SECONDS = 0.5
"""How often is looked for a local port that is not there: plugging in again must not cost plies."""


SOON = (
    "port_missing",
    "port_in_use",
    "port_denied",
    "port_failed",
    "port_lost",
    "board_missing",
    "no_camera",
    "camera_denied",
    "camera_failed",
    "camera_lost",
)
"""What is wrong with a local port or camera alone, and may be over in a moment; else something is there and does not
answer."""


class Backoff:
    """Waits, seconds, that grow from `first` by `factor` up to `longest`, until `reset`; up to `local` for local ports.

    `look` is how often a wait looks whether a port has come that was not there.
    """

    def __init__(
        self,
        first: float = FIRST_WAIT,
        factor: float = WAIT_FACTOR,
        longest: float = LONGEST_WAIT,
        *,
        local: float = LOCAL_WAIT,
        look: float = LOOK_SECONDS,
    ) -> None:
        self.look = look
        self._first = first
        self._factor = factor
        self._longest = longest
        self._local = local
        self._next = first

    @classmethod
    def scaled(cls, speed: float) -> Backoff:
        """The ordinary waits for a board whose time runs `speed` times as fast."""
        return cls(
            FIRST_WAIT / speed,
            WAIT_FACTOR,
            LONGEST_WAIT / speed,
            local=LOCAL_WAIT / speed,
            look=LOOK_SECONDS / speed,
        )

    def next(self, *, local: bool = False) -> float:
        """The seconds to wait before the next try; `local` where none but local ports were tried, and none opened."""
        longest = self._local if local else self._longest
        wait = min(self._next, longest)
        self._next = min(wait * self._factor, longest)
        return wait

    def reset(self) -> None:
        """The last try succeeded."""
        self._next = self._first


Present = frozenset[tuple[str, int, int]]
"""Local ports that are there; a port that was pulled and plugged in between two looks is another element."""


def is_local(port: str) -> bool:
    """Whether `port` is a path on this machine, not a pyserial URL."""
    return "://" not in port


def present(ports: Iterable[str]) -> Present:
    """Those of `ports` that are local and there."""
    found = set()
    for port in ports:
        if is_local(port):
            with suppress(OSError):
                status = os.stat(port)
                found.add((port, status.st_rdev, status.st_ino))
    return frozenset(found)


Foreign = Callable[[Iterable[str]], frozenset[str]]
"""Tells which of some ports may not be opened, as `ForeignPorts.among` does."""


def none_foreign(paths: Iterable[str]) -> frozenset[str]:
    return frozenset()


class UsbNeighbours:
    """The ports where a board that was on `port` may come back: `port` itself, then those with the same USB chip.

    A board plugged in again often gets another device name. Only ports with the same vendor and product are asked (and
    with the same serial number, where `exact`), so that no other device on the machine is sent bytes it does not
    understand; `foreign` ones never.
    """

    def __init__(self, port: str, *, foreign: Foreign = none_foreign, exact: bool = False) -> None:
        self._port = port
        self._foreign = foreign
        self._exact = exact
        self._chip: Converter | None = None

    def remember(self) -> None:
        """Note the USB chip behind the port while the board is there."""
        found = on_usb().get(os.path.realpath(self._port))
        if found is not None:
            self._chip = converter(found)

    def __call__(self) -> Sequence[str]:
        candidates = [self._port]
        if self._chip is not None:
            candidates += [path for path, found in on_usb().items() if path != self._port and self._is_it(found)]
        foreign = self._foreign(candidates)
        return [path for path in candidates if path not in foreign]

    def _is_it(self, found: ListPortInfo) -> bool:
        if self._exact:
            return converter(found) == self._chip and found.serial_number is not None
        return self._chip is not None and converter(found)[:2] == self._chip[:2]
