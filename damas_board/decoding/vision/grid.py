"""Where the squares of a board are in a picture.

Coordinates on the board are cells: (0, 0) is its corner nearest to the picture's top left, the first coordinate grows
along the picture's upper edge of the board, the second down its left edge, both up to `size` at the outer edge of the
last squares. So the square in row r and column c of `rows` has its middle at (c + 0.5, r + 0.5), and the four corners
(0, 0), (size, 0), (size, size), (0, size) go clockwise in the picture (a mirrored picture has them so as well: that it
is mirrored shows in which squares are dark). Which way the players sit is not the grid's matter.

A homography takes cells to where an ideal lens would have them; the lens then pulls towards its centre, or pushes away
(one coefficient; barrel distortion is negative).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from damas_board.decoding.vision.picture import Points


@dataclass(frozen=True, slots=True)
class Lens:
    """`pixel = centre + (ideal - centre) * (1 + bend * (|ideal - centre| / radius)**2)`."""

    centre: tuple[float, float] = (0.0, 0.0)
    radius: float = 1.0
    """Pixels from the centre to the picture's corner."""
    bend: float = 0.0

    @classmethod
    def of_picture(cls, width: int, height: int, bend: float = 0.0) -> Lens:
        """A lens whose centre is the picture's."""
        centre = ((width - 1) / 2, (height - 1) / 2)
        return cls(centre, float(np.hypot(*centre)), bend)

    def bent(self, ideal: Points) -> Points:
        """Where the lens has what an ideal one has at `ideal`."""
        if not self.bend:
            return ideal
        away = (ideal - self.centre) / self.radius
        bent: Points = ideal + (ideal - self.centre) * (self.bend * np.sum(away * away, axis=-1, keepdims=True))
        return bent

    def straight(self, pixels: Points) -> Points:
        """The inverse of `bent`; what no ideal place is bent to is taken to the outermost one."""
        if not self.bend:
            return pixels
        away = (pixels - self.centre) / self.radius
        seen = np.sqrt(np.sum(away * away, axis=-1, keepdims=True))
        outermost = np.inf if self.bend > 0 else 1 / np.sqrt(-3 * self.bend)
        ideal = np.minimum(seen, outermost)
        for _ in range(6):
            squared = self.bend * ideal * ideal
            ideal = ideal - (ideal * (1 + squared) - seen) / np.maximum(1 + 3 * squared, 0.05)
            ideal = np.clip(ideal, 0, outermost)
        straight: Points = self.centre + (pixels - self.centre) * (ideal / np.maximum(seen, 1e-12))
        return straight


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The squares of one board in pictures of one size."""

    size: int
    """Squares a side."""
    homography: NDArray[np.float64]
    """3 x 3, cells to ideal pixels."""
    lens: Lens = Lens()

    @classmethod
    def of_corners(cls, corners: ArrayLike, size: int, lens: Lens = Lens()) -> Grid:
        """The grid whose outer corners are there, clockwise from the picture's top left."""
        ends = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float64)
        return cls(size, homography_of(ends, lens.straight(np.asarray(corners, dtype=np.float64))), lens)

    def pixels(self, cells: ArrayLike) -> Points:
        """Where points of the board (... x 2, cells) are in the picture."""
        points = np.asarray(cells, dtype=np.float64)
        ideal = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ self.homography.T
        return self.lens.bent(ideal[..., :2] / ideal[..., 2:])

    def cells(self, pixels: ArrayLike) -> Points:
        """Where points of the picture (... x 2) are on the board."""
        points = self.lens.straight(np.asarray(pixels, dtype=np.float64))
        back = np.linalg.inv(self.homography)
        cells = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ back.T
        return np.asarray(cells[..., :2] / cells[..., 2:])

    @property
    def corners(self) -> Points:
        """4 x 2: the outer corners, clockwise from the picture's top left."""
        n = self.size
        return self.pixels([[0, 0], [n, 0], [n, n], [0, n]])

    @property
    def points(self) -> Points:
        """(size + 1) x (size + 1) x 2: where the lines cross, row by row."""
        along = np.arange(self.size + 1, dtype=np.float64)
        return self.pixels(np.stack(np.meshgrid(along, along), axis=-1))

    @property
    def centres(self) -> Points:
        """size x size x 2: the middles of the squares, row by row."""
        along = np.arange(self.size, dtype=np.float64) + 0.5
        return self.pixels(np.stack(np.meshgrid(along, along), axis=-1))

    @property
    def cell(self) -> float:
        """The length of a square's side, pixels, on average."""
        corners = self.corners
        return float(np.mean(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)) / self.size)

    def scaled(self, factor: float) -> Grid:
        """The grid in the same picture, `factor` times as large (pixels are squares, their middles whole numbers)."""
        shift = (factor - 1) / 2
        scale = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])
        x, y = self.lens.centre
        lens = replace(self.lens, centre=(x * factor + shift, y * factor + shift), radius=self.lens.radius * factor)
        return Grid(self.size, scale @ self.homography, lens)

    def moved(self, motion: NDArray[np.float64]) -> Grid:
        """The grid behind a homography of ideal pixels (3 x 3), as when the board or the camera was bumped."""
        return Grid(self.size, motion @ self.homography, self.lens)


def homography_of(one: Points, other: Points) -> NDArray[np.float64]:
    """The homography from four or more points (n x 2) to others, least squares; ValueError where there is none."""
    if len(one) < 4 or len(one) != len(other):
        raise ValueError(f"four pairs of points are needed, not {len(one)} and {len(other)}")
    to_one, first = _normalised(one)
    to_other, second = _normalised(other)
    plain = np.column_stack([first, np.ones(len(first))])
    none = np.zeros_like(plain)
    rows = np.concatenate(
        [
            np.hstack([plain, none, -second[:, :1] * plain]),
            np.hstack([none, plain, -second[:, 1:] * plain]),
        ]
    )
    _, values, vectors = np.linalg.svd(rows, full_matrices=len(rows) < 9)
    if values[7] < 1e-9 * values[0] or abs(np.linalg.det(vectors[-1].reshape(3, 3))) < 1e-9:
        raise ValueError("the points do not say where the rest is: three of them lie on a line")
    found = np.linalg.inv(to_other) @ vectors[-1].reshape(3, 3) @ to_one
    return np.asarray(found / found[2, 2])


def _normalised(points: Points) -> tuple[NDArray[np.float64], Points]:
    """A similarity that takes the points around the origin, and where it takes them."""
    middle = points.mean(axis=0)
    spread = max(float(np.sqrt(((points - middle) ** 2).sum(axis=1)).mean()), 1e-12)
    matrix = np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])
    return matrix, (points - middle) / spread
