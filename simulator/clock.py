"""Clocks of the simulation: one that can run faster than time, and one that goes only where it is sent."""

from __future__ import annotations

import asyncio
import heapq
import time
from typing import Protocol

_SETTLING_TURNS = 50
"""Turns of the event loop that tasks get to reach their next sleep."""


class Clock(Protocol):
    def now(self) -> float:
        """Seconds, never going back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return once `seconds` of this clock have gone by."""
        ...


class RunningClock:
    """Runs `speed` times as fast as time; begins at 0."""

    def __init__(self, speed: float = 1.0) -> None:
        if not speed > 0:
            raise ValueError(f"speed must be greater than 0, not {speed}")
        self.speed = speed
        self._began = time.monotonic()

    def now(self) -> float:
        return (time.monotonic() - self._began) * self.speed

    def real_seconds(self, seconds: float) -> float:
        """How long `seconds` of this clock take."""
        return seconds / self.speed

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(self.real_seconds(seconds))


class VirtualClock:
    """Stands still until it is sent forward: whoever sleeps wakes at exactly the due time, and nobody waits."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def now(self) -> float:
        return self._now

    def set(self, at: float) -> None:
        """Go to `at` without waking anybody; for code that does not sleep."""
        if at < self._now:
            raise ValueError(f"the clock is at {self._now} and does not go back to {at}")
        self._now = at

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (self._now + max(seconds, 0.0), self._count, woken))
        await woken

    async def run(self, until: float) -> None:
        """Wake sleepers in the order of their times up to `until`, which is `now` afterwards."""
        await self._settle()
        while self._sleepers and self._sleepers[0][0] <= until:
            at, _, woken = heapq.heappop(self._sleepers)
            self._now = max(self._now, at)
            if not woken.done():
                woken.set_result(None)
            await self._settle()
        self._now = max(self._now, until)

    async def run_while(self, task: asyncio.Task[object]) -> None:
        """Wake sleepers until `task` is done. RuntimeError if it waits for something other than this clock."""
        await self._settle()
        while not task.done():
            if not self._sleepers:
                raise RuntimeError("the task waits, but not for this clock")
            await self.run(self._sleepers[0][0])

    async def _settle(self) -> None:
        for _ in range(_SETTLING_TURNS):
            await asyncio.sleep(0)
