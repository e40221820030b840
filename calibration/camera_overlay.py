"""A picture with what was found in it drawn over it, for a person to look at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.markers import Marker
from damas_board.decoding.vision.picture import Picture, Points

Place = tuple[int, int]
"""A square: row and column as seen in the picture."""
Colour = tuple[int, int, int]

WIDTHS = (900, 1600)
"""A smaller picture is enlarged, a larger one reduced, until its width is between these."""
LINES: Colour = (235, 190, 0)
OTHERS: Colour = (0, 165, 255)
WRONG: Colour = (40, 40, 255)
CARDS: Colour = (255, 60, 220)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
SMALLEST_NAMED = 32
"""Pixels a side that a square has at least, for its name to be written into it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn: rows of marks as seen in the picture, and words, which have to be ASCII."""

    rows: str | None = None
    names: Mapping[Place, str] = field(default_factory=dict)
    edges: Mapping[int, str] = field(default_factory=dict)
    """Whose side an edge is; 0 is the upper one, then clockwise."""
    wrong: Collection[Place] = ()
    others: Iterable[Grid] = ()
    cards: Iterable[Marker] = ()


def drawn(picture: Picture, grid: Grid | None, drawing: Drawing = Drawing()) -> Picture:
    """A copy of the picture, with the board's squares and `drawing` on it."""
    low, high = WIDTHS
    width = picture.shape[1]
    factor = low / width if width < low else high / width if width > high else 1.0
    size = (round(width * factor), round(picture.shape[0] * factor))
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    canvas = np.asarray(cv2.resize(picture, size, interpolation=way) if factor != 1 else picture.copy(), dtype=np.uint8)
    for other in drawing.others:
        _outline(canvas, other.scaled(factor).corners, OTHERS, 2)
    for card in drawing.cards:
        corners = card.scaled(factor).corners
        _outline(canvas, corners, CARDS, 2)
        _write(canvas, str(card.id), corners.mean(axis=0), 0.7, CARDS)
    if grid is not None:
        _board(canvas, grid.scaled(factor), drawing)
    return canvas


def _board(canvas: Picture, grid: Grid, drawing: Drawing) -> None:
    points = grid.points
    for line in (*points, *points.swapaxes(0, 1)):
        cv2.polylines(canvas, [_whole(line)], False, LINES, 1, cv2.LINE_AA)
    n = grid.size
    along = np.linspace(0, n, 4 * n + 1)
    low, high = np.zeros_like(along), np.full_like(along, n)
    for x, y in ((along, low), (high, along), (along, high), (low, along)):
        cv2.polylines(canvas, [_whole(grid.pixels(np.stack([x, y], axis=-1)))], False, LINES, 2, cv2.LINE_AA)
    for row, line_ in enumerate((drawing.rows or "").split("/")):
        for column, mark in enumerate(line_):
            _mark(canvas, grid, (row, column), mark)
    for place in drawing.wrong:
        _outline(canvas, _corners(grid, place, 0.06), WRONG, 3)
    if grid.cell >= SMALLEST_NAMED:
        for (row, column), name in drawing.names.items():
            _write(canvas, name, grid.pixels([column + 0.5, row + 0.84]), max(0.4, grid.cell / 120), WHITE)
    middle, out = n / 2, 0.45
    for edge, text in drawing.edges.items():
        at = ((middle, -out), (n + out, middle), (middle, n + out), (-out, middle))[edge]
        _write(canvas, text, grid.pixels(at), 0.8, LINES)


def _mark(canvas: Picture, grid: Grid, place: Place, mark: str) -> None:
    middle = grid.pixels([place[1] + 0.5, place[0] + 0.5])
    if mark == "?":
        _write(canvas, "?", middle, grid.cell / 45, WRONG)
    elif mark in "wWbBo":
        centre = (round(float(middle[0])), round(float(middle[1])))
        fill, rim = (BLACK, WHITE) if mark in "bB" else (WHITE, BLACK)
        radius = max(3, round(0.17 * _across(grid, place)))
        cv2.circle(canvas, centre, radius, fill, -1, cv2.LINE_AA)
        cv2.circle(canvas, centre, radius, rim, 2, cv2.LINE_AA)


def _across(grid: Grid, place: Place) -> float:
    """The shorter side of a square, pixels."""
    corners = _corners(grid, place, 0.0)
    return float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).min())


def _corners(grid: Grid, place: Place, inwards: float) -> Points:
    row, column = place
    low, high = inwards, 1 - inwards
    return grid.pixels([(column + x, row + y) for x, y in ((low, low), (high, low), (high, high), (low, high))])


def _outline(canvas: Picture, corners: Points, colour: Colour, thickness: int) -> None:
    cv2.polylines(canvas, [_whole(corners)], True, colour, thickness, cv2.LINE_AA)


def _whole(points: Points) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Points as cv2 draws them; far outside the picture they only have to be outside."""
    return np.clip(np.rint(points), -20_000, 20_000).astype(np.int32)


def _write(canvas: Picture, text: str, middle: Points, scale: float, colour: Colour) -> None:
    """Words with a dark edge, about a point, moved so that they stay in the picture."""
    face, height_limit = cv2.FONT_HERSHEY_SIMPLEX, canvas.shape[0]
    (width, height), _ = cv2.getTextSize(text, face, scale, 2)
    x = min(max(int(middle[0]) - width // 2, 2), max(2, canvas.shape[1] - width - 2))
    y = min(max(int(middle[1]) + height // 2, height + 2), height_limit - 4)
    cv2.putText(canvas, text, (x, y), face, scale, BLACK, 3 if scale < 0.6 else 4, cv2.LINE_AA)
    cv2.putText(canvas, text, (x, y), face, scale, colour, 1 if scale < 0.6 else 2, cv2.LINE_AA)
