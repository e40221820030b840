"""Reading PDN as files hold it. Every test of form uses a few moves of its own making.

The numbers in the names are those of the ten things that a reader meets in public files: tokens, games, moves,
captures, FENs, other scorings, variants, results, comments, faults.
"""

from __future__ import annotations

import random

import pytest

from damas_board.notation.errors import NotationError
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.notation.pdn import Clocks, StrictRecords, read_games, walk
from damas_board.notation.pdn_tokens import tokens
from damas_board.regulations import shipped
from damas_board.rules.side import Side
from damas_board.rules.variants import BRAZILIAN, CZECH, ENGLISH, INTERNATIONAL, ITALIAN, RUSSIAN


def one(text, variant=None):
    (game,) = read_games(text, variant)
    return game


def texts(game):
    return [write_move(p.before, p.move) if p.move else "setup" for p in game.plies]


# 1. tokens


def test_01_tags_may_stand_several_on_a_line_and_after_text():
    games = list(read_games('text [Event "A"] [Round "1"] 1. 32-28 19-23 * more [Event "B"][Round "2"] 1. 31-27 *'))
    assert [(g.tag("Event"), g.tag("Round"), texts(g)) for g in games] == [
        ("A", "1", ["32-28", "19-23"]),
        ("B", "2", ["31-27"]),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\\r\n"])
def test_01_line_ends_of_all_kinds_are_white_space(end):
    game = one(end.join(('[Event "A"]', '[Site ""]', "", "1. 32-28", "19-23", "*", "")))
    assert texts(game) == ["32-28", "19-23"]
    assert game.tags == {"Event": "A", "Site": ""}


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ('[White "Léa"] 32-28 *'.encode("utf-8-sig"), "Léa"),
        ('[White "Léa"] 32-28 *'.encode("cp1252"), "Léa"),
        ('[White "Блиндер"] 32-28 *'.encode("cp1251"), "Блиндер"),
        ('[White "Блиндер"] 32-28 *'.encode(), "Блиндер"),
        ('[White "Léa"] 32-28 *'.encode("utf-16"), "Léa"),
    ],
)
def test_01_bytes_are_read_in_the_encodings_that_files_have(data, name):
    assert one(data).tag("White") == name


def test_01_a_byte_order_mark_inside_a_text_is_white_space():
    assert [g.tag("Event") for g in read_games('[Event "A"] *\n\ufeff[Event "B"] *')] == ["A", "B"]


def test_01_quotes_in_a_tag_are_escaped_or_not():
    assert one('[White "an escaped \\" quote \\\\"] 32-28').tag("White") == 'an escaped " quote \\'
    assert one('[Site ""64", Nov 1974"] 32-28').tag("Site") == '"64", Nov 1974'
    assert one('[White "D\\\'Almeida"] 32-28').tag("White") == "D'Almeida"
    assert one('[White "no bracket"\n[Black "X"]\n32-28').tags == {"White": "no bracket", "Black": "X"}


def test_01_a_line_that_begins_with_a_percent_sign_is_a_comment():
    assert texts(one("% 1. 31-27\n1. 32-28 %eval\n% 9-9\n19-23")) == ["32-28", "19-23"]


# 2. games


@pytest.mark.parametrize(
    "end",
    ["*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "1\u20130", "1/2\u20131/2", "\u00bd-\u00bd", "2 - 0"],
)
def test_02_every_terminator_ends_a_game(end):
    games = list(read_games(f"1. 32-28 {end} 1. 31-27 19-23 {end}"))
    assert [texts(g) for g in games] == [["32-28"], ["31-27", "19-23"]]


def test_02_a_tag_after_moves_begins_a_game_where_the_terminator_is_missing():
    assert [texts(g) for g in read_games('1. 32-28 [Event "B"] 1. 31-27')] == [["32-28"], ["31-27"]]


def test_02_tag_and_terminator_that_differ_are_both_kept_and_reported():
    game = one('[Result "2-0"] 1. 32-28 0-2')
    assert (game.tag("Result"), game.terminator, game.result, game.winner) == ("2-0", "0-2", "0-2", "black")
    assert [r.reason for r in game.remarks] == ["the Result tag says '2-0', the moves end with '0-2'"]


@pytest.mark.parametrize(("tag", "end"), [("1-1", "1/2-1/2"), ("1/2", "1-1"), ("1-0", "2-0"), ("0-1", "0-2")])
def test_02_two_spellings_of_one_result_do_not_differ(tag, end):
    assert one(f'[Result "{tag}"] 1. 32-28 {end}').remarks == ()


@pytest.mark.parametrize(("tag", "end"), [("2-0", "1-1"), ("0-0", "1-1"), ("4-6", "0-2"), ("1-0", "0-2")])
def test_02_results_with_other_winners_differ(tag, end):
    assert len(one(f'[Result "{tag}"] 1. 32-28 {end}').remarks) == 1


@pytest.mark.parametrize("text", ['[Result "2-0"] 1. 32-28 *', '[Result "2-0"] 1. 32-28', '[Result " 2-0"] 32-28 *'])
def test_02_the_result_is_the_tag_where_the_moves_do_not_say_it(text):
    game = one(text)
    assert (game.result, game.winner, game.remarks) == ("2-0", "white", ())


def test_02_text_without_a_game_holds_none():
    assert list(read_games("")) == []
    assert list(read_games("Damas para todos.\n\nSem lances.")) == []


# 3. moves


@pytest.mark.parametrize(
    "moves",
    [
        "1.32-28 19-23 2.28x19 14x23",
        "1. 32-28! 19-23?! 2. 28:19 14*23",
        "1. 32 - 28 19- 23 2. 28 x 19 14x 23 $5",
        "01. 032-028 19-23 02. 28-19 14-23",
        "1. 32\u201328 1... 19\u201323 2. 28\u00d719 2... 14\u00d723",
        "32-28 19-23(!?!!!) 28x19 14x23",
        "1. 32-28 19-23 2. 28x19 X. 14x23 D",
    ],
)
def test_03_moves_are_read_in_every_spelling(moves):
    game = one(f"{moves} *", INTERNATIONAL)
    assert texts(game) == ["32-28", "19-23", "28x19", "14x23"]
    assert (game.fault, game.remarks) == (None, ())


@pytest.mark.parametrize("moves", ["1.c3d4 b6a5", "1. cd4 ba5", "1. c3:d4 B6-A5", "1. 22-18 9-13"])
def test_03_algebraic_moves_are_read_in_every_spelling(moves):
    assert texts(one(f"{moves} *", BRAZILIAN)) == ["c3-d4", "b6-a5"]


def test_03_the_brazilian_literatures_marks_are_read():
    game = one('[FEN "W:We1,d2,c3,e3:Bc5,e5,c7"] 1. c3-d4 e5xc3 2. d2xb8D X. 2-0', BRAZILIAN)
    assert texts(game)[-1] == "d2xb8"
    assert (game.plies[-1].after.kings.bit_count(), game.fault, game.remarks) == (1, None, ())


# 4. captures


WINDMILL = '[FEN "W:WKg1:Bf2,g5,d6,c7,h8"]'


@pytest.mark.parametrize(
    ("move", "victims"),
    [
        ("g1xb6xd8xh4", "f2 g5 c7"),
        ("g1xd8xh4", "f2 g5 c7"),
        ("g1xb6 b6xd8 d8xh4", "f2 g5 c7"),
        ("g1xc5xh4", "f2 g5 d6"),
    ],
)
def test_04_a_capture_is_read_from_its_squares_some_of_them_or_in_pieces(move, victims):
    game = one(f"{WINDMILL} 1. {move} h8-g7", BRAZILIAN)
    geometry = BRAZILIAN.geometry
    assert {geometry.name(s) for s in game.plies[0].move.captured} == set(victims.split())
    assert len(game.plies) == 2


@pytest.mark.parametrize(("reply", "left"), [("c7-b6", "c7"), ("c7-d6", "c7"), ("d6-e5", "d6"), ("d6-c5", "d6")])
def test_04_a_capture_by_its_ends_is_decided_by_what_follows(reply, left):
    game = one(f'[FEN "W:WKg1:Bf2,g5,d6,c7"] 1. g1xh4 {reply} *', BRAZILIAN)
    assert game.fault is None
    assert game.remarks == ()
    assert game.plies[1].before.side_at(BRAZILIAN.geometry.square(left)) is Side.BLACK


def test_04_a_capture_that_nothing_decides_is_reported():
    (remark,) = one('[FEN "W:WKg1:Bf2,g5,d6,c7"] 1. g1xh4 *', BRAZILIAN).remarks
    assert remark.reason == "2 ways to read the captures remain"


def test_04_a_capture_cut_into_tokens_is_one_ply():
    game = one('[FEN "B:Wa1,d4,d6:Be7,h8"] 1... e7xc5 c5xe3 2. a1-b2 *', BRAZILIAN)
    assert game.fault is None
    assert texts(game) == ["e7xe3", "a1-b2"]


# 5. FEN


def test_05_a_fen_tag_gives_the_start():
    game = one('[SetUp "1"] [FEN "B:W31-33:B20,K5."] 1. 20-24 *', INTERNATIONAL)
    assert write_fen(game.start) == "B:W31,32,33:BK5,20"


@pytest.mark.parametrize(
    ("fen", "start"),
    [
        ("W:W31-33,K5:B1-3.", "W:WK5,31,32,33:B1,2,3"),
        ("B:B1,2:W50", "B:W50:B1,2"),
        ("W:W50:B", "W:W50:B"),
        ("w:w50,k5:b1", "W:WK5,50:B1"),
        ("W:W50:B1:H0:F1", "W:W50:B1"),
    ],
)
@pytest.mark.parametrize("setup", ["SetUp", "Setup", "setup"])
def test_05_fens_of_all_spellings_are_read(fen, start, setup):
    game = one(f'[{setup} "1"] [FEN "{fen}"] *', INTERNATIONAL)
    assert (write_fen(game.start), game.fault) == (start, None)


def test_05_a_wrong_fen_is_the_games_fault_and_not_its_neighbours():
    bad, good = read_games('[FEN "W:W3:B20"] 1. 3-4 *\n\n[Event "B"] 1. 32-28 *', INTERNATIONAL)
    assert bad.fault is not None
    assert "a man of white cannot stand on 3" in bad.fault.reason
    assert (bad.fault.line, bad.fault.column) == (1, 1)
    assert texts(good) == ["32-28"]


# 6. other scorings


@pytest.mark.parametrize("score", ["4-6", "1-9"])
def test_06_a_last_token_may_be_the_result_of_another_scoring(score):
    game = one(f'[Result "{score}"] 1. 32-28 19-23 {score}', INTERNATIONAL)
    assert (texts(game), game.fault, game.result, game.winner) == (["32-28", "19-23"], None, score, None)


def test_06_such_a_token_is_a_move_where_it_is_legal():
    assert texts(one('[FEN "B:W50:BK4,6"] 1... 6-11 2. 50-44 4-9', INTERNATIONAL)) == ["6-11", "50-44", "4-9"]


# 7. variants


def test_07_giveaway_is_international_draughts_in_which_who_is_left_without_a_move_wins():
    for tag in ('[GameType "98"]', '[Variant "antidraughts"]'):
        variant = one(f"{tag} 1. 32-28 *").variant
        assert (variant.name, variant.giveaway, variant.pdn_type) == ("international", True, 98)


@pytest.mark.parametrize("value", ["21", "21,B,8,8,N1,0", " 21 "])
def test_07_the_game_type_says_the_variant(value):
    assert one(f'[GameType "{value}"] 1. 11-15 23-19 *').variant is ENGLISH


def test_07_a_shipped_regulation_says_the_rules_before_the_game_type():
    game = one('[GameType "20"] [Regulation "it-000"] *')
    assert game.variant is shipped("it-000").variant
    assert [(r.reason, r.column) for r in game.remarks] == [
        (f"the GameType '20' is international; the game is read as {game.variant.name}", 1)
    ]


@pytest.mark.parametrize(
    ("tags", "variant", "remark"),
    [
        ('[GameType "25"] [Regulation "our club"]', RUSSIAN, "the Regulation 'our club' is not shipped"),
        ('[Variant "russian"] [GameType "99"]', RUSSIAN, "the GameType '99' is not known"),
        ('[GameType "25"] [Variant "brazilian"]', RUSSIAN, "the Variant 'brazilian' is brazilian"),
        ('[GameType "99"]', BRAZILIAN, "the GameType '99' is not known"),
    ],
)
def test_07_tags_that_leave_the_variant_in_doubt_are_reported(tags, variant, remark):
    game = one(f"{tags} 1. c3-d4 *")
    assert game.variant is variant
    assert [r.reason for r in game.remarks] == [f"{remark}; the game is read as {variant.name}"]
    assert one(f"{tags} 1. c3-d4 *", RUSSIAN).remarks == ()


@pytest.mark.parametrize(
    "tags", ['[GameType "25"] [Variant "Russian draughts"]', '[GameType "?"]', '[Variant "Standard"]']
)
def test_07_tags_that_agree_or_say_nothing_are_not_reported(tags):
    assert one(f"{tags} 1. c3-d4 *").remarks == ()


def test_07_the_caller_may_say_the_variant():
    assert one('[GameType "26"] 1. c3-d4 *', RUSSIAN).variant is RUSSIAN


def test_07_without_a_game_type_the_variant_is_the_one_that_replays():
    assert one("1. 32-28 19-23 *").variant is INTERNATIONAL
    assert one("1. 11-15 23-19 *").variant is ENGLISH
    assert one("1. 21-17 12-15 2. 23-19 11-14 *").variant is ITALIAN
    assert one("1. c3-d4 d6-e5 *").variant is BRAZILIAN


def test_07_letters_speak_for_a_variant_that_writes_letters():
    assert one('[FEN "W:Wa1:Bd4"] 1. a1-b2 *').variant is BRAZILIAN
    assert one('[FEN "W:W29:B18"] 1. 29-25 *').variant is ENGLISH


def test_07_english_games_whose_letters_are_counted_from_the_first_movers_corner_are_read():
    game = one('[Variant "American/English"] 1. c3-d4 b6-c5 2. d4xb6 a7xc5 *')
    assert (game.variant, game.fault) == (ENGLISH, None)
    assert texts(game) == ["11-15", "24-19", "15x24", "28x19"]


def test_07_without_game_types_a_file_is_of_the_variant_in_which_most_of_its_games_replay():
    """In the second game a man does not take backward, which Brazilian draughts would demand."""
    ordinary = "1. c3-d4 d6-e5 *"
    czech = '[FEN "W:Wd4,a1:Bc3,h8"] 1. d4-e5 h8-g7 *'
    first, second = read_games(f'[Event "A"] {ordinary} [Event "B"] {czech}')
    assert (first.variant, second.variant) == (CZECH, CZECH)


# 8. results


@pytest.mark.parametrize(
    ("variant", "result", "winner"),
    [
        ("20", "2-0", "white"),
        ("20", "0-2", "black"),
        ("20", "1-1", "draw"),
        ("20", "1/2-1/2", "draw"),
        ("20", "0-0", None),
        ("20", "*", None),
        ("21", "1-0", "black"),
        ("21", "0-1", "white"),
        ("23", "2-0", "black"),
        ("26", "1-0", "white"),
    ],
)
def test_08_the_first_number_is_the_first_movers(variant, result, winner):
    assert one(f'[GameType "{variant}"] [Result "{result}"] {result}').winner == winner


# 9. comments and variations


def test_09_comments_belong_to_the_ply_before_them():
    game = one("{first} 1. 32-28 {a\n  b} {c} 19-23 {d} * {e}", INTERNATIONAL)
    assert (game.comment, [p.comment for p in game.plies]) == ("first", ["a b c", "d e"])


def test_09_nested_comments_and_variations_are_skipped():
    game = one(
        "1. 32-28 { nested { 31-27 } } 19-23 (18-23 38-32 (37-32? 23-29! { Black ) wins }) 12-18) 28x19 14x23 *",
        INTERNATIONAL,
    )
    assert texts(game) == ["32-28", "19-23", "28x19", "14x23"]
    assert game.plies[0].comment == "nested { 31-27 }"


def test_09_what_is_passed_over_is_counted():
    game = one('[Event "A"] [event "B"] [Event "C"] 1. 32-28! $1 (31-27 $2 (33-29)) 19-23 (33-29) odd *')
    assert game.passed_over == {"tags": 2, "marks": 2, "variations": 2, "words": 1}
    assert game.tags == {"Event": "A"}
    assert one("1. 32-28 {all} 19-23 *").passed_over == {}


def test_09_a_comment_or_variation_that_is_never_closed_ends_with_its_game():
    text = (
        '[Event "A"]\n1. 32-28 {lost\n\n[Event "B"]\n1. 31-27 (19-23\n[Event "C"]\n1. 33-29 {a {b} 19-23\n[Event "D"]\n'
    )
    games = list(read_games(text, INTERNATIONAL))
    assert [g.tag("Event") for g in games] == list("ABCD")
    assert [texts(g) for g in games] == [["32-28"], ["31-27"], ["33-29", "19-23"], []]


def test_09_clocks_are_taken_out_of_the_comments():
    game = one(
        "1. 32-28 {[%clock w0:10:00 B0:09:58.5] good} 19-23 {[%clk 0:01:02][%eval 1]} 2. 28x19 {[%clock w:x B:y]} *",
        INTERNATIONAL,
    )
    assert game.plies[0].clocks == Clocks(600.0, 598.5, Side.BLACK)
    assert game.plies[0].comment == "good"
    assert game.plies[1].clocks == Clocks(None, 62.0)
    assert game.plies[1].comment == "[%eval 1]"
    assert game.plies[2].clocks is None


def test_09_what_is_never_closed_is_told_with_its_place():
    text = '[Event "A"]\n1. 32-28 {lost {a}\n[Event "B"]\n1. 31-27 (19-23 (1-2)\n[Event "C"]\n1. 33-29 {end'
    games = list(read_games(text, INTERNATIONAL))
    assert [[(r.reason, r.line, r.column) for r in g.remarks] for g in games] == [
        [("'{' is never closed", 2, 10)],
        [("'(' is never closed", 4, 10)],
        [("'{' is never closed", 6, 10)],
    ]


# 10. faults and setups


def test_10_a_game_is_kept_up_to_its_first_illegal_move_with_line_and_column():
    text = '[Event "A"]\n1. 32-28 19-23 2. 28x19 14x23\n3. 37-32  23-30 4. 1-2 *\n[Event "B"]\n1. 31-27 *'
    bad, good = read_games(text, INTERNATIONAL)
    assert texts(bad) == ["32-28", "19-23", "28x19", "14x23", "37-32"]
    assert bad.fault is not None
    assert (bad.fault.line, bad.fault.column) == (3, 11)
    assert bad.fault.reason.startswith("'23-30' is not legal here; legal: ")
    assert texts(good) == ["31-27"]


def test_10_a_strict_visitor_stops_at_the_first_fault():
    games = read_games("1. 32-28 * 1. 31-27\n 27-31 * 1. 33-29 *", INTERNATIONAL, StrictRecords())
    assert texts(next(games)) == ["32-28"]
    with pytest.raises(NotationError, match=r"line 2, column 2: '27-31' is not legal here") as caught:
        next(games)
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_10_a_strict_visitor_minds_no_oddities():
    (game,) = read_games('[Result "2-0"] 1. 32-28 odd 0-2', INTERNATIONAL, StrictRecords())
    assert len(game.remarks) == 2


def test_10_a_setup_inside_the_moves_goes_on_from_a_new_position():
    game = one('1. 32-28 /FEN "W:W31:B20"/ {set up} 1. 31-27 20-24 *', INTERNATIONAL)
    assert texts(game) == ["32-28", "setup", "31-27", "20-24"]
    assert game.plies[1].comment == "set up"
    assert write_fen(game.plies[1].after) == "W:W31:B20"


def test_10_words_that_are_no_part_of_pdn_are_reported_and_do_no_harm():
    game = one("1. 32-28 Red overstepped 19-23 *", INTERNATIONAL)
    assert texts(game) == ["32-28", "19-23"]
    assert [r.reason for r in game.remarks] == ["'Red' is no part of PDN", "'overstepped' is no part of PDN"]
    assert (game.remarks[0].line, game.remarks[0].column) == (1, 10)


# bad input


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "not a PDN file: it is a JPEG picture"),
        (b"\x89PNG\r\n\x1a\n\x00", "not a PDN file: it is a PNG picture"),
        (b"32-28 \x00\x01\x02", "not a PDN file: byte 6 is 0"),
    ],
)
def test_a_file_that_is_no_text_is_one_clear_error(data, says):
    with pytest.raises(NotationError, match=says):
        list(read_games(data))


def test_a_game_longer_than_any_is_cut_and_its_neighbour_read():
    kings = '[FEN "W:WK46:BK50"] ' + "46-41 50-45 41-46 45-50 " * 20_000
    long, good = read_games(f"{kings} * 1. 32-28 *", INTERNATIONAL)
    assert long.fault is not None
    assert long.fault.reason == "this is longer than a game can be; the rest is left out"
    assert long.fault.column > 300_000
    assert 50_000 < len(long.plies) < 80_000
    assert texts(good) == ["32-28"]


def test_no_text_whatever_breaks_the_reader():
    chance = random.Random(3)
    parts = [
        "[",
        "]",
        '"',
        "{",
        "}",
        "(",
        ")",
        "32-28",
        "1.",
        "*",
        "1-0",
        "%",
        "\n",
        "\\",
        "/FEN ",
        "[FEN ",
        "x",
        "\u00bd",
        " ",
    ]
    for _ in range(3000):
        text = "".join(chance.choice(parts) for _ in range(chance.randrange(40)))
        list(read_games(text, INTERNATIONAL))


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_text_in_pieces_has_the_tokens_of_the_whole(size, end):
    chance = random.Random(size)
    parts = (
        '[Event "A"]',
        '[FEN "W:W31:B20"]',
        "1. 32-28",
        "{a {b} c}",
        "{",
        "}",
        "(1-2",
        ")",
        "% 1-2",
        "50 %",
        '/FEN "W:W1:B2"/',
        "1/2-1/2",
        "23 x 34",
    )
    text = "".join(chance.choice(parts) + chance.choice((end, " ")) for _ in range(600)) + end + '[Event "Z"] *'
    text = text.replace("{" + end, "{x}" + end)
    pieces = [text[n : n + size] for n in range(0, len(text), size)]
    whole = [t for t in tokens(text)]
    assert list(tokens(pieces, ahead=4096)) == whole
    assert len(whole) > 500


def test_a_comment_longer_than_any_is_cut_and_ends_where_it_ends():
    for ends in ("}", "\n[Event "):
        text = "1. 32-28 {" + "long " * 1000 + ends
        text += " 19-23 *" if ends == "}" else '"B"] 1. 31-27 *'
        found = list(tokens((text[n : n + 50] for n in range(0, len(text), 50)), ahead=200))
        assert [t.kind for t in found[:4]] == ["number", "move", "comment", "unclosed"]
        assert len(found[2].text) < 300
        assert [t.text for t in found[4:]] == (["19-23", "*"] if ends == "}" else ["B", "1.", "31-27", "*"])


class Trace:
    """A visitor that keeps what it is told."""

    def __init__(self):
        self.told = []

    def begin_game(self, line, column):
        self.told.append(("begin", line, column))

    def end_game(self):
        self.told.append(("end",))

    def _keep(self, token):
        self.told.append((token.kind, token.text, token.line, token.column))

    tag = move = setup = comment = result = passed_over = skipped = _keep


def test_a_visitor_is_told_a_game_in_order():
    trace = Trace()
    walk('[Event "A"]\n1. 32-28 {c} (31-27) ? *', trace)
    assert trace.told == [
        ("begin", 1, 1),
        ("tag", "A", 1, 1),
        ("move", "32-28", 2, 4),
        ("comment", "c", 2, 10),
        ("open", "(", 2, 14),
        ("nag", "?", 2, 22),
        ("result", "*", 2, 24),
        ("end",),
    ]


def test_a_visitor_is_told_the_end_of_a_game_without_a_terminator():
    trace = Trace()
    walk('[Event "A"] 32-28 [Event "B"] 31-27', trace)
    assert [entry[0] for entry in trace.told] == ["begin", "tag", "move", "end"] * 2
