"""Whether a picture can be read at all: too dark, squares in a glare, shaken, or the very same as the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.patches import patches
from damas_board.decoding.vision.picture import Picture, Plane

DARKEST: Final = 14
"""Grey levels that a board's light squares have at least, where it can still be read."""
DIM: Final = 45
"""Grey levels below which darkness is the likeliest reason where nothing can be made out."""
_FULL: Final = 250
"""All three colours at or above it: nothing can be told of the colour there."""
_PATCH: Final = 8
"""Samples along a square, a side."""
_WITHIN: Final = 0.3
"""Cells around a square's middle that the glare is counted in: what `sampling` takes."""
_ALONG: Final = (np.arange(_PATCH) + 0.5) / _PATCH - 0.5
_DISC: Final = np.hypot(_ALONG[:, np.newaxis], _ALONG).ravel() < _WITHIN
_GLARE: Final = 0.35
"""Which part of that makes a square unreadable."""
_DAZZLED: Final = 0.25
"""Which part of the squares makes the picture so."""
_EDGES: Final = 98
"""The percentile that edges are at and noise is not."""
_STEP: Final = 16
"""Every so many rows are looked at first to see whether a picture is the same as another."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """How a picture is lit."""

    status: Literal["OK", "DARK", "GLARE"]
    glare: NDArray[np.bool_]
    """size x size: squares where the light is reflected so that no colour is left; empty without a grid."""
    level: float
    """The grey level that the lighter tenth of the board, or of the picture, has at least."""


def light(picture: Picture, grid: Grid | None = None) -> Light:
    """How the board is lit, or the whole picture where it is not known where the board is."""
    if grid is None:
        step = max(1, min(picture.shape[:2]) // 120)
        level = float(np.percentile(picture[::step, ::step].max(axis=2), 95))
        return Light("DARK" if level < DARKEST else "OK", np.zeros((0, 0), dtype=np.bool_), level)
    squares = patches(picture, grid, _PATCH)
    level = float(np.percentile(squares.max(axis=-1), 90))
    if level < DARKEST:
        return Light("DARK", np.zeros((grid.size, grid.size), dtype=np.bool_), level)
    glare = (squares.min(axis=-1) >= _FULL)[:, :, _DISC].mean(axis=-1) > _GLARE
    return Light("GLARE" if glare.mean() > _DAZZLED else "OK", glare, level)


def sharpness(levels: Plane) -> float:
    """How steep the edges in a reduced picture are (crossings.levels); only to be compared with that of another one."""
    return float(np.percentile(np.abs(np.asarray(cv2.Laplacian(levels, cv2.CV_16S))), _EDGES))


def same(one: Picture, other: Picture) -> bool:
    """Whether two pictures are the same to the last bit; no two that a camera really takes are, for their noise."""
    return (
        one.shape == other.shape
        and bool(np.array_equal(one[::_STEP], other[::_STEP]))
        and bool(np.array_equal(one, other))
    )
