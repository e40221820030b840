"""Positions in which a public library has other moves than the rules: ours are the rules'. See docs/moves.md."""

from __future__ import annotations

from damas_board.notation.fen import read_fen
from damas_board.rules.generation import legal_moves
from damas_board.rules.variants import ENGLISH, FRISIAN, ITALIAN, TURKISH


def outcomes(variant, fen):
    name = variant.geometry.name
    found = []
    for move in legal_moves(read_fen(fen, variant)):
        found.append((name(move.start), name(move.end), ",".join(sorted(map(name, move.captured), key=int))))
    return sorted(found)


def test_a_turkish_king_does_not_pass_over_a_piece_in_a_quiet_move():
    moves = legal_moves(read_fen("B:WKb8:BKg2,Kg5", TURKISH))
    name = TURKISH.geometry.name
    up_the_file = {name(m.end) for m in moves if name(m.start) == "g2" and name(m.end)[0] == "g"}
    assert up_the_file == {"g1", "g3", "g4"}


def test_an_italian_capture_that_meets_each_king_as_early_as_it_can_is_the_only_one():
    """Two captures of four kings and a man begin with a king; the one that meets the second king sooner is played."""
    assert outcomes(ITALIAN, "B:WK6,K14,K15,K21,22,K23:BK25") == [("25", "18", "14,15,21,22,23")]


def test_frisian_captures_of_the_same_worth_are_equal_whatever_their_order():
    pieces = "9,18,29,33,34"
    assert outcomes(FRISIAN, "W:WK6:BK9,18,29,K33,34") == [("6", "10", pieces), ("6", "30", pieces), ("6", "4", pieces)]


def test_an_english_capture_is_compulsory():
    assert outcomes(ENGLISH, "B:WK8:BK11") == [("11", "4", "8")]


def test_a_frisian_circular_capture_either_way_round_is_one_move():
    found = outcomes(FRISIAN, "B:W27,28,32,34-50:B1-16,18-20,22")
    assert found.count(("22", "22", "27,28,32")) == 1
    assert len(found) == len(set(found))
