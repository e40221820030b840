"""What a regulation says about an alert: by article number where its text has one, and in a club's own file."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import pairwise, product
from typing import get_args

import pytest

from damas_board.regulations import TableError, names, parse, shipped
from damas_board.regulations.policy import (
    IRREGULAR_MOVES,
    KINDS,
    SETTLED,
    SEVERITY,
    Consequence,
    Decides,
    Policy,
    Severity,
    Until,
    in_one,
)
from damas_board.rules.variant import Variant

ON_000 = ("br-cbjd", "br-perde-ganha", "br-tradicional", "en-000", "it-000", "ru-000", "tr-000")
ON_FMJD = ("int-fmjd", "br-fmjd64", "ru-fmjd64")


def ruled(name, kind, *, recorded=True, **how):
    return shipped(name).ruling(kind, recorded=recorded, **how)


def club(text, base="br-cbjd"):
    return parse(f'base = "{base}"\ntitle = "Club"\n{text}', "club")


# --- every regulation


@pytest.mark.parametrize("name", names())
def test_every_regulation_has_a_ruling_for_every_kind(name):
    for kind, recorded, recurs in product(KINDS, (True, False), (True, False)):
        ruling = ruled(name, kind, recorded=recorded, recurs=recurs)
        assert ruling.severity in get_args(Severity)
        assert ruling.decides in get_args(Decides)
        assert ruling.until in get_args(Until)
        assert ruling.consequence in (None, *get_args(Consequence))
        assert ruling.article is None or ruling.article.strip() == ruling.article != ""


@pytest.mark.parametrize("name", names())
def test_the_article_of_every_law_that_can_be_broken_is_found(name):
    rules = shipped(name)
    for field in fields(Variant):
        article = rules.articles.get(field.name)
        if field.name in ("name", "numbering", "pdn_type") or article is None:
            continue
        assert rules.ruling("illegal_move", recorded=True, law=field.name).article.startswith(article)


@pytest.mark.parametrize("name", names())
def test_no_article_of_an_alert_says_a_source_twice_in_a_row(name):
    sources = r"00[0-3]|FMJD Annex 1|FMJD-64"
    for kind in KINDS:
        parts = (ruled(name, kind).article or "").split("; ")
        cited = [found and found.group() for found in (re.match(sources, part) for part in parts)]
        assert all(one is None or one != two for one, two in pairwise(cited)), (kind, parts)


@pytest.mark.parametrize("name", sorted(set(names()) - {"pt-escola"}))
def test_only_003_makes_more_of_an_alert_than_the_contract(name):
    assert {kind: ruled(name, kind).severity for kind in KINDS} == SEVERITY


@pytest.mark.parametrize("name", sorted(set(names()) - {"pt-escola", "it-000"}))
def test_the_opponent_decides_by_his_reply_where_no_text_says_otherwise(name):
    for kind, recorded in product(SETTLED, (True, False)):
        ruling = ruled(name, kind, recorded=recorded)
        assert (ruling.decides, ruling.until) == ("opponent", "reply"), kind


@pytest.mark.parametrize("name", names())
def test_what_nobody_puts_right_is_for_the_arbiter_to_the_end(name):
    for kind in set(KINDS) - SETTLED:
        assert (ruled(name, kind).decides, ruled(name, kind).until) == ("arbiter", "game_over"), kind


def test_every_irregular_move_and_touch_is_settled():
    assert set(IRREGULAR_MOVES) < SETTLED
    assert {"left_on_board", "removed_wrongly", "touch_move", "several_touched", "taken_back"} < SETTLED


def test_a_law_that_is_none_is_an_error_of_the_caller():
    with pytest.raises(KeyError, match="kings_reach"):
        ruled("br-cbjd", "illegal_move", law="kings_reach")


# --- 003


def test_003_19_in_a_recorded_game_an_irregular_move_is_put_right_from_where_it_happened():
    for kind in (*IRREGULAR_MOVES, "left_on_board", "removed_wrongly", "taken_back"):
        ruling = ruled("pt-escola", kind)
        assert (ruling.decides, ruling.until, ruling.consequence) == ("arbiter", "game_over", "rectified"), kind
        assert ruling.article.endswith("art. 19")


def test_003_19_in_a_game_not_written_down_the_reply_validates_it():
    for kind in (*IRREGULAR_MOVES, "left_on_board", "removed_wrongly", "taken_back"):
        ruling = ruled("pt-escola", kind, recorded=False)
        assert (ruling.decides, ruling.until, ruling.consequence) == ("opponent", "reply", "rectified_or_stands"), kind
        assert ruling.article.endswith("art. 19")


@pytest.mark.parametrize(
    ("kind", "law", "article"),
    [
        ("missed_capture", None, "003 art. 09a; art. 19"),
        ("missed_capture", "capture_compulsory", "003 art. 09a; art. 19"),
        ("short_capture", "priority", "003 art. 09b; art. 19"),
        ("short_capture", "capture_finished", "003 art. 06b, 06d; art. 09b; art. 19"),
        ("low_value_capture", "priority", "003 art. 09c; art. 19"),
        ("wrong_side", "first", "003 art. 12; art. 19"),
        ("illegal_move", "man_steps", "003 art. 06a; art. 19"),
        ("illegal_move", "king_reach", "003 art. 06c; art. 19"),
        ("illegal_move", None, "003 art. 19"),
        ("left_on_board", None, "003 art. 08; art. 19"),
        ("lifted_during_capture", None, "003 art. 08"),
        ("taken_back", None, "003 art. 18; art. 19"),
        ("destination_changed", None, "003 art. 18"),
        ("wrong_setup", None, "003 art. 01"),
        ("wrong_orientation", None, "003 diagrama 1"),
        ("wrong_opening", None, "003 art. 14"),
        ("flag_fallen", None, "003 art. 15c"),
        ("opponent_piece_moved", None, "003 art. 19"),
        ("touched_unplayable", None, None),
        ("touched_out_of_turn", None, None),
        ("board_lost", None, None),
    ],
)
def test_003_the_broken_rule_and_what_follows_have_their_numbers(kind, law, article):
    assert ruled("pt-escola", kind, law=law).article == article


@pytest.mark.parametrize("kind", ["touch_move", "several_touched"])
def test_003_18_and_19_the_touched_piece_is_played_and_the_arbiter_sees_to_it_in_a_recorded_game(kind):
    ruling = ruled("pt-escola", kind)
    assert re.fullmatch(r"003 art\. 18.*; art\. 19", ruling.article)
    assert (ruling.decides, ruling.until, ruling.consequence) == ("arbiter", "game_over", "touched_is_played")
    assert ruled("pt-escola", kind, recorded=False).until == "reply"
    assert shipped("pt-escola").articles["adjusting"] == "003 art. 18"


@pytest.mark.parametrize("kind", ["wavering", "held_piece"])
def test_003_20_holding_a_piece_and_going_back_again_and_again_are_irregular(kind):
    ruling = ruled("pt-escola", kind)
    assert (ruling.severity, ruling.article) == ("irregular", "003 art. 20")
    assert (ruling.decides, ruling.until, ruling.consequence) == ("arbiter", "game_over", None)


def test_003_15c_who_exceeds_the_time_loses_and_04_an_uncrowned_king_is_one():
    assert ruled("pt-escola", "flag_fallen").consequence == "loses_game"
    crowning = ruled("pt-escola", "not_crowned")
    assert crowning.consequence == "is_king"
    assert "003 art. 03" in crowning.article
    assert "art. 04" in crowning.article


# --- 000, 001, 002


@pytest.mark.parametrize("name", ON_000)
@pytest.mark.parametrize("kind", ["touch_move", "several_touched"])
def test_000_the_opponent_names_the_touched_piece_that_is_played(name, kind):
    ruling = ruled(name, kind)
    assert (ruling.decides, ruling.until, ruling.consequence) == ("opponent", "reply", "opponent_names_piece")
    assert ruling.article.startswith("000 main text")


@pytest.mark.parametrize("name", names())
def test_000_touching_what_cannot_move_has_no_penalty_but_a_repetition_is_punishable(name):
    once, again = ruled(name, "touched_unplayable"), ruled(name, "touched_unplayable", recurs=True)
    assert (once.severity, once.consequence, again.severity) == ("note", None, "warning")
    assert again.consequence == ("punishable" if name in ON_000 else None)
    assert bool(again.article) is (name in ON_000)


@pytest.mark.parametrize("name", ON_000)
def test_000_a_piece_is_released_at_once_but_holding_it_is_not_called_irregular(name):
    ruling = ruled(name, "held_piece")
    assert (ruling.severity, ruling.consequence) == ("note", None)
    assert "released at once" in ruling.article
    assert ruled(name, "taken_back").article.startswith("000 main text")


@pytest.mark.parametrize("recorded", [True, False])
def test_000_italian_who_missed_a_capture_loses_which_is_for_the_arbiter_to_say(recorded):
    ruling = ruled("it-000", "missed_capture", recorded=recorded)
    assert (ruling.decides, ruling.until, ruling.consequence) == ("arbiter", "game_over", "loses_game")
    assert "000 main text; Damas italianas" in ruling.article
    assert ruled("it-000", "short_capture").consequence == "rectified_or_stands"
    assert ruled("it-000", "short_capture").article == "000 main text: lei da maioria"
    assert ruled("it-000", "low_value_capture").article.startswith("000 Damas italianas")
    assert ruled("it-fid", "missed_capture").consequence == "rectified_or_stands"


@pytest.mark.parametrize(
    ("kind", "article"),
    [
        ("missed_capture", "001 Captura a"),
        ("short_capture", "001 Captura b"),
        ("low_value_capture", "001 Captura c"),
        ("wrong_side", "001 O Início"),
        ("left_on_board", "001 O Jogo: no piece is removed before the route is complete"),
        ("wrong_orientation", "001 Jogadores e Peças"),
        ("misplaced_piece", "001 Jogadores e Peças: pieces stand on dark squares only"),
        ("touch_move", None),
        ("taken_back", None),
    ],
)
def test_001_names_its_sections(kind, article):
    for name in ("pt-classicas", "pt-fpd2021", "pt-perde-ganha"):
        assert ruled(name, kind).article == article


@pytest.mark.parametrize(
    ("kind", "law", "article"),
    [
        ("missed_capture", None, "002 art. 5"),
        ("short_capture", None, "002 art. 8"),
        ("short_capture", "capture_finished", "002 art. 8"),
        ("wrong_side", None, "002 art. 2"),
        ("illegal_move", "man_steps", "002 art. 3"),
        ("illegal_move", "king_reach", "002 art. 4"),
        ("illegal_move", "removal", "002 art. 11"),
        ("illegal_move", None, None),
        ("removed_wrongly", None, "002 art. 5: there is no huffing"),
        ("lifted_during_capture", None, "002 art. 11"),
        ("not_crowned", None, "002 art. 3: by the player who makes the king"),
        ("wrong_orientation", None, "002 art. 1"),
        ("flag_fallen", None, None),
    ],
)
def test_002_names_its_articles(kind, law, article):
    assert ruled("br-cbjd", kind, law=law).article == article


# --- FMJD


@pytest.mark.parametrize("name", ON_FMJD)
def test_fmjd_5_4_and_5_7_an_irregularity_is_put_right_or_stands_and_who_moves_has_accepted(name):
    for kind, recorded in product((*IRREGULAR_MOVES, "left_on_board", "removed_wrongly", "taken_back"), (True, False)):
        ruling = ruled(name, kind, recorded=recorded)
        assert (ruling.decides, ruling.until, ruling.consequence) == ("opponent", "reply", "rectified_or_stands"), kind
        assert ruling.article.endswith("5.4, 5.7"), kind


@pytest.mark.parametrize("name", ON_FMJD)
@pytest.mark.parametrize("kind", ["touch_move", "several_touched"])
def test_fmjd_3_11_the_touched_piece_is_played(name, kind):
    ruling = ruled(name, kind)
    assert (ruling.consequence, ruling.article) == ("touched_is_played", "FMJD Annex 1, 3.11; 5.4, 5.7")


@pytest.mark.parametrize("name", ON_FMJD)
def test_fmjd_3_13_only_the_player_on_move_adjusts_and_3_12_a_piece_may_go_elsewhere(name):
    assert "3.13" in shipped(name).articles["adjusting"]
    assert ruled(name, "touched_out_of_turn").article == "FMJD Annex 1, 3.13"
    assert ruled(name, "destination_changed").article == "FMJD Annex 1, 3.10, 3.12"
    assert ruled(name, "held_piece").article is None


@pytest.mark.parametrize(
    ("kind", "article", "consequence"),
    [
        ("left_on_board", "FMJD Annex 1, 4.4, 4.12; 5.4, 5.7", "rectified_or_stands"),
        ("lifted_during_capture", "FMJD Annex 1, 4.5, 4.11: after the whole jump", None),
        ("wrong_orientation", "FMJD Annex 1, 5.1", "game_void"),
        ("misplaced_piece", "FMJD Annex 1, 5.2, 5.3", "out_of_play"),
        ("missed_capture", "FMJD Annex 1 (number not confirmed); 5.4, 5.7", "rectified_or_stands"),
    ],
)
def test_fmjd_removal_orientation_and_pieces_beside_their_squares(kind, article, consequence):
    ruling = ruled("int-fmjd", kind)
    assert (ruling.article, ruling.consequence) == (article, consequence)


def test_fid_the_first_touched_piece_is_played_and_there_is_no_huffing():
    assert ruled("it-fid", "several_touched").consequence == "first_touched_is_played"
    assert "huffing" in ruled("it-fid", "removed_wrongly").article


# --- a club's file


def test_a_house_rule_for_one_kind_changes_that_kind_alone():
    rules = club(
        """
        [alerts.held_piece]
        severity = "irregular"
        consequence = "punishable"
        repeated = "loses_game"
        [articles]
        held_piece = "house rule 7"
        """
    )
    ruling = rules.ruling("held_piece", recorded=True)
    assert (ruling.severity, ruling.consequence, ruling.article) == ("irregular", "punishable", "house rule 7")
    assert rules.ruling("held_piece", recorded=True, recurs=True).consequence == "loses_game"
    for kind in set(KINDS) - {"held_piece"}:
        assert rules.ruling(kind, recorded=True) == ruled("br-cbjd", kind)


def test_a_recurring_note_is_a_warning_but_a_house_rule_is_not_made_milder():
    rules = club('[alerts.touched_unplayable]\nseverity = "irregular"')
    assert rules.ruling("touched_unplayable", recorded=True, recurs=True).severity == "irregular"


def test_what_a_club_changes_does_not_stand_where_it_stood_in_the_base():
    rules = club('[alerts.removed_wrongly]\nconsequence = "loses_game"')
    assert rules.ruling("removed_wrongly", recorded=True).article is None
    rules = club('[policy]\nirregular_move = "opponent_decides"', "pt-escola")
    assert rules.ruling("missed_capture", recorded=True).article == "003 art. 09a"
    assert rules.ruling("missed_capture", recorded=True).until == "reply"
    rules = club('[rules]\npriority = ["most_pieces"]\n[articles]\npriority = "house rule"', "pt-escola")
    assert rules.ruling("short_capture", recorded=True).article == "house rule; 003 art. 19"


def test_who_decides_says_until_when_unless_the_file_says_so():
    rules = club('[alerts.missed_capture]\ndecides = "arbiter"\n[alerts.touch_move]\nuntil = "game_over"')
    missed, touched = (rules.ruling(kind, recorded=True) for kind in ("missed_capture", "touch_move"))
    assert (missed.decides, missed.until, missed.consequence) == ("arbiter", "game_over", "rectified")
    assert (touched.decides, touched.until) == ("opponent", "game_over")


def test_irregular_moves_may_always_be_put_right():
    rules = club('[policy]\nirregular_move = "corrected"\n[articles]\nirregular_move = "house rule 3"')
    for recorded in (True, False):
        ruling = rules.ruling("short_capture", recorded=recorded)
        assert (ruling.decides, ruling.consequence) == ("arbiter", "rectified")
        assert ruling.article == "002 art. 8; house rule 3"


def test_what_is_said_of_one_kind_goes_before_the_articles_of_what_follows_for_all():
    rules = club('[alerts.missed_capture]\nconsequence = "loses_game"\ndecides = "arbiter"', "int-fmjd")
    assert rules.ruling("missed_capture", recorded=True).article == "FMJD Annex 1 (number not confirmed)"
    assert rules.ruling("short_capture", recorded=True).article.endswith("5.4, 5.7")
    rules = club('[policy]\nmissed_capture = "loses"', "int-fmjd")
    assert rules.ruling("missed_capture", recorded=True).article == "FMJD Annex 1 (number not confirmed)"


def test_false_drops_what_the_base_says_of_a_kind_and_its_article():
    rules = club("[alerts]\nheld_piece = false\ntouched_unplayable = false")
    assert rules.ruling("held_piece", recorded=True).article is None
    again = rules.ruling("touched_unplayable", recorded=True, recurs=True)
    assert (again.severity, again.article, again.consequence) == ("warning", None, None)
    below = club("[alerts]\nwavering = false", "pt-escola")
    assert (below.ruling("wavering", recorded=True).severity, "wavering" in below.articles) == ("note", False)
    assert below.ruling("held_piece", recorded=True).severity == "irregular"


def test_the_words_of_the_base_are_taken_over_and_can_be_changed():
    assert club("").words == "pt-BR"
    assert club('words = "pt-PT"').words == "pt-PT"
    assert club("", "int-fmjd").words is None


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[alerts.held_peice]\nseverity = "note"', 3, '[alerts] unknown key "held_peice"; did you mean "held_piece"?'),
        ("[alerts]\nheld_peice = false", 4, '[alerts] unknown key "held_peice"; did you mean "held_piece"?'),
        ('[alerts.held_piece]\nseverety = "note"', 4, 'unknown key "severety"; did you mean "severity"?'),
        ('[alerts.held_piece]\nseverity = "warn"', 4, 'severity is "warn"; did you mean "warning"?'),
        ('[alerts.held_piece]\nuntil = "repli"', 4, 'until is "repli"; did you mean "reply"?'),
        ('[alerts.held_piece]\ndecides = "umpire"', 4, 'decides is "umpire"; allowed: opponent, arbiter'),
        ('[alerts.held_piece]\nconsequence = "lose_game"', 4, 'did you mean "loses_game"?'),
        ('[alerts.held_piece]\nrepeated = "punished"', 4, 'did you mean "punishable"?'),
        ("[alerts]\nheld_piece = true", 4, "held_piece must be a table with severity, decides, until"),
        ("alerts = 3", 3, "alerts must be a table"),
        ('[policy]\nirregular_move = "correct"', 4, 'irregular_move is "correct"; did you mean "corrected"?'),
        ('[articles]\nheld_peice = "x"', 4, '[articles] unknown key "held_peice"; did you mean "held_piece"?'),
        ('[articles]\nheld_piece = ""', 4, "held_piece must have at least 1 character"),
        ('words = "pt-pt"', 3, 'words is "pt-pt"; did you mean "pt-PT"?'),
    ],
)
def test_what_is_wrong_about_alerts_is_told_with_its_line_and_what_would_do(text, line, said):
    with pytest.raises(TableError) as caught:
        club(text)
    assert caught.value.line == line
    assert said in caught.value.message


# --- several articles in one line


@pytest.mark.parametrize(
    ("articles", "text"),
    [
        (["003 art. 09a", "003 art. 19"], "003 art. 09a; art. 19"),
        (["FMJD Annex 1, 3.11", "FMJD Annex 1, 5.4"], "FMJD Annex 1, 3.11; 5.4"),
        (["FMJD-64, 3", "FMJD Annex 1, 5.4", "FMJD-64, 4"], "FMJD-64, 3; FMJD Annex 1, 5.4; FMJD-64, 4"),
        (["FMJD-64 1", "FMJD-64 2"], "FMJD-64 1; 2"),
        (["003 art. 2", "003 art. 20"], "003 art. 2; art. 20"),
        (["003 art. 19", "003 art. 19"], "003 art. 19"),
        (["003 art. 19", "003 art. 19: put right"], "003 art. 19: put right"),
        (["house rule 1", "house rule 2"], "house rule 1; house rule 2"),
        (["003 art. 1", "house rule 2", "003 art. 3"], "003 art. 1; house rule 2; 003 art. 3"),
    ],
)
def test_a_source_is_named_once_in_a_row(articles, text):
    sources = ("003: Regras", "FMJD", "FMJD Annex 1", "FMJD-64, section for draws")
    assert in_one(articles, sources) == text


def test_where_a_file_has_no_policy_it_is_our_custom():
    assert shipped("cz").policy == Policy()
    assert not shipped("cz").alerts
