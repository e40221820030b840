"""Document 002, article by article, as the regulation `br-cbjd` plays it; its combinations: test_combinations.py."""

from __future__ import annotations

from rules.by_regulation import after, captured, moves, position

from damas_board.regulations import shipped
from damas_board.rules.game import verdict
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.rules.variants import INTERNATIONAL

R = "br-cbjd"
RULES = shipped(R)


def test_002_notation_columns_a_to_h_and_rows_1_to_8():
    geometry = RULES.variant.geometry
    assert geometry.name(geometry.square("c3")) == "c3"
    assert geometry.square("f8") == 7 * 8 + 5


def test_002_1_64_squares_the_great_diagonal_at_the_left_and_the_aim():
    geometry = RULES.variant.geometry
    names = {geometry.algebraic(s) for s in geometry.playable}
    assert RULES.variant.size == 8
    assert names >= set(["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"])
    for fen, reason in (("B:Wc3:B", "no_pieces"), ("B:Wg3,f2:Bh4", "blocked")):
        end = verdict(position(R, fen))
        assert (end.winner, end.reason) == (Side.WHITE, reason)


def test_002_2_twelve_men_each_and_white_begins():
    start = initial(RULES.variant)
    assert (start.white.bit_count(), start.black.bit_count(), start.turn) == (12, 12, Side.WHITE)


def test_002_2_international_draughts_has_a_hundred_squares_and_twenty_men_each():
    start = initial(INTERNATIONAL)
    assert INTERNATIONAL.size**2 == 100
    assert (start.white.bit_count(), start.black.bit_count()) == (20, 20)


def test_002_2_the_eighth_row_is_where_men_are_crowned_and_the_tenth_of_a_hundred_squares():
    for variant, row in ((RULES.variant, 7), (INTERNATIONAL, 9)):
        white, black = variant.last_rows
        assert {s // variant.size for s in squares_of(white)} == {row}
        assert {s // variant.size for s in squares_of(black)} == {0}


def test_002_3_a_man_goes_forward_one_square_and_is_crowned_where_its_move_ends():
    assert moves(R, "W:Wd4:Bh8") == ["d4-c5", "d4-e5"]
    assert after(R, "W:Wc7:Bh2", "c7-d8") == ("black", "d8", "h2", "d8")
    assert RULES.articles["crowning"] == "002 art. 3: by the player who makes the king"


def test_002_4_a_king_goes_any_distance_forward_and_back_but_jumps_no_piece_of_its_colour():
    assert moves(R, "W:WKb2:Bh8") == [f"b2-{end}" for end in ["a1", "a3", "c1", "c3", "d4", "e5", "f6", "g7"]]
    assert [m for m in moves(R, "W:WKa1,c3:Bh4") if m.startswith("a1")] == ["a1-b2"]


def test_002_5_a_capture_is_obligatory_and_there_is_no_huffing():
    assert moves(R, "W:Wc3,g3:Bd4") == ["c3xe5"]
    assert RULES.policy.missed_capture == "opponent_decides"


def test_002_5_two_pieces_side_by_side_on_a_diagonal_cannot_be_taken():
    assert not any("x" in m for m in moves(R, "W:WKa1:Bd4,e5"))
    assert not any("x" in m for m in moves(R, "W:Wc3:Bd4,e5"))


def test_002_6_man_and_king_take_each_other_and_are_equal():
    assert moves(R, "W:Wc3:BKd4") == ["c3xe5"]
    assert moves(R, "W:WKc3:Bd4")[0] == "c3xe5"
    assert moves(R, "W:Wc3,g3:BKd4,f4") == ["c3xe5", "g3xe5"]


def test_002_7_man_and_king_take_forward_and_backward_one_or_several():
    assert moves(R, "W:Wd4:Bc3") == ["d4xb2"]
    assert moves(R, "W:WKd4:Bc3") == ["d4xa1", "d4xb2"]
    assert captured(R, "W:Wd4:Be5,g5", "d4xh4") == {"e5", "g5"}


def test_002_7_a_king_may_stop_on_any_free_square_of_the_diagonal_it_takes_on():
    assert moves(R, "W:WKa1:Bd4") == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]


def test_002_8_the_law_of_the_majority():
    assert moves(R, "W:Wa3,h2:Bb4,g3,e5") == ["h2xd6"]


def test_002_9_a_man_that_only_passes_the_row_of_crowning_is_not_promoted():
    assert after(R, "W:Wb6:Ba5,c7,e7", "b6xf6") == ("black", "f6", "a5", "")


def test_002_10_a_free_square_may_be_passed_twice_a_piece_is_taken_once():
    fen = "W:WKc1:Bd2,d4,d6,f6"
    assert captured(R, fen, "c1xg1") == {"d2", "d4", "d6", "f6"}
    assert len(moves(R, fen)) == 5


def test_002_11_taken_pieces_stand_until_the_capture_is_complete():
    assert moves(R, "W:WKb6:Bf4,c5,d6,f6") == ["b6xd8", "b6xe7"]


def test_002_draw_twenty_moves_of_kings_by_each_without_capture_or_a_mans_move():
    (law,) = (law for law in RULES.counts if law.article.startswith("002 Empate"))
    assert (law.moves, law.by, law.progress, law.holds) == (20, "each", ("capture", "man"), True)


def test_002_endings_are_drawn_after_five_moves_by_each():
    (law,) = (law for law in RULES.counts if law.article == "002 Finais")
    assert {str(ending) for ending in law.endings} == {"KK-KK", "KK-K", "KK-Km", "K-K", "K-Km"}
    assert (law.moves, law.by, law.holds, law.restarts) == (5, "each", True, True)
