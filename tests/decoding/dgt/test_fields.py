"""Which square a field of a DGT board is: by the rule of the protocol, checked against the draughts numbers."""

from __future__ import annotations

import pytest

from damas_board.decoding.dgt.fields import Colour, marks_at, playing_colour, rows, square_map
from damas_board.decoding.dgt.reports import FIELDS, Fields
from damas_board.decoding.square_map import CORNERS, Corner, Dark
from damas_board.regulations import shipped
from damas_board.rules.geometry import Geometry

INTERNATIONAL = shipped("int-fmjd").variant.geometry
BRAZILIAN = shipped("br-cbjd").variant.geometry


def square_under(geometry: Geometry, fields: Fields, field: int, corner: Corner, playing: Colour = "black") -> str:
    """The name of the square that a piece on `field` shows on."""
    squares = square_map(fields, geometry.corner, corner, playing)
    text = rows(squares, "".join("w" if field == each else "." for each in range(squares.places)))
    lines = text.split("/")
    assert text.count("w") == 1
    return next(geometry.name(s) for s in geometry.playable if lines[-1 - s // geometry.size][s % geometry.size] == "w")


@pytest.mark.parametrize(("field", "square"), [(1, 1), (9, 5), (10, 6), (18, 10), (90, 46), (98, 50)])
def test_published_fields_with_the_connector_at_the_left_hand_of_white(field: int, square: int) -> None:
    assert square_under(INTERNATIONAL, "all100", field, "black-left") == str(square)
    assert square_under(INTERNATIONAL, "all100", 99 - field, "white-right") == str(square)
    assert square_under(INTERNATIONAL, "all100", field, "white-right") == str(51 - square)


def test_every_field_by_the_rule() -> None:
    for row in range(10):
        for column in range(10):
            if (row + column) % 2:
                found = square_under(INTERNATIONAL, "all100", row * 10 + column, "black-left")
                assert found == str(row * 5 + column // 2 + 1)


@pytest.mark.parametrize(("fields", "playing"), [("black50", "black"), ("white50", "white")])
def test_fifty_fields_are_the_squares_in_their_order(fields: Fields, playing: Colour) -> None:
    names = [square_under(INTERNATIONAL, fields, field, "black-left", playing) for field in range(50)]
    assert names == [str(number) for number in range(1, 51)]
    turned = [square_under(INTERNATIONAL, fields, field, "white-right", playing) for field in range(50)]
    assert turned == names[::-1]


@pytest.mark.parametrize(("fields", "playing"), [("black50", "white"), ("white50", "black")])
def test_the_other_fifty_are_the_squares_that_are_not_played_on(fields: Fields, playing: Colour) -> None:
    squares = square_map(fields, INTERNATIONAL.corner, "black-left", playing)
    assert not set(squares.squares) & set(INTERNATIONAL.playable)
    assert len(set(squares.squares)) == 50


def test_a_chess_board_begins_with_a8_and_ends_with_h1() -> None:
    squares = square_map("all64", BRAZILIAN.corner, "black-left")
    names = [BRAZILIAN.algebraic(square) for square in squares.squares]
    assert (names[0], names[7], names[8], names[56], names[63]) == ("a8", "h8", "a7", "a1", "h1")
    turned = square_map("all64", BRAZILIAN.corner, "white-right")
    assert [BRAZILIAN.algebraic(square) for square in turned.squares] == names[::-1]


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("dark", ["left", "right"])
@pytest.mark.parametrize("fields", FIELDS)
def test_what_is_written_is_read_back(fields: Fields, dark: Dark, corner: Corner) -> None:
    squares = square_map(fields, dark, corner)
    marks = "".join(".wbWB?o"[number % 7] for number in range(FIELDS[fields]))
    assert marks_at(squares, rows(squares, marks)) == marks
    assert len(set(squares.squares)) == FIELDS[fields]


@pytest.mark.parametrize(
    ("black", "white", "colour"),
    [
        ([1] * 20 + [0] * 10 + [4] * 20, [0] * 50, "black"),
        ([0] * 50, [1] * 20 + [0] * 10 + [7] * 20, "white"),
        ([0] * 50, [0] * 50, None),
        ([1] * 30 + [0] * 20, [7] + [0] * 49, None),
        ([1, 4, 4, 4, 4] + [0] * 45, [0] * 50, "black"),
        ([0] * 50, [1] * 4 + [0] * 46, None),
    ],
)
def test_the_colour_that_is_played_on_is_the_one_where_pieces_stand(
    black: list[int], white: list[int], colour: Colour | None
) -> None:
    assert playing_colour(black, white) == colour
