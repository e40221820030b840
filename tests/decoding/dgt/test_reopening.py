"""Whole games through a DGT board's talk, whose port is closed now and then while the players go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from benchmarks.real_games import REGULATIONS, game_of, playable, sources

from damas_board.decoding.dgt.conversation import DgtTalk
from damas_board.decoding.talk import Missed
from damas_board.notation.moves import write_move
from damas_board.regulations import shipped as regulation_named
from damas_board.session.events import AlertRaised
from damas_board.session.header import Settings
from damas_board.session.inputs import Input, Link, See, Tick
from damas_board.session.session import Session
from damas_board.sources.adapter import Place
from damas_board.sources.dgt import DGT, DgtOptions
from damas_board.sources.dgt_options import setting_of
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.memory import LogMemory
from simulator.games import PlayedGame, shipped
from simulator.levels import level
from simulator.player import Player
from simulator.recorded import header
from simulator.talk_cable import TalkCable

BLUETOOTH = {"overlap_seconds": 1.2, "touch_seconds": 0.7}
NO_ONES_FAULT = {"board_lost", "sensor_suspect"}
BEGIN = 20.0
"""The first player begins to think, seconds."""


class Table:
    """A game on a board in software, read through its talk; what a Session makes of it."""

    def __init__(self, game: PlayedGame, regulation: str, hands: str, seed: int, *, bluetooth: bool = False) -> None:
        variant = game.start.variant
        self.game = game
        self.clock = VirtualClock()
        self.board = DgtBoard(
            variant.size,
            self.clock,
            dark=variant.corner,
            bluetooth=bluetooth,
            memory=LogMemory(variant.size**2),
            garbage=True,
            seed=seed,
        )
        place = Place("", variant.size, variant.corner, "black-left", "kind")
        setting = setting_of(place, DgtOptions(pieces="current"))
        self.cable = TalkCable(
            self.board, self.clock, lambda at, known: DgtTalk(at, setting, known), self.board.connected
        )
        times = Settings(**{**DGT.settings, **(BLUETOOTH if bluetooth else {})})
        first = replace(header(game.start, regulation, senses="kind"), settings=times)
        self.session = Session(first, regulation_named(regulation))
        self.player = Player(self.board, self.clock, level(hands), seed)
        self.player.set_up(game.start)
        self.alerts: Counter[str] = Counter()
        self._last = 0.0

    def play(self, gaps: Mapping[int, float]) -> None:
        """`gaps`: before which acts of the hands the host leaves, and for how many seconds."""
        self._run(BEGIN)
        for number, at in enumerate(self.player.steps(self.game)):
            self._run(max(at, self.clock.now()))
            if number in gaps:
                self.cable.leave(self.clock.now() + gaps[number])
        self._run(self.clock.now() + 100.0)
        self._feed(Tick(self.clock.now()))

    def _run(self, until: float) -> None:
        for item in self.cable.run(until):
            self._feed(item)

    def _feed(self, item: Input) -> None:
        """At the time that the application gives it."""
        match item:
            case Link(whole=True):
                item = replace(item, at=self._last)
            case See(was=was) if was is not None:
                item = replace(item, at=max(self._last, was), was=was if was < self._last else None)
            case _:
                item = replace(item, at=max(self._last, item.at))
        self._last = item.at
        self.alerts.update(
            event.kind
            for event in self.session.feed(item)
            if isinstance(event, AlertRaised) and event.severity != "note"
        )

    @property
    def missed(self) -> list[Missed]:
        return [item for item in self.cable.told if isinstance(item, Missed)]


def check(game: PlayedGame, regulation: str, hands: str, seed: int, gaps: int, *, bluetooth: bool = False) -> None:
    """However often the host leaves: the game is recorded as played, nobody accused of more than if it had not."""
    undisturbed = Table(game, regulation, hands, seed, bluetooth=bluetooth)
    undisturbed.play({})
    moves = tuple(write_move(p, m) for p, m in zip(game.positions(), game.moves, strict=False))
    assert undisturbed.session.state.moves == moves
    chance = Random(seed)
    acts = sum(1 for _ in Table(game, regulation, hands, seed).player.steps(game))
    table = Table(game, regulation, hands, seed, bluetooth=bluetooth)
    table.play({chance.randrange(1, acts): chance.choice((1.0, 8.0, 20.0, 60.0)) for _ in range(gaps)})
    assert table.session.state.moves == moves
    assert not set(table.alerts - undisturbed.alerts) - NO_ONES_FAULT
    assert table.missed


def test_a_game_is_recorded_as_played_though_the_port_was_closed_now_and_then() -> None:
    """Also where it is closed again while the log is read, and moves are made meanwhile."""
    check(shipped("international"), "int-fmjd", "club", 1, 4)


@pytest.mark.slow
@pytest.mark.parametrize("bluetooth", [False, True])
@pytest.mark.parametrize("hands", ["clean", "club"])
@pytest.mark.parametrize("kind", ["international", "russian"])
def test_real_games_are_recorded_as_played_though_the_port_was_closed_now_and_then(
    kind: str, hands: str, bluetooth: bool, shared: Path
) -> None:
    for seed in range(3):
        source = sources(kind)[0]
        game = game_of(source, Random(f"{kind} {seed}").choice(playable(source)))
        check(game, REGULATIONS[kind], hands, seed, 6, bluetooth=bluetooth)
