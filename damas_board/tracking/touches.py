"""Lifts and placements: when each square last changed, and which changes lasted longer than a bounce."""

from __future__ import annotations

from typing import NamedTuple

from damas_board.rules.geometry import squares_of


class Touch(NamedTuple):
    """A square that has been empty (`lifted`) or occupied for the touch time since `since`."""

    square: int
    lifted: bool
    since: float
    due: float


class Handled(NamedTuple):
    """A change of one square, bounces included, when the board saw it."""

    at: float
    square: int
    lifted: bool


class Touches:
    """Follows the occupied squares of one board; times are those of the readings, seconds."""

    def __init__(self, touch_seconds: float) -> None:
        self.touch_seconds = touch_seconds
        self.steady = 0
        """Squares that are occupied, changes shorter than the touch time left out."""
        self.occupied = 0
        self._pending: dict[int, tuple[float, float]] = {}
        self.handled: list[Handled] = []
        """Every change since `forget`, in the order of time."""
        self.came_down: dict[int, float] = {}
        """When the piece on each square came down, as far as that was seen."""

    @property
    def deadline(self) -> float | None:
        return min((due for due, _ in self._pending.values()), default=None)

    def start(self, occupied: int) -> None:
        """Takes a board as it stands: nothing was touched."""
        self.steady = self.occupied = occupied
        self._pending.clear()

    def see(self, occupied: int, at: float, was: float) -> None:
        """A reading at `at` of what the board saw at `was`."""
        changed = occupied ^ self.occupied
        for square in squares_of(changed):
            lifted = not occupied >> square & 1
            self.handled.append(Handled(was, square, lifted))
            if not lifted:
                self.came_down[square] = was
            if (occupied ^ self.steady) >> square & 1:
                self._pending[square] = (at + self.touch_seconds, was)
            else:
                self._pending.pop(square, None)
        self.occupied = occupied

    def due(self, at: float) -> list[Touch]:
        """The touches that have lasted long enough at `at`, in the order of their squares."""
        found = []
        for square in sorted(self._pending):
            due, since = self._pending[square]
            if due <= at:
                del self._pending[square]
                self.steady ^= 1 << square
                found.append(Touch(square, not self.steady >> square & 1, since, due))
        return found

    def forget(self) -> None:
        """Drops the evidence: a move has been recorded."""
        self.handled.clear()

    @property
    def placements(self) -> list[Handled]:
        return [touch for touch in self.handled if not touch.lifted]
