"""A lever ends the turn of the player who presses it, and says nothing of the other one's move."""

from __future__ import annotations

import pytest
from board_tables import TICKS, play_table

NOTHING_ELSE = ("alert", "move", "revised", "retracted")

TABLES = {
    "who_forgot_the_clock_presses_it_while_the_opponent_rests_on_the_way": (
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | lift 20 |
        1300 | put 23  |
        1700 | lever white |
        2100 | lift 23 |
        2400 | put 24  |
        2700 |         | move 20-24
        """,
    ),
    "while_the_opponent_takes_the_captured_pieces_off": (
        "W:W32,33,48:B19,2",
        """
           0 | lift 32 |
         200 | put 28  |
         500 |         | move 32-28
        1000 | lift 19 |
        1300 | put 23  |
        1600 |         | move 19-23
        2000 | lift 28 |
        2300 | put 19  |
        2900 | lever black |
        3200 | off 23  |
        3500 |         | move 28x19
        """,
    ),
}


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("name", TABLES)
def test_a_lever_says_nothing_of_the_other_sides_move(name: str, tick: float | None) -> None:
    start, table = TABLES[name]
    play_table(table, "int-fmjd", tick=tick, start=start, always=NOTHING_ELSE)


@pytest.mark.parametrize("tick", TICKS)
def test_ones_own_lever_still_completes_what_stands_there(tick: float | None) -> None:
    table = """
           0 | lift 32 |
         300 | put 27  |
         600 |         | move 32-27
        1000 | lift 20 |
        1300 | put 23  |
        1700 | lever black | move 20-23, alert illegal_move black 20.23
        """
    play_table(table, "int-fmjd", tick=tick, always=("alert", "move", "revised"))
