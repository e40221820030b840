"""A profile from pictures of the start position, and why there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from decoding.vision.filmed import LATER, MIRRORED, START, WOOD, noise, renderer, scene

from damas_board.decoding.vision.calibrating import CalibrationError, profile_of
from damas_board.decoding.vision.classes import Classes
from damas_board.decoding.vision.orientation import turned
from damas_board.decoding.vision.placing import grid_from
from damas_board.decoding.vision.reading import read
from damas_board.decoding.vision.sampling import samples
from simulator.camera import LOOKS, Renderer, Scene


def _refused(*args: Any, **kwargs: Any) -> CalibrationError:
    with pytest.raises(CalibrationError) as caught:
        profile_of(*args, **kwargs)
    return caught.value


def test_the_start_position_makes_a_profile_that_reads_another_position() -> None:
    camera = renderer()
    found = profile_of([camera.picture(scene()) for _ in range(3)], START)
    truth = camera.truth(scene())
    grid = grid_from(found.grid)
    assert np.linalg.norm(grid.corners - truth.grid.corners, axis=1).max() < 0.05 * truth.grid.cell
    assert (found.width, found.height, found.turn, found.mirrored) == (640, 360, truth.turn, False)
    seen = samples(camera.picture(scene(LATER)), grid, found.lean)
    assert turned(read(seen, Classes.of_profile(found), found.parity).rows, found.turn) == LATER


def test_a_mirrored_camera_has_to_be_said_to_be_one() -> None:
    picture = renderer(MIRRORED).picture(scene())
    assert profile_of([picture], START, mirrored=True).mirrored
    assert _refused([picture], START).key == "wrong_corner"


def test_pictures_that_make_no_profile_are_refused_by_name() -> None:
    picture = renderer().picture(scene())
    assert _refused([], START).key == "no_picture"
    assert _refused([picture, picture[:-20]], START).key == "sizes"
    assert _refused([np.zeros_like(picture)], START).key == "dark"
    assert _refused([noise(1)], START).key == "no_board"
    assert _refused([picture, renderer().picture(scene(x=15))], START).key == "unsteady"


def test_squares_that_are_not_as_in_the_start_position_are_named() -> None:
    error = _refused([renderer().picture(scene(START[:-2] + ".."))], START)
    assert error.key == "not_start"
    assert error.facts["squares"] == ((7, 6),)


def test_men_on_the_wrong_corner_are_no_start_position() -> None:
    other = "/".join(row[::-1] for row in START.split("/"))
    board = replace(Scene.of_rows(other, LOOKS["wood"]), parity=0)
    assert _refused([Renderer(board, WOOD).picture(board)], START).key == "wrong_corner"


def test_men_that_look_like_their_squares_are_named() -> None:
    look = LOOKS["wood"]
    board = Scene.of_rows(START, replace(look, black=look.dark, rings=0))
    error = _refused([Renderer(board, WOOD).picture(board)], START)
    assert error.key in ("inseparable", "not_start")


def test_a_board_of_another_size_is_told() -> None:
    start = "/".join([".b.b.b.b.b", "b.b.b.b.b."] * 2 + [".........."] * 2 + [".w.w.w.w.w", "w.w.w.w.w."] * 2)
    assert _refused([renderer().picture(scene())], start).facts == {"found": 8, "size": 10}
