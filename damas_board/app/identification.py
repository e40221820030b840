"""Which board stands on which table: a piece is lifted on a table, and the board that notices is the one.

All boards that are there and free are watched at the same time. A lift counts when the square has stayed empty for
`LIFTED_SECONDS`, so that neither a bouncing contact nor a sleeve is taken for a hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from damas_board.decoding.square_map import SquareMap
from damas_board.session.inputs import See
from damas_board.sources.errors import BoardError
from damas_board.sources.finder import Asked, Finder
from damas_board.sources.serial_board import SerialBoard

LIFTED_SECONDS = 0.4
_EMPTY = "."


class Lifts:
    """Watches boards; `next` is the identity of the one on which a piece was lifted."""

    def __init__(self) -> None:
        self.watched: dict[str, str] = {}
        """The boards that are watched: by identity, the port."""
        self.unreadable: list[Exception] = []
        """Why others cannot be watched."""
        self._lifted: asyncio.Queue[str] = asyncio.Queue()
        self._latest: dict[str, str] = {}

    async def next(self) -> str:
        """The identity of the board where a piece is lifted from now on."""
        while not self._lifted.empty():
            self._lifted.get_nowait()
        return await self._lifted.get()

    async def watch(self, board: SerialBoard, uid: str) -> None:
        """Until the board is left."""
        checks: set[asyncio.Task[None]] = set()
        async for item in board:
            if not isinstance(item, See):
                continue
            before, self._latest[uid] = self._latest.get(uid, item.rows), item.rows
            for place, (was, now) in enumerate(zip(before, item.rows, strict=True)):
                if was != _EMPTY and now == _EMPTY:
                    check = asyncio.create_task(self._stays_empty(uid, place))
                    checks.add(check)
                    check.add_done_callback(checks.discard)

    async def _stays_empty(self, uid: str, place: int) -> None:
        await asyncio.sleep(LIFTED_SECONDS)
        if self._latest[uid][place] == _EMPTY:
            self._lifted.put_nowait(uid)


@asynccontextmanager
async def watching(finder: Finder, boards: list[Asked], now: Callable[[], float]) -> AsyncIterator[Lifts]:
    """Watches those of `boards` that are free, for the time of the block."""
    lifts = Lifts()
    async with AsyncExitStack() as stack:
        tasks: list[asyncio.Task[None]] = []
        for asked in boards:
            if asked.hello is None or asked.uid is None or asked.state != "free":
                continue
            try:
                square_map = SquareMap.of_geometry(asked.hello.geometry)
                source = SerialBoard(None, square_map, now, uid=asked.uid, finder=finder)
                board = await stack.enter_async_context(source)
            except (BoardError, ValueError) as error:  # of_geometry: a board of a kind that is not known here
                lifts.unreadable.append(error)
                continue
            lifts.watched[asked.uid] = asked.port
            tasks.append(asyncio.create_task(lifts.watch(board, asked.uid)))
        try:
            yield lifts
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
