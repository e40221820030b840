"""Hands, paper and shadows over a rendered board."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from decoding.vision.filmed import LATER, WOOD, hand, renderer, scene

from damas_board.decoding.vision.covering import Background, Mask, around, limbs, moving
from damas_board.decoding.vision.following import Follower
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.sampling import samples
from simulator.camera import Arm, Light, Loose, Scene


def _covered(shown: Scene, light: Light | None = None, edit: Picture | None = None) -> Mask:
    """What lies over the board, for one who saw the start position before."""
    camera = renderer()
    grid = camera.truth(scene()).grid
    first = camera.picture(scene())
    follower = Follower(first, grid)
    background = Background(samples(first, grid), follower.follow(first).contrasts)
    picture = camera.picture(shown, light) if edit is None else edit
    return background.covered(samples(picture, grid), follower.follow(picture).contrasts)


def test_moves_are_no_covering() -> None:
    assert not _covered(scene(LATER)).any()


def test_squares_under_a_hand_are_covered_and_the_other_side_of_the_board_is_not() -> None:
    covered = _covered(hand(70, -20))
    assert covered[5:, 4:7].sum() >= 5
    assert not covered[:, :3].any()
    assert (limbs(covered, np.zeros_like(covered)) == covered).all()


@pytest.mark.parametrize("sleeve", [(20, 20, 22), (130, 180, 210), (235, 235, 235)])
def test_sleeves_of_any_colour_cover(sleeve: tuple[float, float, float]) -> None:
    arm = Arm(0.0, 150.0, 30.0, (60.0, -500.0), sleeve=sleeve)
    covered = _covered(replace(scene(), arms=(arm,)))
    assert covered[3:, 3:6].sum() >= 6


@pytest.mark.parametrize("person", [(0, 0, 120, 0.5), (-120, 80, 200, 0.6), (100, -100, 90, 0.4)])
def test_a_shadow_is_no_covering(person: tuple[float, float, float, float]) -> None:
    assert not _covered(scene(), replace(WOOD.light, person=person)).any()


def test_another_lamp_is_no_covering() -> None:
    assert not _covered(scene(), replace(WOOD.light, level=0.5, colour=(0.7, 0.9, 1.1))).any()


def test_captured_men_laid_on_squares_that_are_never_occupied_are_no_hand() -> None:
    aside = replace(scene(LATER), beside=(Loose("w", 22.5, 22.5), Loose("b", -22.5, -22.5)))
    covered = _covered(aside)
    assert covered.sum() <= 2
    assert not limbs(covered, np.zeros_like(covered)).any()


def test_a_sheet_in_the_middle_hides_its_squares_and_is_no_hand_until_it_moves() -> None:
    camera = renderer()
    picture = camera.picture(scene())
    points = camera.truth(scene()).grid.pixels([[3, 3], [5, 3], [5, 5], [3, 5]])
    cv2.fillConvexPoly(picture, np.rint(points).astype(np.int32), (240, 240, 240))
    covered = _covered(scene(), edit=picture)
    assert covered[3:5, 3:5].all()
    assert covered.sum() <= 6
    nothing = np.zeros_like(covered)
    assert not limbs(covered, nothing).any()
    assert limbs(covered, ~nothing)[3:5, 3:5].all()


def test_what_lies_over_squares_is_never_learned_as_their_light() -> None:
    camera = renderer()
    first = camera.picture(scene())
    grid = camera.truth(scene()).grid
    contrasts = Follower(first, grid).follow(first).contrasts
    background = Background(samples(first, grid), contrasts)
    paper, rest = camera.picture(scene()), samples(first, grid)
    paper[:] = np.where(np.indices(paper.shape[:2])[1][..., np.newaxis] < 320, 255 - paper // 4, paper)
    under = samples(paper, grid)
    covered = np.zeros((8, 8), dtype=np.bool_)
    covered[:3, :3] = True
    beneath = contrasts.copy()
    beneath[3:6, 3] = 0  # those of its third column show by chance
    for _ in range(200):
        background.learn(under, beneath, covered, np.zeros_like(covered))
    assert not background.covered(rest, contrasts)[:3, :3].any()


def test_what_moves_is_seen_where_it_moves() -> None:
    camera = renderer()
    first = camera.picture(scene())
    follower = Follower(first, camera.truth(scene()).grid)
    before = follower.follow(first).levels
    after = follower.follow(camera.picture(scene(LATER))).levels
    restless = moving(after, before, follower.small)
    assert restless[0, 3]
    assert not restless[7].any()
    lamp = follower.follow(camera.picture(scene(), replace(WOOD.light, level=0.7))).levels
    assert not moving(lamp, before, follower.small).any()


def test_around_a_square_are_its_neighbours() -> None:
    one = np.zeros((8, 8), dtype=np.bool_)
    one[0, 3] = True
    assert np.argwhere(around(one)).tolist() == [[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4]]
