"""What each square of a board looks like in one picture: four numbers from a disc where a man would stand.

The numbers are robust: a logo on a man, the rim of its top, a scratch and the noise move no median. Logarithms, so that
twice the light adds the same to all squares; the two colour numbers are differences of logarithms and do not change
with the light's strength at all. A camera that looks from the side sees the tops of the men beside the middles of their
squares: `lean` says how far, and the discs go there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture

FEATURES = ("light", "red", "blue", "texture")
"""Mean logarithm of the channels; logarithms of red and of blue less green's; logarithm of the spread of light."""
REACH = 0.27
"""Radius of the disc, cells. A man by 003 art. 2 has 0.38: it may stand off the middle by a tenth of a cell."""
BURNT = 250
"""A pixel all of whose channels are above it says nothing of colour any more."""

_POINTS = 41
_SPREAD = (4, 20, 36)
"""Ranks among the points: about a tenth, a half and nine tenths of them."""
_CORNERS = 0.42
"""How far from its middle, along both sides, a square is never covered by a man that stands on it, cells."""
_QUIETEST = 0.03
"""Spread of light that is added before its logarithm is taken: below it is only noise."""
_LOGARITHM = np.log(np.arange(256, dtype=np.float32) + 4.0)


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """A board's squares in one picture, by row and column as seen in it."""

    features: NDArray[np.float64]
    """size x size x 4: FEATURES of the disc."""
    corners: NDArray[np.float64]
    """size x size x 3: the first three features of the square's own four corners, where no man covers it."""
    burnt: NDArray[np.float64]
    """size x size: the part of the disc that is overexposed, 0.0 to 1.0."""
    seen: NDArray[np.bool_]
    """size x size: whether most of the disc lies inside the picture."""

    @property
    def size(self) -> int:
        """Squares a side."""
        return len(self.features)


def samples(picture: Picture, grid: Grid, lean: tuple[float, float] = (0.0, 0.0)) -> Samples:
    """The squares of `grid` in a picture; `lean` (cells) is where the middle of a man lies from that of its square."""
    height, width = picture.shape[:2]
    places, inside = _places(grid, lean, width, height)
    n = grid.size
    pixels = picture.reshape(-1, 3)[places]
    logs = _LOGARITHM[pixels]
    colours = np.stack([logs.mean(axis=2), logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]])
    disc = np.partition(colours[..., :_POINTS], _SPREAD, axis=2)
    low, middle, high = (disc[..., rank] for rank in _SPREAD)
    features = np.empty((n * n, 4))
    features[:, :3] = middle.T
    features[:, 3] = np.log(high[0] - low[0] + _QUIETEST)
    corners = np.median(colours[..., _POINTS:], axis=2).T
    burnt = (pixels[:, :_POINTS].min(axis=2) > BURNT).mean(axis=1)
    return Samples(
        features.reshape(n, n, 4),
        np.asarray(corners, dtype=np.float64).reshape(n, n, 3),
        burnt.reshape(n, n),
        inside.reshape(n, n),
    )


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
    offsets = _OFFSETS.copy()
    offsets[:_POINTS] += lean
    pixels = np.rint(grid.pixels(middles + offsets)).astype(np.intp)
    x, y = pixels[..., 0], pixels[..., 1]
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    places = np.clip(y, 0, height - 1) * width + np.clip(x, 0, width - 1)
    return places, inside[:, :_POINTS].mean(axis=1) > 0.5
