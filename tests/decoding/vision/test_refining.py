"""A grid near a board is pulled onto it."""

from dataclasses import replace

import numpy as np
import pytest
from decoding.vision.drawn_boards import drawn, error, posed

from damas_board.decoding.vision.grid import Grid, Lens
from damas_board.decoding.vision.refining import refine


def off(grid: Grid, by: float, seed: int) -> Grid:
    """A grid with an ideal lens whose corners lie `by` squares beside a grid's, in both directions."""
    n = grid.size
    ends = np.array([[0, 0], [n, 0], [n, n], [0, n]]) + np.random.default_rng(seed).choice([-by, by], (4, 2))
    return Grid.of_corners(grid.pixels(ends), n, replace(grid.lens, bend=0.0))


@pytest.mark.parametrize("bend", [0.0, -0.15, 0.06])
@pytest.mark.parametrize("size", [8, 10])
def test_corners_a_third_of_a_square_off_are_pulled_in_and_the_lens_is_found(size: int, bend: float) -> None:
    grid = posed(size, 11, bend=bend)
    refined = refine(drawn(grid, pieces=0.6, parity=1 if bend else 0), off(grid, 0.3, 2))
    assert error(refined, grid) < 0.03
    assert refined.lens.bend == pytest.approx(bend, abs=0.02)


def test_without_the_lens_its_bend_stays() -> None:
    grid = posed(8, 12, bend=-0.1)
    picture = drawn(grid)
    assert refine(picture, off(grid, 0.1, 1), lens=False).lens.bend == 0
    assert refine(picture, grid, lens=False).lens.bend == -0.1
    assert error(refine(picture, grid, lens=False), grid) < 0.03


def test_in_a_nearly_black_picture_too() -> None:
    grid = posed(8, 13)
    assert error(refine(drawn(grid, pieces=0.5, light=0.04, noise=1.0), off(grid, 0.25, 3)), grid) < 0.05


def test_lines_that_do_not_fit_the_others_are_not_believed() -> None:
    grid = posed(8, 14)
    picture = drawn(grid)
    aside = np.array([[1, 0, 0.2], [0, 1, 0.2], [0, 0, 1]])
    other = drawn(replace(grid, homography=grid.homography @ aside))
    x, y = (int(v) for v in grid.pixels([5.0, 5.0]))
    picture[y:, x:] = other[y:, x:]
    assert error(refine(picture, grid), grid) < 0.03


def test_large_pictures_are_refined_as_exactly_on_a_smaller_scale() -> None:
    grid = posed(8, 15, 1600, 1200)
    assert error(refine(drawn(grid, 1600, 1200, pieces=0.3), off(grid, 0.25, 5)), grid) < 0.02


def test_where_no_board_is_the_grid_stays_as_it_was() -> None:
    grid = replace(posed(8, 16), lens=Lens.of_picture(640, 480))
    away = Grid.of_corners(grid.corners + 5000, 8)
    random = np.random.default_rng(2)
    noise = random.integers(0, 256, (480, 640, 3)).astype(np.uint8)
    for picture in (np.zeros((480, 640, 3), dtype=np.uint8), noise):
        assert np.isfinite(refine(picture, grid).corners).all()
    assert refine(np.zeros((480, 640, 3), dtype=np.uint8), grid).corners == pytest.approx(grid.corners)
    assert refine(noise, away).corners == pytest.approx(away.corners)
