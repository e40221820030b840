"""How the four squares around each crossing of a board's lines differ: cheap to ask of every picture.

At a crossing inside the board light and dark lie diagonally opposite; at its outer edge only one half does; beyond
there is nothing of the kind. So the crossings tell which of several lattices, each a square aside of the other, is the
board, and where something lies over the lines. Levels are logarithms: a shadow or a lamp makes no difference.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture, Plane

BEYOND: Final = 2
"""How many crossings outside the board are looked at, on each side."""
_OFF: Final = 0.13
"""How far from a crossing its four squares are sampled, cells: men that stand in their squares do not reach it."""
_BEYOND_SHOWS: Final = 0.6
"""The contrast, as a part of the usual one, that crossings beyond the grid have where the board lies there."""
_LARGER_SHOWS: Final = 0.35
"""The same, of a whole line of them, which are half as strong at a board's edge."""
_FLOOR: Final = 4.0
"""Levels that are noise in a dark picture."""
_LOGS: Final = (np.log1p(np.arange(256) / _FLOOR) / np.log1p(255 / _FLOOR) * 255).astype(np.uint8)
_PLANES: Final = ("grey", "red", "green")


class Shift(NamedTuple):
    """By how many squares, along and down the picture, the board lies aside of a grid, and how clear that is.

    `margin` is how much better that explains the crossings than any other does, 0 to 1.
    """

    along: int
    down: int
    margin: float


class Crossings:
    """Samples the crossings of one grid; levels are those of `levels`."""

    def __init__(self, grid: Grid) -> None:
        lines = np.arange(-BEYOND, grid.size + BEYOND + 1, dtype=np.float64)
        crossings = np.stack(np.meshgrid(lines, lines), axis=-1)
        corners = np.array([[-_OFF, -_OFF], [_OFF, -_OFF], [-_OFF, _OFF], [_OFF, _OFF]])
        points = grid.pixels(crossings[:, :, np.newaxis, :] + corners).astype(np.float32)
        self._points = points
        # One plane each: OpenCV 5.0 samples pictures of one channel wrongly by maps of two.
        self._across, self._down = (np.ascontiguousarray(points[..., i].reshape(len(lines), -1)) for i in (0, 1))
        self._sign = np.where((lines[:, np.newaxis] + lines).astype(np.int64) % 2, -1.0, 1.0)
        self._size = grid.size

    def contrasts(self, levels: Plane) -> NDArray[np.float64]:
        """(size + 5) x (size + 5): the signed contrast at each crossing, two outside the board to each side.

        Inside it is the same everywhere, where nothing lies over the lines; positive where the first square's diagonal
        is the light one. NaN outside the picture.
        """
        count = len(self._sign)
        sampled = cv2.remap(levels, self._across, self._down, cv2.INTER_LINEAR)
        at = np.asarray(sampled, dtype=np.float64).reshape(count, count, 4)
        height, width = levels.shape
        inside = ((self._points >= 0) & (self._points <= (width - 1, height - 1))).all(axis=(2, 3))
        contrasts: NDArray[np.float64] = (at[..., 0] + at[..., 3] - at[..., 1] - at[..., 2]) * self._sign / 2
        contrasts[~inside] = np.nan
        return contrasts

    def inner(self, contrasts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Those of the crossings inside the board, (size - 1) x (size - 1)."""
        first, last = BEYOND + 1, BEYOND + self._size
        return contrasts[first:last, first:last]

    def shift(self, contrasts: NDArray[np.float64]) -> Shift:
        """Where the board lies, as its outer edges tell, at most two squares to each side."""
        usual = self.usual(contrasts)
        if usual <= 0:
            return Shift(0, 0, 0.0)
        known = ~np.isnan(contrasts)
        relative = np.clip(np.nan_to_num(contrasts) / usual, -1.5, 1.5)
        boards = _boards(self._size)
        weights = known / known.sum()
        misfits = np.minimum(
            (((boards - relative) ** 2) * weights).sum(axis=(1, 2)),
            (((boards + relative) ** 2) * weights).sum(axis=(1, 2)),
        )
        best = int(misfits.argmin())
        # A board that lies aside shows where the grid has none; what only hides this side of it does not.
        beyond = (boards[best] == 1) & (boards[len(boards) // 2] < 1) & known
        if beyond.any() and np.abs(relative[beyond]).mean() < _BEYOND_SHOWS:
            return Shift(0, 0, 0.0)
        next_best = float(np.delete(misfits, best).min())
        down, along = divmod(best, 2 * BEYOND + 1)
        return Shift(along - BEYOND, down - BEYOND, 1 - float(misfits[best]) / max(next_best, 1e-9))

    def larger(self, contrasts: NDArray[np.float64]) -> bool:
        """Whether the board goes on beyond an edge of the grid, and is at the opposite edge all the same."""
        usual = self.usual(contrasts)
        if usual <= 0:
            return False
        along, last = slice(BEYOND + 1, BEYOND + self._size), BEYOND + self._size
        sign = np.sign(np.nanmedian(self.inner(contrasts)))
        for lines in (contrasts[:, along], contrasts[along].T):
            shows = np.clip(np.nan_to_num(lines) * sign / usual, -1.0, 1.0).mean(axis=1) > _LARGER_SHOWS
            if (shows[BEYOND] and shows[last + 1]) or (shows[BEYOND - 1] and shows[last]):
                return True
        return False

    def usual(self, contrasts: NDArray[np.float64]) -> float:
        """The contrast of most crossings inside the board, without its sign; 0 where nothing is known."""
        inner = self.inner(contrasts)
        return abs(float(np.nanmedian(inner))) if not np.isnan(inner).all() else 0.0


def levels(picture: Picture, plane: str, factor: float) -> Plane:
    """The logarithms of one of `PLANES` of a picture, `factor` times as large."""
    small = picture
    if factor < 1:
        small = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    if plane == "grey":
        small = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    else:
        small = np.asarray(cv2.extractChannel(small, {"red": 2, "green": 1}[plane]), dtype=np.uint8)
    return np.asarray(cv2.LUT(small, _LOGS), dtype=np.uint8)


def best_plane(picture: Picture, grid: Grid, factor: float) -> str:
    """Which of the planes shows the squares of a board best; red and green squares may be equally grey."""
    crossings = Crossings(grid.scaled(factor))
    strengths = {}
    for plane in _PLANES:
        strengths[plane] = crossings.usual(crossings.contrasts(levels(picture, plane, factor)))
    best = max(strengths, key=lambda plane: strengths[plane])
    return best if strengths[best] > 1.5 * strengths["grey"] else "grey"


@cache
def _boards(size: int) -> NDArray[np.float64]:
    """The contrasts of clean boards, 1 inside, a half at the edges; one for each shift, down first, then along."""
    lines = np.arange(-BEYOND, size + BEYOND + 1)
    at = lines - np.arange(-BEYOND, BEYOND + 1)[:, np.newaxis]
    profiles = np.where((at == 0) | (at == size), 0.5, np.where((at > 0) & (at < size), 1.0, 0.0))
    boards = profiles[:, np.newaxis, :, np.newaxis] * profiles[np.newaxis, :, np.newaxis, :]
    return np.ascontiguousarray(boards.reshape(-1, len(lines), len(lines)))
