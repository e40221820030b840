"""A game with a clock on a DGT board in software: what the Session makes of a clock that is late and talks nonsense."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain, pairwise

import pytest

from damas_board.decoding.dgt.conversation import DgtTalk
from damas_board.decoding.dgt.reading import Setting
from damas_board.decoding.talk import SideName
from damas_board.notation.time_control import TimeControl, read_time_control
from damas_board.regulations import shipped
from damas_board.session.events import AlertRaised, ClockChanged, Event, MoveMade
from damas_board.session.header import Settings
from damas_board.session.inputs import ClockReading, Input, Lever, Tick
from damas_board.session.session import Session
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.clock import DgtClock
from simulator.games import invented
from simulator.levels import level
from simulator.player import Player
from simulator.recorded import header
from simulator.talk_cable import TalkCable

INTERNATIONAL = shipped("int-fmjd")
CLOCK_ALERTS = {"clock_lost", "flag_fallen"}


def control_of(text: str) -> TimeControl:
    control = read_time_control(text)
    assert control is not None
    return control


def play(
    control: str,
    plies: int,
    *,
    nonsense: float = 0.0,
    left: SideName = "white",
    levers: bool = False,
    bluetooth: bool = False,
    more: float = 8.0,
    seed: int = 3,
) -> list[Event | Input]:
    """What was told and what the Session told, in order."""
    variant, clock = INTERNATIONAL.variant, VirtualClock()
    game = invented(variant, seed, plies)
    beside = DgtClock(control_of(control), white="left" if left == "white" else "right", nonsense=nonsense, seed=seed)
    board = DgtBoard(10, clock, dark=variant.corner, dgt_clock=beside, bluetooth=bluetooth, seed=seed)
    setting = Setting(10, variant.corner, senses="colour", clock_left=left, levers=levers)
    cable = TalkCable(board, clock, lambda at, known: DgtTalk(at, setting, known))
    first = header(game.start, INTERNATIONAL.name, senses="colour")
    session = Session(
        replace(first, clock=control, settings=Settings(overlap_seconds=1.2 if bluetooth else 0.6)), INTERNATIONAL
    )
    player = Player(board, clock, level("clean"), seed, levers=True)
    player.set_up(game.start)
    happened: list[Event | Input] = []
    for until in chain((8.0,), player.steps(game), (math.inf,)):
        for item in cable.run(clock.now() + more if until == math.inf else max(until, clock.now())):
            happened += [item, *session.feed(item)]
    return [*happened, *session.feed(Tick(clock.now()))]


def kinds(happened: list[Event | Input]) -> list[str]:
    return [item.kind for item in happened if isinstance(item, AlertRaised) and item.kind in CLOCK_ALERTS]


@pytest.mark.parametrize(
    ("control", "nonsense", "left"), [("300+3", 0.0, "black"), ("6/300:600", 0.3, "white"), ("3600+30", 0.1, "black")]
)
def test_a_clock_that_is_late_and_talks_nonsense_accuses_nobody(control: str, nonsense: float, left: SideName) -> None:
    happened = play(control, 16, nonsense=nonsense, left=left)
    assert sum(isinstance(item, MoveMade) for item in happened) == 16
    assert kinds(happened) == []
    assert [item for item in happened if isinstance(item, ClockChanged) and item.jump] == []
    readings = [item for item in happened if isinstance(item, ClockReading)]
    assert all(later.at - sooner.at < 3.0 for sooner, later in pairwise(readings) if sooner.running)
    assert {item.running for item in readings} >= {"white", "black"}


@pytest.mark.parametrize(("bluetooth", "seed"), [(False, 4), (True, 5)])
def test_levers_that_are_told_accuse_nobody(bluetooth: bool, seed: int) -> None:
    """What was taken off before the lever was pressed is shown off after it."""
    happened = play("300+3", 40, levers=True, bluetooth=bluetooth, seed=seed)
    assert sum(isinstance(item, Lever) for item in happened) > 20
    assert sum(isinstance(item, MoveMade) for item in happened) == 40
    assert [item.kind for item in happened if isinstance(item, AlertRaised)] == []


@pytest.mark.parametrize("left", ["white", "black"])
def test_a_flag_that_falls_is_told_of_the_side_whose_time_is_over(left: SideName) -> None:
    happened = play("40", 3, left=left, more=60.0)
    sides = [item.side for item in happened if isinstance(item, AlertRaised) and item.kind == "flag_fallen"]
    assert sides == ["black"], "White made the last move"
