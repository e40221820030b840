"""The changes of the last seconds, as evidence."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from damas_board.rules.geometry import Geometry, squares_of

TRAIL_SECONDS = 20.0
MOST_CHANGES = 400
"""A square that flickers for a whole game does not push out everything else for longer than it takes to notice."""


class Trail:
    """Which squares became empty or occupied, and when the board saw it."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self._occupied = 0
        self._changes: deque[tuple[float, str]] = deque(maxlen=MOST_CHANGES)

    def see(self, occupied: int, at: float) -> None:
        for square in squares_of(occupied ^ self._occupied):
            sign = "+" if occupied >> square & 1 else "-"
            self._changes.append((at, sign + self.geometry.name(square)))
        self._occupied = occupied
        while self._changes and self._changes[0][0] < at - TRAIL_SECONDS:
            self._changes.popleft()

    def start(self, occupied: int) -> None:
        """Takes a board as it stands: nothing changed."""
        self._occupied = occupied

    def clear(self) -> None:
        """What has changed so far is no evidence of anything."""
        self._changes.clear()

    def evidence(self, at: float) -> Mapping[str, Any]:
        """What an alert at `at` carries; `from` is the first change that it has."""
        trail = [[when, what] for when, what in self._changes if when >= at - TRAIL_SECONDS]
        return {"from": trail[0][0] if trail else at, "to": at, "trail": trail}
