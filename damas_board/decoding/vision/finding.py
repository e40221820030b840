"""Find draughts boards in a picture, with no markers and whatever their colours are.

Whatever proposes a lattice of squares (a grid that was there before, cards at the corners, OpenCV's chessboard finder,
the saddles of the picture), what becomes of it is the same (`_settled`): of all windows of 8 x 8, 10 x 10 or 12 x 12
squares on the lattice the one is taken across whose lines light and dark alternate best, it is pulled onto its lines,
and it counts only if its score is a board's and the same window a square aside is clearly worse. So a board is never
off by a whole square, and a proposal costs nothing but time if it is wrong.

Large pictures are searched at a reduced size; the grid is refined, and scored, in the full one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.lattice import lattices
from damas_board.decoding.vision.markers import Marker, markers_in
from damas_board.decoding.vision.picture import Picture, Plane, Points, grey
from damas_board.decoding.vision.refining import refine
from damas_board.decoding.vision.saddles import saddles
from damas_board.decoding.vision.score import ACCEPTED, Window, alternation, score

How = Literal["near", "markers", "corners", "lattice", "clicks"]

SIZES: Final = (8, 10, 12)
WIDTHS: Final = (640, 1280)
"""The longer sides, pixels, at which a picture is searched, one after the other."""
LOOKS: Final = 5
"""Lattices that are as good as boards, but may not be taken for one: after so many of them it is given up."""
_CLEAR: Final = 0.2
"""How much more evidence (see score.Window) the board must have than any other window, for each square of its side."""
_ENOUGH: Final = 0.1
"""The evidence that there must be, for each edge between two squares."""
_SURE: Final = 26.0
"""A board that scores so much is not looked for again with another lattice."""
_WORTH: Final = 9.0
"""What a lattice's best window must score before it is refined."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in a picture."""

    grid: Grid | None
    """The board; of several, the one that is largest in the picture. None: there is none, or none is clear."""
    score: float
    """See score.score; of the best that there was, if none was accepted."""
    how: How | None = None
    others: tuple[Grid, ...] = ()
    """Further boards in the picture."""
    markers: tuple[Marker, ...] = ()


def find(picture: Picture, sizes: Sequence[int] = SIZES, *, near: Grid | None = None, markers: bool = True) -> Finding:
    """The boards of one of these sizes in a picture; `near` is where one was, or should be. Never raises."""
    cards = markers_in(picture) if markers else ()
    found: list[_Settled] = []
    unclear: list[_Settled] = []
    best, looks = 0.0, 0
    how: How | None = None
    for way, proposals in _rounds(picture, sizes, near, cards):
        for proposal in proposals:
            if any(_overlap(proposal, board.grid) for board in [*found, *unclear] if board.score >= _SURE):
                continue
            settled = _settled(picture, proposal, sizes)
            if settled is None:
                continue
            looks += 1
            best = max(best, settled.score)
            same = [board for board in found if _overlap(settled.grid, board.grid)]
            if not settled.clear:
                unclear.append(settled)
            elif all(settled.evidence > board.evidence for board in same):
                found = [board for board in found if board not in same]
                found.append(settled if way == "near" else replace(settled, grid=_upright(settled.grid)))
            if looks == LOOKS:
                break
        if found or looks == LOOKS:
            how = way
            break
    if not found:
        return Finding(None, best, None, (), cards)
    found.sort(key=lambda board: -board.grid.cell * board.grid.size)
    return Finding(found[0].grid, found[0].score, how, tuple(board.grid for board in found[1:]), cards)


def from_clicks(picture: Picture, clicks: ArrayLike, size: int) -> Finding:
    """The board whose outer corners were clicked at, roughly and in any order (4 x 2), of that size."""
    corners = clockwise(np.asarray(clicks, dtype=np.float64))
    try:
        grid = refine(picture, Grid.of_corners(corners, size, _lens(picture)))
    except ValueError:
        return Finding(None, 0.0)
    sure = score(picture, grid)
    return Finding(grid, sure, "clicks") if sure >= ACCEPTED else Finding(None, sure)


def clockwise(corners: Points) -> Points:
    """Four corners clockwise as seen in the picture, the one nearest to its top left first."""
    away = corners - corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    return np.roll(ordered, -int(np.argmin(ordered.sum(axis=1))), axis=0)


@dataclass(frozen=True, slots=True, eq=False)
class _Settled:
    """A board that a lattice turned out to be."""

    grid: Grid
    score: float
    evidence: float
    clear: bool
    """Whether it is a board, and no other window might as well be it."""


def _rounds(
    picture: Picture, sizes: Sequence[int], near: Grid | None, cards: Sequence[Marker]
) -> Iterator[tuple[How, Iterable[Grid]]]:
    """Grids that may lie on boards, or on parts of their lattices, the cheapest to come by first."""
    if near is not None:
        yield "near", [refine(picture, near)]
    height, width = picture.shape[:2]
    for longer in WIDTHS:
        scale = min(1.0, longer / max(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for plane in _planes(small, thorough=longer == WIDTHS[0]):
            yield "lattice", (one.grid.scaled(width / size[0]) for one in lattices(saddles(plane), _lens(small)))
        if scale == 1.0:
            return


def _planes(picture: Picture, thorough: bool) -> Iterator[Plane]:
    """The grey levels, then red (and green and blue): squares may be equally grey."""
    yield grey(picture)
    for one in (2, 1, 0) if thorough else (2,):
        yield np.ascontiguousarray(picture[:, :, one])


def _settled(picture: Picture, grid: Grid, sizes: Sequence[int]) -> _Settled | None:
    """The board of the lattice that `grid` lies on; None if it is plainly none."""
    chosen = None
    for _ in range(4):
        found = _chosen(picture, grid, sizes)
        if found is None or found[0].score < _WORTH:
            return None
        window, margin = found
        if chosen is not None and (window.size, window.row, window.column) == (grid.size, 0, 0):
            edges = 2 * window.size * (window.size - 1)
            clear = window.evidence > _ENOUGH * edges and margin > _CLEAR * window.size
            return _Settled(grid, window.score, window.evidence, clear)
        chosen = window
        grid = refine(picture, _windowed(grid, window))
    return None


def _chosen(picture: Picture, grid: Grid, sizes: Sequence[int]) -> tuple[Window, float] | None:
    """The window that is the board, and how much more evidence it has than any other one; None if there is none."""
    seen = alternation(picture, grid, max(2, max(sizes) + 1 - grid.size))
    windows = sorted((one for size in sizes for one in seen.best(size)), key=lambda one: -one.evidence)
    if not windows:
        return None
    return windows[0], windows[0].evidence - windows[1].evidence if len(windows) > 1 else np.inf


def _windowed(grid: Grid, window: Window) -> Grid:
    """The grid of a window of a grid's lattice."""
    shift = np.array([[1, 0, window.column], [0, 1, window.row], [0, 0, 1]], dtype=np.float64)
    return Grid(window.size, grid.homography @ shift, grid.lens)


def _upright(grid: Grid) -> Grid:
    """The same board with its corner nearest to the picture's top left first."""
    corners = grid.corners
    return Grid.of_corners(np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0), grid.size, grid.lens)


def _overlap(one: Grid, other: Grid) -> bool:
    """Whether the middle of one lies on the other."""
    middle = one.pixels(np.array([one.size / 2, one.size / 2]))
    return bool(np.all(np.abs(other.cells(middle) - other.size / 2) < other.size / 2))


def _lens(picture: NDArray[np.uint8]) -> Lens:
    return Lens.of_picture(picture.shape[1], picture.shape[0])
