"""A board that scans slowly tells a piece on its new square before the old one is empty."""

from __future__ import annotations

from dataclasses import replace

import pytest
from board_tables import TICKS, TableBoard, play_table

from damas_board.session.events import AlertRaised
from damas_board.session.header import Header, Settings
from damas_board.session.inputs import Command, Link, Tick

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


def test_a_lift_that_is_told_late_is_not_put_back_into_what_came_after_it() -> None:
    """Behind a gap the board tells what it remembers at one time: Black's move, and a victim that White takes off."""
    times = Settings(settle_seconds=0.7, touch_seconds=0.7, rest_seconds=2.1, overlap_seconds=1.2)
    board = TableBoard(Header("t", "br-cbjd", senses="colour", start="B:Wh4,a1:Bb6,g5", settings=times))
    events = [*board.session.feed(board.see(0.0))]
    for at, state in ((4.0, "lost"), (4.1, "back")):
        events += board.session.feed(Link(at, state, whole=state == "back"))
    for was, happening in ((3.0, "lift b6"), (3.05, "put a5"), (3.55, "off g5")):
        (seen,) = board.happen(4.1, happening)
        events += board.session.feed(replace(seen, was=was))
    events += board.session.feed(Tick(5.5))
    for at, happening in ((5.6, "lift h4"), (5.9, "put f6"), (20.0, "tick")):
        events += [event for item in board.happen(at, happening) for event in board.session.feed(item)]
    assert board.session.state.moves == ("b6-a5", "h4xf6")
    assert [event.kind for event in events if isinstance(event, AlertRaised)] == ["board_lost"]
