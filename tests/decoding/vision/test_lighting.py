"""The light on the board is taken off the squares; where it is not clear, that is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from decoding.vision.boards_seen import EMPTY, START, STILL, VIEW, shown

from damas_board.decoding.vision.lighting import lit, playing
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.sampling import samples

DARK = playing(8, 1)


def _darkened(picture: Picture, left: int, factor: float) -> Picture:
    changed = picture.copy()
    changed[:, :left] = (picture[:, :left] * factor).astype(np.uint8)
    return changed


def _painted(rows: str, *squares: tuple[int, int], colour: tuple[int, int, int]) -> Picture:
    seen = shown(rows)
    picture = seen.picture.copy()
    for row, column in squares:
        x, y = np.rint(seen.grid.pixels([column + 0.5, row + 0.5])).astype(int)
        picture[y - 9 : y + 10, x - 12 : x + 13] = colour
    return picture


def test_a_slope_of_light_is_taken_off() -> None:
    slope = shown(EMPTY, light=replace(STILL, gradient=(0.35, 0.2)))
    assert np.ptp(samples(slope.picture, slope.grid).features[DARK][:, 0]) > 0.3
    assert np.ptp(lit(samples(slope.picture, slope.grid), 1).features[DARK][:, 0]) < 0.2


def test_coloured_light_is_taken_off() -> None:
    white, warm = shown(START), shown(START, light=replace(STILL, colour=(0.6, 0.9, 1.1)))
    one, other = (lit(samples(seen.picture, seen.grid), 1).features for seen in (white, warm))
    assert np.abs(one - other)[DARK][:, :3].max() < 0.12


@pytest.mark.parametrize("edge", [2, 4, 6])
def test_squares_in_a_shadow_are_like_those_in_the_light(edge: int) -> None:
    seen = shown(EMPTY)
    picture = _darkened(seen.picture, int(seen.grid.pixels([edge, 4])[0]), 0.65)
    relative = lit(samples(picture, seen.grid), 1)
    inside = DARK & (np.indices((8, 8))[1] < edge - 1)
    outside = DARK & (np.indices((8, 8))[1] > edge)
    assert abs(np.median(relative.features[inside, 0]) - np.median(relative.features[outside, 0])) < 0.1


def test_the_light_along_a_shadows_edge_is_in_doubt() -> None:
    seen = shown(EMPTY)
    picture = seen.picture.copy()
    y, x = np.indices(picture.shape[:2])
    cells = seen.grid.cells(np.stack([x, y], axis=-1))
    picture[cells.sum(axis=-1) < 8] //= 2
    doubt = lit(samples(picture, seen.grid), 1).doubt[..., 0]
    rows, columns = np.indices((8, 8))
    along = rows + columns == 7
    away = DARK & (np.abs(rows + columns - 7) > 2)
    assert np.median(doubt[along]) > 3 * np.median(doubt[away])


def test_what_lies_on_a_square_that_is_never_occupied_says_nothing_of_the_light() -> None:
    plain = shown(EMPTY)
    without = lit(samples(plain.picture, plain.grid), 1)
    with_red = lit(samples(_painted(EMPTY, (4, 4), (4, 6), (5, 5), colour=(30, 30, 200)), plain.grid), 1)
    assert np.argwhere(with_red.strange).tolist() == [[4, 4], [4, 6], [5, 5]]
    assert np.abs(with_red.features - without.features)[DARK][:, :3].max() < 0.1


def test_covered_squares_are_not_asked_about_the_light() -> None:
    seen = shown(EMPTY)
    covered = np.zeros((8, 8), dtype=np.bool_)
    covered[3:5, :4] = True
    squares = [(r, c) for r in (3, 4) for c in range(4) if (r + c) % 2 == 0]
    picture = _painted(EMPTY, *squares, colour=(250, 250, 250))
    without = lit(samples(seen.picture, seen.grid), 1)
    relative = lit(samples(picture, seen.grid), 1, covered)
    assert np.abs(relative.features - without.features)[DARK & ~covered][:, :3].max() < 0.1
    assert not relative.strange.any()


def test_where_a_lamp_is_reflected_dark_squares_may_be_lighter_than_the_light_makes_them() -> None:
    seen = shown(EMPTY)
    picture = _painted(EMPTY, (4, 4), colour=(225, 245, 255))
    assert lit(samples(picture, seen.grid), 1).shine[4, 3] > 0.1
    assert lit(samples(seen.picture, seen.grid), 1).shine.max() < 0.05


def test_without_squares_to_ask_everything_is_in_doubt() -> None:
    seen = shown(START, VIEW)
    relative = lit(samples(seen.picture, seen.grid), 1, np.ones((8, 8), dtype=np.bool_))
    assert (relative.doubt == 1).all()


def test_where_the_light_has_another_colour_than_elsewhere_colours_are_in_doubt() -> None:
    seen = shown(EMPTY)
    picture = seen.picture.copy()
    y, x = np.indices(picture.shape[:2])
    cells = seen.grid.cells(np.stack([x, y], axis=-1))
    inside = ((cells > 2) & (cells < 6)).all(axis=-1)
    picture[inside] = (picture[inside] * (1.0, 0.98, 0.92)).astype(np.uint8)
    doubt = lit(samples(picture, seen.grid), 1).doubt
    middle = [(3, 4), (4, 3)]
    corner = [(0, 1), (0, 7), (1, 0), (7, 0), (7, 6)]
    assert min(doubt[place][1] for place in middle) > 0.03
    assert min(doubt[place][1] for place in middle) > 2 * np.median([doubt[place][1] for place in corner])
