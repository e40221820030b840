"""FMJD Annex 1: the articles that concern the rules of play, as `int-fmjd` plays them; counts: test_draw.py."""

from __future__ import annotations

from damas_board.notation.fen import read_fen
from damas_board.regulations import shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.routes import routes, stations

RULES = shipped("int-fmjd")
STROKE = "W:WK35:B7,13,18,21"


def read(fen: str):
    return read_fen(fen, RULES.variant)


def test_fmjd_4_4_a_capture_is_finished_with_all_captured_pieces_off():
    position = read("W:W32:B28,18")
    (move,) = legal_moves(position)
    assert not position.after(move).black


def test_fmjd_4_5_4_11_pieces_come_off_after_the_whole_jump():
    """One more could be taken if each came off at once."""
    assert {len(move.captured) for move in legal_moves(read(STROKE))} == {3}


def test_fmjd_4_9_a_capture_names_every_square_where_the_piece_is_put_down():
    position = read("W:W32:B28,18")
    (move,) = legal_moves(position)
    assert RULES.variant.geometry.names(move.path) == ("32", "23", "12")
    assert [route.path for route in routes(position, move)] == [move.path]
    assert {station.square for station in stations(position, move)} == set(move.path)


def test_fmjd_6_1_a_third_occurrence_holds():
    law = RULES.repetition
    assert (law.count, law.holds, law.article) == (3, True, "FMJD Annex 1, 6.1")


def test_fmjd_6_3_three_pieces_against_a_king_sixteen_more_moves_each():
    (law,) = (law for law in RULES.counts if law.article == "FMJD Annex 1, 6.3")
    assert ([str(e) for e in law.endings], law.moves, law.by) == (["KKK-K", "KKm-K", "Kmm-K"], 16, "each")
    assert (law.progress, law.restarts) == ((), False)


def test_fmjd_6_4_two_pieces_or_one_against_a_king_five_moves_each():
    (law,) = (law for law in RULES.counts if law.article == "FMJD Annex 1, 6.4")
    assert ([str(e) for e in law.endings], law.moves, law.by) == (["KK-K", "Km-K", "K-K"], 5, "each")
    assert (law.progress, law.restarts) == ((), False)
