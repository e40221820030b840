"""What is known of a camera at its table: plain values, as they stand in a profile's file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Turn = Literal[0, 90, 180, 270]
Parity = Literal[0, 1]
"""Which squares are played on, by (row + column) % 2 of the rows as seen in the picture."""


@dataclass(frozen=True, slots=True)
class GridValues:
    """A Grid as plain values."""

    size: int
    homography: tuple[float, ...]
    """9, row by row."""
    centre: tuple[float, float]
    radius: float
    bend: float


@dataclass(frozen=True, slots=True)
class ClassValues:
    """What one class of squares (empty, white, black) looks like: a Gaussian of `classes.FEATURES`."""

    mean: tuple[float, ...]
    covariance: tuple[float, ...]
    """Row by row."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What `calibrate camera` finds out, and the camera source goes by."""

    width: int
    height: int
    """Of the pictures, pixels."""
    grid: GridValues
    parity: Parity
    turn: Turn
    """Turning the picture's rows clockwise by it gives White's view."""
    mirrored: bool
    """Whether the camera gives mirrored pictures; they are turned over before anything else is done with them."""
    empty: ClassValues
    white: ClassValues
    black: ClassValues
    lean: tuple[float, float] = (0.0, 0.0)
    """How far the middle of a man lies from the middle of its square, cells, along and down the picture."""
    separation: float = 0.0
    """How well the two classes that are nearest to each other can be told apart (see classes.separation)."""
