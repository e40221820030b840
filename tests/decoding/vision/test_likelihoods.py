"""How likely the classes are for a square, given what is not known of the light on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from decoding.vision.boards_seen import EMPTY, shown, taught
from numpy.typing import NDArray

from damas_board.decoding.vision.classes import Classes
from damas_board.decoding.vision.lighting import lit
from damas_board.decoding.vision.likelihoods import OUTSIDE, OUTSIDE_A_GUESS, likelihoods
from damas_board.decoding.vision.sampling import samples

ROW, COLUMN = 4, 3


def _of(
    features: NDArray[np.float64],
    classes: Classes | None = None,
    *,
    light: float = 0.0,
    colour: float = 0.0,
    shine: float = 0.0,
    burnt: float = 0.0,
) -> NDArray[np.float64]:
    """Likelihoods of a square of these features where the light or its colour is in doubt, or something shines."""
    seen = shown(EMPTY)
    squares = samples(seen.picture, seen.grid)
    relative = lit(squares, seen.parity)
    relative.features[ROW, COLUMN] = features
    relative.doubt[ROW, COLUMN] = (light, colour, colour)
    relative.shine[ROW, COLUMN] = shine
    squares.burnt[ROW, COLUMN] = burnt
    where = np.zeros((8, 8), dtype=np.bool_)
    where[ROW, COLUMN] = True
    return likelihoods(squares, relative, taught().classes if classes is None else classes, where)[0]


def _mean(kind: int) -> NDArray[np.float64]:
    return taught().classes.means[kind].copy()


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_what_looks_as_a_class_does_is_of_it(kind: int) -> None:
    assert _of(_mean(kind))[kind] > 0.99


def test_what_looks_like_none_of_the_three_is_each_as_likely() -> None:
    assert np.allclose(_of(np.array([-0.3, 1.5, -1.0, -2.0])), 1 / 3, atol=0.02)


def test_the_farther_from_a_class_the_less_likely_it_is_and_never_all_at_once() -> None:
    steps = [_of(_mean(1) + np.array([step, 0, 0, 0]))[1] for step in np.arange(0, 1.2, 0.05)]
    assert steps == sorted(steps, reverse=True)
    assert max(a - b for a, b in pairwise(steps)) < 0.3


def _grey(*lights: float) -> Classes:
    """Empty, white and black that differ by nothing but light."""
    return replace(taught().classes, means=np.array([[light, 0.0, 0.0, -2.0] for light in lights]))


def test_where_the_light_is_in_doubt_what_differs_by_light_alone_is_in_doubt() -> None:
    classes = _grey(-0.9, 0.1, -1.6)
    darker = classes.means[0] - np.array([0.1, 0.0, 0.0, 0.0])
    assert _of(darker, classes)[0] > 0.99
    assert 0.5 < _of(darker, classes, light=0.4)[0] < 0.9
    assert _of(_mean(0), light=0.3)[0] > 0.95


def test_where_the_lights_colour_is_in_doubt_colours_say_less() -> None:
    off = _mean(0) + np.array([0.0, 0.16, 0.0, 0.0])
    assert _of(off)[0] < 0.9
    assert _of(off, colour=0.15)[0] > _of(off)[0]


def test_a_dark_man_that_shines_is_no_certain_white_one() -> None:
    classes = _grey(-0.9, 0.1, -1.6)
    shining = classes.means[1] - np.array([0.2, 0.0, 0.0, 0.0])
    assert _of(shining, classes)[1] > 0.99
    assert _of(shining, classes, shine=0.6)[1] < 0.9
    assert _of(_mean(2), shine=0.6)[2] > 0.95


def test_what_is_overexposed_is_no_man() -> None:
    assert _of(_mean(1), burnt=1.0)[1] < 0.95


def test_kings_are_of_their_colour_where_their_dark_sides_are_seen() -> None:
    for kind in (1, 2):
        side = _mean(kind) + np.array([-0.5, 0.0, 0.0, 1.2])
        assert _of(side)[kind] > 0.95
    assert _of(_mean(0) + np.array([-0.5, 0.0, 0.0, 1.2]))[0] < 0.95


def test_shine_and_doubt_of_one_square_say_nothing_of_another() -> None:
    seen = shown(EMPTY)
    squares = samples(seen.picture, seen.grid)
    relative = lit(squares, seen.parity)
    where = np.zeros((8, 8), dtype=np.bool_)
    where[ROW, COLUMN] = True
    before = likelihoods(squares, relative, taught().classes, where)
    shine = np.where(where, relative.shine, 3.0)
    after = likelihoods(squares, replace(relative, shine=shine), taught().classes, where)
    assert np.array_equal(before, after)


def test_a_class_that_was_guessed_is_left_sooner_than_one_that_was_learned() -> None:
    seen = shown(EMPTY)
    squares = samples(seen.picture, seen.grid)
    relative = lit(squares, seen.parity)
    where = np.zeros((8, 8), dtype=np.bool_)
    where[ROW, COLUMN] = True
    relative.features[ROW, COLUMN] = _mean(1) + np.sqrt(np.diagonal(taught().classes.covariances[1])) * 1.6
    learned, guessed = (
        likelihoods(squares, relative, taught().classes, where, at)[0, 1] for at in (OUTSIDE, OUTSIDE_A_GUESS)
    )
    assert guessed < learned - 0.02
