"""Counts of move sequences, against published figures and against a second generator."""

from __future__ import annotations

import json
import random

import pytest
from rules.plain_generator import RULES, board_after, start_board, turns
from rules.plain_generator import perft as plain_perft
from rules.positions import board_of, random_play, random_position

from damas_board.notation.fen import read_fen
from damas_board.rules.generation import legal_moves, perft
from damas_board.rules.position import Move, Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variants import VARIANTS

# Bik (BikDam) and Halbersma (dctl); Turkish: two generators of independent make.
FROM_THE_START = {
    "international": (9, 81, 658, 4265, 27117, 167140, 1049442, 6483961, 41022423, 258895763),
    "brazilian": (7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431766, 21560022),
    "russian": (7, 49, 302, 1469, 7482, 37986, 190146, 929899, 4570586, 22444032),
    "pool": (7, 49, 302, 1469, 7482, 37986, 190146, 929896, 4570534, 22435955),
    "english": (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564),
    "czech": (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963671, 18368918),
    "italian": (7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875, 17761384),
    "portuguese": (7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866, 17743464),
    "spanish": (7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866, 17743464),
    "frisian": (9, 81, 658, 3874, 21265, 102431, 540126, 2825779, 15605069),
    "turkish": (8, 64, 708, 7538, 85090, 931312, 10782308),
}
ORDINARY = 200_000
"""Counts up to this are for the ordinary suite."""
DEEP = pytest.mark.timeout(600)


def counted(position: Position, depth: int, known: dict[tuple[Position, int], int]) -> int:
    """The number of move sequences; a position that is reached again at the same depth is counted once."""
    if depth < 3:
        return perft(position, depth)
    key = position, depth
    if key not in known:
        known[key] = sum(counted(position.after(move), depth - 1, known) for move in legal_moves(position))
    return known[key]


@pytest.fixture
def published(shared):
    return json.loads((shared / "rules" / "perft.json").read_text("utf-8"))


def test_no_published_count_of_a_start_position_is_missing_here(published):
    assert {name: tuple(counts) for name, counts in published["start"].items()} == FROM_THE_START


@pytest.mark.parametrize("name", FROM_THE_START)
def test_start_position_has_the_published_number_of_sequences(name):
    start = initial(VARIANTS[name])
    for depth, count in enumerate(FROM_THE_START[name], 1):
        if count <= ORDINARY:
            assert perft(start, depth) == count, depth


@pytest.mark.slow
@DEEP
@pytest.mark.parametrize("name", FROM_THE_START)
def test_start_position_has_the_published_number_of_sequences_deep_down(name):
    known = {}
    for depth, count in enumerate(FROM_THE_START[name], 1):
        assert counted(initial(VARIANTS[name]), depth, known) == count, depth


def test_every_position_with_a_known_count_has_it(published):
    for entry in published["published_positions"] + published["positions"]:
        position = read_fen(entry["fen"], VARIANTS[entry["variant"]])
        for depth, count in enumerate(entry["perft"], 1):
            if count <= 20_000:
                assert perft(position, depth) == count, (entry["variant"], entry["fen"], depth)


@pytest.mark.slow
@DEEP
def test_every_position_with_a_known_count_has_it_deep_down(published):
    for entry in published["published_positions"] + published["positions"]:
        position = read_fen(entry["fen"], VARIANTS[entry["variant"]])
        known = {}
        for depth, count in enumerate(entry["perft"], 1):
            assert counted(position, depth, known) == count, (entry["variant"], entry["fen"], depth)


def outcome(move: Move, size: int) -> tuple:
    def place(square: int) -> tuple[int, int]:
        return square % size, square // size

    return place(move.start), place(move.end), frozenset(map(place, move.captured)), move.promotes


def assert_same_moves(position: Position) -> None:
    size = position.variant.size
    ours = [outcome(m, size) for m in legal_moves(position)]
    plain = [t.outcome for t in turns(RULES[position.variant.name], board_of(position), position.turn is Side.BLACK)]
    assert len(ours) == len(set(ours))
    assert set(ours) == set(plain), position
    assert len(plain) == len(ours)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_plain_generator_begins_from_the_same_position(name):
    position = initial(VARIANTS[name])
    assert board_of(position) == start_board(RULES[name])
    assert (position.turn is Side.BLACK) == RULES[name].black_begins


def test_canadian_start_counts_are_those_of_the_plain_generator():
    plain = [plain_perft(RULES["canadian"], start_board(RULES["canadian"]), False, depth) for depth in range(1, 5)]
    ours = [perft(initial(VARIANTS["canadian"]), depth) for depth in range(1, 5)]
    assert ours == plain
    assert ours == [11, 121, 1222, 10053]


@pytest.mark.slow
@DEEP
def test_canadian_start_count_is_that_of_the_plain_generator_deep_down():
    assert perft(initial(VARIANTS["canadian"]), 5) == plain_perft(
        RULES["canadian"], start_board(RULES["canadian"]), False, 5
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_random_positions_have_the_moves_of_the_plain_generator(name):
    chance = random.Random(f"positions {name}")
    for _ in range(400):
        assert_same_moves(random_position(chance, VARIANTS[name]))


@pytest.mark.parametrize("name", VARIANTS)
def test_positions_of_random_games_have_the_moves_of_the_plain_generator(name):
    chance = random.Random(f"games {name}")
    for _ in range(4):
        for position, _move in random_play(chance, VARIANTS[name], 70):
            if not any(position.runs):
                assert_same_moves(position)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_move_leads_to_the_position_of_the_plain_generator(name):
    chance = random.Random(f"after {name}")
    size = VARIANTS[name].size
    for _ in range(150):
        position = random_position(chance, VARIANTS[name])
        plain = {t.outcome: t for t in turns(RULES[name], board_of(position), position.turn is Side.BLACK)}
        for move in legal_moves(position):
            after = position.after(move)
            assert board_of(after) == board_after(board_of(position), plain[outcome(move, size)])
            assert after.turn is position.turn.other
