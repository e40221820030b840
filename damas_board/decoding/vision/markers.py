"""Printed cards beside a board's corners: which corner is which player's, and where about the board is.

Four square cards of one ArUco dictionary, one outside each corner of the board. None is required, and any of them
helps: pieces, hands and lamps hide them, so that seldom all four are seen at once. This is the only module that knows
OpenCV's marker functions, which change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture, Points, grey
from damas_board.decoding.vision.profile import Turn

DICTIONARY = "DICT_4X4_50"
CORNER_IDS = (0, 1, 2, 3)
"""The cards at White's left, White's right, Black's right (White's far right), Black's left corner of the board."""
_TURNS: tuple[Turn, Turn, Turn, Turn] = (0, 90, 180, 270)


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """A card in a picture."""

    id: int
    corners: Points
    """4 x 2: of the printed square, clockwise as printed from its top left."""
    mirrored: bool = False
    """Whether it can only be read from behind: the picture is mirrored."""

    @property
    def middle(self) -> Points:
        """Where its middle is (2 pixels)."""
        return np.asarray(self.corners.mean(axis=0), dtype=np.float64)

    def scaled(self, factor: float) -> Marker:
        """The card in the same picture, `factor` times as large."""
        return replace(self, corners=(self.corners + 0.5) * factor - 0.5)


def markers_in(picture: Picture) -> tuple[Marker, ...]:
    """The cards of CORNER_IDS that can be read, by their numbers, each once; read from behind if none else can be."""
    plane = grey(picture)
    seen = _read(plane)
    if seen:
        return seen
    behind = _read(np.ascontiguousarray(plane[:, ::-1]))
    last = picture.shape[1] - 1
    return tuple(Marker(card.id, np.abs(card.corners - (last, 0)), True) for card in behind)


def _read(plane: NDArray[np.uint8]) -> tuple[Marker, ...]:
    corners, ids, _ = _detector().detectMarkers(plane)
    if ids is None:
        return ()
    found = {int(i): np.asarray(c, dtype=np.float64).reshape(4, 2) for i, c in zip(np.ravel(ids), corners, strict=True)}
    return tuple(Marker(i, found[i]) for i in CORNER_IDS if i in found)


def marker_bits(number: int) -> NDArray[np.bool_]:
    """6 x 6: which fields of a card's square are black, its black edge included."""
    return np.asarray(np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, 6)) == 0)


def turn_of(grid: Grid, markers: Sequence[Marker]) -> tuple[Turn | None, bool]:
    """How the picture's rows must be turned clockwise for White's view, and whether the picture is mirrored.

    None if no card is seen, or if the cards contradict each other. Of a mirrored picture it is the turn after it is
    flipped left-right.
    """
    votes = set()
    for card in markers:
        x, y = grid.cells(card.middle) - grid.size / 2
        corner = (0 if x < 0 else 1) if y < 0 else (3 if x < 0 else 2)
        if card.mirrored:
            corner = (1, 0, 3, 2)[corner]
        votes.add((_TURNS[(3 - card.id - corner) % 4], card.mirrored))
    if len(votes) != 1:
        return None, any(card.mirrored for card in markers)
    return votes.pop()


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(_dictionary())
