"""Which rule an irregular move broke: positions and what stands on the board, by the rows of several variants."""

from __future__ import annotations

import pytest

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move
from damas_board.regulations import names, shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position, Run, initial
from damas_board.rules.side import Side
from damas_board.tracking.irregular import IrregularMove, irregular_move, left_standing, taken_off
from damas_board.tracking.sight import Sight


def sight(position: Position, occupied: int, *, colours: bool = False, unread: int = 0) -> Sight:
    """A whole board on which the squares of `occupied` are, as `position` has their colours where `colours`."""
    playable = position.variant.geometry.playable_mask
    empty = playable & ~occupied
    white, black = (position.white, position.black) if colours else (0, 0)
    read = playable & ~unread
    return Sight((empty | black) & read, (empty | white) & read, occupied & read, read)


def found(regulation: str, fen: str, start: str, end: str, *off: str) -> tuple[IrregularMove | None, Position]:
    """What is made of a piece that went from `start` to `end` while those on `off` came off."""
    position = read_fen(fen, shipped(regulation).variant)
    square = position.variant.geometry.square
    occupied = position.occupied & ~sum(1 << square(name) for name in (start, *off)) | 1 << square(end)
    playable = position.variant.geometry.playable_mask
    return irregular_move(position, sight(position, occupied), playable), position


@pytest.mark.parametrize(
    ("regulation", "fen", "squares", "kind", "side", "law", "reason"),
    [
        ("int-fmjd", "W:W32,38:B12,28", "38 33", "missed_capture", "white", "capture_compulsory", None),
        ("int-fmjd", "W:W28,48:B22,23,14", "28 17 22", "short_capture", "white", "priority", None),
        ("int-fmjd", "W:W28,48:B23,14", "28 19 23", "short_capture", "white", "capture_finished", None),
        ("es", "W:W14,1:B18,K19,32", "14 21 18", "low_value_capture", "white", "priority", None),
        ("int-fmjd", "W:W32:B19", "19 23", "wrong_side", "black", "first", None),
        ("int-fmjd", "W:W32:B19", "19 28", "opponent_piece_moved", "white", None, None),
        ("int-fmjd", "W:W28,29,40,48:B23", "23 32 28", "opponent_piece_moved", "white", None, None),
        ("int-fmjd", "W:W28,37:B6", "28 33", "illegal_move", "white", "man_steps", "backwards"),
        ("int-fmjd", "B:W28,37:B22", "22 17", "illegal_move", "black", "man_steps", "backwards"),
        ("int-fmjd", "W:W37,48:B6", "37 26", "illegal_move", "white", "man_steps", "too_far"),
        ("int-fmjd", "W:W37,48:B6", "37 38", "illegal_move", "white", "man_steps", "not_diagonal"),
        ("int-fmjd", "W:W37,32:B6", "37 28", "illegal_move", "white", "man_steps", "blocked"),
        ("int-fmjd", "W:WK46,37:B6", "46 23", "illegal_move", "white", "king_steps", "blocked"),
        ("int-fmjd", "W:WK46,37:B6", "46 44", "illegal_move", "white", "king_steps", "not_diagonal"),
        ("en-wcdf", "W:WK22,32:B1", "22 8", "illegal_move", "white", "king_reach", "too_far"),
        ("en-wcdf", "W:W22,32:B26,1", "22 31 26", "illegal_move", "white", "man_jumps", "backwards"),
        ("it-fid", "W:W22,32:BK18,1", "22 13 18", "illegal_move", "white", "man_takes_king", "man_takes_king"),
        ("en-wcdf", "W:WK22,32:B15,1", "22 11 15", "illegal_move", "white", "king_approach", "too_far"),
        ("tr-tudaf", "W:Wd4,a2:Bh7", "d4 e5", "illegal_move", "white", "man_steps", "not_straight"),
        ("tr-tudaf", "W:Wd4,a2:Bh7", "d4 d3", "illegal_move", "white", "man_steps", "backwards"),
        ("tr-tudaf", "W:Wd4,a2:Bh7", "d4 f4", "illegal_move", "white", "man_steps", "too_far"),
        ("tr-tudaf", "W:WKa3,h2:Ba5,a2,c8", "a3 a1 a2 a5", "illegal_move", "white", "turn_back", "turned_back"),
    ],
)
def test_the_rule_that_was_broken(
    regulation: str, fen: str, squares: str, kind: str, side: str, law: str | None, reason: str | None
) -> None:
    move, _ = found(regulation, fen, *squares.split())
    assert move is not None
    broken = move.broken
    assert (broken.kind, broken.side.label, broken.law, broken.reason) == (kind, side, law, reason)


def test_a_king_that_moves_too_often_in_a_row_breaks_the_limit_of_its_runs() -> None:
    position = read_fen("W:WK46,31:BK5,20", shipped("frisian").variant)
    square = position.variant.geometry.square
    position = position._replace(runs=(Run(square("46"), 3), None))
    occupied = position.occupied & ~(1 << square("46")) | 1 << square("41")
    move = irregular_move(position, sight(position, occupied), position.variant.geometry.playable_mask)
    assert move is not None
    assert (move.broken.kind, move.broken.law, move.broken.reason) == ("illegal_move", "king_run_limit", "too_often")


def test_a_move_that_breaks_a_law_is_no_illegal_way() -> None:
    move, position = found("int-fmjd", "W:W32,38:B12,28", "38", "33")
    assert move is not None
    assert (move.after.turn, move.broken.also) == (Side.BLACK, ())
    assert move.after == position._replace(variant=move.after.variant).after(move.move)


def test_the_other_side_is_to_move_after_whatever_was_moved() -> None:
    for squares, turn in (("37 28", Side.BLACK), ("19 28", Side.BLACK), ("19 23", Side.WHITE)):
        move, _ = found("int-fmjd", "W:W37:B19", *squares.split())
        assert move is not None
        assert move.after.turn is turn


def test_a_man_that_is_carried_to_its_last_row_is_crowned() -> None:
    move, position = found("int-fmjd", "W:W12,48:B30", "12", "1")
    assert move is not None
    assert move.move.promotes
    assert move.after.kings == 1 << position.variant.geometry.square("1")


def standing(regulation: str, before: str, after: str) -> tuple[Position, Sight]:
    """A position, and what a board without colours shows of another one."""
    variant = shipped(regulation).variant
    position = read_fen(before, variant)
    return position, sight(position, read_fen(after, variant).occupied)


def test_a_board_that_one_rule_explains_in_two_ways_is_not_chosen_from() -> None:
    """Either black king may have come round; where no colour is seen nothing tells which."""
    before = "W:WKf2,f3,g3,Kb7,Kc8:BKe1,Kg2,h3,d6"
    position, board = standing("tr-tudaf", before, "W:Wg3:BKe1,Kf2,h3,d6")
    assert position.variant.geometry.playable_mask & board.occupied == board.occupied
    assert irregular_move(position, board, position.variant.geometry.playable_mask) is None


def test_of_several_rules_the_first_of_the_table_is_named_and_the_others_too() -> None:
    position, board = standing("frisian", "W:WK7,K20,K40,K50:BK13,K18,K27,38", "B:WK7,K20,K40,K50:BK13")
    move = irregular_move(position, board, position.variant.geometry.playable_mask)
    assert move is not None
    assert (move.broken.kind, move.broken.also) == ("short_capture", ("low_value_capture",))


def test_a_square_that_was_never_read_is_no_evidence() -> None:
    position = read_fen("W:W28,37:B6", shipped("int-fmjd").variant)
    square = position.variant.geometry.square
    playable = position.variant.geometry.playable_mask
    occupied = position.occupied & ~(1 << square("28")) | 1 << square("33")
    assert irregular_move(position, sight(position, occupied), playable) is not None
    assert irregular_move(position, sight(position, occupied, unread=1 << square("33")), playable) is None


def test_a_board_that_agrees_or_is_swept_shows_no_move() -> None:
    position = initial(shipped("int-fmjd").variant)
    playable = position.variant.geometry.playable_mask
    assert irregular_move(position, sight(position, position.occupied), playable) is None
    assert irregular_move(position, sight(position, 0), playable) is None


@pytest.mark.parametrize("regulation", names())
def test_no_legal_move_is_irregular_whatever_the_variant(regulation: str) -> None:
    position = initial(shipped(regulation).variant)
    playable = position.variant.geometry.playable_mask
    for _ in range(30):
        moves = legal_moves(position)
        if not moves:
            break
        for move in moves:
            after = position.after(move)
            made = irregular_move(position, sight(after, after.occupied, colours=True), playable)
            assert made is None or made.after.occupied != after.occupied or made.broken.kind == "wrong_side"
        position = position.after(moves[len(moves) // 2])


def test_a_captured_piece_that_stands_is_no_part_of_what_was_captured() -> None:
    position = read_fen("W:W28,48:BK23,14,6", shipped("int-fmjd").variant)
    square = position.variant.geometry.square
    move = read_move(position, "28x10")
    left = left_standing(position, move, 1 << square("23"), 3.5)
    assert left.move.captured == (square("14"),)
    assert left.after.black == 1 << square("23") | 1 << square("6")
    assert left.after.kings == 1 << square("23")
    assert (left.broken.kind, left.broken.side, left.broken.squares) == ("left_on_board", Side.WHITE, 1 << square("23"))
    assert left.broken.since == 3.5


def test_a_piece_that_was_taken_off_is_off_with_its_crown() -> None:
    position = read_fen("W:WK28,48:B23", shipped("int-fmjd").variant)
    square = position.variant.geometry.square
    assert taken_off(position, 1 << square("28") | 1 << square("23"))[2:5] == (1 << square("48"), 0, 0)
