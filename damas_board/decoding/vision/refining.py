"""Pull a grid that lies roughly on a board onto its lines, by the gradient, and find out how the lens bends them.

Along many short profiles across the lines between squares the steepest change of the right sign is looked for; the
homography and the lens' bend that fit these places best are found by least squares that disbelieve outliers (pieces
beside a line, hands, the edges of shadows). That is done several times, with ever shorter profiles. Which sign is the
right one at an edge follows from light and dark squares taking turns, so that a piece's outline counts only where it
happens to have it. The outer edges of the board have no such sign and are not looked at: they follow from the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.score import channel, score

Floats = NDArray[np.float64]

CELL: Final = 36.0
"""Pixels of a square's side that is enough; larger boards are looked at on a smaller scale."""
REACHES: Final = (0.42, 0.36, 0.3, 0.2, 0.12, 0.12)
"""How far from the line it is looked for, cells, time after time."""
_STEPS: Final = 8
"""Steps of a profile to each side."""
_ALONG: Final = np.array([0.1, 0.18, 0.26, 0.34, 0.5, 0.66, 0.74, 0.82, 0.9])
_BELIEVED: Final = 3.0
"""Multiples of the median deviation beyond which a place is an outlier."""
_BEND: Final = 0.15
_BEND_ERROR: Final = 0.002
"""A bend of _BEND is as unlikely as an error of so many cells everywhere: it stays 0 where nothing tells it."""
_WORSE: Final = 0.9
"""A refined grid that scores less than so much of what it was is none."""


def refine(picture: Picture, grid: Grid, *, lens: bool = True) -> Grid:
    """The grid on the board's lines, if it lies within a third of a square of them; without `lens` its bend stays."""
    if grid.lens.bend == 0:
        grid = replace(grid, lens=Lens.of_picture(picture.shape[1], picture.shape[0]))
    view = _View.of(picture, grid)
    if view is None:
        return grid
    fitted = view.grid
    for turn, reach in enumerate(REACHES):
        better = _fitted(view.plane, fitted, reach, lens and turn >= 1)
        if better is None:
            break
        fitted = better
    refined = replace(view.back(fitted), lens=replace(grid.lens, bend=fitted.lens.bend))
    if not _sound(refined) or score(picture, refined) < _WORSE * score(picture, grid):
        return grid
    return refined


@dataclass(frozen=True, slots=True)
class _View:
    """A board and its surroundings, on the scale at which it is looked at."""

    plane: NDArray[np.float32]
    """Logarithms of the brightness."""
    grid: Grid
    left: int
    top: int
    scale: float

    @classmethod
    def of(cls, picture: Picture, grid: Grid) -> _View | None:
        """None if the grid is not in the picture."""
        height, width = picture.shape[:2]
        corners = grid.corners
        if not np.all(np.isfinite(corners)) or grid.cell < 4:
            return None
        room = 0.6 * grid.cell
        left, top = np.maximum(np.floor(corners.min(axis=0) - room), 0).astype(int)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0) + room), (width, height)).astype(int)
        if right - left < 16 or bottom - top < 16:
            return None
        part = picture[top:bottom, left:right]
        one = channel(picture, grid)
        plane = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if one == 0 else cv2.extractChannel(part, 3 - one)
        scale = min(1.0, CELL / grid.cell)
        if scale < 1:
            size = (max(8, round(plane.shape[1] * scale)), max(8, round(plane.shape[0] * scale)))
            plane = cv2.resize(plane, size, interpolation=cv2.INTER_AREA)
            scale = size[0] / (right - left)
        blur = max(0.7, 0.03 * grid.cell * scale)
        light = cv2.GaussianBlur(np.log(np.asarray(plane, dtype=np.float32) + 6.0), (0, 0), blur)
        return cls(np.asarray(light, dtype=np.float32), _offset(grid, -left, -top).scaled(scale), left, top, scale)

    def back(self, grid: Grid) -> Grid:
        """The grid in the whole picture."""
        return _offset(grid.scaled(1 / self.scale), self.left, self.top)


def _offset(grid: Grid, right: float, down: float) -> Grid:
    """The grid in a picture whose origin is (-right, -down) of this one."""
    shift = np.array([[1, 0, right], [0, 1, down], [0, 0, 1.0]])
    x, y = grid.lens.centre
    return Grid(grid.size, shift @ grid.homography, replace(grid.lens, centre=(x + right, y + down)))


def _fitted(plane: NDArray[np.float32], grid: Grid, reach: float, bend: bool) -> Grid | None:
    """The grid after one look and one fit; None if too little was seen."""
    bases, normals, signs = _edges(grid.size)
    offsets = np.linspace(-reach, reach, 2 * _STEPS + 1)
    pixels = grid.pixels(bases[:, None] + offsets[:, None] * normals[:, None])
    height, width = plane.shape
    seen = np.all((pixels >= 0) & (pixels <= (width - 1, height - 1)), axis=(1, 2))
    if seen.sum() < 60:
        return None
    pixels, bases, normals, signs = pixels[seen], bases[seen], normals[seen], signs[seen]
    x, y = (np.ascontiguousarray(pixels[..., i], dtype=np.float32) for i in (0, 1))
    light = np.asarray(cv2.remap(plane, x, y, cv2.INTER_LINEAR), dtype=np.float64)
    changes = (light[:, 2:] - light[:, :-2]) * signs[:, None]
    if (light[:, -1] - light[:, 0]) @ signs < 0:
        changes = -changes
    changes *= 1 - 0.5 * (offsets[1:-1] / reach) ** 2
    rows = np.arange(len(changes))
    top = np.clip(changes.argmax(axis=1), 1, changes.shape[1] - 2)
    before, at, after = changes[rows, top - 1], changes[rows, top], changes[rows, top + 1]
    curve = before - 2 * at + after
    aside = np.where(curve < -1e-9, 0.5 * (before - after) / np.where(curve < -1e-9, curve, 1), 0).clip(-1, 1)
    steps = offsets[1:-1][top] + aside * (offsets[1] - offsets[0])
    strong = max(float(np.percentile(at, 70)), 0.01)
    weights = np.clip(at / strong, 0, 1)
    if (weights > 0.3).sum() < 40:
        return None
    targets = grid.pixels(bases + steps[:, None] * normals)
    along = grid.pixels(bases + 0.05 * normals[:, ::-1]) - grid.pixels(bases - 0.05 * normals[:, ::-1])
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return fit(grid, bases, targets, np.stack([-along[:, 1], along[:, 0]], axis=1), weights, bend)


def fit(grid: Grid, bases: Floats, targets: Floats, across: Floats, weights: Floats, bend: bool) -> Grid:
    """The grid near `grid` in which `bases` (n x 2, cells) lie at `targets` (n x 2, pixels).

    `across` are the unit vectors along which an error is one; places with a large error are disbelieved.
    """
    centre, radius = np.array(grid.lens.centre), grid.lens.radius
    half = grid.size / 2
    cells = bases / half - 1
    to_cells = np.array([[half, 0, half], [0, half, half], [0, 0, 1]])
    to_units = np.array([[1 / radius, 0, -centre[0] / radius], [0, 1 / radius, -centre[1] / radius], [0, 0, 1]])
    matrix = to_units @ grid.homography @ to_cells
    values = np.append((matrix / matrix[2, 2]).ravel()[:8], grid.lens.bend)
    wanted = (targets - centre) / radius
    unit = grid.cell / radius
    for _ in range(4):
        places, slopes = _places(values, cells)
        errors = ((wanted - places) * across).sum(axis=1)
        jacobian = (slopes * across[:, :, None]).sum(axis=1)
        spread = max(float(np.median(np.abs(errors[weights > 0.3]))) * 1.48, 0.01 * unit)
        belief = weights * np.clip(1 - (errors / (_BELIEVED * spread)) ** 2, 0, 1) ** 2
        prior = np.zeros(9)
        prior[8] = belief.sum() * (_BEND_ERROR * unit / _BEND) ** 2
        weighted = jacobian * belief[:, None]
        normal = jacobian.T @ weighted + np.diag(prior)
        right = weighted.T @ errors - prior * values
        free = 9 if bend else 8
        normal = normal[:free, :free] + np.eye(free) * 1e-12 * np.trace(normal)
        values[:free] += np.linalg.solve(normal, right[:free])
        values[8] = np.clip(values[8], -0.5, 0.5)
    found = np.linalg.inv(to_units) @ np.append(values[:8], 1).reshape(3, 3) @ np.linalg.inv(to_cells)
    return Grid(grid.size, found / found[2, 2], replace(grid.lens, bend=float(values[8])))


def _places(values: Floats, cells: Floats) -> tuple[Floats, Floats]:
    """Where points of the board are (n x 2), and how that changes with each value (n x 2 x 9)."""
    x, y = cells.T
    one = np.ones_like(x)
    depth = values[6] * x + values[7] * y + 1
    ideal = np.stack([values[0] * x + values[1] * y + values[2], values[3] * x + values[4] * y + values[5]]) / depth
    slopes = np.zeros((len(x), 2, 9))
    slopes[:, 0, :3] = slopes[:, 1, 3:6] = (np.stack([x, y, one]) / depth).T
    slopes[:, :, 6] = (-ideal * x / depth).T
    slopes[:, :, 7] = (-ideal * y / depth).T
    squared = (ideal**2).sum(axis=0)
    ideal = ideal.T
    bent = np.eye(2) * (1 + values[8] * squared)[:, None, None] + 2 * values[8] * ideal[:, :, None] * ideal[:, None]
    slopes = bent @ slopes
    slopes[:, :, 8] = ideal * squared[:, None]
    return ideal * (1 + values[8] * squared)[:, None], slopes


@cache
def _edges(size: int) -> tuple[Floats, Floats, Floats]:
    """Points on the edges between squares, the directions across them (n x 2, cells), and which sign the change has."""
    line, edge, along = np.meshgrid(np.arange(1, size), np.arange(size), _ALONG, indexing="ij")
    bases = np.stack([line, edge + along], axis=-1).reshape(-1, 2).astype(np.float64)
    normals = np.zeros_like(bases)
    normals[:, 0] = 1
    signs = (1.0 - 2 * ((line + edge) % 2)).ravel()
    return np.concatenate([bases, bases[:, ::-1]]), np.concatenate([normals, normals[:, ::-1]]), np.tile(signs, 2)


def _sound(grid: Grid) -> bool:
    """Whether its corners go clockwise round a convex quadrilateral that is not absurdly large or small."""
    corners = grid.corners
    if not np.all(np.isfinite(corners)) or np.abs(corners).max() > 1e5:
        return False
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    return bool(np.all(sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0] > 0))
