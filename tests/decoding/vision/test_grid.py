"""Cells to pixels and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.decoding.vision.grid import Grid, Lens, homography_of

CORNERS = np.array([[150.0, 80.0], [500.0, 100.0], [560.0, 430.0], [90.0, 400.0]])


@given(
    bend=st.floats(-0.2, 0.1),
    size=st.sampled_from((8, 10, 12)),
    across=st.floats(0, 1),
    down=st.floats(0, 1),
    corners=st.lists(st.tuples(st.floats(-60, 60), st.floats(-60, 60)), min_size=4, max_size=4),
)
@settings(max_examples=100)
def test_a_point_of_the_board_is_found_again_from_its_pixel_whatever_the_lens(
    bend: float, size: int, across: float, down: float, corners: list[tuple[float, float]]
) -> None:
    grid = Grid.of_corners(CORNERS + np.array(corners), size, Lens.of_picture(640, 480, bend))
    cell = np.array([across * size, down * size])
    assert grid.cells(grid.pixels(cell)) == pytest.approx(cell, abs=1e-4)


def test_the_outer_corners_are_where_they_were_said_to_be_under_a_bent_lens_too() -> None:
    for bend in (0.0, -0.15):
        grid = Grid.of_corners(CORNERS, 10, Lens.of_picture(640, 480, bend))
        assert grid.corners == pytest.approx(CORNERS, abs=1e-5)
        assert grid.points[0, -1] == pytest.approx(CORNERS[1], abs=1e-3)
        assert grid.points[-1, 0] == pytest.approx(CORNERS[3], abs=1e-3)


def test_places_that_a_barrel_lens_shows_nowhere_are_taken_to_the_edge_of_what_it_shows() -> None:
    lens = Lens.of_picture(640, 480, -0.4)
    far = np.array([[5000.0, -3000.0], [320.0, 240.0], [319.5, 239.5]])
    straight = lens.straight(far)
    assert np.linalg.norm(straight[0] - lens.centre) == pytest.approx(lens.radius / np.sqrt(1.2))
    assert straight[2] == pytest.approx(lens.centre)


def test_a_square_s_middle_lies_half_a_cell_from_its_corner() -> None:
    grid = Grid.of_corners(np.array([[0, 0], [80, 0], [80, 80], [0, 80]]), 8)
    assert grid.centres[2, 5] == pytest.approx([55, 25])
    assert grid.cell == pytest.approx(10)


def test_in_a_picture_twice_as_large_the_grid_lies_on_the_same_things() -> None:
    grid = Grid.of_corners(CORNERS, 8, Lens.of_picture(640, 480, -0.1))
    large = grid.scaled(2)
    assert large.points == pytest.approx(grid.points * 2 + 0.5, abs=1e-6)
    assert large.lens.centre == pytest.approx((1279 / 2, 959 / 2))


def test_three_points_on_a_line_give_no_homography() -> None:
    with pytest.raises(ValueError, match="lie on a line"):
        Grid.of_corners([[0, 0], [10, 0], [20, 0], [0, 10]], 8)
    with pytest.raises(ValueError, match="four pairs"):
        homography_of(np.zeros((3, 2)), np.zeros((3, 2)))
