"""What the tests of the gateway play with: recorded games, and Sessions that misbehave on order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from damas_board.app import BoardSetup, regulation_of
from damas_board.session.header import Header
from damas_board.session.inputs import Input
from damas_board.session.session import Session
from damas_board.session.state import GameState
from damas_board.sinks.journal import Journal
from damas_board.sources.replay import ReplaySource
from simulator import recorded
from simulator.games import PlayedGame, invented
from simulator.levels import level

HEADER = Header("table-1", "br-cbjd")


@cache
def game(seed: int = 1, plies: int = 30) -> PlayedGame:
    return invented(regulation_of(HEADER).variant, seed, plies)


@cache
def items(seed: int = 1, plies: int = 30) -> tuple[Input, ...]:
    """What a board tells while a game is played on it."""
    return tuple(recorded.inputs(game(seed, plies), level("clean"), seed))


def moves(given: Iterable[Input], header: Header = HEADER) -> tuple[str, ...]:
    """The moves that a Session makes of inputs, without any gateway."""
    session = Session(header, regulation_of(header))
    for item in given:
        session.feed(item)
    return session.state.moves


def replayed(given: Iterable[Input], header: Header = HEADER, **options: Any) -> BoardSetup:
    """A board whose source is a recording."""
    return BoardSetup(header, lambda now: ReplaySource(given, now=now), **options)


class HandFed:
    """A source that gives what the test hands it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.given: asyncio.Queue[Input | Exception | None] = asyncio.Queue()

    async def __aenter__(self) -> HandFed:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None

    async def __aiter__(self) -> AsyncIterator[Input]:
        while (item := await self.given.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item


class Hands:
    """Board setups whose sources the test feeds: `hands["table-1"].given.put_nowait(item)`."""

    def __init__(self) -> None:
        self.sources: dict[str, HandFed] = {}

    def __getitem__(self, board: str) -> HandFed:
        return self.sources[board]

    def setup(self, header: Header = HEADER, **options: Any) -> BoardSetup:
        def source(now: Callable[[], float]) -> HandFed:
            self.sources[header.board] = HandFed(now)
            return self.sources[header.board]

        return BoardSetup(header, source, **options)


class Odd:
    """A Session that says what `says` makes of each input, and wants ticks at `wants`."""

    def __init__(
        self,
        header: Header,
        says: Callable[[Input], list[Any]],
        wants: Callable[[Input | None], float | None] = lambda item: None,
    ) -> None:
        self._header = header
        self._says = says
        self._wants = wants
        self._last: Input | None = None
        self.fed: list[Input] = []

    @property
    def deadline(self) -> float | None:
        return self._wants(self._last)

    @property
    def state(self) -> GameState:
        return GameState(self._header.game or "?", "br-cbjd", "start", "start", (), 0)

    def feed(self, item: Input) -> list[Any]:
        said = self._says(item)
        self._last = item
        self.fed.append(item)
        return said


def published(path: Path, stream: str) -> list[dict[str, Any]]:
    """The bodies of a stream's events as the journal at `path` has them; checks that `seq` has no holes."""
    with Journal.open(path) as journal:
        rows = journal.events(stream)
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    return [dict(row.body) for row in rows]


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that another task brings about; the caller's timeout bounds it."""
    came = False
    while not came:
        await asyncio.sleep(0.01)
        came = true()
