"""The gateway's one clock: seconds on the journal's scale, which goes on over restarts and never decreases."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path

from damas_board.sinks.journal import Journal

BOOT = Path("/proc/sys/kernel/random/boot_id")
"""Which start of this machine it is."""


class Clock:
    """Loop time mapped to the scale of `at`. `speed` makes it run faster than time (for boards in software).

    It goes on by the machine's own count of seconds since it was started, so that a wall clock that is put forward or
    back in between changes nothing. Behind a new start of the machine it begins where wall time is on the journal's
    scale, or at the journal's last time if the wall clock was put back.
    """

    def __init__(self, journal: Journal, speed: float = 1.0) -> None:
        self._loop = asyncio.get_running_loop()
        self._speed = speed
        self._began = self._loop.time()
        passed = (datetime.now(UTC) - journal.wall(0.0)).total_seconds()
        boot, seconds = _since_boot()
        run = boot if speed == 1.0 else f"{boot}*{speed:g}"
        known, _, zero = (journal.anchor or "").rpartition(" ")
        if boot and known == run:
            passed = seconds * speed - float(zero)
        self._base = max(journal.last_at, passed, 0.0)
        if boot:
            journal.set_anchor(f"{run} {seconds * speed - self._base:.3f}")

    def now(self) -> float:
        """The time now, to the millisecond."""
        return round(self._base + (self._loop.time() - self._began) * self._speed, 3)

    def seconds_until(self, at: float) -> float:
        """Real seconds until `at`; 0 where it has passed."""
        return max(0.0, (at - self.now()) / self._speed)


def _since_boot() -> tuple[str, float]:
    """The name of this start of the machine and the seconds since; no name where the system tells none."""
    try:
        return BOOT.read_text("ascii").strip(), time.clock_gettime(time.CLOCK_BOOTTIME)
    except (OSError, AttributeError):  # not Linux: the wall clock has to do
        return "", 0.0
