"""What was read of the squares of a board, beside what stands there: counts that add up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from damas_board.decoding.vision.grid import Grid

CLASSES = {".": "empty", "w": "white", "b": "black"}
UNSURE = "?o"
"""Not read, and read as a piece of unknown colour."""
NEAR = 0.25
"""How far from its place a corner may be found, squares."""


@dataclass
class Squares:
    """Squares by what really is on them: all, those read as something else, and those that were not read."""

    all: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    unsure: Counter[str] = field(default_factory=Counter)

    def add(self, other: Squares) -> None:
        self.all += other.all
        self.wrong += other.wrong
        self.unsure += other.unsure


def compare(truth: str, read: str) -> Squares:
    """The squares of two texts of rows; kings count as their men."""
    found = Squares()
    for true, mark in zip(truth.lower().replace("/", ""), read.lower().replace("/", ""), strict=True):
        sort = CLASSES[true]
        found.all[sort] += 1
        if mark in UNSURE and not (mark == "o" and sort == "empty"):
            found.unsure[sort] += 1
        elif mark != true:
            found.wrong[sort] += 1
    return found


def swapped(rows: str) -> str:
    """The rows with white called black."""
    return rows.translate(str.maketrans("wbWB", "bwBW"))


def corner_error(found: Grid, corners: ArrayLike) -> tuple[float, int]:
    """How far the worst corner is from the true ones, squares of the true board; and which true one is its first.

    Which corner is the picture's top left may be an open question: the order that fits best counts.
    """
    true = np.asarray(corners, dtype=np.float64)
    cell = float(np.mean(np.linalg.norm(true - np.roll(true, -1, axis=0), axis=1))) / found.size
    aside = (found.corners - np.roll(true, -first, axis=0) for first in range(4))
    errors = [float(np.max(np.linalg.norm(off, axis=1))) / cell for off in aside]
    first = int(np.argmin(errors))
    return errors[first], first
