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

from damas_board.decoding.vision.crossings import BEYOND
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
_BRIGHT: Final = 0.45
"""And brighter, under fingers on brown squares, or something white; a lamp is not brighter on one square alone."""
_HIDDEN: Final = 0.3
"""Which part of its usual contrast a crossing keeps at most, where it is hidden."""
_SLOW: Final = 0.03
"""How much of a new picture goes into what squares are known to look like."""
_SLOWER: Final = 0.015
_SHOWS: Final = 0.6
"""Which part of its usual contrast a crossing keeps at least, over which nothing lies."""
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
        spreads = []
        for parity in (0, 1):
            these = (rows + columns) % 2 == parity
            middle = np.median(corners[these & samples.seen], axis=0)
            off = np.abs(corners[these & samples.seen] - middle)
            spreads.append(1.4826 * np.median(off, axis=0))
            usual = np.abs(corners - middle)[..., 1:].max(axis=2) < max(3 * float(spreads[-1][1:].max()), _LEAST)
            self._corners[these] = np.where((usual & these)[..., np.newaxis], corners, middle)[these]
        self._spread = np.maximum(np.max(spreads, axis=0), _LEAST / _STRANGE)
        crossings = _inside(contrasts)
        self._contrasts = np.maximum(crossings, max(0.5 * float(np.median(crossings)), 1.0))

    def covered(self, samples: Samples, contrasts: Floats) -> Mask:
        """size x size: the squares that something lies over."""
        off = samples.corners[..., :3] - self._corners
        off -= np.median(off[samples.seen], axis=0) if samples.seen.any() else 0.0
        colour = (np.abs(off[..., 1:]) > _STRANGE * self._spread[1:]).any(axis=2)
        level = (off[..., 0] < -_PITCH) | (off[..., 0] > _BRIGHT)
        return np.asarray((colour | level | _hidden(self._relative(contrasts))) & samples.seen)

    def learn(self, samples: Samples, contrasts: Floats, covered: Mask, restless: Mask) -> None:
        """Goes a little towards what squares look like that nothing lies over, nor moves.

        What seems to be covered though all its crossings show, and lies still, is learned as well, slowly: it is the
        light that has changed.
        """
        off = samples.corners[..., :3] - self._corners
        clear = ~covered & ~restless & samples.seen
        if clear.sum() >= clear.size / 2:
            self._corners[clear] += _SLOW * off[clear]
            crossings = _inside(contrasts)
            shows = crossings > self._contrasts * _HIDDEN
            self._contrasts[shows] += _SLOW * (crossings - self._contrasts)[shows]
        # What touches something that hides crossings is under that as well.
        under = around(covered & _hidden(self._relative(contrasts), _SHOWS, 1))
        bare = covered & ~restless & samples.seen & ~under
        self._corners[bare] += _SLOWER * off[bare]

    def _relative(self, contrasts: Floats) -> Floats:
        """The crossings inside the board as parts of what is usual, less what all have lost."""
        relative = _inside(contrasts) / self._contrasts
        return relative / min(1.0, max(float(np.median(relative)), _HIDDEN))


def _inside(contrasts: Floats) -> Floats:
    """(size - 1) x (size - 1): the crossings inside the board; what is outside the picture counts as shown."""
    inner = contrasts[BEYOND + 1 : -BEYOND - 1, BEYOND + 1 : -BEYOND - 1]
    return np.nan_to_num(inner, nan=float(np.nanmedian(inner)) if np.isfinite(inner).any() else 1.0)


def _hidden(relative: Floats, below: float = _HIDDEN, spared: int = 3) -> Mask:
    """The squares `spared` of whose crossings inside the board do not show, or all that it has."""
    dark = np.pad((relative < below).astype(np.int64), 1)
    there = np.pad(np.ones_like(relative, dtype=np.int64), 1)
    size = len(relative) + 1
    corners = [(slice(i, i + size), slice(j, j + size)) for i in (0, 1) for j in (0, 1)]
    count, of = (np.sum([one[corner] for corner in corners], axis=0) for one in (dark, there))
    return np.asarray(count >= np.minimum(of, spared))


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
    size, half = small.size, _SAMPLES // 2
    # Means of four, so that the noise of a dim picture is no motion.
    coarse = change.reshape(size, size, half, 2, half, 2).mean(axis=(3, 5))
    coarse -= np.median(coarse)
    return np.asarray((np.abs(coarse) > _STEP).mean(axis=(2, 3)) > _PART)
