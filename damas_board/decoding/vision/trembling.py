"""Whether a camera's pictures tremble with noise, so that the very same one again and again means that it hangs.

Most cameras never take the same picture twice. But a network camera that sends only what changes, one that takes its
noise away, and one that a program draws give the same picture to the last bit for as long as nothing moves.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture

_TILES: Final = 16
"""A side."""
_ALL_OVER: Final = 0.6
"""Which part of the tiles noise changes; hands change fewer."""
_IN_A_ROW: Final = 8
"""So many pictures that all differ from the one before: a lamp that is switched on changes one or two."""
_STEP: Final = 4
"""Every so many rows are looked at."""


class Tremor:
    """Learns from pictures that differ, one after another; once `proven` it stays."""

    def __init__(self) -> None:
        self._run = 0

    @property
    def proven(self) -> bool:
        return self._run >= _IN_A_ROW

    def look(self, picture: Picture, before: Picture) -> None:
        """A picture, and the one before it, of the same size."""
        if not self.proven:
            self._run = self._run + 1 if _changed(picture, before) > _ALL_OVER else 0


def _changed(picture: Picture, before: Picture) -> float:
    """In which part of the tiles of a picture anything is otherwise."""
    rows = np.asarray(cv2.absdiff(picture[::_STEP], before[::_STEP]), dtype=np.uint8)
    height, width = (max(1, side // _TILES) for side in rows.shape[:2])
    down, along = (min(_TILES, side) for side in rows.shape[:2])
    tiles = rows[: down * height, : along * width].reshape(down, height, along, width, -1)
    return float(tiles.any(axis=(1, 3, 4)).mean())
