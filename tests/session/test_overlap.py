"""A board that scans slowly tells a piece on its new square before the old one is empty."""

from __future__ import annotations

import pytest
from board_tables import TICKS, TableBoard, play_table

from damas_board.session.header import Header, Settings
from damas_board.session.inputs import Command, Tick

SLOW = Settings(overlap_seconds=0.6)
RECAPTURE = "W:W33,48:B17,28,6,2"
"""White captures 33x11; Black's reply 6x17 ends where a man stood that was captured."""

HELD_ON_BOTH = """
           0 | lift 33 |
         200 | put 11 |
         500 | off 28 |
         800 | off 17 |
        1100 |        | move 33x11
        2500 | box 17 b |
        2700 | off 6  |
        3100 | off 11 |
        {told} |      | move 6x17
        """


@pytest.mark.parametrize("tick", TICKS)
def test_a_piece_on_both_its_squares_for_a_scan_has_moved(tick: float | None) -> None:
    play_table(HELD_ON_BOTH.format(told=3400), "int-fmjd", tick=tick, start=RECAPTURE, senses="colour", settings=SLOW)


@pytest.mark.parametrize("tick", TICKS)
def test_what_stands_complete_for_long_is_recorded_however_early_its_piece_came_down(tick: float | None) -> None:
    play_table(HELD_ON_BOTH.format(told=7100), "int-fmjd", tick=tick, start=RECAPTURE, senses="colour")


@pytest.mark.parametrize("tick", TICKS)
def test_a_piece_that_stood_there_long_before_another_was_lifted_is_another_one(tick: float | None) -> None:
    table = """
           0 | lift 33 |
         200 | put 11 |
         500 | off 28 |
         800 | off 17 |
        1100 |        | move 33x11
        2500 | box 17 b |
        3600 | off 6  |
        3700 | off 11 |
        7700 |        | move 6x17
        """
    play_table(table, "int-fmjd", tick=tick, start=RECAPTURE, senses="colour", settings=SLOW)


@pytest.mark.parametrize(("times", "told"), [({"overlap_seconds": 0.6, "touch_seconds": 0.4}, True), ({}, False)])
def test_at_another_board_its_own_times_hold(times: dict[str, float], told: bool) -> None:
    """The game came from a board that reads at once to one that scans slowly."""
    board = TableBoard(Header("t", "int-fmjd", senses="colour", start=RECAPTURE))
    board.session.feed(board.see(0.0))
    board.session.feed(Command(1.0, "move_to", "c1", {"board": "t-2", "turn": 0, **times}))
    board.session.feed(board.see(1.1))
    moves = [*HELD_ON_BOTH.format(told=3400).strip().splitlines()]
    for line in moves:
        at, happenings, _ = (cell.strip() for cell in line.split("|"))
        for happening in filter(None, happenings.split(", ")):
            for item in board.happen(5 + int(at) / 1000, happening):
                board.session.feed(item)
    board.session.feed(Tick(8.5))
    assert board.session.state.moves == (("33x11", "6x17") if told else ("33x11",))
