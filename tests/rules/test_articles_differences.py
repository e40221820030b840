"""Where the four texts and the federations differ: both are offered, each by a regulation of its own."""

from __future__ import annotations

from rules.by_regulation import after, captured, moves, position

from damas_board.regulations import shipped
from damas_board.rules.side import Side


def law(regulation: str, rule: str):
    (found,) = (each for each in shipped(regulation).counts if each.rule == rule)
    return found


def test_000_main_text_a_kings_quiet_move_is_one_square_002_any_distance():
    fen = "W:WKd4:Bh2"
    assert len(moves("br-tradicional", fen)) == 4
    assert len(moves("br-cbjd", fen)) == 13
    for name in ("br-tradicional", "br-cbjd"):
        assert moves(name, "W:WKa1:Bd4") == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]
        assert moves(name, "W:Wa3,h2:Bb4,g3,e5") == ["h2xd6"]
        assert after(name, "W:Wb6:Ba5,c7,e7", "b6xf6")[3] == ""


def test_000_russian_a_capture_is_not_obligatory_fmjd64_it_is():
    fen = "W:Wc3,g3:Bd4"
    assert moves("ru-000", fen) == ["c3-b4", "c3xe5", "g3-f4", "g3-h4"]
    assert moves("ru-fmjd64", fen) == ["c3xe5"]
    for name in ("ru-000", "ru-fmjd64"):
        assert after(name, "W:Wb6:Ba5,c7,f6", "b6xh4")[3] == "h4"


def test_000_russian_changes_nothing_else_so_the_majority_and_the_short_king_remain():
    assert moves("ru-000", "W:WKd4:Bh2") == moves("br-tradicional", "W:WKd4:Bh2")
    assert [m for m in moves("ru-000", "W:Wa3,h2:Bb4,g3,e5") if "x" in m] == ["h2xd6"]
    assert [m for m in moves("ru-fmjd64", "W:Wa3,h2:Bb4,g3,e5") if "x" in m] == ["a3xc5", "h2xd6"]


def test_000_english_as_the_main_text_wcdf_men_forward_short_king_and_black_begins():
    assert shipped("en-000").variant.first is Side.WHITE
    assert shipped("en-wcdf").variant.first is Side.BLACK
    assert moves("en-000", "W:Wd4:Bc3") == ["d4xb2"]
    assert moves("en-wcdf", "W:Wd4:Bc3") == ["d4-c5", "d4-e5"]
    assert "a1xh8" in moves("en-000", "W:WKa1:Bd4")
    assert moves("en-wcdf", "W:WKa1:Bd4") == ["a1-b2"]
    for name in ("en-000", "en-wcdf"):
        assert shipped(name).variant.priority == ()


def test_000_italian_who_fails_to_take_loses_fid_the_opponent_decides():
    assert shipped("it-000").policy.missed_capture == "loses"
    assert shipped("it-fid").policy.missed_capture == "opponent_decides"


def test_000_italian_one_law_of_value_fid_several():
    assert shipped("it-000").variant.priority == ("most_pieces", "most_kings")
    assert shipped("it-fid").variant.priority == ("most_pieces", "with_king", "most_kings", "kings_first")
    for name in ("it-000", "it-fid"):
        assert shipped(name).variant.corner == "right"
        assert not shipped(name).variant.man_takes_king
    fen = "W:WKd3,h3:Bg4,e4"
    assert {m[:2] for m in moves("it-000", fen)} == {"d3", "h3"}
    assert {m[:2] for m in moves("it-fid", fen)} == {"d3"}


def test_000_turkish_a_king_lands_just_behind_federations_on_any_free_square():
    assert moves("tr-000", "W:WKa1:Ba4") == ["a1xa5"]
    assert moves("tr-tudaf", "W:WKa1:Ba4") == ["a1xa5", "a1xa6", "a1xa7", "a1xa8"]


def test_000_turkish_a_man_on_the_last_row_is_a_king_federations_where_it_stops():
    """From d8 a king reaches g8; a man does not."""
    fen = "W:Wd6:Bd7,g8,a3"
    assert captured("tr-000", fen, "d6xh8") == {"d7", "g8"}
    assert moves("tr-tudaf", fen) == ["d6xd8"]
    assert after("tr-tudaf", fen, "d6xd8")[3] == "d8"


def test_000_turkish_says_nothing_on_turning_back_federations_forbid_it():
    fen = "W:WKd2:Bb2,f2"
    assert {len(captured("tr-000", fen, m)) for m in moves("tr-000", fen)} == {2}
    assert {len(captured("tr-tudaf", fen, m)) for m in moves("tr-tudaf", fen)} == {1}


def test_000_turkish_one_piece_against_a_king_has_lost_federations_differ():
    assert shipped("tr-000").win is not None
    assert shipped("tr-tudaf").win is None
    assert any("single piece" in words for words in shipped("tr-tudaf").unconfirmed)


def test_001_b_003_06b_give_no_direction_for_a_mans_capture_forward_only_is_not_confirmed():
    for name in ("pt-classicas", "pt-escola", "pt-fpd2021", "pt-perde-ganha"):
        assert moves(name, "W:Wd5:Be4") == ["d5-c6", "d5-e6"]
        assert "forward only" in shipped(name).articles["man_jumps"]
        assert any("forward only" in words for words in shipped(name).unconfirmed)


def test_000_several_touched_the_opponent_says_which_fmjd_the_playable_one_fid_the_first():
    found = {name: shipped(name).policy.several_touched for name in ("br-cbjd", "br-tradicional", "int-fmjd", "it-fid")}
    assert found == {
        "br-cbjd": "opponent_chooses",
        "br-tradicional": "opponent_chooses",
        "int-fmjd": "playable",
        "it-fid": "first",
    }
    assert "no penalty" in shipped("br-cbjd").articles["several_touched"]


def test_001_twenty_moves_without_a_capture_003_twenty_of_kings_without_capture_or_a_mans_move():
    assert law("pt-classicas", "no_capture").progress == ("capture",)
    assert law("pt-escola", "kings_only").progress == ("capture", "man", "offer")
    assert law("pt-classicas", "no_capture").moves == law("pt-escola", "kings_only").moves == 20


def test_003_16_a_repetition_is_claimed_fmjd_6_1_it_holds():
    assert shipped("pt-escola").repetition.holds is False
    assert shipped("int-fmjd").repetition.holds is True


def test_003_17b_twelve_moves_of_the_three_kings_2021_by_each_from_when_they_hold_the_diagonal():
    school, federation = law("pt-escola", "three_kings"), law("pt-fpd2021", "three_kings")
    assert (school.moves, school.by, school.road) == (12, "stronger", None)
    assert (federation.moves, federation.by, federation.road, federation.road_begins) == (12, "each", "stronger", True)


def test_003_numbers_its_articles_twice_and_they_are_told_apart():
    articles = shipped("pt-escola").articles
    assert articles["size"] == "003 art. 2"
    assert articles["men_rows"] == "003 art. 01"
    assert articles["crowning"].startswith("003 art. 03:")


def test_002_endings_by_name_fmjd64_counts_by_material():
    assert law("br-cbjd", "kings_only").moves == 20
    assert law("br-cbjd", "endings").moves == 5
    found = {each.rule: each.moves for each in shipped("br-fmjd64").counts}
    assert found == {
        "kings_only": 15,
        "three_kings": 15,
        "main_road": 5,
        "short_endings": 5,
        "four_or_five_pieces": 30,
        "six_or_seven_pieces": 60,
    }
    assert shipped("br-fmjd64").variant == shipped("br-cbjd").variant
    assert moves("br-fmjd64", "W:WKd4:Bh2") == moves("br-cbjd", "W:WKd4:Bh2")
    assert position("br-fmjd64", "start") == position("br-cbjd", "start")
