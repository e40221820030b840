"""Find draughts boards in a picture, with no markers and whatever their colours are.

Whatever proposes a lattice of squares (a grid that was there before, the saddles of the picture, four cards at the
corners), what becomes of it is the same (`_settled`): of all windows of 8 x 8, 10 x 10 or 12 x 12 squares on the
lattice the one is taken across whose lines light and dark alternate best, it is pulled onto its lines, and it counts
only if its score is a board's and no other window, above all none a square aside, is nearly as good. So a proposal that
is wrong costs nothing but time, and a board that cannot be told from one a square aside is none.

Large pictures are searched at a reduced size; the grid is refined, and scored, in the full one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.lattice import TRIES, lattices
from damas_board.decoding.vision.markers import CORNER_IDS, Marker, markers_in
from damas_board.decoding.vision.picture import Picture, Plane, Points, checked, grey
from damas_board.decoding.vision.refining import refine
from damas_board.decoding.vision.saddles import saddles
from damas_board.decoding.vision.score import ACCEPTED, Window, alternation, score

How = Literal["near", "lattice", "markers", "clicks"]

SIZES: Final = (8, 10, 12)
WIDTHS: Final = (640, 1280)
"""The longer sides, pixels, at which a picture is searched, one after the other."""
LOOKS: Final = 8
"""Lattices that are nearly as good as boards, but may not be taken for one: after so many of them it is given up."""
UNCLEAR: Final = 3
"""Boards of which it is not clear where they end: after so many of them, too."""
_CLEAR: Final = 0.3
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
    """The boards of one of these sizes in a picture; `near` is where one was, or should be.

    ValueError for what is no Picture; nothing that a picture shows makes it raise.
    """
    checked(picture)
    cards = markers_in(picture) if markers else ()
    search = _Search(picture, tuple(sizes))
    if near is not None:
        board = search.look(refine(picture, near))
        if board is not None:
            return Finding(board.grid, board.score, "near", (), cards)
    how: How = "lattice"
    for longer in WIDTHS:
        search.on_lattices(longer)
        if search.found or longer >= max(picture.shape):
            break
    if not search.found and (proposal := _between(picture, cards, sizes)) is not None:
        search.look(proposal)
        how = "markers"
    found = sorted(search.found, key=lambda board: -board.grid.cell * board.grid.size)
    if not found:
        return Finding(None, search.best, None, (), cards)
    grids = [_upright(board.grid) for board in found]
    return Finding(grids[0], found[0].score, how, tuple(grids[1:]), cards)


def from_clicks(picture: Picture, clicks: ArrayLike, size: int) -> Finding:
    """The board whose outer corners were clicked at, roughly and in any order (4 x 2), of that size.

    ValueError for what is no Picture.
    """
    checked(picture)
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


class _Search:
    """The boards found so far in a picture, and what it is not worth to look at again."""

    def __init__(self, picture: Picture, sizes: Sequence[int]) -> None:
        self._picture = picture
        self._sizes = sizes
        self.found: list[_Settled] = []
        self._unclear: list[_Settled] = []
        self.best = 0.0
        """The best score of anything that was worth a look."""

    @property
    def over(self) -> bool:
        """Whether so much looks like a board that it is not worth to look on."""
        sure = sum(board.score >= _SURE for board in self._unclear)
        return sure >= UNCLEAR or len(self._unclear) >= LOOKS

    def look(self, proposal: Grid) -> _Settled | None:
        """The board that it lies on, if it is clear and none that was found before."""
        known = [board for board in (*self.found, *self._unclear) if board.score >= _SURE]
        if self.over or any(_overlap(proposal, board.grid) for board in known):
            return None
        board = _settled(self._picture, proposal, self._sizes)
        if board is None:
            return None
        self.best = max(self.best, board.score)
        if not board.clear:
            self._unclear.append(board)
            return None
        same = [other for other in self.found if _overlap(board.grid, other.grid)]
        if any(other.evidence >= board.evidence for other in same):
            return None
        self.found = [*(other for other in self.found if other not in same), board]
        return board

    def on_lattices(self, longer: int) -> None:
        """Looks at all lattices of the picture when its longer side is made so many pixels long."""
        height, width = self._picture.shape[:2]
        scale = min(1.0, longer / max(height, width))
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = np.asarray(cv2.resize(self._picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        grow = width / size[0]
        for number, plane in enumerate(_planes(small, thorough=longer == WIDTHS[0])):
            points = saddles(plane)
            for board in self.found:
                cells = board.grid.scaled(1 / grow).cells(points.points)
                points = points.where(np.any((cells < -0.5) | (cells > board.grid.size + 0.5), axis=1))
            for lattice in lattices(points, _lens(small), TRIES if number == 0 else TRIES // 2):
                if self.over:
                    return
                self.look(lattice.grid.scaled(grow))


def _planes(picture: Picture, thorough: bool) -> Iterator[Plane]:
    """The grey levels, then red (and green and blue): squares may be equally grey."""
    yield grey(picture)
    for one in (2, 1, 0) if thorough else (2,):
        yield np.ascontiguousarray(picture[:, :, one])


def _between(picture: Picture, cards: Sequence[Marker], sizes: Sequence[int]) -> Grid | None:
    """What may be a board between four cards: how far from its corners they lie is not known."""
    if len(cards) < len(CORNER_IDS):
        return None
    middles = clockwise(np.array([card.middle for card in cards]))
    best: tuple[float, Grid | None] = (_WORTH / 2, None)
    for size in sizes:
        for share in np.linspace(0.6, 1.0, 17):
            try:
                whole = Grid.of_corners(middles, 1, _lens(picture))
                ends = 0.5 + (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * share
                grid = Grid.of_corners(whole.pixels(ends), size, whole.lens)
            except ValueError:
                return None
            best = max(best, (score(picture, grid), grid), key=lambda one: one[0])
    return best[1]


def _settled(picture: Picture, grid: Grid, sizes: Sequence[int]) -> _Settled | None:
    """The board of the lattice that `grid` lies on; None if it is plainly none."""
    for turn in range(4):
        found = _chosen(picture, grid, sizes)
        if found is None or found[0].score < _WORTH:
            return None
        window, margin = found
        clear = margin > _CLEAR * window.size
        if turn and ((window.size, window.row, window.column) == (grid.size, 0, 0) or not clear):
            enough = window.evidence > _ENOUGH * 2 * window.size * (window.size - 1)
            return _Settled(_windowed(grid, window), window.score, window.evidence, enough and clear)
        grid = refine(picture, _windowed(grid, window))
    return None


def _chosen(picture: Picture, grid: Grid, sizes: Sequence[int]) -> tuple[Window, float] | None:
    """The window that is the board, and how much more evidence it has than any other one; None if there is none."""
    seen = alternation(picture, grid, max(2, max(sizes) + 1 - grid.size))
    windows = sorted((one for size in sizes for one in seen.best(size)), key=lambda one: -one.evidence)
    if not windows or not windows[0].possible:
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
