"""Where four squares meet."""

import numpy as np
import pytest
from decoding.vision.drawn_boards import drawn, posed

from damas_board.decoding.vision.picture import grey
from damas_board.decoding.vision.saddles import saddles


@pytest.mark.parametrize("size", [8, 12])
def test_every_crossing_of_an_empty_board_is_a_saddle_and_nothing_else_is(size: int) -> None:
    grid = posed(size, 31)
    found = saddles(grey(drawn(grid)))
    crossings = grid.points[1:-1, 1:-1].reshape(-1, 2)
    far = np.linalg.norm(found.points[:, None] - crossings, axis=2)
    assert len(found) == len(crossings)
    assert far.min(axis=0).max() < 1


def test_from_one_crossing_to_the_next_the_light_squares_change_sides() -> None:
    grid = posed(8, 32)
    found = saddles(grey(drawn(grid)))
    cells = np.round(grid.cells(found.points))
    signs = 1 - 2 * (cells.sum(axis=1) % 2)
    turned = (found.light * found.light[0].conj()).real * signs * signs[0]
    assert turned.min() > 0.3


def test_the_lines_that_cross_there_are_the_board_s() -> None:
    grid = posed(8, 33)
    found = saddles(grey(drawn(grid)))
    cells = grid.cells(found.points)
    for way in ((0.05, 0), (0, 0.05)):
        along = grid.pixels(cells + way) - grid.pixels(cells)
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        assert np.abs(np.einsum("nek,nk->ne", found.edges, along)).max(axis=1).min() > 0.97


def test_a_plane_without_anything_has_none() -> None:
    assert len(saddles(np.full((200, 300), 90, dtype=np.uint8))) == 0
