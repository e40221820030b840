"""Darkness, glare, and pictures that are the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from decoding.vision.filmed import WOOD, noise, renderer, scene

from damas_board.decoding.vision.quality import light, same


def test_a_lit_board_is_well_lit() -> None:
    camera = renderer()
    found = light(camera.picture(scene()), camera.truth(scene()).grid)
    assert found.status == "OK"
    assert not found.glare.any()


def test_a_black_picture_is_dark_with_a_board_or_without() -> None:
    black = np.zeros((360, 640, 3), dtype=np.uint8)
    assert light(black).status == "DARK"
    assert light(black, renderer().truth(scene()).grid).status == "DARK"
    assert light(noise(1)).status == "OK"


def test_a_dim_board_is_not_dark() -> None:
    camera = renderer()
    picture = camera.picture(scene(), replace(WOOD.light, level=0.03))
    assert light(picture, camera.truth(scene()).grid).status == "OK"


def test_squares_in_a_glare_are_named() -> None:
    camera = renderer()
    picture, grid = camera.picture(scene()).copy(), camera.truth(scene()).grid
    x, y = np.rint(grid.centres[4, 3]).astype(int)
    picture[y - 14 : y + 15, x - 14 : x + 15] = 255
    found = light(picture, grid)
    assert [tuple(square) for square in np.argwhere(found.glare)] == [(4, 3)]
    assert found.status == "OK"
    assert light(np.full_like(picture, 255), grid).status == "GLARE"


def test_pictures_are_the_same_only_to_the_last_bit() -> None:
    picture = noise(1)
    other = picture.copy()
    assert same(picture, other)
    other[17, 30, 1] ^= 1
    assert not same(picture, other)
    assert not same(picture, picture[:100])
