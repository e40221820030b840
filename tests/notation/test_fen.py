from __future__ import annotations

import pytest
from hypothesis import given, settings
from rules.positions import positions

from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, PORTUGUESE, VARIANTS


@given(positions())
@settings(max_examples=400, deadline=None, derandomize=True)
def test_a_position_written_and_read_is_the_same(position):
    assert read_fen(write_fen(position), position.variant) == position


@pytest.mark.parametrize("name", VARIANTS)
def test_start_is_the_initial_position_of_every_variant(name):
    variant = VARIANTS[name]
    assert read_fen("start", variant) == initial(variant)
    assert read_fen(write_fen(initial(variant)), variant) == initial(variant)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("W:W31,32,K5:B1,2.", "W:WK5,31,32:B1,2"),
        ("W:B1,2:W31,32", "W:W31,32:B1,2"),
        ("B:W31-33:B1-3", "B:W31,32,33:B1,2,3"),
        ("w:wk5,31:b1", "W:WK5,31:B1"),
        ("W:W31:B", "W:W31:B"),
        ("W:W031:B01", "W:W31:B1"),
        ("W:W31:B1:H0:F1", "W:W31:B1"),
        (" W : W 31 , 32 : B 1 ", "W:W31,32:B1"),
        ("W:Wa1:Bb10", "W:W46:B1"),
    ],
)
def test_fens_as_files_hold_them_are_read(text, written):
    assert write_fen(read_fen(text, INTERNATIONAL)) == written


@pytest.mark.parametrize("text", ["W:WA1,kc3:BD4", "W:Wa1,Kc3:Bd4"])
def test_letters_may_be_of_either_case(text):
    assert write_fen(read_fen(text, BRAZILIAN)) == "W:Wa1,Kc3:Bd4"


def test_numbers_of_the_algebraic_boards_run_from_the_top_left():
    assert write_fen(read_fen("B:W29:B1", BRAZILIAN)) == "B:Wa1:Bb8"


def test_portuguese_numbers_run_from_whites_right_hand_corner():
    assert read_fen("W:W1:B32", PORTUGUESE) == read_fen("W:Wh1:Ba8", PORTUGUESE)


def test_the_turn_is_read():
    assert read_fen("B:Wa1:Bc3", BRAZILIAN).turn is Side.BLACK


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no position"),
        ("hello", "is no position"),
        ("?:W29:B22", "is no position"),
        ("W:W29", "is no position"),
        ("W:W29:W22", "given twice"),
        ("W:W29:X22", "does not begin with W or B"),
        ("W:W51:B1", "no square '51'"),
        ("W:W0:B1", "no square '0'"),
        ("W:Wq2:B1", "'q2' is no square"),
        ("W:W31,31:B1", "31 is named twice"),
        ("W:W31:B31", "31 is named twice"),
        ("W:W3:B20", "a man of white cannot stand on 3"),
        ("W:W31:B47", "write K47 for a king"),
        ("W:W33-31:B1", "no range"),
        ("W:WK:B1", "'K' is no square"),
    ],
)
def test_what_is_wrong_with_a_fen_is_said(text, says):
    with pytest.raises(NotationError, match=says):
        read_fen(text, INTERNATIONAL)


def test_a_light_square_is_no_square():
    with pytest.raises(NotationError, match="no square 'a2'"):
        read_fen("W:Wa2:Bh8", BRAZILIAN)
