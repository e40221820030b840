"""The last readings, and what they would have been without a bounce.

A square that flickers for a moment can hide the one reading in which a move was complete and the next player had not
yet begun. When a square is back within the touch time, what it said meanwhile may have been a bounce; the readings
since then are given again as they would have been without it. It may also have been a piece, since fast players leave
one for less than that. So each bounce is taken out both alone and together with those before it.
"""

from __future__ import annotations

from typing import NamedTuple

from damas_board.tracking.sight import Sight


class Reading(NamedTuple):
    at: float
    sight: Sight


class Readings:
    """Readings of the last `window` seconds."""

    def __init__(self, window: float) -> None:
        self.window = window
        self._raw: list[Reading] = []
        self._smooth: list[Reading] = []
        """The same without any bounce that is known so far."""

    def add(self, at: float, sight: Sight) -> None:
        oldest = at - self.window
        while self._raw and self._raw[0].at < oldest:
            del self._raw[0], self._smooth[0]
        self._raw.append(Reading(at, sight))
        self._smooth.append(Reading(at, sight))

    def without_bounce(self, square: int, since: float, now: Sight) -> list[Reading]:
        """The readings from `since` on with `square` as it is now: without this bounce, and without any."""
        bit = 1 << square
        alone = []
        for index, (raw, smooth) in enumerate(zip(self._raw, self._smooth, strict=True)):
            if raw.at >= since:
                alone.append(Reading(raw.at, _with(raw.sight, now, bit)))
                self._smooth[index] = Reading(raw.at, _with(smooth.sight, now, bit))
        return alone + [reading for reading in self._smooth if reading.at >= since and reading not in alone]

    def forget(self) -> None:
        self._raw.clear()
        self._smooth.clear()


def _with(sight: Sight, now: Sight, bit: int) -> Sight:
    return Sight(*(old & ~bit | new & bit for old, new in zip(sight, now, strict=True)))
