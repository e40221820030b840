"""Noise all over, picture after picture, and nothing else, proves a camera whose pictures never repeat themselves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from decoding.vision.filmed import noise

from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.trembling import Tremor


def proven(pictures: list[Picture]) -> bool:
    tremor = Tremor()
    for before, picture in pairwise(pictures):
        tremor.look(picture, before)
    return tremor.proven


def test_noise_all_over_is_proof_and_stays() -> None:
    pictures = [noise(number) for number in range(12)]
    assert proven(pictures)
    assert proven([*pictures, *[pictures[-1]] * 3])


def test_a_few_pictures_are_none() -> None:
    assert not proven([noise(number) for number in range(6)])


def test_a_hand_that_moves_for_long_is_none() -> None:
    pictures = []
    for number in range(40):
        picture = noise(0).copy()
        picture[:, 5 * number : 5 * number + 200] = np.uint8(number)
        pictures.append(picture)
    assert not proven(pictures)


def test_light_that_changes_again_and_again_is_none() -> None:
    assert not proven([np.full((360, 640, 3), number // 2, dtype=np.uint8) for number in range(60)])


def test_a_picture_smaller_than_the_tiles_is_looked_at_too() -> None:
    tiny = [np.full((9, 7, 3), number, dtype=np.uint8) for number in range(12)]
    assert proven(tiny)
