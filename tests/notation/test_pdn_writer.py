from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.positions import positions, random_play, random_position, variants

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move
from damas_board.notation.pdn import Clocks, Ply, played, read_games, write_game, write_pdn
from damas_board.notation.results import in_form_of
from damas_board.regulations import names, shipped
from damas_board.rules.game import same_move
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import initial
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, ENGLISH, INTERNATIONAL, VARIANTS

words = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp", "Zs"), blacklist_characters="{}[]\ufeff\x85"),
    max_size=12,
)
values = st.lists(words, max_size=4).map(lambda parts: " ".join(p for p in parts if p))


def plies_of(start, texts):
    moves = []
    position = start
    for text in texts.split():
        moves.append(read_move(position, text))
        position = position.after(moves[-1])
    return played(start, moves)


def assert_same_game(read, start, plies):
    assert read.fault is None
    assert read.start == start
    assert len(read.plies) == len(plies)
    for got, put in zip(read.plies, plies, strict=True):
        assert got.before == put.before
        assert got.after == put.after
        assert (got.move is None) == (put.move is None)
        if put.move is not None:
            assert same_move(got.move, put.move)


def test_a_game_is_written_with_complete_tags_and_lines_under_80():
    start = initial(INTERNATIONAL)
    moves = "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 46-41 5-10 34-29 23x34 40x29 20-24 29x20 15x24"
    plies = plies_of(start, moves)
    text = write_pdn(start, plies, {"White": "Ana", "Extra": 'say "a\\b"'}, "2-0")
    assert text == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ana"]\n[Black "?"]\n[Result "2-0"]\n'
        '[GameType "20"]\n[Extra "say \\"a\\\\b\\""]\n\n'
        "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6.\n"
        "34-29 23x34 7. 40x29 20-24 8. 29x20 15x24 2-0\n\n"
    )


def test_a_start_that_is_not_the_initial_position_is_written_as_a_fen():
    start = read_fen("B:WK31:B20", INTERNATIONAL)
    text = write_pdn(start, plies_of(start, "20-24 31-27"), {}, "*")
    assert '[SetUp "1"]\n[FEN "B:WK31:B20"]\n' in text
    assert text.endswith("\n\n1... 20-24 2. 31-27 *\n\n")


def test_english_games_number_blacks_moves_first():
    start = initial(ENGLISH)
    assert "\n1. 11-15 23-19 2. 8-11 *\n" in write_pdn(start, plies_of(start, "11-15 23-19 8-11"), {}, "*")


def test_a_full_path_is_written_only_where_the_ends_do_not_name_the_capture():
    start = read_fen("W:WKg1:Bf2,g5,d6,c7,h8", BRAZILIAN)
    assert "1. g1xb6xd8xh4 h8-g7 *" in write_pdn(start, plies_of(start, "g1xb6xd8xh4 h8-g7"), {}, "*")
    plain = read_fen("W:WKh6:Bd4,g5,d6,g7,a3", BRAZILIAN)
    assert "1. h6xh6 *" in write_pdn(plain, plies_of(plain, "h6xh6"), {}, "*")


def test_an_irregular_move_is_written_as_a_setup_with_its_comment():
    start = initial(BRAZILIAN)
    (first,) = plies_of(start, "c3-d4")
    changed = read_fen("W:Wd4,a1:Bb6,h8", BRAZILIAN)
    plies = (first, Ply(first.after, None, changed, comment="irregular: f6-h4"))
    more = plies_of(changed, "d4-e5 b6-a5")
    text = write_pdn(start, (*plies, *more), {}, "*")
    assert '1. c3-d4 /FEN "W:Wa1,d4:Bb6,h8"/ {irregular: f6-h4} 2. d4-e5 b6-a5 *' in " ".join(text.split())
    (read,) = read_games(text)
    assert_same_game(read, start, (*plies, *more))
    assert read.plies[1].comment == "irregular: f6-h4"


def test_clocks_are_written_and_can_be_left_out():
    start = initial(BRAZILIAN)
    (ply,) = plies_of(start, "c3-d4")
    timed = replace(ply, clocks=Clocks(599.96, 3661.5, Side.BLACK), comment="good")
    text = write_pdn(start, (timed,), {}, "*")
    assert "1. c3-d4 {[%clock w0:10:00 B1:01:01.5] good} *" in text
    assert "{good}" in write_pdn(start, (timed,), {}, "*", clocks=False)
    (read,) = read_games(text)
    assert read.plies[0].clocks == Clocks(600.0, 3661.5, Side.BLACK)


def test_a_long_comment_is_wrapped_and_braces_inside_become_brackets():
    start = initial(BRAZILIAN)
    (ply,) = plies_of(start, "c3-d4")
    comment = "a {long} comment " * 12 + "% of it"
    text = write_pdn(start, (replace(ply, comment=comment),), {}, "*")
    assert all(len(line) < 80 for line in text.splitlines())
    assert not re.search(r"^%", text, re.MULTILINE)
    (read,) = read_games(text)
    assert read.plies[0].comment == " ".join(comment.split()).replace("{", "(").replace("}", ")")


@given(st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_what_was_written_is_read_as_the_same_game(data):
    variant = data.draw(variants)
    chance = data.draw(st.randoms(use_true_random=True))
    plies = list(played(initial(variant), (m for _, m in random_play(chance, variant, data.draw(st.integers(0, 120))))))
    start = plies[0].before if plies else initial(variant)
    for n in range(0, len(plies), 7):
        plies[n] = replace(plies[n], comment=data.draw(values), clocks=Clocks(float(n), 90.5, Side.WHITE))
    tags = {"Event": data.draw(values) or "?", "White": data.draw(values) or "?", "Note": data.draw(values)}
    result = data.draw(st.sampled_from(("2-0", "0-2", "1-1", "*", "1-0", "0-1", "1/2-1/2", "0-0")))
    comment = data.draw(values)
    text = write_pdn(start, plies, tags, result, comment=comment)
    (read,) = read_games(text.encode())
    assert_same_game(read, start, plies)
    assert read.variant == variant
    assert [p.comment for p in read.plies] == [p.comment for p in plies]
    assert [p.clocks for p in read.plies] == [p.clocks for p in plies]
    assert {name: read.tag(name) for name in tags} == tags
    assert (read.result, read.comment, read.remarks) == (result, comment, ())
    assert write_game(read) == write_pdn(start, plies, tags, in_form_of(variant, result), comment=comment)


@given(st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_game_from_any_position_is_read_as_it_was_written(data):
    variant = data.draw(variants)
    chance = data.draw(st.randoms(use_true_random=True))
    position = start = random_position(chance, variant)
    moves = []
    for _ in range(12):
        legal = legal_moves(position)
        if not legal:
            break
        moves.append(chance.choice(legal))
        position = position.after(moves[-1])
    text = write_pdn(start, played(start, moves), {}, "*")
    (read,) = read_games(text)
    assert_same_game(read, start, played(start, moves))


@given(positions())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_setup_keeps_any_position(position):
    start = initial(position.variant)
    (read,) = read_games(write_pdn(start, [Ply(start, None, position)], {}, "*"))
    assert read.plies[0].after == position


@pytest.mark.parametrize(
    "file",
    [
        "brazilian/pydraughtstests__lidraughts_brazilian.pdn",
        "czech/wiegerw__mrcd2006.pdn",
        "english/wiegerw__Tricks_traps_and_shots.pdn",
        "frisian/pydraughts_tests_frisian.pdn",
        "international/wiegerw__schildpad.pdn",
        "italian/wiegerw__Campionato_Assoluto_2005.pdn",
        "russian/protcenkoroman__ussr_I_championship.pdn",
        "turkish/pydraughts_selftest_turkish.pdn",
    ],
)
def test_public_games_written_and_read_again_are_the_same(shared, file):
    for game in read_games((shared / "games" / file).read_bytes()):
        assert game.fault is None
        (again,) = read_games(write_game(game))
        assert_same_game(again, game.start, game.plies)
        assert again.variant == game.variant
        assert write_game(again) == write_game(game)


def test_every_variant_writes_its_own_game_type():
    for variant in VARIANTS.values():
        start = initial(variant)
        (read,) = read_games(write_pdn(start, played(start, legal_moves(start)[:1]), {}, "*"))
        assert read.variant is variant


@pytest.mark.parametrize(
    ("variant", "read", "written"),
    [
        ("international", "1-0", "2-0"),
        ("international", "1/2-1/2", "1-1"),
        ("international", "0-2", "0-2"),
        ("international", "4-6", "4-6"),
        ("international", "0-0", "0-0"),
        ("english", "2-0", "1-0"),
        ("english", "1-1", "1/2-1/2"),
        ("czech", "\u00bd-\u00bd", "1/2-1/2"),
        ("czech", "*", "*"),
        ("czech", "-", "*"),
        ("czech", "unknown", "*"),
    ],
)
def test_a_result_is_written_as_the_variant_is_scored(variant, read, written):
    assert in_form_of(VARIANTS[variant], read) == written
    (game,) = read_games(f'[Result "{read}"]', VARIANTS[variant])
    text = write_game(game)
    assert f'[Result "{written}"]' in text
    assert text.endswith(f"\n{written}\n\n")


def test_results_have_the_form_of_the_shipped_regulations():
    for name in names():
        regulation = shipped(name)
        for who in ("white", "black", "draw"):
            written = regulation.result(who)
            assert in_form_of(regulation.variant, written) == written


@pytest.mark.parametrize("name", names())
def test_games_of_every_shipped_regulation_are_read_by_its_rules(name):
    variant = shipped(name).variant
    for seed in range(8):
        plies = played(initial(variant), (move for _, move in random_play(random.Random(seed), variant, 120)))
        text = write_pdn(initial(variant), plies, {"Regulation": name}, "*")
        (read,) = read_games(text)
        assert (read.variant, read.remarks) == (variant, ())
        assert_same_game(read, initial(variant), plies)
        assert write_game(read) == text


def test_a_regulation_is_not_written_for_a_game_that_was_read_by_other_rules():
    (game,) = read_games('[Regulation "it-000"] 1. c3-d4 *', BRAZILIAN)
    assert "Regulation" not in write_game(game)
    (game,) = read_games('[Regulation "our club"] 1. c3-d4 *', BRAZILIAN)
    assert '[Regulation "our club"]' in write_game(game)


def test_giveaway_keeps_its_game_type():
    (game,) = read_games('[GameType "98"] 1. 32-28 *')
    assert '[GameType "98"]' in write_game(game)
