"""Boards in software behind real ptys in one process; in another one the gateway that reads them, to be killed."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Protocol

from app.halls import MEETING
from app.tables import HEADER, game

from damas_board.app import BoardSetup, Gateway, mqtt_relay, regulation_of
from damas_board.broker.client import Address
from damas_board.decoding.conversation import Timing
from damas_board.decoding.square_map import SquareMap
from damas_board.session.header import Header
from damas_board.sinks.journal import Journal
from damas_board.sources.reconnection import Backoff
from damas_board.sources.serial_board import SerialBoard
from damas_board.sources.source import Source
from simulator.board import Board
from simulator.carrier import Carried
from simulator.clock import RunningClock
from simulator.games import PlayedGame
from simulator.levels import level
from simulator.player import Handled, Player
from simulator.pty import BoardPty

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["app.forked", "app.on_ptys"])


class OnTable(Carried, Handled, Protocol):
    """A board in software: hands play on it, a cable carries what it says."""


@dataclass(frozen=True)
class Kind:
    """What kind of boards there are; functions that another process knows by their names."""

    header: Header
    game: Callable[[int, int], PlayedGame]
    """From a seed and how many plies."""
    board: Callable[[int, RunningClock], OnTable]
    """From its number."""
    source: Callable[[Path, float, Callable[[], float]], Source]
    """From its port, how many times faster than time everything runs, and what gives `at`."""


def port(folder: Path, board: str) -> Path:
    return folder / f"{board}.pty"


@contextlib.asynccontextmanager
async def players(
    folder: Path, seeds: Sequence[tuple[str, int]], plies: int, speed: float, parts: int, kind: Kind | None = None
) -> AsyncIterator[Players]:
    """Boards by name and the seed of the game that is played on each, part by part; our own boards if not said."""
    ready, played, *gates = (_FORKS.Event() for _ in range(2 + parts))
    arguments = (folder, list(seeds), plies, speed, kind or OWN, ready, gates, played)
    async with _process(_FORKS.Process(target=_play, args=arguments, daemon=True)):
        assert await asyncio.to_thread(ready.wait, 60)
        yield Players(gates, played)


class Players:
    """The hands at the boards; they do not care whether anybody reads."""

    def __init__(self, gates: Sequence[Event], played: Event) -> None:
        self._gates = deque(gates)
        self._played = played

    def go_on(self) -> None:
        """Play the next part: so much the hands have in front of them however slow the machine is."""
        self._gates.popleft().set()

    @property
    def done(self) -> bool:
        """All games are played."""
        return self._played.is_set()


@contextlib.asynccontextmanager
async def reading_gateway(
    folder: Path, port_: int, boards: Sequence[str], speed: float, kind: Kind | None = None
) -> AsyncIterator[None]:
    """A gateway that has the boards, until it is killed at the end of the block."""
    ready = _FORKS.Event()
    arguments = (folder, port_, list(boards), speed, kind or OWN, ready)
    process = _FORKS.Process(target=_gateway, args=arguments, daemon=True)
    async with _process(process):
        assert await asyncio.to_thread(ready.wait, 60)
        yield


@contextlib.asynccontextmanager
async def _process(process: ForkServerProcess) -> AsyncIterator[None]:
    await asyncio.to_thread(process.start)
    try:
        yield
    finally:
        process.kill()
        await asyncio.to_thread(process.join)


def _play(
    folder: Path,
    seeds: Sequence[tuple[str, int]],
    plies: int,
    speed: float,
    kind: Kind,
    ready: Event,
    gates: Sequence[Event],
    played: Event,
) -> None:
    async def all_of_them() -> None:
        clock = RunningClock(speed)
        games, hands = [], []
        async with AsyncExitStack() as stack:
            for number, (name, seed) in enumerate(seeds, 1):
                games.append(kind.game(seed, plies))
                board = kind.board(number, clock)
                hands.append(Player(board, clock, level("clean"), seed))
                hands[-1].set_up(games[-1].start)
                await stack.enter_async_context(BoardPty(board, clock, port(folder, name)))
            ready.set()
            for number, gate in enumerate(gates):
                await asyncio.to_thread(gate.wait)
                parts = [_part(of, number, len(gates)) for of in games]
                await asyncio.gather(*(hand.play(part) for hand, part in zip(hands, parts, strict=True)))
            played.set()
            await asyncio.Event().wait()

    asyncio.run(all_of_them())


def _part(of: PlayedGame, number: int, parts: int) -> PlayedGame:
    first, behind = (len(of.moves) * n // parts for n in (number, number + 1))
    return PlayedGame(tuple(of.positions())[first], of.moves[first:behind], of.name)


def _gateway(folder: Path, port_: int, boards: Sequence[str], speed: float, kind: Kind, ready: Event) -> None:
    async def run() -> None:
        setups = [
            BoardSetup(replace(kind.header, board=name), partial(kind.source, port(folder, name), speed))
            for name in boards
        ]
        with Journal.open(folder / "j.db") as journal:
            relay = mqtt_relay(Address("127.0.0.1", port_, "gw-1", "secret of gw-1"), MEETING, journal)
            async with Gateway(journal, setups, relay=relay, speed=speed):
                ready.set()
                await asyncio.Event().wait()

    asyncio.run(run())


def _board(number: int, clock: RunningClock) -> Board:
    return Board(_squares(), clock, uid=number)


def _source(place: Path, speed: float, now: Callable[[], float]) -> SerialBoard:
    timing, backoff = Timing().scaled(speed), Backoff.scaled(speed)
    return SerialBoard(str(place), _squares(), now, timing=timing, backoff=backoff)


def _squares() -> SquareMap:
    variant = regulation_of(HEADER).variant
    return SquareMap(variant.size, variant.corner, "black-left")


OWN = Kind(HEADER, game, _board, _source)
