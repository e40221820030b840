"""Whether a grid lies on a board."""

import numpy as np
import pytest
from decoding.vision.drawn_boards import RED_GREEN, drawn, posed

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture, grey
from damas_board.decoding.vision.score import ACCEPTED, Alternation, alternation, channel, score, shifted


def aside(grid: Grid, rows: float, columns: float, size: int | None = None) -> Grid:
    """A grid that begins so many rows and columns further on."""
    shift = np.array([[1, 0, columns], [0, 1, rows], [0, 0, 1.0]])
    return Grid(size or grid.size, grid.homography @ shift, grid.lens)


def plain(level: int = 120) -> Picture:
    return np.full((480, 640, 3), level, dtype=np.uint8)


@pytest.mark.parametrize("size", [8, 10, 12])
def test_a_board_full_of_men_scores_far_above_the_limit(size: int) -> None:
    grid = posed(size, 3)
    assert score(drawn(grid, pieces=0.9), grid) > 2 * ACCEPTED


def test_anything_else_scores_next_to_nothing() -> None:
    random = np.random.default_rng(1)
    stripes = plain()
    stripes[:, (np.arange(640) // 40) % 2 == 0] = 220
    lines = plain(230)
    lines[::40] = lines[:, ::40] = 20
    noise = random.integers(0, 256, (480, 640, 3)).astype(np.uint8)
    grid = Grid.of_corners([[40, 40], [360, 40], [360, 360], [40, 360]], 8)
    for picture in (plain(0), plain(), stripes, lines, noise, noise // 64):
        assert score(picture, grid) < 3


def test_neither_the_light_s_level_nor_a_shadow_over_half_the_board_matters() -> None:
    grid = posed(8, 4)
    picture = drawn(grid, pieces=0.4, noise=0.5)
    bright = score(picture, grid)
    shadowed = picture.copy()
    shadowed[:, :320] = shadowed[:, :320] // 4
    assert score((picture // 12).astype(np.uint8), grid) > 0.85 * bright
    assert score(shadowed, grid) > 0.9 * bright


def test_red_and_green_squares_that_are_equally_grey_are_a_board_in_the_red_channel() -> None:
    grid = posed(10, 5)
    picture = drawn(grid, colours=RED_GREEN)
    levels = np.repeat(grey(picture)[:, :, None], 3, axis=2)
    assert score(levels, grid) < ACCEPTED
    assert score(picture, grid) > 2 * ACCEPTED
    assert channel(picture, grid) in (1, 2)


@pytest.mark.parametrize(("rows", "columns"), [(0, 0), (0, 1), (-1, 0), (2, 0), (1, -1)])
def test_a_grid_one_square_aside_is_told_by_how_much(rows: int, columns: int) -> None:
    grid = posed(8, 6)
    assert shifted(drawn(grid, pieces=0.5), aside(grid, rows, columns)) == (-rows, -columns)


def test_a_window_a_square_aside_has_clearly_less_evidence() -> None:
    grid = posed(8, 7)
    best, second = alternation(drawn(grid, pieces=0.5), grid, 2).best(8)
    assert (best.row, best.column) == (0, 0)
    assert best.evidence > second.evidence + 8


def test_eight_squares_within_ten_score_as_much_but_have_less_evidence() -> None:
    grid = posed(10, 8)
    seen = alternation(drawn(grid, pieces=0.4), grid, 2)
    (ten, *_), (eight, *_) = seen.best(10), seen.best(8)
    assert eight.score > 0.97 * ten.score
    assert (ten.row, ten.column) == (0, 0)
    assert ten.evidence > 1.3 * eight.evidence


def test_ten_squares_over_eight_have_less_evidence_than_the_eight() -> None:
    grid = posed(8, 9)
    seen = alternation(drawn(grid, pieces=0.4), grid, 3)
    assert seen.best(8)[0].evidence > 1.2 * seen.best(10)[0].evidence


def test_a_grid_outside_the_picture_scores_nothing() -> None:
    picture, away = drawn(posed(8, 1)), Grid.of_corners([[1000, 0], [1400, 0], [1400, 400], [1000, 400]], 8)
    assert score(picture, away) == 0
    assert shifted(picture, away) == (0, 0)


def test_what_would_lie_behind_the_camera_is_not_in_the_picture() -> None:
    grid = Grid(8, np.array([[60.0, 90, 300], [0, 30, 300], [0, 0.3, 1]]))
    beyond = grid.pixels([[4.0, -12], [4, -11]])
    assert ((beyond > 0) & (beyond < 1000)).all(), "the other side of the horizon has its place there"
    rows = alternation(np.full((1000, 1000, 3), 99, dtype=np.uint8), grid, 12).across[0]
    assert np.isnan(rows[0]).all()
    assert not np.isnan(rows[12:16, 12:16]).any()


def changes(columns: slice, outside: slice, frame: float) -> Alternation:
    """Those of 14 x 14 squares: a board in the rows 2 to 9 (of 8) or 1 to 12 (of 12) at such columns, beside it next
    to nothing but a little more in its frame, and no picture in the columns `outside`."""
    rows = slice(2, 10) if columns.stop - columns.start == 8 else slice(1, 13)
    inside = np.zeros((14, 14), dtype=bool)
    inside[rows, columns] = True
    strength = np.where(inside, 0.8, 0.0)
    strength[rows, columns.stop] = frame
    strength[rows, columns.start - 1] = frame
    strength[:, outside] = np.nan
    across = np.minimum(strength[:, 1:], strength[:, :-1])
    down = np.minimum(strength[1:], strength[:-1])
    return Alternation(0, np.tile(across, (4, 1, 1)), np.tile(down, (4, 1, 1)))


def test_a_board_whose_last_column_is_cut_off_is_not_the_window_of_those_that_are_seen() -> None:
    best, second = changes(slice(3, 11), slice(10, 14), 0.15).best(8)
    assert (best.row, best.column) == (2, 3)
    assert best.possible
    assert best.evidence > second.evidence + 0.5


def test_ten_columns_that_are_seen_of_a_board_of_twelve_are_no_board_of_ten() -> None:
    seen = changes(slice(1, 13), slice(11, 14), 0.0)
    assert seen.best(12)[0].evidence > seen.best(10)[0].evidence
