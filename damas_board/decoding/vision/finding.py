"""Find draughts boards in a picture, with no markers and whatever their colours are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.markers import Marker, markers_in
from damas_board.decoding.vision.picture import Picture, Points, grey
from damas_board.decoding.vision.refining import refine
from damas_board.decoding.vision.score import ACCEPTED, score

SIZES = (8, 10, 12)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in a picture."""

    grid: Grid | None
    """The board; of several, the one that is largest in the picture. None: there is none, or none is clear."""
    score: float
    """See score.score; of the best that there was, if none was accepted."""
    how: Literal["near", "markers", "corners", "lattice", "clicks"] | None = None
    others: tuple[Grid, ...] = ()
    """Further boards in the picture."""
    markers: tuple[Marker, ...] = ()


def find(picture: Picture, sizes: Sequence[int] = SIZES, *, near: Grid | None = None, markers: bool = True) -> Finding:
    """The boards of one of these sizes in a picture; `near` is where one was, or should be. Never raises."""
    cards = markers_in(picture) if markers else ()
    best = Finding(None, 0.0, None, (), cards)
    if near is not None:
        grid = refine(picture, near)
        if (sure := score(picture, grid)) >= ACCEPTED:
            return Finding(grid, sure, "near", (), cards)
    for size in sorted(sizes, reverse=True):
        found, corners = cv2.findChessboardCornersSB(grey(picture), (size - 1, size - 1))
        if not found:
            continue
        inner = np.asarray(corners, dtype=np.float64).reshape(size - 1, size - 1, 2)
        ends = np.array([inner[0, 0], inner[0, -1], inner[-1, -1], inner[-1, 0]])
        small = Grid.of_corners(ends, size - 2)
        outer = small.pixels([[-1, -1], [size - 1, -1], [size - 1, size - 1], [-1, size - 1]])
        grid = Grid.of_corners(clockwise(outer), size, Lens.of_picture(picture.shape[1], picture.shape[0]))
        sure = score(picture, grid)
        if sure >= ACCEPTED:
            return Finding(grid, sure, "corners", (), cards)
        best = max(best, Finding(None, sure, None, (), cards), key=lambda finding: finding.score)
    return best


def from_clicks(picture: Picture, clicks: ArrayLike, size: int) -> Finding:
    """The board whose outer corners were clicked at, roughly and in any order (4 x 2), of that size."""
    grid = Grid.of_corners(clockwise(np.asarray(clicks, dtype=np.float64)), size, _lens(picture))
    grid = refine(picture, grid)
    sure = score(picture, grid)
    return Finding(grid if sure >= ACCEPTED else None, sure, "clicks")


def clockwise(corners: Points) -> Points:
    """Four corners clockwise as seen in the picture, the one nearest to its top left first."""
    away = corners - corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    return np.roll(ordered, -int(np.argmin(ordered.sum(axis=1))), axis=0)


def _lens(picture: Picture) -> Lens:
    return Lens.of_picture(picture.shape[1], picture.shape[0])
