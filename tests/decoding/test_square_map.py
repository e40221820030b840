from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding.square_map import CORNERS, KIND_MARKS, Corner, Dark, SquareMap

MAPS = [
    SquareMap(size, dark, corner)
    for size, dark, corner in product((8, 10, 12), ("left", "right", "all"), CORNERS)
    if (size, dark) != (12, "all")
]
every_map = pytest.mark.parametrize("squares", MAPS, ids=lambda m: f"{m.size}-{m.dark}-{m.connector}")


@pytest.mark.parametrize(
    ("size", "dark", "places"),
    [(8, "left", 32), (8, "right", 32), (8, "all", 64), (10, "left", 50), (10, "all", 100), (12, "left", 72)],
)
def test_only_sensed_squares_are_counted(size: int, dark: Dark, places: int) -> None:
    assert SquareMap(size, dark).places == places


def test_a_board_with_too_many_places_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 100 sensed squares, not 144"):
        SquareMap(12, "all")


def test_places_of_a_10x10_board_with_its_connector_at_black_s_left_are_the_draughts_numbers() -> None:
    squares = SquareMap(10, "left", "black-left")
    assert squares.square(1) == 9 * 10 + 1
    assert squares.square(5) == 9 * 10 + 9
    assert squares.square(46) == 0
    assert squares.square(50) == 8


@pytest.mark.parametrize(
    ("connector", "rows"),
    [
        ("black-left", ".o.o.o.o/......../......../......../......../......../......../........"),
        ("white-right", "......../......../......../......../......../......../......../o.o.o.o."),
        ("black-right", ".......o/......../.......o/......../.......o/......../.......o/........"),
        ("white-left", "......../o......./......../o......./......../o......./......../o......."),
    ],
)
def test_the_first_places_lie_along_the_row_that_begins_at_the_connector(connector: Corner, rows: str) -> None:
    assert SquareMap(8, "left", connector).rows([1] * 4 + [0] * 28, 2) == rows


@pytest.mark.parametrize(
    ("connector", "row", "column"),
    [("black-left", 7, 0), ("black-right", 7, 7), ("white-right", 0, 7), ("white-left", 0, 0)],
)
def test_place_1_of_a_board_with_all_squares_is_the_connector_s_corner(
    connector: Corner, row: int, column: int
) -> None:
    assert SquareMap(8, "all", connector).square(1) == row * 8 + column


@every_map
def test_every_square_has_one_place_and_dark_corners_are_sensed(squares: SquareMap) -> None:
    assert [squares.place(square) for square in squares.squares] == list(range(1, squares.places + 1))
    corner = {"left": 0, "right": squares.size - 1, "all": 0}[squares.dark]
    assert corner in squares.squares


@every_map
def test_the_geometry_that_hello_carries_names_the_map(squares: SquareMap) -> None:
    assert SquareMap.of_geometry(squares.geometry, squares.connector) == squares


@pytest.mark.parametrize("geometry", [0x00, 0x38, 0x19, 0x0C])
def test_a_geometry_that_is_not_known_is_refused(geometry: int) -> None:
    with pytest.raises(ValueError, match=r"known|squares"):
        SquareMap.of_geometry(geometry)


@given(st.sampled_from(MAPS), st.data())
def test_levels_are_read_back_from_the_rows_they_made(squares: SquareMap, data: st.DataObject) -> None:
    kinds = data.draw(st.sampled_from([2, 5]))
    levels = tuple(data.draw(st.lists(st.integers(0, kinds - 1), min_size=squares.places, max_size=squares.places)))
    assert squares.levels(squares.rows(levels, kinds), kinds) == levels


def test_five_levels_are_marks_of_colour_and_kind_and_a_sixth_is_not_readable() -> None:
    assert SquareMap(8, "left").rows([*range(6)] + [0] * 26, 5).startswith("...w.b.W/B.?.")
    assert KIND_MARKS == ".wbWB"


def test_a_sensor_without_colour_never_shows_one() -> None:
    assert SquareMap(8, "left").rows([2] + [0] * 31, 2).startswith(".?......")


def test_rows_of_another_size_or_with_another_mark_are_refused() -> None:
    with pytest.raises(ValueError, match="64 squares"):
        SquareMap(8, "left").levels("./.", 2)
    with pytest.raises(ValueError, match="no mark"):
        SquareMap(8, "left").levels("/".join([".x......"] + ["........"] * 7), 2)
