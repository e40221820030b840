"""Draw laws: what every law of every regulation counts, up to its limit, and what begins a count anew."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rules.kings_at_play import played, to_and_fro

from damas_board.notation.fen import read_fen
from damas_board.regulations import names, shipped
from damas_board.rules.draw import CountLaw, Ending, Force, counter, main_diagonal, read_ending
from damas_board.rules.game import verdict
from damas_board.rules.geometry import squares_of
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, PORTUGUESE


def law_of(regulation: str, rule: str) -> CountLaw:
    (law,) = (law for law in shipped(regulation).counts if law.rule == rule)
    return law


def count(law: CountLaw, game, begun: int | None = None) -> int | None:
    found = counter(law, game.positions, game.moves, begun)
    return None if found is None else found.count


def on_road(side: Side):
    return lambda position: bool(position.pieces(side) & position.kings & main_diagonal(position))


FREE = "W:WKa1,Kc1,g1:BKh8,Kf8,b6"
"""Two kings and a man each."""
PT_FREE = "W:WKh1,Kf1,a2:BKa8,Kc8,h7"
THREE = "W:WKa1,Ka3,Kc1:BKh4"
PT_THREE = "W:WKh1,Kh3,Kf1:BKa4"
LONE = "W:WKa3,Kc1,Ke1:BKa1"
TEN = "W:WKa1,Kc1,a3:BKj10,Kh10,j8"

LAWS = [
    # regulation, rule, position, moves of each before the draw, or of the stronger side
    ("br-cbjd", "kings_only", FREE, 20, "each"),
    ("br-cbjd", "three_kings", THREE, 20, "stronger"),
    ("br-cbjd", "endings", "W:WKa1,Kc1:BKh8,Kh6", 5, "each"),
    ("br-cbjd", "endings", "W:WKa1,Kc1:BKh4", 5, "each"),
    ("br-cbjd", "endings", "W:WKa1,Kc1:BKh4,b6", 5, "each"),
    ("br-cbjd", "endings", "W:WKa1:BKh4", 5, "each"),
    ("br-cbjd", "endings", "W:WKc1:BKh4,b6", 5, "each"),
    ("br-cbjd", "endings", "W:WKh4,c1:BKb8", 5, "each"),
    ("br-perde-ganha", "kings_only", FREE, 20, "each"),
    ("br-perde-ganha", "three_kings", THREE, 20, "stronger"),
    ("br-perde-ganha", "endings", "W:WKa1:BKh4", 5, "each"),
    ("br-tradicional", "kings_only", FREE, 20, "each"),
    ("br-tradicional", "three_kings", THREE, 20, "stronger"),
    ("br-fmjd64", "kings_only", FREE, 15, "each"),
    ("br-fmjd64", "three_kings", THREE, 15, "stronger"),
    ("br-fmjd64", "main_road", LONE, 5, "stronger"),
    ("br-fmjd64", "main_road", "W:WKc1,Ka3,e1:BKa1", 5, "stronger"),
    ("br-fmjd64", "main_road", "W:WKc1,g1,e1:BKa1", 5, "stronger"),
    ("br-fmjd64", "short_endings", "W:WKa1,Kc1:BKh4", 5, "each"),
    ("br-fmjd64", "short_endings", "W:WKc1,a1:BKh4", 5, "each"),
    ("br-fmjd64", "short_endings", "W:WKa1:BKh4", 5, "each"),
    ("br-fmjd64", "four_or_five_pieces", "W:WKa1,Kc1:BKh8,Kf8", 30, "each"),
    ("br-fmjd64", "four_or_five_pieces", "W:WKa1,Kc1,g1:BKh8,Kf8", 30, "each"),
    ("br-fmjd64", "six_or_seven_pieces", FREE, 60, "each"),
    ("br-fmjd64", "six_or_seven_pieces", "W:WKa1,Kc1,g1:BKh8,Kf8,b6,a7", 60, "each"),
    ("pt-classicas", "no_capture", PT_FREE, 20, "each"),
    ("pt-escola", "kings_only", PT_FREE, 20, "each"),
    ("pt-escola", "three_kings", PT_THREE, 12, "stronger"),
    ("pt-fpd2021", "no_capture_or_promotion", PT_FREE, 20, "each"),
    ("pt-fpd2021", "three_kings", PT_THREE, 12, "each"),
    ("pt-perde-ganha", "no_capture_or_promotion", PT_FREE, 20, "each"),
    ("pt-perde-ganha", "three_kings", PT_THREE, 12, "each"),
    ("int-fmjd", "kings_only", TEN, 25, "each"),
    ("int-fmjd", "three_kings", "W:WKa1,Ka3,Kc1:BKj4", 16, "each"),
    ("int-fmjd", "three_kings", "W:WKa1,Ka3,c1:BKj4", 16, "each"),
    ("int-fmjd", "three_kings", "W:WKa1,a3,c1:BKj4", 16, "each"),
    ("int-fmjd", "short_endings", "W:WKa1,Kc1:BKj4", 5, "each"),
    ("int-fmjd", "short_endings", "W:WKa1,c1:BKj4", 5, "each"),
    ("int-fmjd", "short_endings", "W:WKa1:BKj4", 5, "each"),
    ("ru-fmjd64", "kings_only", FREE, 15, "each"),
    ("ru-fmjd64", "three_kings", THREE, 15, "stronger"),
    ("ru-fmjd64", "main_road", LONE, 5, "stronger"),
    ("ru-fmjd64", "short_endings", "W:WKa1,Kc1:BKh4", 5, "each"),
    ("ru-fmjd64", "four_or_five_pieces", "W:WKa1,Kc1:BKh8,Kf8", 30, "each"),
    ("ru-fmjd64", "six_or_seven_pieces", FREE, 60, "each"),
    ("ru-000", "kings_only", FREE, 20, "each"),
    ("ru-000", "three_kings", THREE, 20, "stronger"),
    ("en-000", "kings_only", FREE, 20, "each"),
    ("en-000", "three_kings", THREE, 20, "stronger"),
    ("it-000", "kings_only", PT_FREE, 20, "each"),
    ("it-000", "three_kings", PT_THREE, 20, "stronger"),
    ("tr-000", "kings_only", "W:WKa1,Kb1,g2:BKh8,Kc8,d7", 20, "each"),
    ("tr-000", "three_kings", "W:WKa1,Kb2,Kc3:BKh7", 20, "stronger"),
    ("en-wcdf", "no_progress", FREE.replace("W:W", "B:W"), 40, "each"),
    ("it-fid", "no_progress", PT_FREE, 40, "each"),
    ("pool", "three_kings", THREE, 13, "stronger"),
    ("frisian", "two_kings", "W:WKa1,Kc1:BKj6", 7, "each"),
    ("frisian", "one_king", "W:WKa1:BKj6", 2, "each"),
]


def no_progress(regulation: str, rule: str, fen: str, plies: int):
    position = read_fen(fen, shipped(regulation).variant)
    holder = law_of(regulation, rule).road
    if holder is None:
        return to_and_fro(position, plies)
    return to_and_fro(position, plies, on_road(Side.WHITE if holder == "stronger" else Side.BLACK))


@pytest.mark.parametrize(("regulation", "rule", "fen", "limit", "by"), LAWS)
def test_a_law_is_reached_with_its_last_move_and_not_before(regulation, rule, fen, limit, by):
    law = law_of(regulation, rule)
    plies = 2 * limit - (by == "stronger")
    game = no_progress(regulation, rule, fen, plies)
    now = counter(law, game.positions, game.moves, 0)
    assert (now.count, now.reached, law.moves) == (limit, True, limit)
    game.rewind(plies - 1)
    before = counter(law, game.positions, game.moves, 0)
    assert (before.count, before.reached) == (limit - 1, False)


@pytest.mark.parametrize(("regulation", "rule", "fen", "limit", "by"), LAWS)
def test_a_law_says_whose_moves_it_counts(regulation, rule, fen, limit, by):
    game = no_progress(regulation, rule, fen, 1)
    side = counter(law_of(regulation, rule), game.positions, game.moves, 0).side
    assert side is (Side.WHITE if by == "stronger" else None)


def test_the_table_has_every_law_that_is_shipped():
    assert {(name, law.rule) for name in names() for law in shipped(name).counts} == {row[:2] for row in LAWS}


@pytest.mark.parametrize(
    ("regulation", "rule"), sorted({row[:2] for row in LAWS if row[1] in ("endings", "three_kings", "short_endings")})
)
def test_the_stronger_side_may_be_black(regulation, rule):
    law = law_of(regulation, rule)
    corner = shipped(regulation).variant.corner
    fen = {"three_kings": PT_THREE if corner == "right" else THREE}.get(rule, "W:WKa1,Kc1:BKh4")
    white, black = fen.removeprefix("W:W").split(":B")
    game = to_and_fro(read_fen(f"B:W{black}:B{white}", shipped(regulation).variant), 2)
    if law.road is not None and law.road_begins:
        game = to_and_fro(read_fen(f"B:W{black}:B{white}", shipped(regulation).variant), 2, on_road(Side.BLACK))
    found = counter(law, game.positions, game.moves, 0)
    assert found.count == 1
    assert found.side is (Side.BLACK if law.by == "stronger" else None)


# --- what begins a count anew


PROGRESS = [
    # law, and the plies that begin its count anew
    ("br-cbjd", "kings_only", {"man", "capture", "promotion"}),
    ("pt-escola", "kings_only", {"man", "capture", "promotion"}),
    ("pt-classicas", "no_capture", {"capture"}),
    ("pt-fpd2021", "no_capture_or_promotion", {"capture", "promotion"}),
    ("int-fmjd", "kings_only", {"man", "capture", "promotion"}),
    ("br-fmjd64", "kings_only", {"man", "capture", "promotion"}),
    ("en-wcdf", "no_progress", {"man", "capture", "promotion"}),
    ("it-fid", "no_progress", {"man", "capture", "promotion"}),
]
PLIES = {
    "man": ("W:WKa1,e3:BKh2,b6", "e3-d4"),
    "promotion": ("W:WKa1,f6,c7:BKh2", "c7-d8"),
    "capture": ("W:WKa1,c3:BKh2,d4", "c3xe5"),
    "king": ("W:WKc1,e1:BKh8,b6", "c1-f4"),
}


@pytest.mark.parametrize(("regulation", "rule", "anew"), PROGRESS)
@pytest.mark.parametrize("ply", ["man", "promotion", "capture", "king"])
def test_what_begins_a_count_anew(regulation, rule, anew, ply):
    law = law_of(regulation, rule)
    law = replace(law, by="each", begun_by_player=False)
    fen, text = PLIES[ply]
    game = played(BRAZILIAN, fen, text)
    found = counter(law, game.positions, game.moves, 0)
    assert (found.since == 1) is (ply in anew), (found.since, anew)


def test_003_17a_a_piece_offered_begins_the_count_anew_and_not_only_when_it_is_taken():
    law = law_of("pt-escola", "kings_only")
    offered = played(PORTUGUESE, "W:WKb1:BKa8", "b1-e4")
    assert counter(law, offered.positions, offered.moves, 0).since == 1
    assert counter(replace(law, progress=("capture", "man")), offered.positions, offered.moves, 0).since == 0
    kept = played(PORTUGUESE, "W:WKb1:BKa8", "b1-c2")
    assert counter(law, kept.positions, kept.moves, 0).since == 0


def test_001_a_mans_move_does_not_begin_the_count_anew_a_capture_does_with_the_next_move():
    law = law_of("pt-classicas", "no_capture")
    game = played(PORTUGUESE, "W:WKh1,b1:BKa4,h7", "b1-a2 a4-b3 a2xc4")
    assert count(law, game) == 0
    assert counter(law, game.positions, game.moves, None).since == 3
    game = played(PORTUGUESE, "W:Wb1,d1:Bh7,c8", "b1-c2 h7-g6 c2-d3 g6-f5")
    assert count(law, game) == 2


def test_003_17a_counts_from_where_a_player_began_to_count_and_not_before():
    law = law_of("pt-escola", "kings_only")
    game = no_progress("pt-escola", "kings_only", PT_FREE, 10)
    assert count(law, game, None) is None
    assert count(law, game, 4) == 3
    assert count(law, game, 10) == 0
    assert count(law, game, 0) == 5


def test_002_another_listed_ending_begins_the_count_anew_and_its_move_is_not_counted():
    """Two kings against king and man: the man is taken on the third ply."""
    law = law_of("br-cbjd", "endings")
    game = played(BRAZILIAN, "W:WKe1,Kc1:BKh8,b6", "e1-f2 h8-g7 f2xa7")
    assert count(law, game) == 0
    assert counter(law, game.positions, game.moves, None).since == 3
    game.rewind(2)
    assert count(law, game) == 1


def test_002_an_ending_that_is_not_listed_is_not_counted():
    law = law_of("br-cbjd", "endings")
    assert count(law, no_progress("br-cbjd", "kings_only", FREE, 4)) is None
    assert count(law, to_and_fro(read_fen(THREE, BRAZILIAN), 4)) is None


def test_the_move_that_makes_an_ending_is_not_counted():
    law = law_of("br-cbjd", "three_kings")
    game = played(BRAZILIAN, "W:WKa1,Kc1,Ka3,g3:BKb8,h4", "c1-d2 h4xf2")
    assert count(law, game) is None
    made = played(BRAZILIAN, "W:WKa1,Kc1,h6:BKh2,g7", "h6xf8")
    assert count(law, made) == 0
    assert counter(law, made.positions, made.moves, None).since == 1


def test_int_6_3_is_not_begun_anew_by_men_or_by_a_promotion():
    law = law_of("int-fmjd", "three_kings")
    game = played(INTERNATIONAL, "W:WKa1,c1,h8:BKa9", "h8-g9 a9-b8 g9-f10 b8-a9 c1-b2 a9-b8")
    assert [str(Ending(Force(k, m), Force(1, 0))) for k, m in ((1, 2), (2, 1))] == ["Kmm-K", "KKm-K"]
    assert count(law, game) == 3


def test_int_6_4_is_not_begun_anew_by_a_capture():
    law = law_of("int-fmjd", "short_endings")
    game = played(INTERNATIONAL, "B:WKa1,Kc1:BKj4", "j4-i3 c1-d2 i3-j4 d2-h6 j4xf8")
    assert count(law, game) == 2
    assert counter(law, game.positions, game.moves, None).since == 0
    assert counter(replace(law, restarts=True), game.positions, game.moves, None).since == 5


def test_fmjd64_both_have_kings_and_the_material_stays():
    law = law_of("br-fmjd64", "four_or_five_pieces")
    assert count(law, played(BRAZILIAN, "W:WKa1,c1,g1:BKh2,b8", "c1-d2 h2-f4 d2-c3")) == 1
    assert count(law, played(BRAZILIAN, "W:WKa1,c7,g1:BKh2,a5", "c7-d8 h2-f4")) == 0
    assert count(law, played(BRAZILIAN, "W:WKa1,c1,g1:Bb8,h8", "c1-d2 b8-a7")) is None
    assert count(law, played(BRAZILIAN, "W:WKa1:BKh2,b8", "a1-b2 h2-g1")) is None


def test_fmjd64_the_lone_king_is_counted_on_the_main_road_only():
    law = law_of("br-fmjd64", "main_road")
    off = to_and_fro(read_fen(THREE, BRAZILIAN), 4, lambda position: not on_road(Side.BLACK)(position))
    assert count(law, off) is None
    game = played(BRAZILIAN, "B:WKa3,Kc1,Ke1:BKh4", "h4-f6 a3-b4 f6-h8 b4-a3")
    assert count(law, game) == 2


def test_fpd_2021_the_twelve_moves_begin_with_the_diagonal_and_go_on_without_it():
    law = law_of("pt-fpd2021", "three_kings")
    road = on_road(Side.WHITE)
    away = to_and_fro(read_fen("W:WKb3,Ka2,Kd1:BKh7", PORTUGUESE), 6, lambda position: not road(position))
    assert count(law, away) == 0
    game = played(PORTUGUESE, "W:WKb1,Ka2,Kd1:BKe8", "b1-f5 e8-h5 f5-h3 h5-e8 h3-c8")
    assert count(law, game) == 0
    game = played(PORTUGUESE, "W:WKh3,Ka2,Kd1:BKe8", "h3-g2 e8-a4 g2-h3 a4-e8 h3-c8")
    assert not road(game.position)
    found = counter(law, game.positions, game.moves, None)
    assert (found.since, found.count) == (1, 2)


# --- endings and the diagonal


def test_003_17b_the_twelfth_move_must_be_the_capture():
    """A win on the last allowed move comes first; a twelfth move that takes nothing is a draw, whatever follows."""
    law = law_of("pt-escola", "three_kings")
    game = no_progress("pt-escola", "three_kings", PT_THREE, 23)
    assert counter(law, game.positions, game.moves, None).reached
    taken = played(PORTUGUESE, "W:WKa2,Kf1,Kh1:BKc4", "a2xd5")
    assert verdict(taken.position) is not None


@pytest.mark.parametrize(("text", "ending"), [("KKK-K", (3, 0, 1, 0)), ("KK-Km", (2, 0, 1, 1)), ("mm-K", (0, 2, 1, 0))])
def test_an_ending_is_read_and_written(text, ending):
    kings, men, weak_kings, weak_men = ending
    assert read_ending(text) == Ending(Force(kings, men), Force(weak_kings, weak_men))
    assert str(read_ending(text)) == text


@pytest.mark.parametrize("text", ["", "KKK", "K-", "-K", "mK-K", "KKK-K-K", "3-1", "k-k"])
def test_other_text_is_no_ending(text):
    with pytest.raises(ValueError, match="no ending"):
        read_ending(text)


@pytest.mark.parametrize(
    ("variant", "squares"),
    [
        (BRAZILIAN, "a1 b2 c3 d4 e5 f6 g7 h8"),
        (PORTUGUESE, "h1 g2 f3 e4 d5 c6 b7 a8"),
        (INTERNATIONAL, "a1 b2 c3 d4 e5 f6 g7 h8 i9 j10"),
    ],
)
def test_the_main_diagonal_joins_the_playable_corners(variant, squares):
    mask = main_diagonal(read_fen("start", variant))
    assert [variant.geometry.algebraic(s) for s in squares_of(mask)] == squares.split()
    assert not mask & ~variant.geometry.playable_mask
