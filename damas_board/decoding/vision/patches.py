"""The pixels of a board's squares: as many of each, spread evenly, whatever it looks like in the picture."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid


def patches(values: NDArray[Any], grid: Grid, count: int) -> NDArray[Any]:
    """size x size x (count * count) ... pixels of `values` (height x width ...); outside it the nearest ones."""
    height, width = values.shape[:2]
    pixels = values.reshape(height * width, *values.shape[2:])
    return np.asarray(pixels.take(_places(grid, count, width, height), axis=0))


@lru_cache(maxsize=8)
def _places(grid: Grid, count: int, width: int, height: int) -> NDArray[np.intp]:
    along = (np.arange(grid.size * count) + 0.5) / count
    pixels = np.rint(grid.pixels(np.stack(np.meshgrid(along, along), axis=-1))).astype(np.intp)
    x, y = np.clip(pixels[..., 0], 0, width - 1), np.clip(pixels[..., 1], 0, height - 1)
    squares = (y * width + x).reshape(grid.size, count, grid.size, count).swapaxes(1, 2)
    return np.ascontiguousarray(squares.reshape(grid.size, grid.size, count * count))
