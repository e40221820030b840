"""Squares whose sensor cannot be relied on: they flicker, or say something else than an otherwise agreed board.

A suspect square counts as unread until it has agreed for a while. One that the board itself calls unstable may have
been moved to or from meanwhile; but a reed that has stuck is still as well, so what contradicts the record has to be
explained by what other squares have shown. What tells a flickering sensor from a hand: nobody lifts a piece and puts it
back within the touch time again and again. Contacts that bounce toggle too, but for less than `CONTACT_SECONDS` each
time.
"""

from __future__ import annotations

from collections import deque

from damas_board.rules.geometry import squares_of
from damas_board.tracking.sight import Sight, without

CONTACT_SECONDS = 0.025
"""A toggle shorter than this is a contact that bounces."""
FLICKERS = 5
"""So many toggles in `WINDOW_SECONDS` are a sensor that flickers."""
WINDOW_SECONDS = 3.0
TRUST_SECONDS = 5.0
"""So long a suspect square has to agree before it is read again."""
STILL_SECONDS = 1.0
"""So long one that the board itself called unstable has to be still, and agree."""


class Suspects:
    """Which squares are not read, and since when they agree; `masked` are those that the arbiter took out."""

    def __init__(self) -> None:
        self.mask = 0
        self.masked = 0
        self.told: set[tuple[int, str | None]] = set()
        """Squares of which it was told that they are suspect, and why."""
        self._toggles: dict[int, deque[float]] = {}
        self._agrees: dict[int, float] = {}
        self._unstable = 0
        """Those of `mask` that are so only because the board itself called them unstable,"""
        self._still: dict[int, float] = {}
        """and since when it does not any more, and they say what they say."""
        self._at_odds = 0
        """Those of them that are known to contradict the record."""

    @property
    def unread(self) -> int:
        return self.mask | self.masked

    @property
    def deadline(self) -> float | None:
        """When the next suspect square has agreed for long enough."""
        times = [self._due(square) for square in self._agrees]
        times += [round(since + STILL_SECONDS, 6) for square, since in self._still.items() if self._undecided(square)]
        return min(times, default=None)

    def _due(self, square: int) -> float:
        """When the square has agreed for long enough."""
        seconds = STILL_SECONDS if self._unstable >> square & 1 else TRUST_SECONDS
        return round(self._agrees[square] + seconds, 6)

    def _undecided(self, square: int) -> bool:
        return square not in self._agrees and not self._at_odds >> square & 1

    def toggled(self, square: int, lasted: float, at: float) -> bool:
        """A change of `square` that took back itself after `lasted` seconds; whether it flickers now."""
        if lasted < CONTACT_SECONDS or self.mask >> square & 1:
            return False
        toggles = self._toggles.setdefault(square, deque(maxlen=FLICKERS))
        toggles.append(at)
        return len(toggles) == FLICKERS and toggles[0] >= at - WINDOW_SECONDS

    def suspect(self, square: int, reason: str | None = None) -> bool:
        """Takes `square` out; whether that is the first time, or the first time that a reason is known."""
        self.mask |= 1 << square
        self._toggles.pop(square, None)
        first = (square, reason) not in self.told
        self.told |= {(square, reason), (square, None)}
        return first

    def called_unstable(self, squares: int, at: float) -> None:
        """At `at` the board calls the sensors of `squares` unstable, and no others."""
        self._unstable |= squares & ~self.mask
        for square in squares_of(self._unstable):
            if squares >> square & 1:
                self._still.pop(square, None)
                self._at_odds &= ~(1 << square)
            else:
                self._still.setdefault(square, at)

    def compare(self, off: int, changed: int, at: float) -> None:
        """At `at` the squares `off` say something else than the record; those of `changed` have just changed."""
        for square in squares_of(self.mask):
            bit = 1 << square
            if changed & bit and square in self._still:
                self._still[square] = at
                self._at_odds &= ~bit
            if off & bit:
                self._agrees.pop(square, None)
            elif changed & bit or square not in self._agrees:
                self._agrees[square] = at

    def wait(self) -> None:
        """Nothing is seen for now: how long squares have agreed is counted anew."""
        self._agrees.clear()
        self._still.clear()
        self._at_odds = 0

    def trusted(self, at: float) -> list[int]:
        """The squares that have agreed for long enough at `at`: they are read again."""
        found = sorted(square for square in self._agrees if self._due(square) <= at)
        for square in found:
            self._forget(square)
        return found

    def at_odds(self, at: float) -> list[tuple[int, float]]:
        """The squares that were unstable and contradict the record now that they have been still for long enough.

        With each, since when it says so. They stay suspect, and the deadline does not ask for them again.
        """
        found = [
            (square, since)
            for square, since in sorted(self._still.items())
            if square not in self._agrees and round(since + STILL_SECONDS, 6) <= at
        ]
        self._at_odds |= sum(1 << square for square, _ in found)
        return found

    def explained(self, square: int) -> None:
        """What it says, contrary to the record, is what a move has made of it: it is read again."""
        self._forget(square)

    def trust(self, square: int) -> None:
        """The arbiter relies on it again."""
        self._forget(square)
        self.masked &= ~(1 << square)

    def _forget(self, square: int) -> None:
        self._agrees.pop(square, None)
        self._still.pop(square, None)
        self.mask &= ~(1 << square)
        self._unstable &= ~(1 << square)
        self._at_odds &= ~(1 << square)

    def through(self, sight: Sight) -> Sight:
        """The sight without what cannot be relied on."""
        return without(sight, self.unread)
