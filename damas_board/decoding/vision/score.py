"""How sure it is that a grid lies on the squares of a board: whether light and dark alternate across its lines.

Across every line between two squares the brightness changes, and from one edge to the next the change turns its sign.
The sum of the changes, each with the sign that a chequered board gives it, is large where the grid lies on a board and
cancels out everywhere else: on stripes, on bricks, on dense noise, where sums without signs are as large as on boards.

The changes are taken of logarithms, so that neither the light's level nor a shadow matters, near the squares' corners,
where pieces do not stand, and each is cut off at the strength that the stronger ones have. Red and green squares may
be equally grey, so the channels are looked at as well and the clearest one counts.

A grid that lies on the board, but one square too far, has most of its edges right: that is only told by comparing it
with its neighbours (`Alternation.windows`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture, Points

ACCEPTED = 14.0
"""What a grid on a board scores at least; FULL is the most there is, anything else than a board scores some 3."""
FULL = 40.0
CHANNELS = 4
"""Grey, red, green, blue."""

_ALONG = np.array([0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
"""Where along an edge it is looked at: off its middle, which a piece beside it comes near to."""
_BESIDE = 0.14
"""How far beside the line, cells."""
_STRONG = 70
"""The percentile of all changes which is taken for the board's contrast."""
_FLOOR = 0.03
"""Contrast below which it is noise (natural logarithm of brightness)."""
_DARK = 6.0
"""Grey levels added to all, so that the noise of black is no contrast."""
_EDGE = 0.3
"""A board's edges alternate by more than that on average, hands and tall pieces over them included; others by less."""
_UNSEEN = 0.1
"""What an edge outside the picture speaks against a window: less than one that is seen not to alternate."""
_SEEN = 0.7
"""How much of a window must lie in the picture."""


class Window(NamedTuple):
    """So many squares a side, from that row and column of a grid on (negative: outside it)."""

    size: int
    row: int
    column: int
    score: float
    evidence: float
    """How many edges more alternate in it than do where no board is: by this, windows of any size can be compared.
    A board has some 0.5 an edge; a line of squares beside the board takes away from it, one outside the picture
    much less: where the picture ends, the board may go on."""
    seen: float
    """How much of it lies in the picture, 0 to 1."""

    @property
    def possible(self) -> bool:
        """Whether enough of it is seen to be taken for a board, and not only for what may be one instead."""
        return self.seen >= _SEEN


@dataclass(frozen=True, slots=True)
class Alternation:
    """The changes of brightness across a grid's lines and their continuations, chequered signs taken out."""

    first: int
    """The row and column of the grid that the arrays begin with."""
    across: NDArray[np.float64]
    """CHANNELS x rows x (columns - 1): between a square and its right neighbour, -1 to 1; NaN outside the picture."""
    down: NDArray[np.float64]
    """CHANNELS x (rows - 1) x columns: between a square and the one below it."""

    def windows(self, size: int) -> NDArray[np.float64]:
        """The scores of all windows of so many squares a side: CHANNELS x places x places, from `first` on."""
        across, down = np.nan_to_num(self.across), np.nan_to_num(self.down)
        total, seen = _sums(across, size, size - 1) + _sums(down, size - 1, size), self._seen(size)
        edges = 2 * size * (size - 1)
        return np.asarray(np.where(seen < _SEEN * edges, 0.0, FULL * np.abs(total) / (0.5 * seen + 0.5 * edges)))

    def best(self, size: int, many: int = 2) -> list[Window]:
        """The windows of that size with the most evidence, the best first."""
        if size > self.across.shape[1]:
            return []
        across = np.stack([_backed(sign * self.across, 1) for sign in (1, -1)])
        down = np.stack([_backed(sign * self.down, 2) for sign in (1, -1)])
        total = _sums(np.nan_to_num(across), size, size - 1) + _sums(np.nan_to_num(down), size - 1, size)
        seen = self._seen(size)
        edges = 2 * size * (size - 1)
        evidence = (total - _EDGE * seen - _UNSEEN * (edges - seen)).max(axis=(0, 1))
        scores = self.windows(size).max(axis=0)
        order = np.argsort(evidence, axis=None)[::-1][:many]
        places = [(int(row), int(column)) for row, column in zip(*np.unravel_index(order, evidence.shape), strict=True)]
        return [
            Window(
                size,
                row + self.first,
                column + self.first,
                float(scores[row, column]),
                float(evidence[row, column]),
                float(seen[row, column] / edges),
            )
            for row, column in places
        ]

    def _seen(self, size: int) -> NDArray[np.float64]:
        """How many edges of each window are in the picture: places x places."""
        across, down = (1.0 - np.isnan(changes[0]) for changes in (self.across, self.down))
        return _sums(across, size, size - 1) + _sums(down, size - 1, size)


def score(picture: Picture, grid: Grid) -> float:
    """How surely the grid lies on a board: 25 to 40 on boards, at least ACCEPTED; mostly below 3 on anything else."""
    return float(alternation(picture, grid).windows(grid.size).max())


def channel(picture: Picture, grid: Grid) -> int:
    """In which channel the board shows best: 0 grey, 1 red, 2 green, 3 blue."""
    return int(alternation(picture, grid).windows(grid.size).ravel().argmax())


def alternation(picture: Picture, grid: Grid, margin: int = 0) -> Alternation:
    """What changes across the lines of a grid, and across what they would be up to `margin` squares outside it."""
    n = grid.size + 2 * margin
    places = _places(n) - margin
    values = logarithms(picture, grid.pixels(places))
    values[:, _behind(grid, places)] = np.nan
    changes = values[:, :, :, :, 1] - values[:, :, :, :, 0]
    inside = np.abs(changes[:, :, margin : n - margin, margin : n - margin - 1]).reshape(CHANNELS, -1)
    inside = inside[:, ~np.isnan(inside[0])]
    strong = np.percentile(inside, _STRONG, axis=1) if inside.size else np.ones(CHANNELS)
    changes = np.clip(changes / np.maximum(strong, _FLOOR)[:, None, None, None, None], -1, 1).mean(axis=-1)
    row, column = np.indices((n, n - 1))
    changes *= 1 - 2 * ((row + column) % 2)
    return Alternation(-margin, changes[:, 0], changes[:, 1].swapaxes(1, 2))


def shifted(picture: Picture, grid: Grid, margin: int = 2) -> tuple[int, int]:
    """By how many rows and columns, at most `margin`, the board lies beside the grid; (0, 0): under it, or nowhere."""
    windows = alternation(picture, grid, margin).best(grid.size, 1)
    return (windows[0].row, windows[0].column) if windows and windows[0].possible else (0, 0)


def logarithms(picture: Picture, pixels: Points) -> NDArray[np.float64]:
    """CHANNELS x points: the brightness at points (... x 2) of a picture; NaN outside it."""
    height, width = picture.shape[:2]
    outside = ~np.all((pixels >= 0) & (pixels <= (width - 1, height - 1)), axis=-1)
    where = np.where(outside[..., None], 0, pixels).astype(np.float32).reshape(-1, pixels.shape[-2], 2)
    x, y = np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1])
    colours = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR), dtype=np.float64)
    blue, green, red = np.moveaxis(colours, -1, 0).reshape(3, *outside.shape)
    values = np.log(np.stack([0.114 * blue + 0.587 * green + 0.299 * red, red, green, blue]) + _DARK)
    values[:, outside] = np.nan
    return np.asarray(values, dtype=np.float64)


@cache
def _places(n: int) -> NDArray[np.float64]:
    """2 x n x (n - 1) x 2 x places x 2: where to look on both sides of the edges across, then of those down."""
    line, edge = np.arange(1, n), np.arange(n)
    across = np.empty((n, n - 1, 2, len(_ALONG), 2))
    across[..., 0] = line[None, :, None, None] + np.array([-_BESIDE, _BESIDE])[:, None]
    across[..., 1] = edge[:, None, None, None] + _ALONG
    places = np.stack([across, across[..., ::-1]])
    places.flags.writeable = False
    return places


def _behind(grid: Grid, cells: Points) -> NDArray[np.bool_]:
    """Which points of the board's plane lie behind the camera."""
    third = grid.homography[2]
    depth = cells @ third[:2] + third[2]
    middle = third[:2].sum() * grid.size / 2 + third[2]
    return np.asarray(depth * middle <= 0.05 * middle * middle)


def _backed(changes: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Changes, none larger than the larger one of its two neighbours along the line that they are across.

    Along the outer edge of a board every other square differs from what is beside it, which is no alternation.
    """
    padding = [(0, 0), (0, 0), (0, 0)]
    padding[axis] = (1, 1)
    wide = np.pad(changes, padding, constant_values=np.nan)
    n = changes.shape[axis]
    backing = np.fmax(wide.take(range(n), axis), wide.take(range(2, n + 2), axis))
    return np.asarray(np.where(np.isnan(backing), changes, np.minimum(changes, backing)))


def _sums(values: NDArray[np.float64], height: int, width: int) -> NDArray[np.float64]:
    """Of ... x rows x columns, the sums over all windows of that height and width."""
    summed = np.zeros((*values.shape[:-2], values.shape[-2] + 1, values.shape[-1] + 1))
    summed[..., 1:, 1:] = values.cumsum(axis=-2).cumsum(axis=-1)
    below, above = summed[..., height:, :], summed[..., :-height, :]
    rows = below - above
    return np.asarray(rows[..., width:] - rows[..., :-width])
