"""Chequered lattices among the saddles of a picture.

Four saddles that are each other's neighbours, along the lines that cross in them and with light squares alternately on
either side, make a unit square; its homography says where the next ones are to be, those that are there make it more
exact, and so it grows outwards until it covers the board, holes where a piece or a hand hides a crossing included. The
lens' bend is fitted as soon as there are enough of them. A seed that a wrong saddle belongs to does not grow; then the
next one is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid, Lens, homography_of
from damas_board.decoding.vision.refining import fit
from damas_board.decoding.vision.saddles import Saddles

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]

TRIES: Final = 16
"""Seeds that are tried."""
FEWEST: Final = 12
"""Saddles that make a lattice worth a look."""
_FILLED: Final = 0.3
"""The share of the crossings between its outermost ones that must be seen."""
_SURE: Final = 0.55
"""The share at which it is no accident."""
_RADII: Final = (1.6, 2.3, 3.3, 4.5, 6.0, 8.0, 10.0, 12.0)
_TOLERANCE: Final = 0.16
"""How far a saddle may be from where it is to be, cells."""
_ASIDE: Final = 0.94
"""Cosine of the angle between a line and the way to the neighbour that it leads to."""


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """A lattice and where its saddles were seen."""

    grid: Grid
    """So large that all the saddles are inside it, not on its edge."""
    seen: int
    """How many saddles it goes through."""


def lattices(saddles: Saddles, lens: Lens, tries: int = TRIES) -> Iterator[Lattice]:
    """The lattices that grow from seeds among the saddles; a saddle of one that is sure is no other's seed."""
    if len(saddles) < FEWEST:
        return
    free = np.ones(len(saddles), dtype=bool)
    tried = 0
    for quad in _quads(saddles):
        if not free[quad].all():
            continue
        if tried == tries:
            return
        tried += 1
        grown = _grown(saddles, quad, lens)
        free[quad[0]] = False
        if grown is not None:
            lattice, members, filled = grown
            if filled >= _SURE:
                free[members] = False
            yield lattice


def _quads(saddles: Saddles) -> Whole:
    """m x 4: saddles that may be the corners of one square, in turn; the most regular ones first."""
    points = saddles.points
    ways = points[None] - points[:, None]
    far = np.linalg.norm(ways, axis=2)
    np.fill_diagonal(far, np.inf)
    ways = ways / np.where(np.isfinite(far), far, 1)[:, :, None]
    opposite = (saddles.light[:, None] * saddles.light.conj()).real < -0.3
    directions = np.concatenate([saddles.edges, -saddles.edges], axis=1)
    along = np.einsum("idk,ijk->idj", directions, ways)
    arriving = np.abs(np.einsum("jdk,ijk->idj", saddles.edges, ways)).max(axis=1) > _ASIDE
    distance = np.where((along > _ASIDE) & (opposite & arriving)[:, None], far[:, None], np.inf)
    nearest = distance.argmin(axis=2)
    known = np.isfinite(np.take_along_axis(distance, nearest[:, :, None], axis=2)[:, :, 0])
    found = []
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0)):
        first = np.nonzero(known[:, one] & known[:, other])[0]
        a, b = nearest[first, one], nearest[first, other]
        wanted = points[a] + points[b] - points[first]
        last, miss = _nearest(points, wanted)
        side = np.minimum(far[first, a], far[first, b])
        same = (saddles.light[first] * saddles.light[last].conj()).real > 0.3
        right = same & (miss < 0.35 * side) & (last != a) & (last != b) & (a != b) & (last != first)
        found.append(np.column_stack([first, a, last, b, miss / np.maximum(side, 1e-9)])[right])
    quads = np.concatenate(found)
    order = np.argsort(quads[:, 4], kind="stable")
    return np.asarray(quads[order, :4], dtype=np.intp)


def _nearest(points: Floats, wanted: Floats) -> tuple[Whole, Floats]:
    """For each wanted place the point nearest to it, and how far that is."""
    if not len(wanted):
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    far = np.linalg.norm(points[None] - wanted[:, None], axis=2)
    index = far.argmin(axis=1)
    return index, far[np.arange(len(wanted)), index]


def _grown(saddles: Saddles, quad: Whole, lens: Lens) -> tuple[Lattice, Whole, float] | None:
    """What grows from four saddles, which ones it goes through, the share of its crossings; None if too few."""
    corners = saddles.points[quad]
    one, other = (np.roll(corners, -1, axis=0) - corners)[:2]
    if one[0] * other[1] < one[1] * other[0]:
        corners = corners[[0, 3, 2, 1]]
    try:
        grid = Grid.of_corners(corners, 1, lens)
    except ValueError:
        return None
    kind = saddles.light * saddles.light[quad[0]].conj()
    members, cells = quad, np.zeros((0, 2))
    for radius in _RADII:
        found = _members(saddles, grid, kind.real, radius)
        if found is None:
            return None
        members, cells = found
        if len(members) < 5:
            return None
        grid = _fitted(grid, cells, saddles.points[members], len(members) >= 20)
    first, last = cells.min(axis=0) - 1, cells.max(axis=0) + 1
    filled = len(members) / float(np.prod(last - first - 1))
    if len(members) < FEWEST or filled < _FILLED:
        return None
    shift = np.array([[1, 0, first[0]], [0, 1, first[1]], [0, 0, 1]])
    return Lattice(Grid(int((last - first).max()), grid.homography @ shift, grid.lens), len(members)), members, filled


def _members(saddles: Saddles, grid: Grid, kind: Floats, radius: float) -> tuple[Whole, Floats] | None:
    """The saddles that a lattice goes through around its origin, and their crossings; each crossing's nearest one."""
    third = grid.homography[2]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        cells = grid.cells(saddles.points)
    cells = np.where(np.isfinite(cells), cells, 1e6)
    in_front = (cells @ third[:2] + third[2]) * (third[:2].sum() / 2 + third[2]) > 0
    whole = np.round(cells)
    off = np.abs(cells - whole).max(axis=1)
    parity = 1 - 2 * (np.abs(whole).sum(axis=1) % 2)
    right = in_front & (off < _TOLERANCE) & (np.abs(cells - 0.5).max(axis=1) <= radius) & (kind * parity > 0.2)
    index = np.nonzero(right)[0]
    if len(index) < 4:
        return None
    index = index[np.argsort(off[index], kind="stable")]
    _, unique = np.unique(whole[index], axis=0, return_index=True)
    index = index[unique]
    return index, whole[index]


def _fitted(grid: Grid, cells: Floats, pixels: Floats, bend: bool) -> Grid:
    """The homography, and with `bend` the lens, that fit best."""
    if not bend:
        try:
            return Grid(1, homography_of(cells, grid.lens.straight(pixels)), grid.lens)
        except ValueError:
            return grid
    n = len(cells)
    across = np.repeat(np.eye(2), n, axis=0)
    return fit(grid, np.tile(cells, (2, 1)), np.tile(pixels, (2, 1)), across, np.ones(2 * n), True)
