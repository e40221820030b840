"""What the height of a piece says about a crown, and where it says nothing."""

from __future__ import annotations

import numpy as np
import pytest
from decoding.vision.boards_seen import Shown, shown

from damas_board.decoding.vision.crowns import crown_hints
from damas_board.decoding.vision.lighting import Floats
from damas_board.decoding.vision.sampling import expected_lean, samples
from simulator.camera import Pose, View

ROWS = ".b.B.b../b.....B./.W.w...b/..b...w./.B.b.W../w...w.W./.w.W...w/B.w.w.b."
SIDE = View(Pose(elevation=45, azimuth=7), 1280, 720)


def _hints(seen: Shown) -> tuple[Floats, Floats]:
    """Of the kings, and of the men."""
    hints = crown_hints(seen.picture, seen.grid, samples(seen.picture, seen.grid, expected_lean(seen.grid)), seen.rows)
    marks = np.array([list(line) for line in seen.rows.split("/")])
    assert (hints[marks == "."] == 0.5).all()
    return hints[np.isin(marks, ["W", "B"])], hints[np.isin(marks, ["w", "b"])]


@pytest.mark.parametrize("look", ["wood", "dark-frame"])
def test_from_the_side_kings_are_higher_than_men(look: str) -> None:
    kings, men = _hints(shown(ROWS, SIDE, look=look))
    assert (kings >= 0.5).all()
    assert np.median(kings) > 0.8
    assert (men <= 0.5).all()
    assert np.median(men) < 0.2


def test_from_above_nothing_is_said() -> None:
    kings, men = _hints(shown(ROWS, View(Pose(elevation=88), 1280, 720)))
    assert np.abs(np.concatenate([kings, men]) - 0.5).max() < 0.3


def test_pieces_that_look_like_the_squares_behind_them_say_nothing() -> None:
    seen = shown(ROWS, SIDE)
    squares = samples(seen.picture, seen.grid, expected_lean(seen.grid))
    squares.corners[:] = 9.0
    assert (crown_hints(seen.picture, seen.grid, squares, seen.rows) == 0.5).all()
