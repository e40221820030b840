"""Occupied or not is all that most boards see, and it names the next position; the exceptions are known.

What a legal move leaves is visible: its start, its end and the captured pieces. Two different positions can look the
same only where start and end do not show: two pieces that can each go round the same victims and come back, and
a Russian man that can take the same pieces over its last row and beside it.
"""

from __future__ import annotations

import random

import pytest
from rules.positions import random_play, random_position
from rules.successors import ambiguous

from damas_board.notation.fen import write_fen
from damas_board.rules.variants import VARIANTS


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
