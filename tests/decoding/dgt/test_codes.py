"""Piece codes of a DGT board: the table they are in is found on the board, and what is not certain is not told."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.decoding.dgt.codes import Codes, marks_of, table_of
from damas_board.decoding.dgt.fields import marks_at, rows, square_map
from damas_board.decoding.dgt.reports import Fields
from damas_board.decoding.square_map import CORNERS, Corner
from damas_board.regulations import names, shipped
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.rules.variant import Variant
from simulator import table

WRITTEN: dict[Codes, dict[str, int]] = {
    "current": {".": 0, "w": 0x01, "b": 0x04, "W": 0x07, "B": 0x0A},
    "before_2011": {".": 0, "w": 0x01, "b": 0x07, "W": 0x04, "B": 0x0A},
    "chess": {".": 0, "w": 0x01, "b": 0x07, "W": 0x06, "B": 0x0C},
}
VARIANTS = {v.name: v for v in (shipped(name).variant for name in names()) if v.size in (8, 10)}


def start_rows(variant: Variant) -> str:
    start = initial(variant)
    return table.rows({s: table.mark(start, s) for s in squares_of(start.occupied)}, variant.geometry)


def written(marks: str, by: Codes) -> list[int]:
    return [WRITTEN[by][mark] for mark in marks]


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize(
    ("by", "name"),
    # Chess pieces stand on chess boards, and what could be old discs there is taken for them.
    [(by, name) for name, v in VARIANTS.items() for by in ("current", "chess" if v.size == 8 else "before_2011")],
)
def test_the_table_is_found_from_a_start_position_however_the_board_lies(by: Codes, name: str, corner: Corner) -> None:
    variant = VARIANTS[name]
    fields: Fields = "all64" if variant.size == 8 else "all100"
    squares = square_map(fields, variant.geometry.corner, corner)
    shown = start_rows(variant)
    codes = written(marks_at(squares, shown), by)
    assert table_of(codes) == by
    assert rows(squares, marks_of(codes, by)) == shown


@pytest.mark.parametrize("by", ["current", "before_2011"])
def test_the_table_is_found_on_fifty_fields_and_with_black_at_the_near_side(by: Codes) -> None:
    start = "b" * 20 + "." * 10 + "w" * 20
    assert table_of(written(start, by)) == table_of(written(start[::-1], by)) == by


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["current", "before_2011"]), st.integers(5, 20), st.integers(5, 20), st.integers(0, 4), st.randoms()
)
def test_men_of_both_sides_show_it_wherever_they_stand(
    by: Codes, white: int, black: int, more: int, dice: Random
) -> None:
    """And nothing else shows it wrongly: with kings among them it may not show, but never as the other one."""
    men = list("w" * white + "b" * black + "." * (100 - white - black))
    dice.shuffle(men)
    assert table_of(written("".join(men), by)) == by
    with_kings = "".join(men).replace(".", "W", more)
    assert table_of(written(with_kings, by)) in (by, None)
    assert table_of(written(with_kings.replace("b", "B", 1), by)) is None


@pytest.mark.parametrize(
    "marks",
    [
        "." * 100,
        "w" * 20 + "." * 80,  # one side is set up
        "b" * 20 + "." * 80,
        "w" * 20 + "W" * 4 + "." * 76,  # and kings are being put there
        "wWB" + "." * 97,
        "www" + "bbb" + "." * 94,
    ],
)
@pytest.mark.parametrize("by", ["current", "before_2011"])
def test_what_does_not_show_is_not_guessed(marks: str, by: Codes) -> None:
    assert table_of(written(marks, by)) is None


@pytest.mark.parametrize("senses", ["kind", "colour"])
@pytest.mark.parametrize("by", ["current", "before_2011"])
def test_what_was_told_before_shows_it_where_the_men_do_not(by: Codes, senses: str) -> None:
    marks = "w" + "B" + "W" + "." * 97
    known = marks if senses == "kind" else marks.lower()
    codes = written(marks, by)
    assert table_of(codes) is None
    assert table_of(codes, known) == by
    assert table_of(codes, known.translate(str.maketrans("wbWB", "oooo"))) is None


def test_what_was_told_before_is_no_proof_once_a_piece_has_moved() -> None:
    codes = written("B.b" + "." * 97, "current")
    assert table_of(codes, "BW." + "." * 97) is None
    assert table_of(codes, "B.W" + "." * 97) == "before_2011", "the same squares are occupied"
    assert table_of(codes, "BWW" + "." * 97) is None, "a black man stands where a white king did"
    contradicting = written("bb" + "." * 98, "current")
    assert table_of(contradicting, "bW" + "." * 98) is None
    assert table_of(contradicting, "bB" + "." * 98) == "current", "colours are what counts"


def test_many_pieces_where_they_were_are_proof_although_others_have_moved() -> None:
    known = "W" * 5 + "w" * 5 + "BB" + "." * 88
    assert table_of(written("W" * 5 + "w" * 5 + ".BB" + "." * 87, "current"), known) == "current"
    assert table_of(written("W" * 4 + "." + "w" * 5 + ".BB" + "." * 87, "current"), known) is None


def test_on_a_chess_board_colours_told_before_show_chess_pieces_or_new_discs() -> None:
    assert table_of(written("wb" + "." * 62, "chess"), "wb" + "." * 62) == "chess"
    assert table_of(written("wb" + "." * 62, "current"), "wb" + "." * 62) == "current"


@pytest.mark.parametrize(
    "men",
    [
        ((1,) * 8 + (4,) * 4, (7,) * 8 + (10,) * 4),  # bishops are men as well
        ((1,) * 8 + (3,) * 4, (7,) * 8 + (9,) * 4),
        ((4,) * 12, (10,) * 12),
        ((1,) * 12, (7,) * 8 + (10,) * 4),  # two sets, one of them not whole
        ((1,) * 8 + (4, 4, 5, 6), (7,) * 8 + (10, 10, 11, 12)),
    ],
)
def test_whatever_chess_pieces_are_men_a_start_position_shows_that_they_are(
    men: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    shown = start_rows(VARIANTS["brazilian"])
    for corner in CORNERS:
        squares = square_map("all64", VARIANTS["brazilian"].geometry.corner, corner)
        white, black = (iter(side) for side in men)
        codes = [0 if mark == "." else next(white if mark == "w" else black) for mark in marks_at(squares, shown)]
        assert table_of(codes) == "chess"
        assert rows(squares, marks_of(codes, "chess")) == shown


def test_a_piece_that_only_chess_has_may_be_misread_two_are_chess() -> None:
    start = written(start_rows(VARIANTS["brazilian"]).replace("/", ""), "current")
    empty = [field for field, code in enumerate(start) if not code]
    start[empty[0]] = 6
    assert table_of(start) == "current"
    start[empty[1]] = 12
    assert table_of(start) == "chess"
    assert table_of([*start, *[0] * 36]) == "current", "on a board of a hundred fields there is no chess"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(".....wwwbbbWB"), min_size=64, max_size=64))
def test_new_discs_on_a_chess_board_are_never_taken_for_chess_pieces(marks: list[str]) -> None:
    assert table_of(written("".join(marks), "current")) in ("current", None)


@pytest.mark.parametrize(
    ("count", "by", "kings", "marks"),
    [
        # codes 00 to 0F, and one more
        (100, None, (), ".wooooooooBooooo"),
        (100, "current", (), ".woobooWooBooooo"),
        (100, "before_2011", (), ".wooWoobooBooooo"),
        (100, "current", (1, 4), ".woobooWooBooooo"),  # only chess pieces stand for others
        (64, None, (), ".wwwowwobbbbbooo"),
        (64, "chess", (), ".wwwwwwbbbbbbooo"),
        (64, "chess", (5, 6, 11, 12), ".wwwwWWbbbbBBooo"),
        (64, "current", (), ".woobooWooBooooo"),
    ],
)
def test_every_code(count: int, by: Codes | None, kings: tuple[int, ...], marks: str) -> None:
    codes = [*range(16), *[0] * (count - 16)]
    assert marks_of(codes, by, kings, chess_board=count == 64) == marks + "." * (count - 16)


def test_men_of_both_sides_say_more_than_what_was_told_of_another_game() -> None:
    """The sets are put up with the colours exchanged: 04 stands where White was."""
    told = "w" * 20 + "." * 60 + "b" * 20
    assert table_of([0x04] * 20 + [0] * 60 + [0x01] * 20, told) == "current"
    assert table_of([0x07] * 20 + [0] * 60 + [0x01] * 20, told) == "before_2011"
