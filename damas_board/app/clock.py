"""The gateway's one clock: seconds on the journal's scale, which goes on over restarts and never decreases."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from damas_board.sinks.journal import Journal


class Clock:
    """Loop time mapped to the scale of `at`. `speed` makes it run faster than time (for boards in software).

    It starts where wall time is on the journal's scale, or at the journal's last time if the wall clock was put back.
    """

    def __init__(self, journal: Journal, speed: float = 1.0) -> None:
        self._loop = asyncio.get_running_loop()
        self._speed = speed
        self._began = self._loop.time()
        wall = (datetime.now(UTC) - journal.wall(0.0)).total_seconds()
        self._base = max(journal.last_at, wall, 0.0)

    def now(self) -> float:
        """The time now, to the millisecond."""
        return round(self._base + (self._loop.time() - self._began) * self._speed, 3)

    def seconds_until(self, at: float) -> float:
        """Real seconds until `at`; 0 where it has passed."""
        return max(0.0, (at - self.now()) / self._speed)
