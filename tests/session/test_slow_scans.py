"""A board that scans slowly cannot say which of two changes close together came first: nobody is accused of that."""

from __future__ import annotations

import pytest
from board_tables import play_table

from damas_board.session.events import AlertRaised, Event, MoveMade
from damas_board.session.header import Settings

SLOW = Settings(overlap_seconds=0.6)
STRAIGHTENED = """
    0 | lift 31 |
  300 | put 27  |
  {lift} | lift 6  |
 1100 | put 6   |
 2000 | lift 7  |
 2300 | put 11  |
 2700 |         |
"""
"""White moves; Black straightens a man, and then moves another one."""
EARLY = """
    0 | lift 28 |
  300 | put 19  |
  500 | lift 19 |
  {off} | off 23  |
  900 | put 10  |
 1100 | off 14  |
 2500 |         |
"""
"""A man that takes two: the first one comes off before the capture is over, or just then."""


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events if isinstance(event, AlertRaised) and event.severity != "note"]


def played(table: str, start: str, settings: Settings | None) -> list[str]:
    more = {} if settings is None else {"settings": settings}
    return kinds(play_table(table, "int-fmjd", start=start, **more))


@pytest.mark.parametrize(("lift", "settings", "told"), [(500, None, 1), (500, SLOW, 0), (850, SLOW, 1)])
def test_a_touch_is_told_where_it_surely_was_in_the_turn(lift: int, settings: Settings | None, told: int) -> None:
    table = STRAIGHTENED.format(lift=lift)
    assert played(table, "W:W31,37:B6,7", settings) == ["touch_move"] * told


@pytest.mark.parametrize(("off", "settings", "told"), [(700, None, 1), (700, SLOW, 0), (350, SLOW, 1)])
def test_a_victim_off_early_is_told_where_it_surely_was(off: int, settings: Settings | None, told: int) -> None:
    table = EARLY.format(off=off)
    lines = sorted(filter(str.strip, table.splitlines()), key=lambda line: int(line.split("|")[0]))
    assert played("\n".join(lines), "W:W28:B23,14,45", settings) == ["lifted_during_capture"] * told


TOGETHER = """
    0 | lift 31 |
  {lift} | lift 37 |
  500 | put 31  |
  900 | put 32  |
 2500 |         |
"""
"""Two men that were in the air together, or one just as the other came down."""


@pytest.mark.parametrize(("lift", "settings", "told"), [(300, None, 1), (300, SLOW, 0), (-800, SLOW, 1)])
def test_pieces_are_told_as_in_the_air_together_where_they_surely_were(
    lift: int, settings: Settings | None, told: int
) -> None:
    table = "\n".join(
        f"{int(line.split('|')[0]) + 900} |{line.split('|', 1)[1]}"
        for line in sorted(
            filter(str.strip, TOGETHER.format(lift=lift).splitlines()), key=lambda line: int(line.split("|")[0])
        )
    )
    assert played(table, "W:W31,37:B6", settings).count("several_touched") == told


STUCK = """
    0 | lift 31 |
  300 | put 27  |
  {lift} | lift 1  |
 1100 | put 1   |
 2500 |         |
"""
"""White moves, and Black straightens a man that cannot move: before it was his turn, or behind it."""


@pytest.mark.parametrize(
    ("lift", "settings", "told"),
    [
        (500, None, ["touched_unplayable"]),
        (500, SLOW, []),
        (150, None, ["touched_out_of_turn"]),
        (850, SLOW, ["touched_unplayable"]),
    ],
)
def test_a_touch_is_told_where_it_is_known_whose_turn_it_was(
    lift: int, settings: Settings | None, told: list[str]
) -> None:
    lines = sorted(filter(str.strip, STUCK.format(lift=lift).splitlines()), key=lambda line: int(line.split("|")[0]))
    more = {} if settings is None else {"settings": settings}
    events = play_table("\n".join(lines), "int-fmjd", start="W:W31:B1,6,7", **more)
    assert [event.kind for event in events if isinstance(event, AlertRaised)] == told


EARLY_ARRIVAL = """
    0 | box 27 w |
  400 | off 31 |
 2500 |         |
"""


@pytest.mark.parametrize(("settings", "moves"), [(None, 0), (SLOW, 1)])
def test_a_piece_that_is_read_on_both_its_squares_for_long_has_moved(settings: Settings | None, moves: int) -> None:
    more = {} if settings is None else {"settings": settings}
    events = play_table(EARLY_ARRIVAL, "int-fmjd", start="W:W31,37:B6,7", **more)
    early = [event for event in events if isinstance(event, MoveMade) and event.at < 2.0]
    assert len(early) == moves


LATE = """
    0 | lift 37 |
  200 | lift 31 |
  450 | put 27  |
  900 | put 37  |
 2500 |         |
"""
"""Another man of the mover's is lifted so shortly before the move that it may have been behind it."""


@pytest.mark.parametrize(("settings", "told"), [(None, 1), (SLOW, 0)])
def test_a_touch_shortly_before_the_move_is_none_that_is_sure(settings: Settings | None, told: int) -> None:
    assert len(played(LATE, "W:W31,37:B6,7", settings)) == told
