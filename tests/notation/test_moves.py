from __future__ import annotations

import random

import pytest
from rules.positions import random_play, random_position

from damas_board.notation.errors import AmbiguousMoveError, IllegalTextError, NotationError
from damas_board.notation.fen import read_fen
from damas_board.notation.moves import candidates, named_squares, read_move, write_move
from damas_board.rules.game import same_move
from damas_board.rules.generation import legal_moves
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, PORTUGUESE, RUSSIAN, VARIANTS


def assert_every_move_is_read_back(position):
    legal = legal_moves(position)
    texts = [write_move(position, m, legal) for m in legal]
    assert len(set(texts)) == len(texts), (position, texts)
    for move, text in zip(legal, texts, strict=True):
        assert same_move(read_move(position, text, legal), move), (position, text)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_legal_move_is_read_back_from_its_own_text(name):
    chance = random.Random(name)
    for _ in range(600):
        assert_every_move_is_read_back(random_position(chance, VARIANTS[name]))
    for position, _move in random_play(chance, VARIANTS[name], 150):
        assert_every_move_is_read_back(position)


@pytest.mark.parametrize("name", VARIANTS)
def test_king_rich_captures_are_read_back_from_their_own_text(name):
    chance = random.Random(name)
    for _ in range(300):
        assert_every_move_is_read_back(random_position(chance, VARIANTS[name], kings=0.8))


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("32-28", ["32", "28"]),
        ("06-11", ["06", "11"]),
        ("32x28x19", ["32", "28", "19"]),
        ("c3:e5:g7", ["c3", "e5", "g7"]),
        ("c3*e5", ["c3", "e5"]),
        ("C3-D4", ["c3", "d4"]),
        ("a3b4", ["a3", "b4"]),
        ("cd4", ["c", "d4"]),
        ("c:e5", ["c", "e5"]),
        ("b4xf8D", ["b4", "f8"]),
        ("32 - 28", ["32", "28"]),
        ("37-32!?", ["37", "32"]),
        ("19-23(!?)", ["19", "23"]),
    ],
)
def test_the_squares_of_a_moves_text(text, squares):
    assert named_squares(text) == squares


@pytest.mark.parametrize("text", ["", "hello", "32", "x", "32-", "1.5"])
def test_other_text_is_no_move(text):
    with pytest.raises(NotationError, match="is no move"):
        named_squares(text)


@pytest.mark.parametrize("text", ["c3-d4", "c3xd4", "c3:d4", "c3d4", "cd4", "22-18", "C3-D4"])
def test_the_rules_decide_and_not_the_sign(text):
    position = read_fen("start", BRAZILIAN)
    assert write_move(position, read_move(position, text)) == "c3-d4"


def test_a_capture_written_as_a_quiet_move_is_a_capture():
    position = read_fen("W:Wc3:Bd4", BRAZILIAN)
    assert write_move(position, read_move(position, "c3-e5")) == "c3xe5"


def test_an_illegal_move_is_told_with_what_would_be_legal():
    position = read_fen("W:Wc3:Bd4", BRAZILIAN)
    with pytest.raises(IllegalTextError, match="'c3-b4' is not legal here; legal: c3xe5"):
        read_move(position, "c3-b4")


def test_a_square_that_the_board_has_not_is_named():
    with pytest.raises(NotationError, match="no square '33'"):
        read_move(read_fen("start", PORTUGUESE), "33-29")


SAME_ENDS = "W:WKg1:Bf2,g5,d6,c7"


def test_ends_alone_of_two_captures_are_ambiguous():
    position = read_fen(SAME_ENDS, BRAZILIAN)
    assert len(candidates(position, "g1xh4")) == 2
    with pytest.raises(AmbiguousMoveError, match="names 2 different captures: g1x"):
        read_move(position, "g1xh4")


@pytest.mark.parametrize("text", ["g1xb6xd8xh4", "g1xb6xh4", "g1xd8xh4"])
def test_some_of_the_squares_name_the_capture(text):
    position = read_fen(SAME_ENDS, BRAZILIAN)
    assert write_move(position, read_move(position, text)) == "g1xb6xd8xh4"


def test_a_full_path_is_told_from_a_part_of_a_longer_one():
    """In a free choice both the short way and the one with a detour may pass the squares of the short one."""
    chance = random.Random(5)
    for _ in range(3000):
        assert_every_move_is_read_back(random_position(chance, RUSSIAN, kings=0.9))


def test_the_route_named_is_the_route_read():
    position = read_fen("W:We3,c7:Bb4,d4,b6,d6", BRAZILIAN)
    for text in ("c7xa5xc3xe5xc7", "c7xe5xc3xa5xc7"):
        move = read_move(position, text)
        assert "x".join(BRAZILIAN.geometry.names(move.path)) == text


def test_an_irregular_move_is_written_by_its_ends():
    position = read_fen("start", INTERNATIONAL)
    other = read_fen("W:WK31:B1", INTERNATIONAL)
    move = read_move(other, "31-4")
    assert write_move(position, move) == "31-4"
