"""Occupied or not is all that most boards see, and it names the next position; the exceptions are known.

What a legal move leaves is visible: its start, its end and the captured pieces. Two different positions can look the
same only where one of these does not show: where captured pieces come off at once (Turkish), a king may end on the
square of one of its victims; and two pieces might each go round the same victims and come back.
"""

from __future__ import annotations

import random

import pytest
from rules.positions import random_play, random_position
from rules.successors import ambiguous

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.pdn import read_games
from damas_board.rules.variants import TURKISH, VARIANTS


@pytest.mark.parametrize("name", VARIANTS)
def test_occupancy_alone_names_the_next_position(name):
    chance = random.Random(f"occupancy {name}")
    for _ in range(700):
        position = random_position(chance, VARIANTS[name])
        assert ambiguous(position) == [], write_fen(position)


@pytest.mark.parametrize("name", VARIANTS)
def test_occupancy_alone_names_the_next_position_in_games(name):
    chance = random.Random(f"games {name}")
    for _ in range(5):
        for position, _move in random_play(chance, VARIANTS[name], 120):
            assert ambiguous(position) == [], write_fen(position)


@pytest.mark.parametrize(
    "file",
    [
        "brazilian/pydraughtstests__lidraughts_brazilian.pdn",
        "czech/wiegerw__mrcd2006.pdn",
        "english/wiegerw__OCA_2.0.pdn",
        "frisian/pydraughts_tests_frisian.pdn",
        "international/wiegerw__schildpad.pdn",
        "italian/wiegerw__Campionato_Assoluto_2005.pdn",
        "russian/protcenkoroman__ussr_I_championship.pdn",
        "turkish/pydraughts_selftest_turkish.pdn",
    ],
)
def test_occupancy_alone_names_the_next_position_in_public_games(shared, file):
    for game in read_games((shared / "games" / file).read_bytes()):
        for ply in game.plies:
            assert ambiguous(ply.before) == [], write_fen(ply.before)


@pytest.mark.parametrize(
    "fen",
    [
        "W:WKe2,Kc8:BKf1,Kd4,Kf4,Kc5,Kh5,Ke6,Kg8",
        "B:WKa1,Kc1,Kf1,Kh1,Kd2,Kc3,Kf5,Kg5,Ka6,Kf8,Kh8:BKb1,Kh2,Ka3,Kd3,Kg8",
    ],
)
def test_a_turkish_king_that_ends_where_a_victim_stood_is_the_known_exception(fen):
    """The two ends show the same: in each, the square where the other one ends is still held by a piece."""
    (reached,) = ambiguous(read_fen(fen, TURKISH))
    ends = {moves[0].end for moves in reached.values()}
    assert len(reached) == len(ends) == 2
    for moves in reached.values():
        assert moves[0].end in {s for other in reached.values() for s in other[0].captured}
