"""Lifts and placements: when each square last changed, and which changes lasted longer than a bounce."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from damas_board.rules.geometry import squares_of

NOT_HIDDEN: Mapping[int, float] = {}
OVERLAP = 0.1
"""A piece that is dragged may be read on both squares for so long, seconds."""


def slack(overlap_seconds: float) -> float:
    """Of changes that lie closer together it is not known which came first: a board that scans slowly mixes them."""
    return max(overlap_seconds - OVERLAP, 0.0)


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
    hidden: float | None = None
    """It may have happened earlier: the square could not be read from then on."""


class Bounce(NamedTuple):
    """A square that is again as it was before `since`, within the touch time."""

    square: int
    since: float
    lasted: float
    """How long it was otherwise, by the board's own time."""


class _Pending(NamedTuple):
    due: float
    since: float
    at: float
    came_down: float | None


class Touches:
    """Follows the occupied squares of one board; times are those of the readings, seconds."""

    def __init__(self, touch_seconds: float, overlap_seconds: float = OVERLAP) -> None:
        """`overlap_seconds`: a piece on its way may be read on both squares for so long."""
        self.read_by(touch_seconds, overlap_seconds)
        self.steady = 0
        """Squares that are occupied, changes shorter than the touch time left out."""
        self.occupied = 0
        self._pending: dict[int, _Pending] = {}
        self.changed = 0
        """The squares that have changed since `forget`."""
        self.hidden = 0
        """The squares that could not be read at some time since `forget`, a hand above them or in doubt;"""
        self.doubted = 0
        """those that were in doubt,"""
        self.disputed = 0
        """and those on which several sources contradicted each other."""
        self.handled: list[Handled] = []
        """Every change since `forget`, in the order of time."""
        self.came_down: dict[int, float] = {}
        """When the piece on each square came down, as far as that was seen."""
        self.went_up: dict[int, float] = {}
        """When each square became empty, as far as that was seen."""

    def read_by(self, touch_seconds: float, overlap_seconds: float) -> None:
        """From now on by a board that reads its squares as these times say."""
        self.touch_seconds = touch_seconds
        self.overlap_seconds = overlap_seconds

    @property
    def deadline(self) -> float | None:
        return min((pending.due for pending in self._pending.values()), default=None)

    def start(self, occupied: int) -> None:
        """Takes a board as it stands: nothing was touched."""
        self.steady = self.occupied = occupied
        self._pending.clear()

    @property
    def slack(self) -> float:
        return slack(self.overlap_seconds)

    def see(self, occupied: int, at: float, was: float, hidden: Mapping[int, float] = NOT_HIDDEN) -> list[Bounce]:
        """A reading at `at` of what the board saw at `was`; returns the bounces that it ends.

        `hidden`: squares that could not be read until then, and since when. A piece may have left one of them at any
        time since, and may have come down on it as late as now.
        """
        bounces = []
        self.hidden |= sum(1 << square for square in hidden)
        for square in squares_of(occupied ^ self.occupied):
            lifted = not occupied >> square & 1
            self.changed |= 1 << square
            earliest = hidden.get(square, was)
            self.handled.append(Handled(was, square, lifted, hidden.get(square)))
            pending = self._pending.pop(square, None)
            if pending is not None:
                bounces.append(Bounce(square, pending.at, was - pending.since))
            else:
                pending = _Pending(round(at + self.touch_seconds, 6), was, at, self.came_down.get(square))
                self._pending[square] = pending
            if lifted:
                self.went_up[square] = pending.since if not self.steady >> square & 1 else earliest
            else:
                stood = pending.came_down if self.steady >> square & 1 else None
                self.came_down[square] = was if stood is None else stood
        self.occupied = occupied
        return bounces

    def due(self, at: float) -> list[Touch]:
        """The touches that have lasted long enough at `at`, in the order of their squares."""
        found = []
        for square in sorted(self._pending):
            pending = self._pending[square]
            if pending.due <= at:
                del self._pending[square]
                self.steady ^= 1 << square
                found.append(Touch(square, not self.steady >> square & 1, pending.since, pending.due))
        return found

    def correct(self, square: int, occupied: bool) -> None:
        """Takes the square as it stands: nothing was touched there."""
        bit = 1 << square
        self._pending.pop(square, None)
        self.steady = self.steady | bit if occupied else self.steady & ~bit
        self.occupied = self.occupied | bit if occupied else self.occupied & ~bit

    def last_change(self, besides: int) -> float | None:
        """When a square other than `besides` last changed, since `forget`."""
        return next((touch.at for touch in reversed(self.handled) if touch.square != besides), None)

    def changed_by(self, square: int, at: float) -> bool:
        """Whether the square is known to have become what it is at `at` or before."""
        changes = (self.came_down if self.occupied >> square & 1 else self.went_up).get(square)
        return changes is not None and changes <= at

    def drop(self) -> None:
        """Nothing is seen any more: changes that have not lasted long enough yet never will have."""
        self._pending.clear()

    def forget(self) -> None:
        """Drops the evidence: a move has been recorded."""
        self.handled.clear()
        self.changed = self.hidden = self.doubted = self.disputed = 0

    @property
    def placements(self) -> list[Handled]:
        return [touch for touch in self.handled if not touch.lifted]
