"""Doubtful squares: what the readings make likely there, and what of it counts as read.

A camera that is not sure of a square says how likely each mark is. The frames of a board that nobody touches share
their light, their pieces and whatever misleads the camera: a hundred of them say no more than one does, only with less
noise. So the readings of the last `WINDOW_SECONDS` since the board last changed are averaged (the mean of the
logarithms), never multiplied. What is then less likely than the likeliest by `CERTAIN` counts as ruled out, and a
square of which only 'empty', or only pieces, are left counts as read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from math import inf, isfinite, log
from typing import NamedTuple

from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.tracking.sight import MARKS, Sight, SightError

WINDOW_SECONDS = 1.0
"""Readings older than this do not count, nor any from before the board changed."""
CERTAIN = 300.0
"""So many times less likely than what is likeliest is out of the question: a square that is in doubt only so much was
read. A player may be accused by it, so it is well beyond what a move is accepted for."""
LEAST = log(1 / 1000)
"""No single reading makes anything less likely than this."""


class Likelihood(NamedTuple):
    """Of one square, natural logarithms; that of the likeliest is 0."""

    empty: float
    white: float
    black: float

    def of(self, position: Position, square: int) -> float:
        """Of what `position` has on `square`."""
        if position.white >> square & 1:
            return self.white
        return self.black if position.black >> square & 1 else self.empty

    @property
    def uncertain(self) -> bool:
        """Whether neither 'empty' nor all pieces are out of the question."""
        least = -log(CERTAIN)
        return self.empty > least and max(self.white, self.black) > least


Likelihoods = Mapping[int, Likelihood]
"""By square."""


def likelihood_of(marks: Mapping[str, float]) -> Likelihood:
    """From likelihoods by mark, on any scale; a crown is no matter, `o` may be of either colour, `?` says nothing.

    SightError for an unknown mark, and for what is no likelihood.
    """
    for mark, likelihood in marks.items():
        if len(mark) != 1 or mark not in MARKS or not isfinite(likelihood) or likelihood < 0:
            raise SightError(f"{likelihood!r} is no likelihood of {mark!r}; marks: {' '.join(MARKS)}")
    piece = marks.get("o", 0.0)
    found = (
        marks.get(".", 0.0),
        marks.get("w", 0.0) + marks.get("W", 0.0) + piece,
        marks.get("b", 0.0) + marks.get("B", 0.0) + piece,
    )
    return _scaled(log(one) if one else -inf for one in found)


def product(one: Likelihood, other: Likelihood) -> Likelihood:
    """Of two sources that err independently."""
    return _scaled(a + b for a, b in zip(one, other, strict=True))


def _scaled(logs: Iterable[float]) -> Likelihood:
    """With the likeliest at 0 and none below `LEAST`; where nothing is likely, all is equally so."""
    found = tuple(logs)
    most = max(found)
    return Likelihood(*(max(one - most, LEAST) if most > -inf else 0.0 for one in found))


class Doubts:
    """What one source says of the squares that it doubts."""

    def __init__(self) -> None:
        self.now: dict[int, Likelihood] = {}
        """Of each doubtful square, over the readings that count."""
        self._said: dict[int, deque[tuple[float, Likelihood]]] = {}

    def see(self, doubt: Likelihoods, covered: int, at: float) -> None:
        """A reading at `at`. Of the squares `covered`, which it says nothing of, the last word stands."""
        self._said = {s: said for s, said in self._said.items() if s in doubt or covered >> s & 1}
        for square, likelihood in doubt.items():
            said = self._said.setdefault(square, deque())
            said.append((at, likelihood))
            while said[0][0] < at - WINDOW_SECONDS:
                said.popleft()
        self._combine()

    def changed(self) -> None:
        """The board has just changed: only the last reading counts."""
        for said in self._said.values():
            last = said.pop()
            said.clear()
            said.append(last)
        self._combine()

    def forget(self) -> None:
        self._said.clear()
        self.now = {}

    def _combine(self) -> None:
        self.now = {square: _mean([one for _, one in said]) for square, said in self._said.items()}


def _mean(said: list[Likelihood]) -> Likelihood:
    return said[0] if len(said) == 1 else _scaled(sum(one) / len(said) for one in zip(*said, strict=True))


def uncertain(doubts: Likelihoods) -> int:
    """The squares that are not read."""
    return sum(1 << square for square, likelihood in doubts.items() if likelihood.uncertain)


def doubted(sight: Sight, doubts: Likelihoods) -> Sight:
    """`sight` with the squares in doubt as far as something is out of the question there, and else unread."""
    not_white, not_black, not_empty, known = sight
    least = -log(CERTAIN)
    for square, likelihood in doubts.items():
        bit = 1 << square
        not_white = not_white & ~bit | (bit if likelihood.white <= least else 0)
        not_black = not_black & ~bit | (bit if likelihood.black <= least else 0)
        not_empty = not_empty & ~bit | (bit if likelihood.empty <= least else 0)
        known = known & ~bit | (0 if likelihood.uncertain else bit)
    return Sight(not_white, not_black, not_empty, known)


def weight(position: Position, doubts: Likelihoods, squares: int = -1) -> float:
    """The logarithm of how likely `position` is by those of `squares` that are in doubt, beside what is likeliest."""
    return sum(likelihood.of(position, square) for square, likelihood in doubts.items() if squares >> square & 1)


def without_squares(doubts: Likelihoods, squares: int) -> dict[int, Likelihood]:
    """Without the set `squares`."""
    gone = set(squares_of(squares))
    return {square: likelihood for square, likelihood in doubts.items() if square not in gone}
