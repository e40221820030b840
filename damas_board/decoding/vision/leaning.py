"""How far men stand out of their squares as a camera sees them that looks from the side."""

from __future__ import annotations

import numpy as np

from damas_board.decoding.vision.classes import labels_of
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.sampling import FARTHEST, colours_at

_WIDE = 0.6
"""From a square's middle to the edges of what is looked at, cells: neighbours' men are still outside."""
_STEPS = 25
_FLOORS = np.array([0.06, 0.03, 0.03])
_FAINT = 1.5
"""A difference of so many standard deviations at most shows no man."""


def lean_of(picture: Picture, grid: Grid, start: str) -> tuple[float, float]:
    """Where the middles of men are seen from their squares', cells, in a picture of `start` (rows as seen in it).

    Men and empty squares are laid over each other: where the two differ, there is a man, its side included.
    """
    labels = labels_of(start, grid.size)
    along = np.linspace(-_WIDE, _WIDE, _STEPS)
    offsets = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    rows, columns = np.nonzero(labels >= 0)
    middles = np.stack([columns + 0.5, rows + 0.5], axis=1)
    colours = colours_at(picture, grid.pixels(middles[:, None] + offsets[None]))
    kinds = labels[rows, columns]
    played = (rows + columns) % 2 == _parity(labels)
    empty = colours[:, (kinds == 0) & played]
    scale = np.maximum(np.median(empty.std(axis=1), axis=1), _FLOORS)[:, None]
    shape = np.zeros(len(offsets))
    for kind in (1, 2):
        off = (colours[:, kinds == kind].mean(axis=1) - empty.mean(axis=1)) / scale
        strength = np.sqrt((off**2).sum(axis=0))
        if strength.max() > _FAINT:
            shape += strength / strength.max() > 0.5
    if not shape.any():
        return 0.0, 0.0
    lean = 2 * (shape[:, None] * offsets).sum(axis=0) / shape.sum()
    lean *= min(1.0, FARTHEST / max(float(np.hypot(*lean)), 1e-9))
    return float(lean[0]), float(lean[1])


def _parity(labels: np.ndarray[tuple[int, int], np.dtype[np.intp]]) -> int:
    """Which squares the men stand on."""
    rows, columns = np.nonzero(labels > 0)
    return int(np.median((rows + columns) % 2))
