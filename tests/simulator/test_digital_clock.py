from __future__ import annotations

import pytest

from damas_board.notation.time_control import TimeControl, read_time_control
from damas_board.rules.variants import BRAZILIAN
from damas_board.session.game_clock import Flag, GameClock, Silent
from damas_board.session.inputs import ClockReading, Input, Lever, See, SideName, Tick
from simulator.digital_clock import with_readings
from simulator.games import invented
from simulator.levels import level
from simulator.recorded import inputs


def control(text: str) -> TimeControl:
    found = read_time_control(text)
    assert found is not None
    return found


def levers(*presses: tuple[SideName, float], until: float) -> list[Input]:
    return [*(Lever(at, side) for side, at in presses), Tick(until)]


def told(items: list[Input], text: str, **spans: list[tuple[float, float]]) -> list[Flag | Silent | float | None]:
    """What a GameClock makes of the readings: flags, silences, and the jump of each reading that is one."""
    clock = GameClock(control(text), "white")
    said: list[Flag | Silent | float | None] = []
    for item in with_readings(items, control(text), "white", **spans):
        said += clock.due(item.at)
        if isinstance(item, ClockReading):
            read = clock.reading(item.white, item.black, item.running, item.at)
            assert read is not None
            said += [*([] if read.jump is None else [read.jump]), *read.flags]
    return said


def test_it_tells_whole_seconds_once_a_second_and_keeps_the_levers_to_itself() -> None:
    items = list(with_readings(levers(("black", 0.5), ("white", 2.25), until=4.0), control("60+5"), "white"))
    assert items == [
        ClockReading(1.0, 60, 60, "white"),
        ClockReading(2.0, 59, 60, "white"),
        ClockReading(3.0, 64, 60, "black"),
        ClockReading(4.0, 64, 59, "black"),
        Tick(4.0),
    ]


@pytest.mark.parametrize("text", ["600+5", "10/300:60+2", "3600"])
@pytest.mark.parametrize("seed", range(3))
def test_the_readings_of_a_played_game_never_jump(text: str, seed: int) -> None:
    game = invented(BRAZILIAN, seed, 40)
    items = list(inputs(game, level("scramble"), seed, clock=True))
    assert sum(isinstance(item, Lever) for item in items) == len(game.moves)
    assert told(items, text) == []
    read = with_readings(items, control(text), "white")
    assert [item for item in read if isinstance(item, See)] == [item for item in items if isinstance(item, See)]


def test_a_flag_falls_with_the_reading_that_says_zero() -> None:
    assert told(levers(("black", 0.0), until=70.0), "60") == [Flag("white", 60.0)]


def test_a_silent_clock_is_noticed_and_its_next_reading_is_no_jump() -> None:
    assert told(levers(("black", 0.0), until=60.0), "300", silent=[(10.0, 40.0)]) == [Silent(12.0)]


def test_a_clock_that_the_arbiter_has_stopped_stands_still() -> None:
    items = levers(("black", 0.0), until=30.0)
    assert told(items, "60", stopped=[(10.0, 20.0)]) == []
    last = list(with_readings(items, control("60"), "white", stopped=[(10.0, 20.0)]))[-2]
    assert last == ClockReading(30.0, 40, 60, "white")
