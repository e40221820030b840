"""Which way a board lies that was found anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from decoding.vision.filmed import LATER, profile, renderer, scene

from damas_board.decoding.vision.classes import Classes
from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.orientation import seen_rows
from damas_board.decoding.vision.placing import grid_from, grid_values, placed, turned

_SEEN = seen_rows(LATER, profile().turn)


def _placed(found: Grid, before: Grid | None, rows: str = "") -> Grid | None:
    picture = renderer().picture(scene(LATER))
    return placed(picture, found, before, Classes.of_profile(profile()), profile(), rows)


def _off(grid: Grid | None) -> float:
    assert grid is not None
    true = renderer().truth(scene()).grid
    return float(np.linalg.norm(grid.corners - true.corners, axis=1).max() / true.cell)


def test_a_grid_is_the_same_after_it_was_in_a_profile() -> None:
    grid = renderer().truth(scene()).grid
    again = grid_from(grid_values(grid))
    assert (again.size, again.lens) == (grid.size, grid.lens)
    assert np.allclose(again.homography, grid.homography)


def test_four_quarters_are_none_and_one_begins_at_the_next_corner() -> None:
    grid = renderer().truth(scene()).grid
    assert np.allclose(turned(grid, 1).corners, np.roll(grid.corners, -1, axis=0))
    assert np.allclose(turned(grid, 4).corners, grid.corners)


@pytest.mark.parametrize("quarters", range(4))
def test_the_first_corner_is_the_one_that_it_was(quarters: int) -> None:
    grid = renderer().truth(scene()).grid
    assert _off(_placed(turned(grid, quarters), grid)) < 0.01


@pytest.mark.parametrize("quarters", range(4))
def test_what_stood_on_the_board_tells_more_than_where_it_was(quarters: int) -> None:
    grid = renderer().truth(scene()).grid
    assert _off(_placed(grid, turned(grid, quarters), _SEEN)) < 0.01


def test_a_board_that_may_have_been_turned_to_either_side_is_not_guessed_at() -> None:
    grid = renderer().truth(scene()).grid
    assert _placed(grid, turned(grid, 1)) is None


def test_a_grid_that_was_found_a_square_aside_is_put_right() -> None:
    grid = renderer().truth(scene()).grid
    aside = replace(grid, homography=grid.homography @ np.array([[1, 0, 1], [0, 1, 0], [0, 0, 1.0]]))
    assert _off(_placed(aside, grid)) < 0.05
