"""Which way a board lies that was found anew: how it lay before, and what stands on it, tell.

A lattice says neither where the board's first square is nor, where its edges are unclear, whether it is the board's own
or lies a square aside. What is known: which of the two kinds of squares is played on, where the board was, and what
stood on it, of which little changes while it is moved.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from damas_board.decoding.vision.classes import MARKS, Classes
from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.lighting import playing
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import GridValues, Parity, Profile
from damas_board.decoding.vision.reading import read
from damas_board.decoding.vision.refining import refine
from damas_board.decoding.vision.sampling import Samples, samples
from damas_board.decoding.vision.score import ACCEPTED, score, shifted

_DIFFERENT: Final = 4
"""So many more squares have to agree for a board to lie otherwise than it looks at first."""


def grid_from(values: GridValues) -> Grid:
    """The grid of a profile."""
    homography = np.array(values.homography, dtype=np.float64).reshape(3, 3)
    return Grid(values.size, homography, Lens(values.centre, values.radius, values.bend))


def grid_values(grid: Grid) -> GridValues:
    """A grid as a profile has it."""
    lens = grid.lens
    return GridValues(grid.size, tuple(map(float, grid.homography.ravel())), lens.centre, lens.radius, lens.bend)


def turned(grid: Grid, quarters: int) -> Grid:
    """The same squares with another first corner: the one that comes so many later, clockwise."""
    n = grid.size
    homography = grid.homography
    for _ in range(quarters % 4):
        # (c, r) of the new grid is (n - r, c) of the old one.
        homography = homography @ np.array([[0, -1, n], [1, 0, 0], [0, 0, 1]], dtype=np.float64)
    return Grid(n, homography, grid.lens)


def placed(
    picture: Picture, found: Grid, before: Grid | None, classes: Classes, profile: Profile, rows: str
) -> Grid | None:
    """The grid whose rows are those of the profile, from one that was found; None where that cannot be told.

    `before`: where the board was; `rows` what stood on it, as seen in the picture, or nothing.
    """
    down, along = shifted(picture, found)
    if (down, along) != (0, 0):
        found = refine(picture, _aside(found, along, down), lens=False)
        if score(picture, found) < ACCEPTED or shifted(picture, found) != (0, 0):
            return None
    nearest = min(range(4), key=lambda quarters: _distance(turned(found, quarters), before))
    ways = [(way, turned(found, nearest + way)) for way in (0, 2, 1, 3)]
    seen = {way: samples(picture, grid, profile.lean) for way, grid in ways}
    right = [(way, grid) for way, grid in ways if _right_colour(seen[way], classes, profile.parity)]
    if not right:
        return None
    agreeing = {way: _agreeing(seen[way], classes, profile.parity, rows) for way, _ in right}
    (first, grid), (second, other) = right[0], right[-1]
    if first == 0:
        return other if agreeing[second] >= agreeing[first] + _DIFFERENT else grid
    if abs(agreeing[first] - agreeing[second]) < _DIFFERENT:
        return None
    return grid if agreeing[first] > agreeing[second] else other


def elsewhere(grid: Grid, before: Grid) -> bool:
    """Whether a board lies so far from where ours was that it may be another one: its middle is beside ours."""
    middle = before.cells(grid.pixels([grid.size / 2, grid.size / 2]))
    return bool((np.abs(middle - before.size / 2) > before.size / 2).any())


def _aside(grid: Grid, along: int, down: int) -> Grid:
    step = np.array([[1, 0, along], [0, 1, down], [0, 0, 1]], dtype=np.float64)
    return Grid(grid.size, grid.homography @ step, grid.lens)


def _distance(grid: Grid, before: Grid | None) -> float:
    if before is None:
        return 0.0
    return float(np.linalg.norm(grid.corners - before.corners, axis=1).sum())


def _right_colour(seen: Samples, classes: Classes, parity: int) -> bool:
    """Whether the squares that are played on have the colour of those, and not of the others."""
    where = playing(seen.size, parity)
    corners = seen.corners[..., :3]
    difference = np.median(corners[where & seen.seen], axis=0) - np.median(corners[~where & seen.seen], axis=0)
    return bool(difference @ (classes.means[0] - classes.ground[0])[:3] > 0)


def _agreeing(seen: Samples, classes: Classes, parity: Parity, rows: str) -> int:
    """How many squares are read as `rows` has them, less those that are read otherwise."""
    pairs = zip(read(seen, classes, parity).rows, rows, strict=True) if rows else ()
    return sum(1 if a == b else -1 for a, b in pairs if a in MARKS and b in MARKS)
