"""Document 001, sentence by sentence, as the regulation `pt-classicas` plays it."""

from __future__ import annotations

from rules.by_regulation import after, captured, moves, position

from damas_board.regulations import shipped
from damas_board.rules.game import verdict
from damas_board.rules.position import initial
from damas_board.rules.side import Side

R = "pt-classicas"
RULES = shipped(R)


def test_001_64_squares_24_pieces_of_two_colours():
    start = initial(RULES.variant)
    assert RULES.variant.size == 8
    assert (start.white.bit_count(), start.black.bit_count()) == (12, 12)


def test_001_only_dark_squares_are_played_on_and_the_right_hand_corner_is_one():
    geometry = RULES.variant.geometry
    names = {geometry.algebraic(s) for s in geometry.playable}
    assert len(names) == 32
    assert names >= {"h1", "a8"}


def test_001_the_pieces_stand_on_the_first_twelve_squares():
    start, geometry = initial(RULES.variant), RULES.variant.geometry
    assert start.white == sum(1 << geometry.square(str(n)) for n in range(1, 13))
    assert start.black == sum(1 << geometry.square(str(n)) for n in range(21, 33))


def test_001_white_begins_the_colours_are_random_and_then_alternate_openings_are_free():
    assert RULES.variant.first is Side.WHITE
    match = RULES.match
    assert (match.first, match.colours, match.opening) == (("random",), "alternate", ("free",))


def test_001_a_man_at_the_other_end_is_a_king_and_plays_after_the_other_colour():
    assert after(R, "W:Wb7:Bd5,h7", "b7-a8") == ("black", "a8", "d5 h7", "a8")


def test_001_a_man_goes_forward_to_a_free_square_beside_it():
    assert moves(R, "W:Wd3:Bh7") == ["d3-c4", "d3-e4"]


def test_001_b_a_man_takes_what_is_beside_it_and_goes_on():
    assert captured(R, "W:Wd3:Be4,g6", "d3xh7") == {"e4", "g6"}


def test_001_c_a_king_goes_any_distance_on_one_diagonal():
    assert len(moves(R, "W:WKd3:Bb7")) == 11


def test_001_d_a_king_takes_from_afar_and_turns_where_there_is_something_to_take():
    assert moves(R, "W:WKb1:Be4") == ["b1xf5", "b1xg6", "b1xh7"]
    assert moves(R, "W:WKb1:Be4,e6") == ["b1xc8", "b1xd7"]


def test_001_a_king_jumps_neither_its_own_nor_two_side_by_side():
    assert not any("x" in m for m in moves(R, "W:WKb1,c2:Be4"))
    assert not any("x" in m for m in moves(R, "W:WKb1:Bd3,e4"))


def test_001_a_free_square_may_be_passed_more_than_once():
    assert captured(R, "W:WKf1:Be2,e4,e6,c6", "f1xc2") == {"e2", "e4", "e6", "c6"}


def test_001_nothing_is_removed_before_the_route_is_complete():
    assert captured(R, "W:WKg6:Bc4,f5,e6,c6", "g6xd7") == {"f5", "c4", "c6"}


def test_001_capture_a_obligatory():
    assert moves(R, "W:Wd3,h3:Be4") == ["d3xf5"]


def test_001_capture_b_quantity():
    assert moves(R, "W:Wa2,h3:BKb3,g4,e6") == ["h3xd7"]


def test_001_capture_c_quality():
    assert moves(R, "W:Wd3,h3:BKe4,g4") == ["d3xf5"]


def test_001_result_a_who_has_lost_all_pieces_has_lost():
    end = verdict(position(R, "B:Wd3:B"))
    assert (end.winner, end.reason) == (Side.WHITE, "no_pieces")


def test_001_result_b_whose_pieces_are_prisoners_has_lost():
    end = verdict(position(R, "B:Wb3,c2:Ba4"))
    assert (end.winner, end.reason) == (Side.WHITE, "blocked")


def test_001_draw_a_twenty_moves_by_both_without_a_capture():
    (law,) = RULES.counts
    assert (law.moves, law.by, law.progress, law.holds) == (20, "each", ("capture",), True)


def test_001_draw_b_agreement_and_nothing_else():
    assert RULES.articles["agreed"] == "001 empate b"
    assert RULES.repetition is None
