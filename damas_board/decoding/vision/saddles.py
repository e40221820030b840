"""Points of a picture where four squares of a chequered board may meet: saddles of the brightness.

Where light and dark lie diagonally opposite, the brightness is a saddle and the determinant of its second derivatives
strongly negative. Local contrast is made alike first (CLAHE), so that dark corners of the room count as well. Around
each candidate a ring of samples must go light, dark, light, dark; its second harmonic says along which diagonal the
light squares lie. Between neighbours on a board that turns by a right angle, which is what a lattice is known by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.picture import Plane

Floats = NDArray[np.float64]

MOST: Final = 400
"""So many candidates, the strongest ones, are looked at."""
_BLUR: Final = 1.5
_RING: Final = 4.0
_SAMPLES: Final = 16
_FAINT: Final = 20.0
"""Strength (grey levels to the fourth, pixels to the minus fourth) below which it is noise."""
_ALIKE: Final = 0.55
"""The share of the ring's variance that its second harmonic must have."""


@dataclass(frozen=True, slots=True, eq=False)
class Saddles:
    """Candidates, the strongest first."""

    points: Floats
    """n x 2 pixels."""
    light: NDArray[np.complex128]
    """n: along which direction the light squares lie: cosine and sine of twice the angle, as a complex number."""
    edges: Floats
    """n x 2 x 2: two unit vectors along the lines that cross there."""

    def __len__(self) -> int:
        return len(self.points)

    def where(self, chosen: NDArray[np.bool_]) -> Saddles:
        """Some of them."""
        return Saddles(self.points[chosen], self.light[chosen], self.edges[chosen])


def saddles(plane: Plane) -> Saddles:
    """The saddles of a plane whose squares are some 10 to 80 pixels wide."""
    even = np.asarray(cv2.createCLAHE(clipLimit=4.0, tileGridSize=(8, 8)).apply(plane), dtype=np.float32)
    smooth = np.asarray(cv2.GaussianBlur(even, (0, 0), _BLUR), dtype=np.float32)
    xx, yy, xy = (_derivative(smooth, *order) for order in ((2, 0), (0, 2), (1, 1)))
    strength = xy * xy - xx * yy
    highest = strength >= np.asarray(cv2.dilate(strength, np.ones((7, 7), np.uint8)))
    edge = round(_RING) + 2
    highest[:edge], highest[-edge:], highest[:, :edge], highest[:, -edge:] = False, False, False, False
    row, column = np.nonzero(highest & (strength > _FAINT))
    order = np.argsort(-strength[row, column])[:MOST]
    row, column = row[order], column[order]
    if not len(row):
        return Saddles(np.zeros((0, 2)), np.zeros(0, dtype=np.complex128), np.zeros((0, 2, 2)))
    points = np.stack([column, row], axis=1).astype(np.float64)
    light, whole = _rings(smooth, points)
    second = np.stack([xx, xy, xy, yy], axis=-1)[row, column].astype(np.float64).reshape(-1, 2, 2)
    slope = np.stack(
        [
            smooth[row, column + 1] - smooth[row, column - 1],
            smooth[row + 1, column] - smooth[row - 1, column],
        ],
        axis=1,
    )
    level = np.linalg.solve(second, -slope[:, :, None].astype(np.float64) / 2)[:, :, 0].clip(-1, 1)
    return Saddles(points + level, light, _crossing(second)).where(whole)


def _derivative(smooth: NDArray[np.float32], across: int, down: int) -> NDArray[np.float32]:
    """A second derivative, per square pixel."""
    return np.asarray(cv2.Sobel(smooth, cv2.CV_32F, across, down, ksize=3, scale=0.25), dtype=np.float32)


def _rings(smooth: NDArray[np.float32], points: Floats) -> tuple[NDArray[np.complex128], NDArray[np.bool_]]:
    """Where the saddles' light squares lie, and which go light, dark, light, dark all round."""
    angles = np.arange(_SAMPLES) * (2 * np.pi / _SAMPLES)
    ring = points[:, None] + _RING * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    x, y = (np.ascontiguousarray(ring[..., i], dtype=np.float32) for i in (0, 1))
    light = np.asarray(cv2.remap(smooth, x, y, cv2.INTER_LINEAR), dtype=np.float64).reshape(len(points), _SAMPLES)
    waves = np.fft.rfft(light - light.mean(axis=1, keepdims=True), axis=1)[:, 1:-1]
    power = np.abs(waves) ** 2
    whole = np.asarray(power[:, 1] > _ALIKE * power.sum(axis=1))
    second = np.asarray(waves[:, 1], dtype=np.complex128)
    return second.conj() / np.maximum(np.abs(second), 1e-9), whole


def _crossing(second: Floats) -> Floats:
    """n x 2 x 2: the directions in which the brightness does not curve, from its second derivatives (n x 2 x 2)."""
    values, vectors = np.linalg.eigh(second)
    low, high = np.sqrt(np.maximum(-values[:, 0], 1e-9)), np.sqrt(np.maximum(values[:, 1], 1e-9))
    valley, ridge = vectors[:, :, 1] * low[:, None], vectors[:, :, 0] * high[:, None]
    edges = np.stack([valley + ridge, valley - ridge], axis=1)
    return np.asarray(edges / np.linalg.norm(edges, axis=2, keepdims=True))
