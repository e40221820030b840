"""Document 003, article by article, as the regulation `pt-escola` plays it.

003 numbers its articles twice: 3 is 'Os quadrados escuros ...', 03 is 'Sempre que um peão ...'. Its articles on
matches are in test_match.py, those on results and on what a Session does in session/test_claims.py, 17 in
test_draw.py; what 18 to 20 ask of an arbiter is data here.
"""

from __future__ import annotations

import re
from pathlib import Path

from rules.by_regulation import after, captured, move, moves, position

from damas_board.regulations import shipped
from damas_board.rules.draw import counter
from damas_board.rules.game import Game, verdict
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.rules.side import Side

R = "pt-escola"
RULES = shipped(R)

ARTICLES = (
    "1 2 3 01 02 03 04 05 06a 06b 06c 06d 07 08 09a 09b 09c 10 11 12 13 14 15a 15b 15c 15d 15e "
    "16a 16b 16c 16d 17a 17b 18 19 20 21 22"
)


def test_every_article_of_003_has_a_test():
    files = Path(__file__).parents[1].rglob("test_*.py")
    named = {found for file in files for found in re.findall(r"def test_003_(\d+[a-e]?)_", file.read_text("utf-8"))}
    assert set(ARTICLES.split()) <= named, set(ARTICLES.split()) - named


def test_003_1_the_rules_are_those_of_the_school():
    assert any("E. E. Américo Martins da Costa" in source for source in RULES.sources)


def test_003_2_sixty_four_squares_and_twelve_pieces_each():
    start = initial(RULES.variant)
    assert RULES.variant.size**2 == 64
    assert (start.white.bit_count(), start.black.bit_count()) == (12, 12)


def test_003_3_the_game_is_played_on_the_dark_squares():
    geometry = RULES.variant.geometry
    assert len(geometry.playable) == 32
    assert {geometry.algebraic(s) for s in geometry.playable} >= {"h1", "a8", "g2", "b7"}
    assert "a1" not in {geometry.algebraic(s) for s in geometry.playable}


def test_003_01_the_pieces_stand_on_the_first_twelve_squares_of_each_side():
    start = initial(RULES.variant)
    name = RULES.variant.geometry.name
    assert {int(name(s)) for s in squares_of(start.white)} == set(range(1, 13))
    assert {int(name(s)) for s in squares_of(start.black)} == set(range(21, 33))


def test_003_02_a_game_begins_with_men_and_those_that_reach_the_other_end_are_kings():
    assert not initial(RULES.variant).kings
    assert after(R, "W:Wb7:Bh7", "b7-a8") == ("black", "a8", "h7", "a8")


def test_003_03_a_man_is_crowned_on_each_of_the_four_squares_of_the_other_end():
    for start, end in (("b7", "a8"), ("b7", "c8"), ("d7", "e8"), ("f7", "g8")):
        assert after(R, f"W:W{start}:Bh3", f"{start}-{end}")[3] == end
    for start, end in (("a2", "b1"), ("c2", "d1"), ("e2", "f1"), ("g2", "h1")):
        assert after(R, f"B:Wa6:B{start}", f"{start}-{end}")[3] == end
    assert "opponent" in RULES.articles["crowning"]


def test_003_04_a_king_without_a_piece_to_crown_it_is_a_king_all_the_same():
    """Nothing has been captured, so nothing can be put upon it; it goes any distance after the reply."""
    crowned = position(R, "W:Wb7:Bh7").after(move(R, "W:Wb7:Bh7", "b7-a8"))
    replied = crowned.after(legal_moves(crowned)[0])
    assert {m.end for m in legal_moves(replied)} >= {RULES.variant.geometry.square(s) for s in ("b7", "g2", "h1")}


def test_003_05_the_new_king_plays_only_after_the_move_of_the_other_colour():
    """On a8 it could take d5 at once."""
    assert after(R, "W:Wb7:Bd5,h7", "b7-a8") == ("black", "a8", "d5 h7", "a8")
    assert after(R, "W:Wc6:Bb7,d5,h7", "c6xa8") == ("black", "a8", "d5 h7", "a8")


def test_003_06a_a_man_goes_forward_diagonally_to_a_free_square_beside_it():
    assert moves(R, "W:Wd3:Bh7") == ["d3-c4", "d3-e4"]
    assert moves(R, "B:Wa2:Bd5") == ["d5-c4", "d5-e4"]
    assert moves(R, "W:Wd3,c4:Bh7") == ["c4-b5", "c4-d5", "d3-e4"]


def test_003_06b_a_man_takes_what_is_beside_it_if_the_next_square_is_free_and_as_many_as_it_can():
    assert moves(R, "W:Wd3:Be4") == ["d3xf5"]
    assert moves(R, "W:Wd3:Be4,f5") == ["d3-c4"]
    assert captured(R, "W:Wd3:Be4,g6,c4", "d3xh7") == {"e4", "g6"}
    assert moves(R, "W:Wd3:Be4,g6,c4") == ["d3xh7"]


def test_003_06c_a_king_goes_any_distance_forward_and_back_on_one_diagonal():
    assert moves(R, "W:WKd3:Bb7") == sorted(
        f"d3-{end}" for end in ["c2", "b1", "e2", "f1", "c4", "b5", "a6", "e4", "f5", "g6", "h7"]
    )  # fmt: skip
    assert "d3-f5" not in moves(R, "W:WKd3,e4:Bb7")


def test_003_06d_a_king_takes_from_afar_lands_on_any_free_square_behind_and_goes_on():
    assert moves(R, "W:WKb1:Be4") == ["b1xf5", "b1xg6", "b1xh7"]
    assert captured(R, "W:WKb1:Be4,d7", "b1xc8") == {"e4", "d7"}


def test_003_06d_a_king_turns_to_the_perpendicular_diagonal_where_there_is_something_to_take():
    fen = "W:WKb1:Be4,e6"
    assert moves(R, fen) == ["b1xc8", "b1xd7"]
    assert captured(R, fen, "b1xc8") == {"e4", "e6"}


def test_003_07_a_king_jumps_neither_its_own_nor_two_side_by_side_nor_one_twice():
    assert not any("x" in m for m in moves(R, "W:WKb1,c2:Be4"))
    assert not any("x" in m for m in moves(R, "W:WKb1:Bd3,e4"))
    fen = "W:WKg6:Bc4,f5,e6,c6"
    assert all(len(move(R, fen, m).captured) == len(captured(R, fen, m)) for m in moves(R, fen))


def test_003_07_a_king_may_pass_a_free_square_more_than_once():
    """The windmill: to d3, round e4, e6 and c6 either way, and over d3 a second time."""
    fen = "W:WKf1:Be2,e4,e6,c6"
    assert moves(R, fen) == ["f1xa4", "f1xb1", "f1xb5", "f1xc2", "f1xd3"]
    assert captured(R, fen, "f1xc2") == {"e2", "e4", "e6", "c6"}


def test_003_08_nothing_is_removed_before_the_route_is_complete():
    """g6 takes f5, c4 and c6 and reaches d7; e6 it cannot take, since f5 still stands behind it."""
    fen = "W:WKg6:Bc4,f5,e6,c6"
    assert moves(R, fen) == ["g6xd7", "g6xe8"]
    assert captured(R, fen, "g6xd7") == {"f5", "c4", "c6"}


def test_003_09a_a_capture_is_obligatory():
    assert moves(R, "W:Wd3,h3:Be4") == ["d3xf5"]


def test_003_09b_the_most_pieces_must_be_taken_by_man_or_king():
    assert moves(R, "W:Wa2,h3:BKb3,g4,e6") == ["h3xd7"]
    assert {m[:2] for m in moves(R, "W:WKb1,h5:Be4,e6,g6")} == {"b1"}


def test_003_09c_of_equal_numbers_those_of_the_highest_value():
    assert moves(R, "W:Wd3,h3:BKe4,g4") == ["d3xf5"]
    assert moves(R, "W:Wd3,h3:Be4,Kg4") == ["h3xf5"]


def test_003_11_an_opening_is_the_first_moves_of_a_game():
    """Drawn openings are positions that such moves lead to, which both players begin from: test_match.py."""
    assert RULES.match.opening == ("free", "lot")
    assert RULES.match.articles["opening"] == "003 art. 13, 14"


def test_003_12_white_begins_and_the_colours_take_turns():
    game = Game(initial(RULES.variant))
    sides = []
    for _ in range(6):
        sides.append(game.position.turn)
        game.play(legal_moves(game.position)[0])
    assert sides == [Side.WHITE, Side.BLACK] * 3
    assert RULES.match.first == ("lot",)


def test_003_15a_who_has_lost_all_pieces_has_lost():
    end = verdict(position(R, "B:Wd3:B"))
    assert (end.winner, end.reason) == (Side.WHITE, "no_pieces")
    assert RULES.articles["no_pieces"] == "003 art. 15a"


def test_003_15b_whose_pieces_are_prisoners_on_his_turn_has_lost():
    end = verdict(position(R, "B:Wb3,c2:Ba4"))
    assert (end.winner, end.reason) == (Side.WHITE, "blocked")
    assert verdict(position(R, "W:Wb3,c2:Ba4")) is None
    assert RULES.articles["blocked"] == "003 art. 15b"


def test_003_16a_a_draw_by_the_laws_of_limited_moves_holds():
    assert [(law.rule, law.moves, law.holds) for law in RULES.counts] == [
        ("kings_only", 20, True),
        ("three_kings", 12, True),
    ]


def test_003_16b_three_times_the_same_position_also_within_a_count_if_the_opponent_claims():
    assert (RULES.repetition.count, RULES.repetition.holds, RULES.repetition.only_recorded) == (3, False, False)
    game = Game(position(R, "W:WKh1,Kh3,Kf1:BKa4"))
    for text in ["h1-g2", "a4-b3", "g2-h1", "b3-a4", "h1-g2", "a4-b3", "g2-h1", "b3-a4"]:
        (found,) = (
            m for m in legal_moves(game.position)
            if [RULES.variant.geometry.algebraic(s) for s in (m.start, m.end)] == text.split("-")
        )  # fmt: skip
        game.play(found)
    assert game.occurrences() == 3
    (law,) = (law for law in RULES.counts if law.rule == "three_kings")
    assert counter(law, game.positions, game.moves, None).count == 4


def test_003_18_a_touched_playable_piece_must_be_played_unless_an_adjustment_was_announced():
    assert RULES.policy.several_touched == "playable"
    assert RULES.articles["several_touched"].startswith("003 art. 18")


def test_003_19_a_move_against_the_rules_is_irregular_and_put_right():
    with_capture = moves(R, "W:Wd3,h3:Be4")
    assert "h3-g4" not in with_capture
    assert RULES.policy.missed_capture == "opponent_decides"
    assert RULES.articles["missed_capture"].startswith("003 art. 19")


def test_003_21_what_no_article_covers_is_decided():
    assert "art. 21" in RULES.articles["decision"]


def test_003_22_the_rules_are_adapted_for_pupils():
    assert "pupils of 6 to 15" in RULES.about
