"""What each square of a board looks like in one picture: four numbers from a disc where a man would stand.

The numbers are robust: a logo on a man, the rim of its top, a scratch and the noise move no median. Logarithms, so that
twice the light adds the same to all squares; the two colour numbers are differences of logarithms and do not change
with the light's strength at all. What is added to a pixel before its logarithm is taken is a share of what the board's
squares have: a dark picture then gives the numbers that a light one gives, and how much a step of a pixel or the black
of a sensor makes of them is told as their `grain`. A camera that looks from the side sees the tops of the men beside
the middles of their squares: `lean` says how far, and the discs go there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture, Points

FEATURES = ("light", "red", "blue", "texture")
"""Mean logarithm of the channels; logarithms of red and of blue less green's; logarithm of the spread of light."""
REACH = 0.27
"""Radius of the disc, cells. A man by 003 art. 2 has 0.38: it may stand off the middle by a tenth of a cell."""
THICKNESS = 7 / 45
"""Of a man, cells: 003 art. 2."""
FARTHEST = 0.21
"""A disc that is farther from its square's middle, cells, would see the next square where the square is empty."""
BURNT = 250
"""A pixel all of whose channels are above it says nothing of colour any more."""

_POINTS = 41
_CORNERS = 0.39
"""How far from its middle, along both sides, a square is never covered by a man that stands on it, cells."""
_UPRIGHT = 0.03
"""A lean that is smaller, cells, is none worth following over the board."""
_USUAL_FOCAL = 0.74
"""Focal length of a usual camera, in diagonals of its picture."""
_ENOUGH = 0.1
"""Perspective that tells the focal length: squares' sides are foreshortened by such a share."""
QUIETEST = 0.03
"""Spread of light that is added before its logarithm is taken: below it is only noise."""
_OFFSET = 0.04
"""What is added to a pixel before its logarithm is taken, as a share of the board's mean."""
_LEAST_OFFSET = 0.25
_ORDINARY_OFFSET = 4.0
_LIGHT, DARK, _DARKEST = 3.0, 2.0, 1.0
"""`Samples.offset` from which on a picture is not dark at all, below which it is rather dark, and very dark."""
_STEP = 1.0
"""What the black of a sensor, a step of a pixel and compression may add to a square, in levels of a pixel."""
_LUMA = np.array([0.299, 0.587, 0.114])


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """A board's squares in one picture, by row and column as seen in it."""

    features: NDArray[np.float64]
    """size x size x 4: FEATURES of the disc."""
    corners: NDArray[np.float64]
    """size x size x 4: FEATURES of the square's own four corners, where no man covers it."""
    burnt: NDArray[np.float64]
    """size x size: the part of the disc that is overexposed, 0.0 to 1.0."""
    seen: NDArray[np.bool_]
    """size x size: whether most of the disc lies inside the picture."""
    offset: float
    """What was added to the pixels before their logarithms were taken."""

    @property
    def size(self) -> int:
        """Squares a side."""
        return len(self.features)

    @property
    def grain(self) -> NDArray[np.float64]:
        """size x size x 3: standard deviation of the first three features by what may be added to a pixel.

        In a picture that is not dark it is none: what it makes of dark squares there is in any class that was learned.
        """
        dark = np.clip((_LIGHT - self.offset) / (_LIGHT - _DARKEST), 0, 1)
        each = dark * _STEP / np.exp(_channels(self.features))
        red, green, blue = np.moveaxis(each, -1, 0)
        return np.stack([each.mean(axis=-1), np.hypot(red, green), np.hypot(blue, green)], axis=-1)

    @property
    def colours(self) -> NDArray[np.float64]:
        """size x size x 3: red, green and blue of the disc, as in the picture."""
        return np.clip(np.exp(_channels(self.features)) - self.offset, 0, 255)


def samples(picture: Picture, grid: Grid, lean: tuple[float, float] = (0.0, 0.0)) -> Samples:
    """The squares of `grid` in a picture; `lean` (cells) is where the middle of a man lies from that of its square."""
    height, width = picture.shape[:2]
    places, inside = _places(grid, lean, width, height)
    n = grid.size
    pixels = picture.reshape(-1, 3)[places]
    offset = max(_OFFSET * float(pixels[:, _POINTS:].mean()), _LEAST_OFFSET)
    colours = _colours(pixels, offset)
    features = _features(colours[..., :_POINTS])
    corners = _features(colours[..., _POINTS:])
    burnt = (pixels[:, :_POINTS].min(axis=2) > BURNT).mean(axis=1)
    return Samples(
        features.reshape(n, n, 4),
        corners.reshape(n, n, 4),
        burnt.reshape(n, n),
        inside.reshape(n, n),
        offset,
    )


def leans(grid: Grid, lean: tuple[float, float], cells: ArrayLike) -> Points:
    """How far men at points of the board (... x 2) lean, if men in its middle lean by `lean`.

    What stands up is seen farther from the point straight below the camera, by the same share of the distance to it.
    """
    length = float(np.hypot(*lean))
    if length < _UPRIGHT:
        return np.broadcast_to(np.asarray(lean), np.shape(cells))
    below, height = viewpoint(grid)
    away = float(np.hypot(*(grid.size / 2 - below)))
    share = min(length / max(away, 1e-9), 2 * THICKNESS / height)
    there = np.asarray(lean) + share * (np.asarray(cells) - grid.size / 2)
    return np.asarray(there * np.minimum(1.0, FARTHEST / np.linalg.norm(there, axis=-1, keepdims=True)))


def viewpoint(grid: Grid) -> tuple[NDArray[np.float64], float]:
    """Where the camera is: the point of the board's plane straight below it (cells), and its height above that (cells).

    The focal length comes of the perspective, where there is enough of it; else it is that of a usual camera.
    """
    centre = np.asarray(grid.lens.centre)
    shift = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    h = shift @ grid.homography
    one, other = h[:, 0], h[:, 1]
    usual = _USUAL_FOCAL * 2 * grid.lens.radius
    products = np.array([one[0] * other[0] + one[1] * other[1], (one[:2] ** 2).sum() - (other[:2] ** 2).sum()])
    depths = np.array([one[2] * other[2], one[2] ** 2 - other[2] ** 2])
    strength = float(depths @ depths) * usual**4
    squared = -float(depths @ products) / max(float(depths @ depths), 1e-30)
    scale = float((one[:2] ** 2).sum() + (other[:2] ** 2).sum()) / 2
    focal = usual
    if strength > (_ENOUGH * scale) ** 2 and squared > 0:
        focal = float(np.clip(np.sqrt(squared), usual / 2, usual * 3))
    pose = np.diag([1 / focal, 1 / focal, 1.0]) @ h
    pose /= np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    right, down = pose[:, 0], pose[:, 1]
    turn = np.column_stack([right, down, np.cross(right, down)])
    place = -np.linalg.solve(turn, pose[:, 2])
    return np.asarray(place[:2], dtype=np.float64), max(abs(float(place[2])), 1.0)


def expected_lean(grid: Grid) -> tuple[float, float]:
    """How far men by 003 art. 2 lean in the middle of a board that is seen like this."""
    below, height = viewpoint(grid)
    lean = (grid.size / 2 - below) * (THICKNESS / max(height - THICKNESS, 1.0))
    lean *= min(1.0, FARTHEST / max(float(np.hypot(*lean)), 1e-9))
    return float(lean[0]), float(lean[1])


def luma(features: ArrayLike) -> NDArray[np.float64]:
    """Logarithm of how light something with these features (... x 4) is to the eye."""
    return np.asarray(np.log(np.exp(_channels(np.asarray(features))) @ _LUMA))


def colours_at(picture: Picture, pixels: Points, offset: float = _ORDINARY_OFFSET) -> NDArray[np.float32]:
    """3 x ...: the first three features of single pixels (... x 2); outside the picture those of its edge."""
    places = np.rint(pixels).astype(np.intp)
    y, x = (np.clip(places[..., k], 0, picture.shape[1 - k] - 1) for k in (1, 0))
    return _colours(picture[y, x], offset)


def _features(colours: NDArray[np.float32]) -> NDArray[np.float64]:
    """Squares x 4, from 3 x squares x points: a tenth, a half and nine tenths of the points are below what counts."""
    points = colours.shape[2]
    ranks = (points // 10, points // 2, points - 1 - points // 10)
    low, middle, high = np.partition(colours, ranks, axis=2)[..., ranks].transpose(2, 0, 1)
    features = np.empty((colours.shape[1], 4))
    features[:, :3] = middle.T
    features[:, 3] = np.log(high[0] - low[0] + QUIETEST)
    return features


def _channels(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """... x 3: logarithms of red, green and blue."""
    light, red, blue = (features[..., k] for k in range(3))
    green = light - (red + blue) / 3
    return np.stack([green + red, green, green + blue], axis=-1)


def _colours(pixels: Picture, offset: float) -> NDArray[np.float32]:
    logs = np.log(np.arange(256, dtype=np.float32) + np.float32(offset))[pixels]
    return np.stack([logs.mean(axis=-1), logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]])


def _offsets() -> NDArray[np.float64]:
    """Points of the disc (evenly, along a spiral), then of the four corners: cells from the middle of a square."""
    k = np.arange(_POINTS) + 0.5
    radius, angle = REACH * np.sqrt(k / _POINTS), k * np.pi * (3 - np.sqrt(5))
    disc = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    small = np.array([[0, 0], [-0.03, 0.02], [0.02, -0.03], [0.03, 0.03], [-0.02, -0.02]])
    corners = [_CORNERS * np.array([x, y]) + small for x in (-1, 1) for y in (-1, 1)]
    return np.concatenate([disc, *corners])


_OFFSETS = _offsets()


@lru_cache(maxsize=4)
def _places(
    grid: Grid, lean: tuple[float, float], width: int, height: int
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Indices of pixels (squares x points), and whether most of a square's disc is inside the picture."""
    along = np.arange(grid.size) + 0.5
    middles = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 1, 2)
    points = middles + _OFFSETS
    points[:, :_POINTS] += leans(grid, lean, middles)
    pixels = np.rint(grid.pixels(points)).astype(np.intp)
    x, y = pixels[..., 0], pixels[..., 1]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    places = np.clip(y, 0, height - 1) * width + np.clip(x, 0, width - 1)
    return places, inside[:, :_POINTS].mean(axis=1) > 0.5
