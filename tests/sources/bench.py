"""A device under the test's hand, its connection included, and how to open a source on it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from damas_board.session.inputs import Input, Link, See
from damas_board.sources.source import Source
from simulator.handled_board import HandledBoard

PATIENCE_SECONDS = 30.0
"""How long a test waits for what must come: generous, because it is no measurement."""


class Bench(ABC):
    """A board with 32 places: squares as in a `see` text, places 1 to 12 Black's first rows, 21 to 32 White's."""

    carrier: AbstractAsyncContextManager[object]
    """Its connection: entered before the source is, and left after it."""
    has_clock = True
    """Whether a clock is connected to it."""
    sees_every_change = True
    """However soon the next one follows; else what is changed must be left alone until it has been seen."""

    @abstractmethod
    def source(self) -> AbstractAsyncContextManager[Source]: ...

    @abstractmethod
    def lift(self, place: int) -> None: ...

    @abstractmethod
    def put(self, place: int) -> None: ...

    @abstractmethod
    def press_clock(self) -> None: ...

    @abstractmethod
    def cut(self) -> None:
        """Break the connection."""

    @abstractmethod
    def restore(self) -> None:
        """Mend the connection."""

    def runs(self, thread: str) -> bool:
        """Whether a thread of that name is the bench's own, and none that the source began."""
        return False

    @abstractmethod
    def rows(self) -> str:
        """What a `see` text of the board should be now."""


class SoftwareBench(Bench):
    """A `board` in software, whose places are the bench's."""

    board: HandledBoard

    def lift(self, place: int) -> None:
        self.board.lift(place)

    def put(self, place: int) -> None:
        self.board.place(place)

    def press_clock(self) -> None:
        self.board.press("clock-a")

    def cut(self) -> None:
        self.board.unplug()

    def restore(self) -> None:
        self.board.plug()


class Listener:
    """Collects what a source tells, from a task of its own."""

    def __init__(self, source: Source) -> None:
        self.inputs: list[Input] = []
        self._arrived = asyncio.Event()
        self._task = asyncio.create_task(self._listen(source))

    async def _listen(self, source: Source) -> None:
        async for item in source:
            self.inputs.append(item)
            self._arrived.set()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until `condition` holds of what was told; the test fails if it never does, or the source ends before."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                assert not self._task.done(), f"the source ended after {self.inputs}"
                self._arrived.clear()
                arrival = asyncio.create_task(self._arrived.wait())
                await asyncio.wait([arrival, self._task], return_when=asyncio.FIRST_COMPLETED)
                arrival.cancel()

    async def until_seen(self, rows: str) -> See:
        await self.until(lambda: any(seen.rows == rows for seen in self.sights[-1:]))
        return self.sights[-1]

    async def ended(self) -> None:
        """Wait until the source has ended by itself."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._task

    @property
    def sights(self) -> list[See]:
        return [item for item in self.inputs if isinstance(item, See)]

    @property
    def boards(self) -> list[str]:
        """What was seen, one after another, where every square was."""
        seen = [item.rows for item in self.sights if "?" not in item.rows]
        return [rows for rows, before in zip(seen, [None, *seen], strict=False) if rows != before]

    async def let_see(self, bench: Bench) -> None:
        """Leave a board alone that could not tell what it is now from what it will be next."""
        if not bench.sees_every_change:
            await self.until_seen(bench.rows())

    @property
    def links(self) -> list[str]:
        return [item.state for item in self.inputs if isinstance(item, Link)]


@asynccontextmanager
async def listening(bench: Bench) -> AsyncIterator[Listener]:
    async with bench.source() as source:
        listener = Listener(source)
        yield listener
    await listener.ended()
