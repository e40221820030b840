"""The last readings, and what they would have been without a bounce.

A square that flickers for a moment can hide the one reading in which a move was complete and the next player had not
yet begun. When a square is back within the touch time, what it said meanwhile was a bounce; the readings since then
are given again as they would have been without it.
"""

from __future__ import annotations

from typing import NamedTuple

from damas_board.tracking.sight import Sight


class Reading(NamedTuple):
    at: float
    sight: Sight


class Readings:
    """Readings of the last `window` seconds, bounces taken out as they become known."""

    def __init__(self, window: float) -> None:
        self.window = window
        self._kept: list[Reading] = []

    def add(self, at: float, sight: Sight) -> None:
        oldest = at - self.window
        while self._kept and self._kept[0].at < oldest:
            del self._kept[0]
        self._kept.append(Reading(at, sight))

    def without_bounce(self, square: int, since: float, now: Sight) -> list[Reading]:
        """The readings from `since` on with `square` as it is now; they are kept in that form."""
        bit = 1 << square
        changed = []
        for index, reading in enumerate(self._kept):
            if reading.at >= since:
                sight = Sight(*(old & ~bit | new & bit for old, new in zip(reading.sight, now, strict=True)))
                self._kept[index] = Reading(reading.at, sight)
                changed.append(self._kept[index])
        return changed

    def forget(self) -> None:
        self._kept.clear()
