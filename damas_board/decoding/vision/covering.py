"""What lies over the board that is no piece: hands, sleeves, a sheet of paper.

Every square has four corners that no man on it reaches, and around every crossing of lines light and dark lie
diagonally opposite. A hand changes the colour of the corners and hides the crossings; a shadow leaves both alone:
the colours are differences of logarithms of the channels, and the crossings are differences of logarithms as well.
Against what the corners looked like before, less what has changed everywhere (another lamp), the squares under a hand
stand out.

A limb comes from somewhere: what is covered is joined to the board's edge, or it moves. A small thing that lies still
in the middle is no hand, and only the squares under it are hidden.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.patches import patches
from damas_board.decoding.vision.picture import Plane
from damas_board.decoding.vision.sampling import Samples

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

_STRANGE: Final = 6.0
"""So many standard deviations a corner's colour is off where something lies over it."""
_LEAST: Final = 0.1
"""And at least so far (differences of logarithms): light from a window is not quite the colour of a lamp's."""
_PITCH: Final = 1.6
"""Logarithm of how much darker than before a square is under something black; no shadow is that deep."""
_BRIGHT: Final = 0.8
"""And brighter, under something white."""
_HIDDEN: Final = 0.3
"""Which part of its usual contrast a crossing keeps at most, where it is hidden."""
_SLOW: Final = 0.03
"""How much of a new picture goes into what squares are known to look like."""
_STEP: Final = 14
"""Levels of the reduced pictures that a pixel has changed by where something moved; 14 is a fifth of its light."""
_PART: Final = 0.1
"""Which part of a square's pixels has changed where something moved."""
_SAMPLES: Final = 8


class Background:
    """What a board's corners and crossings look like where nothing lies over them."""

    def __init__(self, samples: Samples, contrasts: Floats) -> None:
        """From a first picture, in which less than half of the board is covered."""
        corners = samples.corners[..., :3]
        size = samples.size
        rows, columns = np.indices((size, size))
        self._corners = np.empty_like(corners)
        self._spread = np.empty(3)
        spreads = []
        for parity in (0, 1):
            these = (rows + columns) % 2 == parity
            middle = np.median(corners[these & samples.seen], axis=0)
            off = np.abs(corners[these & samples.seen] - middle)
            spreads.append(1.4826 * np.median(off, axis=0))
            usual = np.abs(corners - middle)[..., 1:].max(axis=2) < max(3 * float(spreads[-1][1:].max()), _LEAST)
            self._corners[these] = np.where((usual & these)[..., np.newaxis], corners, middle)[these]
        self._spread = np.maximum(np.max(spreads, axis=0), _LEAST / _STRANGE)
        inner = contrasts[np.isfinite(contrasts)]
        self._contrasts = np.maximum(contrasts, 0.5 * float(np.median(inner)) if len(inner) else 1.0)
        self._seen = samples.seen

    def covered(self, samples: Samples, contrasts: Floats) -> Mask:
        """size x size: the squares that something lies over."""
        off = samples.corners[..., :3] - self._corners
        off -= np.median(off[samples.seen], axis=0) if samples.seen.any() else 0.0
        colour = (np.abs(off[..., 1:]) > _STRANGE * self._spread[1:]).any(axis=2)
        level = (off[..., 0] < -_PITCH) | (off[..., 0] > _BRIGHT)
        return np.asarray((colour | level | _hidden(contrasts / self._contrasts)) & samples.seen)

    def learn(self, samples: Samples, contrasts: Floats, covered: Mask) -> None:
        """Goes a little towards what squares look like that nothing lies over."""
        off = samples.corners[..., :3] - self._corners
        clear = ~covered & samples.seen
        if clear.sum() < clear.size / 2:
            return
        self._corners[clear] += _SLOW * off[clear]
        known = np.isfinite(contrasts) & (contrasts > self._contrasts * _HIDDEN)
        self._contrasts[known] += _SLOW * (contrasts - self._contrasts)[known]


def _hidden(relative: Floats) -> Mask:
    """The squares three of whose crossings do not show; those on the board's edge show less and are not asked."""
    beyond = 3
    inner = np.nan_to_num(relative[beyond:-beyond, beyond:-beyond], nan=1.0) < _HIDDEN
    wide = np.pad(inner, 1)
    known = np.pad(np.ones_like(inner, dtype=np.int64), 1)
    count = sum(
        wide[i : i + wide.shape[0] - 1, j : j + wide.shape[1] - 1].astype(np.int64) for i in (0, 1) for j in (0, 1)
    )
    of = sum(known[i : i + known.shape[0] - 1, j : j + known.shape[1] - 1] for i in (0, 1) for j in (0, 1))
    return np.asarray((count >= np.maximum(of - 1, 1)) & ((of > 1) | (count == of)))


def limbs(covered: Mask, moving: Mask) -> Mask:
    """The part of what is covered that belongs to a hand or an arm: it reaches the board's edge, or it moves."""
    count, labels = cv2.connectedComponents(covered.astype(np.uint8), connectivity=8)
    found = np.zeros_like(covered)
    for label in range(1, count):
        part = np.asarray(labels == label)
        edge = part[0].any() or part[-1].any() or part[:, 0].any() or part[:, -1].any()
        if moving[part].any() or (edge and part.sum() > 2):
            found |= part
    return found


def around(mask: Mask) -> Mask:
    """The squares of a mask and those that touch them."""
    wide = np.pad(mask, 1)
    size = len(mask)
    parts = [wide[i : i + size, j : j + size] for i in range(3) for j in range(3)]
    return np.asarray(np.logical_or.reduce(parts))


def moving(levels: Plane, before: Plane, small: Grid) -> Mask:
    """size x size: the squares in which something moved between two reduced pictures (see crossings.levels)."""
    change = patches(levels, small, _SAMPLES).astype(np.int16) - patches(before, small, _SAMPLES)
    change -= np.int16(np.median(change))
    return np.asarray((np.abs(change) > _STEP).mean(axis=2) > _PART)
