"""Whether a piece is two men high: a hint at most, a king is one by the rules.

Seen from the side a king is longer than a man, away from the camera, by as much as a man is high. From above nothing of
that is seen.
"""

from __future__ import annotations

import numpy as np

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.lighting import Floats
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.sampling import THICKNESS, Samples, colours_at, viewpoint

_WIDTH = 34 / 45
"""Of a man, cells: 003 art. 2."""
_ALONG = np.linspace(-0.75, 1.25, 81)
_BESIDE = np.array([-0.08, 0.0, 0.08])
"""Lines through the middle of the piece, cells."""
_ALIKE = np.array([0.3, 0.06, 0.06])
"""How much the parts of a piece differ, and those of the board: sides are darker than tops."""
_ERROR = 0.09
"""Of the measured length, cells."""
_STRANGE = 0.2
"""What is so much shorter than a man or longer than a king, cells, was not measured: the piece looks like the board."""


def crown_hints(picture: Picture, grid: Grid, samples: Samples, rows: str) -> Floats:
    """size x size: how likely the piece that `rows` (as seen in the picture) has there is a king by its height alone.

    0.5 says nothing: no piece, a camera that looks from above, a piece that looks like what is behind it.
    """
    hints = np.full((grid.size, grid.size), 0.5)
    below, height = viewpoint(grid)
    share = THICKNESS / max(height - THICKNESS, 1.0)
    for row, line in enumerate(rows.lower().split("/")):
        for column, mark in enumerate(line):
            if mark in "wb":
                lean = share * (np.array([column + 0.5, row + 0.5]) - below)
                hints[row, column] = _hint(picture, grid, samples, row, column, lean)
    return hints


def _hint(picture: Picture, grid: Grid, samples: Samples, row: int, column: int, lean: Floats) -> float:
    rise = float(np.hypot(*lean))
    length = _length(picture, grid, samples, row, column, lean / max(rise, 1e-9))
    man, king = _WIDTH + rise, _WIDTH + 2 * rise
    if not man - _STRANGE < length < king + _STRANGE:
        return 0.5
    odds = ((length - man) ** 2 - (length - king) ** 2) / (2 * _ERROR**2)
    return float(1 / (1 + np.exp(-np.clip(odds, -4, 4))))


def _length(picture: Picture, grid: Grid, samples: Samples, row: int, column: int, away: Floats) -> float:
    """How far the piece on a square reaches along the line away from the camera, cells."""
    across = np.array([-away[1], away[0]])
    offsets = _ALONG[:, None, None] * away + _BESIDE[None, :, None] * across
    cells = np.array([column + 0.5, row + 0.5]) + offsets
    seen = np.moveaxis(colours_at(picture, grid.pixels(cells), samples.offset), 0, -1)
    squares = np.clip(np.floor(cells).astype(np.intp), 0, grid.size - 1)
    board = samples.corners[squares[..., 1], squares[..., 0], :3]
    piece = samples.features[row, column, :3]
    closer = np.linalg.norm((seen - piece) / _ALIKE, axis=-1) < np.linalg.norm((seen - board) / _ALIKE, axis=-1)
    inside = closer.mean(axis=1) > 0.5
    middle = int(np.abs(_ALONG).argmin())
    if not inside[middle]:
        return 0.0
    first = middle - int(np.argmin(inside[middle::-1])) if not inside[: middle + 1].all() else 0
    last = middle + int(np.argmin(inside[middle:])) if not inside[middle:].all() else len(_ALONG) - 1
    return float(_ALONG[last] - _ALONG[first])
