"""Games of which a part was played while nobody listened: told from the board's own log they are recorded as played."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
from benchmarks.real_games import REGULATIONS, game_of, playable, sources

from damas_board.decoding.dgt.codes import marks_of
from damas_board.decoding.dgt.fields import rows
from damas_board.decoding.dgt.log import LookBack
from damas_board.decoding.square_map import SquareMap
from damas_board.decoding.talk import Shown
from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move, write_move
from damas_board.regulations import shipped as regulation_named
from damas_board.session.events import AlertRaised
from damas_board.session.header import Settings
from damas_board.session.inputs import Input, Link, See, Tick
from damas_board.session.session import Session
from damas_board.sources.dgt import DGT
from damas_board.sources.source import KEPT_ROWS
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.memory import LogMemory
from simulator.games import PlayedGame, shipped
from simulator.levels import level
from simulator.player import Player
from simulator.recorded import header

SET_UP = 1.5
"""When the pieces stand, seconds."""
TOLD_AFTER = 0.2
"""A dump comes so long after what it shows."""
OUT = (2.0, 5.0, 15.0, 40.0, 90.0)
"""Seconds, about, for which nobody listens."""
SETTINGS = Settings(**DGT.settings)


@dataclass(frozen=True)
class Moment:
    """From here on the board knows `codes`, and has `log`."""

    at: float
    codes: tuple[int, ...]
    log: bytes


class KeptMemory(LogMemory):
    def __init__(self, fields: int) -> None:
        super().__init__(fields)
        self.moments: list[Moment] = []

    def changed(self, field: int, code: int, codes: Sequence[int], at: float) -> None:
        super().changed(field, code, codes, at)
        self.moments.append(Moment(at, tuple(codes), self.read()))


class Table:
    """A game played on a board of whose every moment the log is kept."""

    def __init__(self, game: PlayedGame, regulation: str, hands: str, seed: int) -> None:
        variant = game.start.variant
        self.game = game
        self.header = replace(header(game.start, regulation, senses="kind"), settings=SETTINGS)
        clock, memory = VirtualClock(), KeptMemory(variant.size**2)
        board = DgtBoard(variant.size, clock, dark=variant.corner, pieces="draughts", memory=memory, seed=seed)
        player = Player(board, clock, level(hands), seed)

        async def play() -> None:
            player.set_up(game.start)
            await clock.run(SET_UP)
            board.advance()
            await clock.run_while(asyncio.create_task(player.play(game)))
            await clock.run(clock.now() + 3.0)
            board.advance()

        asyncio.run(play())
        self.squares: SquareMap = board.square_map
        self.end = clock.now()
        self.moments = memory.moments[sum(moment.at < SET_UP for moment in memory.moments) - 1 :]

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(write_move(p, m) for p, m in zip(self.game.positions(), self.game.moves, strict=False))

    def rows(self, moment: Moment) -> str:
        return rows(self.squares, marks_of(moment.codes, "current"))

    def watched(self) -> Result:
        """What is recorded where somebody listens all the time."""
        return self._recorded([See(moment.at + TOLD_AFTER, self.rows(moment)) for moment in self.moments])

    def interrupted(self, last: int, back: float) -> Result | None:
        """What is recorded where nobody listens from the moment `last` to the time `back`; None without the log."""
        now = max(n for n, moment in enumerate(self.moments) if moment.at <= back)
        told = [See(moment.at + TOLD_AFTER, self.rows(moment)) for moment in self.moments]
        heard = told[: last + 1]
        before = tuple(see.rows for see in heard[:-1])[-KEPT_ROWS:]
        look = LookBack(Shown(heard[-1].at, heard[-1].rows, before=before), self.squares, mark)
        look.read(self.moments[now].log)
        missed = look.missed(Shown(back, told[now].rows))
        if missed is None:
            return None
        items: list[Input] = [*heard, Link(heard[-1].at, "lost"), Link(heard[-1].at, "back", whole=True)]
        for shown in missed:
            items.append(See(max(items[-1].at, shown.at if shown.was is None else shown.was), shown.rows))
        items += [See(max(see.at, back), see.rows) for see in told[now + 1 :]]
        return self._recorded(items)

    def _recorded(self, items: Sequence[Input]) -> Result:
        session = Session(self.header, regulation_named(self.header.regulation))
        events = [event for item in [*items, Tick(max(self.end, items[-1].at) + 12.0)] for event in session.feed(item)]
        alerts = Counter(event.kind for event in events if isinstance(event, AlertRaised) and event.severity != "note")
        del alerts["board_lost"]
        return Result(session.state.moves, alerts)


@dataclass(frozen=True)
class Result:
    moves: tuple[str, ...]
    alerts: Counter[str]


def mark(code: int) -> str:
    return marks_of((code,), "current")


def check(table: Table, cuts: int, seed: int) -> None:
    """Cut the game at random, as often as said: each time it is recorded as played, and nobody accused of more."""
    watched, chance = table.watched(), Random(seed)
    assert watched.moves == table.moves
    for _ in range(cuts):
        last = chance.randrange(len(table.moments) - 1)
        back = table.moments[last].at + chance.choice(OUT) * chance.uniform(0.5, 1.5)
        found = table.interrupted(last, back)
        assert found is not None, (last, back)
        assert found.moves == table.moves, (last, back)
        assert not found.alerts - watched.alerts, (last, back)


@pytest.mark.parametrize(("name", "regulation", "hands"), [("international", "int-fmjd", "club")])
def test_a_game_that_was_not_watched_for_a_while_is_recorded_as_played(name: str, regulation: str, hands: str) -> None:
    check(Table(shipped(name), regulation, hands, 1), 6, 1)


@pytest.mark.slow
@pytest.mark.parametrize("hands", ["clean", "club"])
@pytest.mark.parametrize("kind", ["international", "brazilian", "frisian", "russian"])
def test_real_games_that_were_not_watched_for_a_while_are_recorded_as_played(
    kind: str, hands: str, shared: Path
) -> None:
    for seed in range(4):
        source = sources(kind)[0]
        game = game_of(source, Random(f"{kind} {seed}").choice(playable(source)))
        check(Table(game, REGULATIONS[kind], hands, seed), 8, seed)


def test_kings_that_go_to_and_fro_while_nobody_listens() -> None:
    """The position comes back after four plies: how often it did, what was told before the gap says."""
    variant = regulation_named("int-fmjd").variant
    position = start = read_fen("W:WK47,35:BK4,6", variant)
    moves = []
    for text in ("35-30", "6-11", *("47-41", "4-9", "41-47", "9-4") * 2, "30-24"):
        moves.append(read_move(position, text))
        position = position.after(moves[-1])
    table = Table(PlayedGame(start, tuple(moves)), "int-fmjd", "clean", 1)
    assert table.watched().moves == table.moves
    for last in range(4, len(table.moments) - 1):
        found = table.interrupted(last, table.end)
        assert found is not None, last
        assert found.moves == table.moves, last
