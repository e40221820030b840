"""How long the board has been still: what falls due when nothing changes."""

from __future__ import annotations

from typing import Literal

from damas_board.session.header import Settings

Due = Literal["settled", "rested", "mismatch"]
ORDER: tuple[Due, ...] = ("settled", "rested", "mismatch")


class Stillness:
    """Three times after the last change of the board, seconds: settled, rested, and too long for a mismatch."""

    def __init__(self, settings: Settings) -> None:
        self._after: dict[Due, float] = {
            "settled": settings.settle_seconds,
            "rested": settings.rest_seconds,
            "mismatch": settings.mismatch_seconds,
        }
        self._due: dict[Due, float] = {}

    @property
    def deadline(self) -> float | None:
        return min(self._due.values(), default=None)

    def begin(self, at: float) -> None:
        """The board changed at `at`, or has to be looked at anew: all three begin again."""
        self._due = {what: round(at + after, 6) for what, after in self._after.items()}

    def begin_rest(self, at: float) -> None:
        """What is not due any more is due anew, counted from `at`; what still is due stays."""
        self._due = {what: round(at + after, 6) for what, after in self._after.items()} | self._due

    def kept(self) -> dict[Due, float]:
        """What is due, to be taken up again if a change takes itself back."""
        return dict(self._due)

    def go_on(self, due: dict[Due, float], at: float) -> None:
        """At `at` the board is again as it was when that was due: what has fallen due meanwhile is due now."""
        self._due = {what: max(when, at) for what, when in due.items()}

    def stop(self) -> None:
        """Nothing is waited for."""
        self._due.clear()

    def take(self, at: float) -> list[Due]:
        """What is due at `at`, in order; each is told once."""
        due = [what for what in ORDER if what in self._due and self._due[what] <= at]
        for what in due:
            del self._due[what]
        return due
