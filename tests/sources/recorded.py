from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, nullcontext

from sources.bench import Bench

from damas_board.decoding.square_map import SquareMap
from damas_board.session.inputs import Input, Lever, Link, See
from damas_board.sources.replay import ReplaySource

MAP = SquareMap(8, "left")


class RecordedBench(Bench):
    """A recording that grows as the test goes on, and the source that replays it."""

    def __init__(self) -> None:
        self.carrier: AbstractAsyncContextManager[None] = nullcontext()
        self._pieces = [1] * 12 + [0] * 8 + [1] * 12
        self._at = 0.0
        self._linked = True
        self._inputs: asyncio.Queue[Input | None] = asyncio.Queue()
        self._see()

    def source(self) -> AbstractAsyncContextManager[ReplaySource]:
        return _Ending(ReplaySource(self._recording(), now=lambda: 50.0), self._inputs)

    def lift(self, place: int) -> None:
        self._pieces[place - 1] = 0
        self._see()

    def put(self, place: int) -> None:
        self._pieces[place - 1] = 1
        self._see()

    def press_clock(self) -> None:
        self._tell(Lever(self._at, "white"))

    def cut(self) -> None:
        self._tell(Link(self._at, "lost", "unplugged"))
        self._linked = False

    def restore(self) -> None:
        self._linked = True
        self._tell(Link(self._at, "back"))
        self._see()

    def rows(self) -> str:
        return MAP.rows(self._pieces, 2)

    def _see(self) -> None:
        self._tell(See(self._at, self.rows(), was=self._at))

    def _tell(self, item: Input) -> None:
        self._at += 0.25
        if self._linked:
            self._inputs.put_nowait(item)

    async def _recording(self) -> AsyncIterator[Input]:
        while (item := await self._inputs.get()) is not None:
            yield item


class _Ending:
    """The source; the recording ends when it is left."""

    def __init__(self, source: ReplaySource, inputs: asyncio.Queue[Input | None]) -> None:
        self._source = source
        self._inputs = inputs

    async def __aenter__(self) -> ReplaySource:
        return await self._source.__aenter__()

    async def __aexit__(self, *exc: object) -> None:
        self._inputs.put_nowait(None)
