"""The articles of the rules that are about moves: a position, and the moves that it allows.

000-003 are the texts named in `damas_board/rules/variants.py`; FMJD is Annex 1 of the world federation's rules.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move, write_move
from damas_board.rules.game import Game, IllegalMoveError, verdict
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Run, initial
from damas_board.rules.routes import route_through, routes
from damas_board.rules.side import Side
from damas_board.rules.variants import (
    BRAZILIAN,
    CZECH,
    ENGLISH,
    FRISIAN,
    INTERNATIONAL,
    ITALIAN,
    POOL,
    PORTUGUESE,
    RUSSIAN,
    SPANISH,
    TURKISH,
    VARIANTS,
)


def moves(variant, fen):
    """The legal moves as text, in alphabetical order."""
    position = read_fen(fen, variant)
    legal = legal_moves(position)
    return sorted(write_move(position, m, legal) for m in legal)


def captured(variant, fen, text):
    """The names of the squares that the move captures on."""
    position = read_fen(fen, variant)
    return {variant.geometry.name(s) for s in read_move(position, text).captured}


def after(variant, fen, *texts):
    position = read_fen(fen, variant)
    for text in texts:
        position = position.after(read_move(position, text))
    return write_fen(position)


# --- the board and its beginning


@pytest.mark.parametrize(
    ("name", "white", "black"),
    [
        ("brazilian", "a1 c1 e1 g1 b2 d2 f2 h2 a3 c3 e3 g3", "b6 d6 f6 h6 a7 c7 e7 g7 b8 d8 f8 h8"),
        ("portuguese", "b1 d1 f1 h1 a2 c2 e2 g2 b3 d3 f3 h3", "a6 c6 e6 g6 b7 d7 f7 h7 a8 c8 e8 g8"),
        ("italian", "b1 d1 f1 h1 a2 c2 e2 g2 b3 d3 f3 h3", "a6 c6 e6 g6 b7 d7 f7 h7 a8 c8 e8 g8"),
    ],
)
def test_000_001_the_men_stand_on_the_dark_squares_of_three_rows(name, white, black):
    start = initial(VARIANTS[name])
    geometry = start.variant.geometry
    assert [geometry.algebraic(s) for s in squares_of(start.white)] == white.split()
    assert [geometry.algebraic(s) for s in squares_of(start.black)] == black.split()
    assert not start.kings


def test_fmjd_2_4_twenty_men_each_black_on_1_to_20_white_on_31_to_50():
    start = initial(INTERNATIONAL)
    names = INTERNATIONAL.geometry.name
    assert {int(names(s)) for s in squares_of(start.black)} == set(range(1, 21))
    assert {int(names(s)) for s in squares_of(start.white)} == set(range(31, 51))


def test_000_turkish_sixteen_men_each_on_the_second_and_third_row_of_all_squares():
    start = initial(TURKISH)
    assert write_fen(start).startswith("W:Wa2,b2,c2,d2,e2,f2,g2,h2,a3,b3")
    assert start.white.bit_count() == start.black.bit_count() == 16


@pytest.mark.parametrize("name", VARIANTS)
def test_002_art_2_white_begins_and_in_english_and_pool_black(name):
    assert VARIANTS[name].first is (Side.BLACK if name in ("english", "pool") else Side.WHITE)


@pytest.mark.parametrize(
    ("variant", "number", "square"),
    [
        (PORTUGUESE, "1", "h1"),
        (PORTUGUESE, "4", "b1"),
        (PORTUGUESE, "5", "g2"),
        (PORTUGUESE, "32", "a8"),
        (SPANISH, "1", "h1"),
        (ENGLISH, "1", "b8"),
        (ENGLISH, "32", "g1"),
        (POOL, "4", "h8"),
        (ITALIAN, "1", "a8"),
        (ITALIAN, "32", "h1"),
        (INTERNATIONAL, "1", "b10"),
        (INTERNATIONAL, "46", "a1"),
        (INTERNATIONAL, "5", "j10"),
        (FRISIAN, "50", "i1"),
        (VARIANTS["canadian"], "1", "b12"),
        (VARIANTS["canadian"], "67", "a1"),
    ],
)
def test_square_numbers_are_those_of_the_pdn_types(variant, number, square):
    geometry = variant.geometry
    assert geometry.algebraic(geometry.square(number)) == square
    assert geometry.name(geometry.square(square)) == number


# --- quiet moves


def test_002_art_3_a_man_goes_one_square_forward_diagonally():
    assert moves(BRAZILIAN, "W:Wd4:Bh8") == ["d4-c5", "d4-e5"]
    assert moves(BRAZILIAN, "B:Wa1:Bd4") == ["d4-c3", "d4-e3"]


def test_002_art_4_a_king_goes_any_distance_in_both_directions():
    assert moves(BRAZILIAN, "W:WKb2:Bh8") == ["b2-a1", "b2-a3", "b2-c1", "b2-c3", "b2-d4", "b2-e5", "b2-f6", "b2-g7"]


def test_001_c_a_portuguese_king_stops_before_the_first_piece_on_its_diagonal():
    """h1 is square 1; e4 (15) is its own man, which itself goes to d5 (19) and f5 (18)."""
    assert moves(PORTUGUESE, "W:WKh1,e4:Ba6") == ["1-10", "1-5", "14-18", "14-19"]


def test_001_c_a_king_may_not_change_its_diagonal_in_a_quiet_move():
    assert "1-21" not in moves(PORTUGUESE, "W:WK1:B31")
    assert len(moves(PORTUGUESE, "W:WK1:B31")) == 7


def test_wcdf_an_english_king_goes_one_square():
    assert moves(ENGLISH, "B:W32:BK18") == ["18-14", "18-15", "18-22", "18-23"]


def test_000_turkish_men_go_forward_and_sideways_never_back():
    assert moves(TURKISH, "W:Wd4:Bh8") == ["d4-c4", "d4-d5", "d4-e4"]
    assert moves(TURKISH, "B:Wh1:Bd4") == ["d4-c4", "d4-d3", "d4-e4"]


def test_000_turkish_kings_go_any_distance_on_rows_and_columns():
    assert len(moves(TURKISH, "W:WKd4:Bh8,h7")) == 14


# --- crowning


def test_002_art_3_a_man_that_stops_on_the_last_row_is_a_king():
    assert after(BRAZILIAN, "W:Wc7:Ba3", "c7-d8") == "B:WKd8:Ba3"
    assert after(BRAZILIAN, "B:Wg7:Bc3,b2", "b2-a1") == "W:Wg7:BKa1,c3"


def test_001_003_art_5_the_new_king_plays_only_after_the_reply():
    """On d8 it could take f6 at once; the turn passes all the same."""
    assert after(BRAZILIAN, "W:Wc7:Ba3,f6", "c7-d8") == "B:WKd8:Ba3,f6"
    assert moves(BRAZILIAN, "W:WKd8:Ba3,f6") == ["d8xg5", "d8xh4"]


def test_000_002_art_9_a_man_passing_the_last_row_in_a_capture_stays_a_man():
    fen = "W:Wb6:Ba5,c7,e7"
    assert moves(BRAZILIAN, fen) == ["b6xf6"]
    assert after(BRAZILIAN, fen, "b6xf6") == "B:Wf6:Ba5"


def test_fmjd_a_man_passing_the_last_row_in_a_capture_stays_a_man():
    assert moves(INTERNATIONAL, "W:W12:B8,9,45") == ["12x14"]
    assert after(INTERNATIONAL, "W:W12:B8,9,45", "12x14") == "B:W14:B45"


def test_000_russian_a_man_passing_the_last_row_becomes_a_king_and_goes_on_as_one():
    """From d8 a man could take only what is next to it; f6 is out of its reach, not out of a king's."""
    fen = "W:Wb6:Ba5,c7,f6"
    assert moves(RUSSIAN, fen) == ["b6xg5", "b6xh4"]
    assert after(RUSSIAN, fen, "b6xh4") == "B:WKh4:Ba5"
    assert moves(BRAZILIAN, fen) == ["b6xd8"]


def test_russian_a_man_that_passed_the_last_row_stays_a_king_though_it_ends_elsewhere():
    assert after(RUSSIAN, "W:Wb6:Ba5,c7,e7", "b6xf6") == "B:WKf6:Ba5"


def test_pool_a_man_passing_the_last_row_in_a_capture_stays_a_man():
    assert after(POOL, "W:W9:B6,7,13", "9x11") == "B:W11:B13"


def test_wcdf_an_english_man_is_crowned_where_it_arrives_and_its_capture_ends():
    """On square 2 it has 7 beside it, which a king could take."""
    assert moves(ENGLISH, "W:W9:B6,7,13") == ["9x2"]
    assert after(ENGLISH, "W:W9:B6,7,13", "9x2") == "B:WK2:B7,13"


def test_fid_an_italian_man_is_crowned_where_it_arrives_and_its_capture_ends():
    assert moves(ITALIAN, "W:W10:B6,7,13") == ["10x3"]
    assert after(ITALIAN, "W:W10:B6,7,13", "10x3") == "B:WK3:B7,13"


def test_cz_a_man_is_crowned_where_it_arrives_and_its_capture_ends():
    assert moves(CZECH, "W:Wb6:Ba5,c7,e7") == ["b6xd8"]
    assert after(CZECH, "W:Wb6:Ba5,c7,e7", "b6xd8") == "B:WKd8:Ba5,e7"


def test_a_house_rule_may_end_the_capture_of_a_man_that_takes_backward_where_it_is_crowned():
    stops = replace(BRAZILIAN, passing="stops")
    assert moves(stops, "W:Wb6:Ba5,c7,e7") == ["b6xd8"]
    assert after(stops, "W:Wb6:Ba5,c7,e7", "b6xd8") == "B:WKd8:Ba5,e7"


def test_turkish_a_man_in_a_capture_goes_on_along_the_last_row_as_a_man():
    """It takes d7 and, beside it, e8; f8 stands two squares off, which only a king could reach."""
    assert moves(TURKISH, "W:Wd6:Bh5,d7,e8") == ["d6xf8"]
    assert moves(TURKISH, "W:Wd6:Bh5,d7,f8") == ["d6xd8"]
    assert after(TURKISH, "W:Wd6:Bh5,d7,e8", "d6xf8") == "B:WKf8:Bh5"


# --- captures: what a piece may take


def test_002_art_5_a_capture_is_compulsory():
    assert moves(BRAZILIAN, "W:Wc3,g3:Bd4") == ["c3xe5"]


def test_000_russian_text_where_a_capture_is_not_compulsory_everything_is_legal():
    optional = replace(RUSSIAN, capture_compulsory=False)
    assert moves(optional, "W:Wc3,g3:Bd4") == ["c3-b4", "c3xe5", "g3-f4", "g3-h4"]


def test_002_art_7_a_man_takes_forward_and_backward():
    assert moves(BRAZILIAN, "W:Wd4:Bc3") == ["d4xb2"]
    assert moves(INTERNATIONAL, "W:W28:B33") == ["28x39"]
    assert moves(RUSSIAN, "W:Wd4:Bc3") == ["d4xb2"]
    assert moves(POOL, "W:W18:B22") == ["18x25"]


@pytest.mark.parametrize(
    ("variant", "fen", "quiet"),
    [
        (PORTUGUESE, "W:W17:B13", ["17-21"]),
        (SPANISH, "W:W17:B13", ["17-21"]),
        (ENGLISH, "W:W18:B22", ["18-14", "18-15"]),
        (ITALIAN, "W:W18:B22", ["18-13", "18-14"]),
        (CZECH, "W:Wd4:Bc3", ["d4-c5", "d4-e5"]),
    ],
)
def test_001_b_003_06b_some_men_take_forward_only(variant, fen, quiet):
    assert moves(variant, fen) == quiet


def test_002_art_6_a_man_takes_a_king():
    assert moves(BRAZILIAN, "W:Wc3:BKd4") == ["c3xe5"]


def test_000_fid_an_italian_man_does_not_take_a_king():
    assert moves(ITALIAN, "W:W18:BK14") == ["18-13"]
    assert moves(ITALIAN, "W:W18:B14") == ["18x11"]


def test_002_art_7_a_king_takes_from_afar_and_comes_down_on_any_free_square_behind():
    assert moves(BRAZILIAN, "W:WKa1:Bd4") == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]


def test_000_turkish_text_a_king_comes_down_just_behind_where_the_row_says_so():
    assert moves(replace(TURKISH, king_landing="next"), "W:WKa1:Ba4") == ["a1xa5"]
    assert moves(TURKISH, "W:WKa1:Ba4") == ["a1xa5", "a1xa6", "a1xa7", "a1xa8"]


def test_wcdf_an_english_king_takes_only_what_is_beside_it():
    assert moves(ENGLISH, "W:WK25:B18") == ["25-21", "25-22", "25-29", "25-30"]
    assert moves(ENGLISH, "W:WK25:B22") == ["25x18"]


def test_001_d_003_art_7_a_king_does_not_jump_two_pieces_side_by_side_nor_its_own():
    assert moves(BRAZILIAN, "W:WKa1:Bc3,d4") == ["a1-b2"]
    assert moves(BRAZILIAN, "W:WKa1,c3:Bf6") == ["a1-b2", "c3-b4", "c3-d4"]


def test_frisian_men_take_in_eight_directions():
    """From 33 over 29 to 24, and from there straight down over 34 to 44."""
    assert moves(FRISIAN, "W:W33:B29,34") == ["33x44"]
    assert moves(FRISIAN, "W:W33:B23") == ["33x13"]
    assert moves(FRISIAN, "W:W33:B32") == ["33x31"]


def test_turkish_men_take_forward_and_sideways():
    assert moves(TURKISH, "W:Wd4:Bd5") == ["d4xd6"]
    assert moves(TURKISH, "W:Wd4:Bc4") == ["d4xb4"]
    assert moves(TURKISH, "W:Wd4:Bd3") == ["d4-c4", "d4-d5", "d4-e4"]


# --- captures: how they go


def test_002_art_11_captured_pieces_come_off_when_the_move_is_over_golpe_turco():
    """b6 takes c5, f4 and f6 and reaches e7; d6 it cannot take, since the first victim still stands behind it."""
    fen = "W:WKb6:Bf4,c5,d6,f6"
    assert moves(BRAZILIAN, fen) == ["b6xd8", "b6xe7"]
    assert captured(BRAZILIAN, fen, "b6xe7") == {"c5", "f4", "f6"}
    at_once = read_fen(fen, replace(BRAZILIAN, removal="at_once", turn_back=False))
    assert {len(m.captured) for m in legal_moves(at_once)} == {4}


def test_fmjd_a_captured_piece_may_not_be_jumped_twice():
    fen = "W:WK35:B7,13,18,21"
    assert moves(INTERNATIONAL, fen) == ["35x27", "35x32", "35x38", "35x43", "35x49"]
    assert {len(captured(INTERNATIONAL, fen, m)) for m in moves(INTERNATIONAL, fen)} == {3}


def test_000_an_empty_square_may_be_crossed_twice():
    """The windmill: round d2, d4, d6 and f6 either way, over e3 a second time to f2 or g1."""
    fen = "W:WKc1:Bd2,d4,d6,f6"
    assert moves(BRAZILIAN, fen) == ["c1xe3", "c1xf2", "c1xg1", "c1xg5", "c1xh4"]
    assert captured(BRAZILIAN, fen, "c1xg1") == {"d2", "d4", "d6", "f6"}


def test_a_capture_may_end_where_it_began():
    assert moves(BRAZILIAN, "W:WKh6:Bd4,g5,d6,g7") == ["h6xh6"]
    assert after(BRAZILIAN, "W:WKh6:Bd4,g5,d6,g7", "h6xh6") == "B:WKh6:B"


def test_a_mans_circle_is_one_move_whichever_way_it_goes():
    fen = "W:We3,c7:Bb4,d4,b6,d6"
    position = read_fen(fen, BRAZILIAN)
    (move,) = legal_moves(position)
    assert write_move(position, move) == "c7xc7"
    named = {tuple(BRAZILIAN.geometry.names(route.path)) for route in routes(position, move)}
    assert named == {("c7", "a5", "c3", "e5", "c7"), ("c7", "e5", "c3", "a5", "c7")}


def test_same_ends_with_different_victims_are_two_moves_with_their_full_paths():
    fen = "W:WKg1:Bf2,g5,d6,c7"
    assert moves(BRAZILIAN, fen) == ["g1xb6xd8xh4", "g1xc5xe7xh4"]
    assert captured(BRAZILIAN, fen, "g1xb6xd8xh4") == {"f2", "c7", "g5"}
    assert captured(BRAZILIAN, fen, "g1xc5xe7xh4") == {"f2", "d6", "g5"}


def test_a_route_through_given_squares_is_found_and_only_if_there_is_one():
    position = read_fen("W:We3,c7:Bb4,d4,b6,d6", BRAZILIAN)
    (move,) = legal_moves(position)
    square = BRAZILIAN.geometry.square
    route = route_through(position, move, (square("e5"), square("c3")))
    assert route is not None
    assert BRAZILIAN.geometry.names(route.path) == ("c7", "e5", "c3", "a5", "c7")
    assert route_through(position, move, (square("c3"), square("c3"))) is None


def test_000_turkish_each_piece_is_off_as_soon_as_it_is_jumped():
    """c5 takes c4, d2, h3 and g4, and may then come down on c4 and beyond."""
    fen = "W:WKc5:Bd2,h3,c4,g4"
    assert moves(TURKISH, fen) == [f"c5x{end}4" for end in "abcdef"]
    assert len(captured(TURKISH, fen, "c5xa4")) == 4
    assert moves(replace(TURKISH, removal="after"), fen) == [f"c5x{end}4" for end in "def"]


def test_turkish_no_turn_by_180_degrees_inside_a_capture():
    assert moves(TURKISH, "W:WKd2:Bb2,g2") == ["d2xa2", "d2xh2"]
    assert captured(TURKISH, "W:WKd2:Bb2,g2", "d2xa2") == {"b2"}
    assert captured(replace(TURKISH, turn_back=True), "W:WKd2:Bb2,g2", "d2xa2") == {"b2", "g2"}


@pytest.mark.parametrize("variant", [RUSSIAN, POOL, CZECH], ids=lambda v: v.name)
def test_a_king_chooses_a_square_from_which_it_can_go_on(variant):
    """Over g5 it could come down on f4; only e3 has d2 beside it."""
    fen = "W:WKh6:Bd2,g5" if variant.geometry.numbering == "algebraic" else "W:WK12:B26,16"
    (only,) = moves(variant, fen)
    assert only == ("h6xc1" if variant.geometry.numbering == "algebraic" else "12x30")


def test_a_capture_that_can_go_on_must_go_on():
    assert moves(RUSSIAN, "W:Wh2:Bg3,e5") == ["h2xd6"]
    assert moves(ENGLISH, "B:W14,22:B9") == ["9x25"]


# --- captures: the laws that choose


def test_002_art_8_the_most_pieces():
    assert moves(BRAZILIAN, "W:Wa3,h2:Bb4,g3,e5") == ["h2xd6"]


@pytest.mark.parametrize("variant", [RUSSIAN, CZECH], ids=lambda v: v.name)
def test_wcdf_000_where_any_capture_may_be_chosen_the_smaller_one_is_legal(variant):
    assert moves(variant, "W:Wa3,h2:Bb4,g3,e5") == ["a3xc5", "h2xd6"]


def test_wcdf_000_an_english_player_may_take_one_where_another_capture_takes_two():
    fen = "W:W21,28:B15,17,24"
    assert moves(ENGLISH, fen) == ["21x14", "28x10"]
    assert len(captured(ENGLISH, fen, "21x14")) == 1
    assert len(captured(ENGLISH, fen, "28x10")) == 2


def test_000_002_art_8_men_and_kings_count_alike():
    assert moves(BRAZILIAN, "W:Wc3,g3:BKd4,f4") == ["c3xe5", "g3xe5"]


def test_001_c_003_art_9c_of_equal_numbers_the_kings():
    """The same places one file to the right: d3 (11) takes the king, h3 (9) could only take the man."""
    assert moves(PORTUGUESE, "W:Wd3,h3:BKe4,g4") == ["11x18"]
    assert moves(SPANISH, "W:Wd3,h3:BKe4,g4") == ["11x18"]


def test_001_b_003_art_9b_the_number_comes_before_the_kings():
    assert moves(PORTUGUESE, "W:Wa2,h3:BKb3,g4,e6") == ["9x27"]


def test_fid_of_equal_numbers_an_italian_king_takes():
    assert moves(ITALIAN, "W:WK23,31:B28") == ["23x32"]


def test_fid_of_equal_numbers_by_a_king_the_most_kings():
    assert moves(ITALIAN, "W:WK13:B10,K18") == ["13x22"]


def test_fid_of_equal_numbers_and_kings_the_one_that_meets_a_king_first():
    """1 takes the king on 5, then 6; 11 would take 6 first, then the king."""
    assert moves(ITALIAN, "W:WK1,K11:BK5,6,12") == ["1x3"]


def test_fid_the_number_comes_before_an_italian_king():
    """The king could take a king; the man takes two men."""
    assert moves(ITALIAN, "W:WK1,28:BK5,15,23") == ["28x12"]


def test_cz_a_king_takes_before_a_man():
    assert moves(CZECH, "W:Wc1,Kb4:Bd2") == ["b4xe1"]


def test_frisian_a_king_is_worth_more_than_one_man_and_less_than_two():
    assert captured(FRISIAN, "W:WK33:B20,K32", "33x31") == {"32"}
    assert moves(FRISIAN, "W:WK33:B20,K32") == ["33x31"]
    assert captured(FRISIAN, "W:WK27:B8,18,K38", "27x6") == {"8", "18"}
    assert moves(FRISIAN, "W:WK27:B8,18,K38") == ["27x2", "27x6", "27x7"]


def test_frisian_two_kings_are_worth_more_than_three_men():
    fen = "W:WK50:B10,11,26,K40,K42"
    assert moves(FRISIAN, fen) == ["50x47"]
    assert captured(FRISIAN, fen, "50x47") == {"40", "42"}


def test_frisian_at_equal_value_a_king_takes():
    assert moves(FRISIAN, "W:W18,K28:B19") == ["28x10", "28x14", "28x5"]


# --- what legality needs of the past


def play(variant, fen, text):
    position = read_fen(fen, variant)
    for move in text.split():
        position = position.after(read_move(position, move))
    return position


THREE_EACH = "48-42 2-8 42-48 8-2 48-42 2-8"


def movers(position):
    return {position.variant.geometry.name(m.start) for m in legal_moves(position)}


def test_frisian_not_more_than_three_quiet_moves_in_a_row_by_the_same_king():
    position = play(FRISIAN, "W:WK48,36:BK2,15", THREE_EACH)
    assert movers(position) == {"36"}
    position = position.after(read_move(position, "36-31"))
    assert movers(position) == {"15"}
    position = position.after(read_move(position, "15-20"))
    assert "42" in movers(position)


def test_frisian_two_quiet_moves_leave_a_third():
    assert "48" in movers(play(FRISIAN, "W:WK48,36:BK2,15", "48-42 2-8 42-48 8-2"))


def test_frisian_a_capture_by_the_king_ends_its_row_of_quiet_moves():
    start = read_fen("W:WK48,36:B16,39", FRISIAN)
    king = FRISIAN.geometry.square("48")
    position = start._replace(runs=(Run(king, 3), None))
    assert position.after(read_move(position, "48x34")).runs == (None, None)


def test_frisian_a_side_without_men_moves_its_king_as_often_as_it_likes():
    assert movers(play(FRISIAN, "W:WK48:BK2,15", THREE_EACH)) == {"42"}


def test_frisian_another_king_may_move_meanwhile():
    assert movers(play(FRISIAN, "W:WK48,K46,36:BK2,15", THREE_EACH)) == {"36", "46"}


# --- the end of a game


def test_002_art_1_who_has_no_pieces_loses():
    end = verdict(read_fen("B:Wc3:B", BRAZILIAN))
    assert end is not None
    assert (end.winner, end.reason) == (Side.WHITE, "no_pieces")


def test_001_result_b_whose_pieces_are_shut_in_on_his_turn_loses():
    end = verdict(read_fen("B:Wg3,f2:Bh4", BRAZILIAN))
    assert end is not None
    assert (end.winner, end.reason) == (Side.WHITE, "blocked")
    assert verdict(read_fen("W:Wg3,f2:Bh4", BRAZILIAN)) is None


def test_000_perde_ganha_who_has_no_pieces_or_no_move_wins():
    giveaway = replace(BRAZILIAN, giveaway=True)
    for fen, reason in (("B:Wc3:B", "no_pieces"), ("B:Wg3,f2:Bh4", "blocked")):
        end = verdict(read_fen(fen, giveaway))
        assert end is not None
        assert (end.winner, end.reason) == (Side.BLACK, reason)


def test_a_game_counts_the_occurrences_of_its_position_and_goes_back():
    game = Game(read_fen("W:WKa1:BKh2", BRAZILIAN))
    for text in ["a1-b2", "h2-g1", "b2-a1", "g1-h2", "a1-b2", "h2-g1", "b2-a1", "g1-h2"]:
        game.play(read_move(game.position, text))
    assert game.occurrences() == 3
    game.rewind(4)
    assert game.occurrences() == 2
    assert len(game.moves) == 4
    with pytest.raises(ValueError, match="5 cannot remain"):
        game.rewind(5)


def test_a_game_refuses_a_move_that_is_not_legal():
    game = Game(initial(BRAZILIAN))
    move = legal_moves(game.position)[0]
    game.play(move)
    with pytest.raises(IllegalMoveError):
        game.play(move)
