"""FMJD Annex 1, the articles about hands and boards: what the record makes of them.

What an arbiter is told of them are alerts; here is what stands in the record whoever is told.
"""

from __future__ import annotations

import pytest
from board_tables import TICKS, play_table

from damas_board.regulations import shipped
from damas_board.regulations.policy import IRREGULAR_MOVES
from damas_board.session.header import Header
from damas_board.session.inputs import See, Tick
from damas_board.session.session import Session

TABLES = {
    "3_10_a_move_ends_when_the_piece_is_released": (
        None,
        """
           0 | lift 32 |
        3000 | put 28  |
        3300 |         | move 32-28
        """,
    ),
    "3_12_until_the_turn_is_over_the_piece_may_go_elsewhere": (
        "W:WK46:B6",
        """
           0 | lift 46 |
         400 | put 41  |
         500 | lift 41 |
         800 | put 32  |
        1100 |         | move 46-32
        """,
    ),
    "4_9_the_piece_may_be_put_down_on_every_turning_square": (
        "W:WK38:B11,12,19,30,33",
        """
           0 | lift 38 |
         400 | put 24  |
         900 | lift 24 |
        1300 | put 8   |
        1800 | lift 8  |
        2200 | put 17  |
        2700 | lift 17 |
        3100 | put 6   |
        3700 | off 11, off 12, off 19, off 33 |
        4000 |         | move 38x6
        """,
    ),
    "4_12_the_removal_ends_when_all_captured_pieces_are_off": (
        "W:WK38:B11,12,19,30,33",
        """
           0 | lift 38 |
         600 | put 6   |
         900 | off 33  |
        9000 | off 19, off 12 |
       20000 | off 11  |
       20300 |         | move 38x6
        """,
    ),
    "4_16_a_man_that_takes_one_man_may_take_it_off_first": (
        "W:W28,37:B10,14,23",
        """
           0 | off 23  |
         700 | lift 28 |
        1000 | put 19  |
        1300 |         | move 28x19
        """,
    ),
    "5_5_an_accident_put_right_at_once_changes_nothing": (
        None,
        """
           0 | lift 32 |
         300 | put 28  |
         600 |         | move 32-28
        1000 | off 45, off 46, off 41 |
        2500 | box 41 w, box 46 w, box 45 w |
        4000 | lift 20 |
        4300 | put 25  |
        4600 |         | move 20-25
        """,
    ),
    "5_7_who_has_moved_has_accepted_the_move_before": (
        "W:WK46,48:B6,16",
        """
           0 | lift 46 |
         300 | put 41  |
         600 |         | move 46-41
        1000 | lift 6  |
        1300 | put 11  |
        1600 |         | move 6-11
        2000 | lift 41 |
        2300 | put 46  |
        2600 |         | move 41-46
        """,
    ),
    "5_8_a_move_that_is_only_partly_put_back_is_not_taken_back": (
        "W:WK38:B11,12,19,30,33",
        """
           0 | lift 38 |
         600 | put 6   |
         700 | off 11, off 12, off 19, off 33 |
        1000 |         | move 38x6
        2000 | lift 6  |
        2300 | put 38  |
        9000 | box 11 b, box 12 b, box 19 b |
       12000 | box 33 b |
       12300 |         | retracted 1
        """,
    ),
}


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("name", TABLES)
def test_fmjd(name: str, tick: float | None) -> None:
    start, table = TABLES[name]
    play_table(table, "int-fmjd", tick=tick, start=start)


def test_fmjd_3_11_a_touched_playable_piece_is_to_be_played_and_the_regulation_says_so() -> None:
    regulation = shipped("int-fmjd")
    assert regulation.policy.several_touched == "playable"
    assert "3.11" in regulation.articles["several_touched"]


def test_fmjd_5_4_an_irregularity_is_put_right_or_stands_at_the_opponents_choice() -> None:
    regulation = shipped("int-fmjd")
    for kind in IRREGULAR_MOVES:
        ruling = regulation.ruling(kind, recorded=True, law=None)
        assert (ruling.decides, ruling.until, ruling.consequence) == ("opponent", "reply", "rectified_or_stands")
        assert "5.4" in str(ruling.article)


def test_fmjd_3_13_an_announced_adjustment_is_taken_and_changes_no_record() -> None:
    play_table(
        """
           0 | lift 31 |
         900 | put 31  |
        2000 | lift 32 |
        2300 | put 28  |
        2600 |         | move 32-28
        """,
        "int-fmjd",
    )


def test_fmjd_5_1_a_board_that_lies_wrong_has_no_position_of_the_game() -> None:
    session = Session(Header("t", "br-cbjd", turn=90), shipped("br-cbjd"))
    dark_at_the_left = ".o.o.o.o/o.o.o.o./.o.o.o.o/......../......../o.o.o.o./.o.o.o.o/o.o.o.o."
    events = [e for item in (See(0.0, dark_at_the_left), Tick(9.0)) for e in session.feed(item)]
    assert [event.state for event in events if event.event == "board"] == ["setting_up"]


def test_fmjd_5_2_5_3_a_piece_on_a_light_square_is_out_of_play_until_it_is_put_right() -> None:
    session = Session(Header("t", "br-cbjd", start="W:Wc3:Bf6", covers="all"), shipped("br-cbjd"))
    start = "......../......../.....o../......../......../..o...../......../........"
    light = "......../......../.....o../......../..o...../......../......../........"
    dark = "......../......../.....o../......../...o..../......../......../........"
    told = [
        (event.event, event.at)
        for item in (See(0.0, start), See(1.0, light), Tick(8.0), See(9.0, dark), Tick(12.0))
        for event in session.feed(item)
        if event.event == "move"
    ]
    assert told == [("move", 9.3)]
