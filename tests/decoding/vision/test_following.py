"""A board is followed from picture to picture, and never by a whole square."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from decoding.vision.filmed import START, WOOD, hand, noise, renderer, scene

from damas_board.decoding.vision.crossings import BEYOND, Crossings, levels
from damas_board.decoding.vision.following import SEEN, STILL, Follower
from damas_board.decoding.vision.grid import Grid
from simulator.camera import LOOKS, Renderer, Scene


def _follower() -> Follower:
    camera = renderer()
    return Follower(camera.picture(scene()), camera.truth(scene()).grid)


def _off(grid: Grid | None, true: Grid) -> float:
    assert grid is not None
    return float(np.linalg.norm(grid.corners - true.corners, axis=1).max() / true.cell)


def test_the_grid_of_a_board_that_lies_still_does_not_tremble() -> None:
    follower = _follower()
    before = follower.grid
    for _ in range(3):
        followed = follower.follow(renderer().picture(scene()))
        assert followed.moved == 0
        assert followed.grid is before


@pytest.mark.parametrize(("x", "y", "turned"), [(10, 0, 0), (-8, 12, 0), (0, 0, 3), (6, -4, -2)])
def test_a_bump_is_followed_in_one_picture_and_refined_when_the_board_rests(x: float, y: float, turned: float) -> None:
    follower = _follower()
    there = scene(x=x, y=y, turned=turned)
    true = renderer().truth(there).grid
    first = follower.follow(renderer().picture(there))
    assert first.moved > STILL
    assert _off(first.grid, true) < 0.05
    rested = follower.follow(renderer().picture(there))
    assert _off(rested.grid, true) < 0.03
    assert follower.follow(renderer().picture(there)).moved == 0


@pytest.mark.parametrize(("x", "y"), [(45, 0), (0, 45), (90, 0), (45, 45), (-45, -45), (0, -90)])
def test_a_whole_square_is_never_swallowed(x: float, y: float) -> None:
    there = scene(x=x, y=y)
    true = renderer().truth(there).grid
    follower = _follower()
    for _ in range(3):
        grid = follower.follow(renderer().picture(there)).grid
        assert grid is None or _off(grid, true) < 0.05


def test_the_board_goes_back_to_where_it_was() -> None:
    follower = _follower()
    camera = renderer()
    for x in (0, 4, 8, 4, 0):
        followed = follower.follow(camera.picture(scene(x=x)))
    assert _off(followed.grid, camera.truth(scene()).grid) < 0.02


def test_a_hand_over_a_part_of_the_board_does_not_move_it() -> None:
    follower = _follower()
    followed = follower.follow(renderer().picture(hand(40, 20)))
    assert followed.moved == 0
    assert SEEN < followed.seen < 1
    assert _off(followed.grid, renderer().truth(scene()).grid) == 0


def test_a_newspaper_over_one_half_of_the_board_does_not_move_it_to_the_other() -> None:
    follower = _follower()
    grid = follower.grid
    picture = renderer().picture(scene()).copy()
    points = grid.pixels([[-1, -1], [9, -1], [9, 4], [-1, 4]])
    cv2.fillConvexPoly(picture, np.rint(points).astype(np.int32), (215, 225, 230))
    for _ in range(2):
        followed = follower.follow(picture)
        assert followed.grid is grid
        assert followed.moved == 0


def test_where_there_is_no_board_any_more_nothing_shows() -> None:
    assert _follower().follow(noise(1)).seen < SEEN


def test_a_bare_table_is_not_a_board_out_of_focus() -> None:
    follower = _follower()
    focus = np.asarray(cv2.blur(renderer().picture(scene()), (41, 41)), dtype=np.uint8)
    assert follower.blurred(follower.follow(focus).levels)
    bare = np.asarray(cv2.blur(noise(2), (9, 9)), dtype=np.uint8)
    assert not follower.blurred(follower.follow(bare).levels)
    assert not follower.blurred(follower.follow(renderer().picture(scene())).levels)


def test_a_picture_that_is_shaken_does_not_lose_the_board() -> None:
    board = Scene.of_rows(START, LOOKS["red-men"])
    camera = Renderer(board, WOOD)
    sharp = camera.picture(board)
    follower = Follower(sharp, camera.truth(board).grid)
    shaken = follower.follow(np.asarray(cv2.blur(sharp, (69, 1)), dtype=np.uint8))  # looks as if two squares aside
    assert shaken.grid is follower.grid
    assert shaken.moved == 0


def test_squares_that_are_equally_grey_are_followed_by_their_colour() -> None:
    board = Scene.of_rows(START, LOOKS["red-green"])
    camera = Renderer(board, WOOD)
    follower = Follower(camera.picture(board), camera.truth(board).grid)
    there = replace(board, place=scene(x=10).place)
    for _ in range(2):
        followed = follower.follow(camera.picture(there))
    assert followed.seen > 0.95
    assert _off(followed.grid, camera.truth(there).grid) < 0.05


@pytest.mark.parametrize(("along", "down"), [(0, 0), (1, 0), (0, -1), (2, 0), (1, 1), (-2, 2)])
def test_the_crossings_tell_how_many_squares_a_grid_lies_aside(along: int, down: int) -> None:
    grid = renderer().truth(scene()).grid
    step = np.array([[1, 0, -along], [0, 1, -down], [0, 0, 1]], dtype=np.float64)
    aside = Grid(grid.size, grid.homography @ step, grid.lens)
    crossings = Crossings(aside.scaled(0.5))
    found = crossings.shift(crossings.contrasts(levels(renderer().picture(scene()), "grey", 0.5)))
    assert found[:2] == (along, down)
    assert found.margin > 0.4


def test_rows_that_are_hidden_are_no_reason_to_look_for_the_board_a_square_aside() -> None:
    grid = renderer().truth(scene()).grid.scaled(0.5)
    crossings = Crossings(grid)
    contrasts = crossings.contrasts(levels(renderer().picture(scene()), "grey", 0.5))
    contrasts[: BEYOND + 4] = 0
    assert crossings.shift(contrasts)[:2] == (0, 0)


def test_a_larger_board_in_the_place_of_the_one_that_is_followed_is_another_one() -> None:
    rows = [".b.b.b.b.b", "b.b.b.b.b."] * 2 + [".........."] * 2 + [".w.w.w.w.w", "w.w.w.w.w."] * 2
    larger = Scene.of_rows("/".join(rows), LOOKS["wood"])
    camera = Renderer(larger, WOOD)
    there = camera.truth(larger).grid
    for along, down in ((0, 0), (1, 1), (2, 1), (0, 2), (2, 2)):
        step = np.array([[1, 0, along], [0, 1, down], [0, 0, 1]], dtype=np.float64)
        inside = Crossings(Grid(8, there.homography @ step, there.lens).scaled(0.5))
        assert inside.larger(inside.contrasts(levels(camera.picture(larger), "grey", 0.5))), (along, down)
    own = Crossings(there.scaled(0.5))
    assert not own.larger(own.contrasts(levels(camera.picture(larger), "grey", 0.5)))
    follower = _follower()
    assert follower.follow(camera.picture(larger)).grid is None
