"""Document 000, sentence by sentence: its main text (`br-tradicional`) and its sections on other games.

Its touch articles ask something of an arbiter: here they are data. Its draws are counted in test_draw.py.
"""

from __future__ import annotations

from rules.by_regulation import after, captured, moves, position

from damas_board.regulations import shipped
from damas_board.rules.game import verdict
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.rules.side import Side

R = "br-tradicional"
RULES = shipped(R)


def names_of(mask: int) -> list[str]:
    return [RULES.variant.geometry.algebraic(s) for s in squares_of(mask)]


# --- the board and the aim


def test_000_64_squares_and_12_pieces_each():
    start = initial(RULES.variant)
    assert RULES.variant.size == 8
    assert (start.white.bit_count(), start.black.bit_count()) == (12, 12)


def test_000_who_takes_or_shuts_in_all_pieces_wins():
    for fen, reason in (("B:Wc3:B", "no_pieces"), ("B:Wg3,f2:Bh4", "blocked")):
        end = verdict(position(R, fen))
        assert (end.winner, end.reason) == (Side.WHITE, reason)


def test_000_the_corner_at_the_left_of_each_player_is_dark():
    playable = names_of(RULES.variant.geometry.playable_mask)
    assert "a1" in playable
    assert "h8" in playable
    assert "h1" not in playable


def test_000_the_pieces_stand_on_the_dark_squares_of_three_rows():
    start = initial(RULES.variant)
    assert names_of(start.white) == ["a1", "c1", "e1", "g1", "b2", "d2", "f2", "h2", "a3", "c3", "e3", "g3"]
    assert names_of(start.black) == ["b6", "d6", "f6", "h6", "a7", "c7", "e7", "g7", "b8", "d8", "f8", "h8"]


def test_000_white_begins():
    assert initial(RULES.variant).turn is Side.WHITE


# --- how pieces move


def test_000_a_man_goes_forward_one_square_at_a_time():
    assert moves(R, "W:Wd4:Bh8") == ["d4-c5", "d4-e5"]


def test_000_a_man_takes_forward_and_backward():
    assert moves(R, "W:Wd4:Be5") == ["d4xf6"]
    assert moves(R, "W:Wd4:Bc3") == ["d4xb2"]


def test_000_a_man_that_stops_on_the_eighth_row_is_a_king():
    assert after(R, "W:Wc7:Bh2", "c7-d8") == ("black", "d8", "h2", "d8")


def test_000_main_text_a_kings_quiet_move_is_one_square_in_any_direction():
    assert moves(R, "W:WKd4:Bh2") == ["d4-c3", "d4-c5", "d4-e3", "d4-e5"]


def test_000_a_capture_goes_on_in_the_same_move():
    assert captured(R, "W:Wc3:Bd4,f6", "c3xg7") == {"d4", "f6"}


def test_000_main_text_a_king_takes_at_any_distance_and_lands_on_any_free_square_behind():
    assert moves(R, "W:WKa1:Bd4") == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]


def test_000_a_king_goes_on_in_the_same_move():
    assert captured(R, "W:WKa1:Bd4,f4", "a1xg3") == {"d4", "f4"}


def test_000_a_capture_is_obligatory():
    assert moves(R, "W:Wc3,g3:Bd4") == ["c3xe5"]
    assert moves(R, "W:WKa1,h2:Bd4") == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]


def test_000_man_and_king_are_equal_for_taking_and_being_taken():
    assert moves(R, "W:Wc3,g3:BKd4,f4") == ["c3xe5", "g3xe5"]
    assert moves(R, "W:WKa3,g3:Bb4,f4") == ["a3xc5", "a3xd6", "a3xe7", "a3xf8", "g3xe5"]


def test_000_the_law_of_the_majority():
    assert moves(R, "W:Wa3,h2:Bb4,g3,e5") == ["h2xd6"]


def test_000_a_free_square_may_be_passed_twice_a_piece_taken_once():
    fen = "W:WKc1:Bd2,d4,d6,f6"
    assert moves(R, fen) == ["c1xe3", "c1xf2", "c1xg1", "c1xg5", "c1xh4"]
    assert captured(R, fen, "c1xg1") == {"d2", "d4", "d6", "f6"}


def test_000_a_man_that_only_passes_the_eighth_row_stays_a_man():
    assert after(R, "W:Wb6:Ba5,c7,e7", "b6xf6") == ("black", "f6", "a5", "")


def test_000_taken_pieces_come_off_when_the_move_is_complete():
    assert moves(R, "W:WKb6:Bf4,c5,d6,f6") == ["b6xd8", "b6xe7"]


# --- the player's hand, draws, matches: data


def test_000_of_several_touched_pieces_the_opponent_names_one():
    assert RULES.policy.several_touched == "opponent_chooses"
    assert "none playable: no penalty, a repetition is punishable" in RULES.articles["several_touched"]


def test_000_the_colours_are_drawn_or_agreed_on_and_then_alternate():
    assert (RULES.match.first, RULES.match.colours) == (("lot", "convention"), "alternate")


def test_000_draw_a_agreement():
    assert RULES.articles["agreed"] == "000 empate a"


def test_000_draw_b_twenty_moves_of_kings():
    (law,) = (law for law in RULES.counts if law.article == "000 empate b")
    assert (law.moves, law.by, law.progress, law.holds) == (20, "each", ("capture", "man"), True)


def test_000_draw_c_a_third_occurrence_is_claimed_in_a_game_that_is_written_down():
    law = RULES.repetition
    assert (law.article, law.count, law.holds, law.only_recorded) == ("000 empate c", 3, False, True)


def test_000_draw_d_three_kings_against_one_in_twenty_moves():
    (law,) = (law for law in RULES.counts if law.article == "000 empate d")
    assert (law.moves, law.by, [str(ending) for ending in law.endings]) == (20, "stronger", ["KKK-K"])


# --- the other games


def test_000_damas_do_brasil_a_king_goes_any_distance_and_takes_with_free_squares_behind():
    assert moves("br-cbjd", "W:WKb2:Bh8") == [f"b2-{end}" for end in ["a1", "a3", "c1", "c3", "d4", "e5", "f6", "g7"]]
    assert moves("br-cbjd", "W:WKa1:Bd4") == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]
    assert moves("br-cbjd", "W:WKa1:Bd4,e5") == ["a1-b2", "a1-c3"]


def playable(regulation: str) -> set[str]:
    geometry = shipped(regulation).variant.geometry
    return {geometry.algebraic(s) for s in geometry.playable}


def test_000_damas_italianas_a_light_corner_at_the_left():
    assert "a1" not in playable("it-000")
    assert "h1" in playable("it-000")


def test_000_damas_italianas_men_cannot_take_a_king():
    assert moves("it-000", "W:Wd3:BKe4") == ["d3-c4"]
    assert moves("it-000", "W:Wd3:Be4") == ["d3xf5"]
    assert "f5" in {m[-2:] for m in moves("it-000", "W:WKd3:BKe4")}


def test_000_damas_italianas_who_does_not_take_loses():
    assert shipped("it-000").policy.missed_capture == "loses"
    assert "loses the game" in shipped("it-000").articles["missed_capture"]


def test_000_damas_italianas_the_most_valuable_piece():
    fen = "W:WKd1:BKf3,b3"
    assert all(captured("it-000", fen, m) == {"f3"} for m in moves("it-000", fen))


def test_000_damas_inglesas_any_capture_may_be_chosen():
    assert moves("en-000", "W:Wa3,h2:Bb4,g3,e5") == ["a3xc5", "h2xd6"]


def test_000_damas_russas_a_capture_is_not_obligatory():
    assert moves("ru-000", "W:Wc3,g3:Bd4") == ["c3-b4", "c3xe5", "g3-f4", "g3-h4"]


def test_000_damas_russas_a_man_passing_the_last_row_is_promoted_and_goes_on_as_a_king():
    fen = "W:Wb6:Ba5,c7,f6"
    taking = [m for m in moves("ru-000", fen) if "x" in m]
    assert taking == ["b6xg5", "b6xh4"]
    assert after("ru-000", fen, "b6xh4") == ("black", "h4", "a5", "h4")


def test_000_turcas_sixteen_men_on_the_second_and_third_row():
    start = initial(shipped("tr-000").variant)
    assert [start.white.bit_count(), start.black.bit_count()] == [16, 16]
    assert {s // 8 for s in squares_of(start.white)} == {1, 2}
    assert {s // 8 for s in squares_of(start.black)} == {5, 6}


def test_000_turcas_pieces_go_straight_forward_or_sideways_never_back():
    assert moves("tr-000", "W:Wd4:Bh8") == ["d4-c4", "d4-d5", "d4-e4"]


def test_000_turcas_pieces_take_forward_or_sideways_and_land_just_behind():
    assert moves("tr-000", "W:Wd4:Bd5") == ["d4xd6"]
    assert moves("tr-000", "W:Wd4:Bc4") == ["d4xb4"]
    assert not any("x" in m for m in moves("tr-000", "W:Wd4:Bd3"))


def test_000_turcas_a_taken_piece_is_off_at_once():
    """Round by a4, d4, d2 and a2, and from there over the place of the first victim to a6."""
    assert captured("tr-000", "W:WKa1:Ba3,c4,d3,b2,a6", "a1xa7") == {"a3", "c4", "d3", "b2", "a6"}


def test_000_turcas_a_piece_that_arrives_on_the_last_row_is_a_king():
    assert after("tr-000", "W:Wd7:Bh5", "d7-d8") == ("black", "d8", "h5", "d8")


def test_000_turcas_a_king_goes_any_distance_forward_back_and_sideways():
    assert len(moves("tr-000", "W:WKd4:Bh8,h7")) == 14


def test_000_turcas_a_king_takes_from_afar():
    assert moves("tr-000", "W:WKa1:Ba5") == ["a1xa6"]


def test_000_turcas_a_capture_is_obligatory_and_takes_the_most():
    assert moves("tr-000", "W:Wd4,h2:Bd5,d7,h3") == ["d4xd8"]


def test_000_turcas_who_leaves_the_other_one_piece_against_a_king_has_won():
    law = shipped("tr-000").win
    assert (law.rule, law.pieces, law.article) == ("one_piece_against_a_king", 1, "000 Damas (turcas)")


def test_000_perde_ganha_who_has_no_pieces_wins_and_all_else_is_the_official_game():
    for name, base in (("br-perde-ganha", "br-cbjd"), ("pt-perde-ganha", "pt-fpd2021")):
        rules = shipped(name)
        assert rules.variant.giveaway
        assert (rules.counts, rules.repetition) == (shipped(base).counts, shipped(base).repetition)
    for fen, reason in (("B:Wc3:B", "no_pieces"), ("B:Wg3,f2:Bh4", "blocked")):
        end = verdict(position("br-perde-ganha", fen))
        assert (end.winner, end.reason) == (Side.BLACK, reason)
