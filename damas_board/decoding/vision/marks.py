"""What is told of each square, from one reading to the next: nothing changes that only one picture shows.

A mark has to be read in two pictures, of which the last shows nothing moving on its square; beside a hand in three, and
until then the square is not known. What is covered becomes `?` after two, what is no longer certain after longer: its
likelihoods are merged over the pictures (their logarithms, a moving average), so that noise does not make a square
restless. A man that is lifted for a fifth of a second is told at twelve pictures a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.classes import MARKS
from damas_board.decoding.vision.reading import CERTAIN

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

_EMPTY, _DOUBTFUL, _HIDDEN, _UNKNOWN = 0, 3, 4, 5
_TEXT: Final = np.array([*MARKS, "?", "?", "?"])
_PICTURES: Final = np.array([2, 2, 2, 4, 2, 2])
"""In how many pictures what has to be seen, by state."""
_LASTS: Final = np.array([0.07, 0.07, 0.07, 0.3, 0.07, 0.07])
"""And for how long, seconds."""
_NEAR_PICTURES: Final = 3
_NEAR_LASTS: Final = 0.2
"""The same for marks beside a hand."""
_NEAR_PIECE_LASTS: Final = 0.8
"""For a piece that was not known to be there: fingers look like white men."""
_OLD: Final = 3.0
"""Seconds of doubt after which a square's likelihoods say less and less: what makes it doubtful is no move."""
_FLATTEST: Final = 0.25
_ODD: Final = 2
"""In so many pictures in a row a square beside a hand shows something else than what is told: it is not known."""
_RESTLESS: Final = 1.0
"""Seconds after which a square on which something moves all the time is taken for hidden."""
_NEWEST: Final = 0.3
"""How much the newest picture counts."""
_STAYS: Final = 0.8
"""A mark that was told stays while it is likelier than that."""
_LEAST: Final = 0.005
"""No picture says that something is less likely than that."""


class Marks:
    """The squares of one board, as seen in the picture; `playing`: those that are told of."""

    def __init__(self, playing: Mask) -> None:
        self._playing = playing
        shape = playing.shape
        self._told = np.full(shape, _UNKNOWN)
        self._next = np.full(shape, _UNKNOWN)
        self._count = np.zeros(shape, dtype=np.int64)
        self._since = np.zeros(shape)
        self._still_at = np.zeros(shape)
        self._odd = np.zeros(shape, dtype=np.int64)
        self._known = np.full(shape, _UNKNOWN)
        self._doubted = np.full(shape, np.inf)
        self._quiet = np.ones(shape, dtype=np.bool_)
        self._at = 0.0
        self._merged = np.zeros((*shape, 3))

    def look(self, at: float, likelihoods: Floats, hidden: Mask, moving: Mask, near: Mask) -> None:
        """Takes in one picture: what is likely, which squares are hidden, on which something moves or is near."""
        now = np.clip(likelihoods, _LEAST, 1.0)
        now /= now.sum(axis=2, keepdims=True)
        fresh = (self._merged.sum(axis=2) == 0) | (
            (now.argmax(axis=2) != self._merged.argmax(axis=2)) & (now.max(axis=2) >= CERTAIN)
        )
        with np.errstate(divide="ignore"):
            both = np.exp((1 - _NEWEST) * np.log(self._merged) + _NEWEST * np.log(now))
        both[fresh] = now[fresh]
        merged = both / both.sum(axis=2, keepdims=True)
        merged[hidden] = 0.0
        self._merged = merged

        self._still_at = np.where(moving & (self._still_at > 0), self._still_at, at)
        hidden = hidden | (at - self._still_at > _RESTLESS)
        best = merged.argmax(axis=2)
        state = np.where(merged.max(axis=2) >= np.where(best == self._told, _STAYS, CERTAIN), best, _DOUBTFUL)
        state[hidden] = _HIDDEN
        again = state == self._next
        self._count = np.where(again, self._count + 1, 1)
        self._since = np.where(again, self._since, at)
        self._next = state
        pictures, lasts = _PICTURES[state], _LASTS[state]
        careful = near & (state < _DOUBTFUL)
        new_piece = careful & (state != _EMPTY) & (state != self._known)
        pictures = np.where(careful, _NEAR_PICTURES, pictures)
        lasts = np.where(new_piece, _NEAR_PIECE_LASTS, np.where(careful, _NEAR_LASTS, lasts))
        sure = (self._count >= pictures) & (at - self._since >= lasts) & (~moving | hidden)
        told = np.where(sure, state, self._told)
        self._odd = np.where(state == told, 0, self._odd + 1)
        unclear = (self._odd >= _ODD) & (told < _DOUBTFUL) & (near | moving)
        told = np.where(unclear, _HIDDEN, told)
        self._doubted = np.where(told != _DOUBTFUL, np.inf, np.where(self._told == _DOUBTFUL, self._doubted, at))
        self._known = np.where(told < _DOUBTFUL, told, self._known)
        self._told, self._at, self._quiet = told, at, ~(near | moving)

    @property
    def complete(self) -> bool:
        """Whether something is known of every square, if only that it is hidden."""
        return bool((self._told[self._playing] != _UNKNOWN).all())

    @property
    def marks(self) -> NDArray[np.str_]:
        """size x size: the marks; `.` where nothing ever stands."""
        return np.where(self._playing, _TEXT[self._told], ".")

    @property
    def known(self) -> float:
        """Which part of the squares has a mark."""
        return float((self._told[self._playing] < _DOUBTFUL).mean())

    @property
    def doubt(self) -> Mapping[tuple[int, int], Mapping[str, float]]:
        """The likelihoods of the squares that are read, but not for certain, and beside which nothing moves."""
        found = {}
        for row, column in zip(*np.nonzero(self._playing & self._quiet & (self._told == _DOUBTFUL)), strict=True):
            likelihoods = self._merged[row, column]
            if likelihoods.sum() > 0:
                old = max(0.0, float(self._at - self._doubted[row, column]) - _OLD)
                likelihoods = likelihoods ** max(_FLATTEST, _OLD / (_OLD + old))
                shares = likelihoods / likelihoods.sum()
                found[int(row), int(column)] = {m: round(float(p), 3) for m, p in zip(MARKS, shares, strict=True)}
        return found
