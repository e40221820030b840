"""The inbox of a board: what its source, the arbiter's commands and other boards give, until its task takes it."""

from __future__ import annotations

import asyncio

from damas_board.app.arrival import Arrival
from damas_board.session.inputs import Input

INBOX = 1000
"""Inputs that wait before the source has to."""

Given = Input | Arrival | None
"""What lies in an inbox; None lets the board's task end."""


class Inbox:
    """`give`, `offer` and `put` from any task; `taken` by the board's own, which says when it is `done` with it."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Given] = asyncio.Queue()
        self._room = asyncio.Event()

    def __len__(self) -> int:
        return self._queue.qsize()

    async def give(self, item: Input) -> None:
        """Put an input in; waits where the inbox is full."""
        while self._queue.qsize() >= INBOX:
            self._room.clear()
            await self._room.wait()
        self._queue.put_nowait(item)

    def offer(self, item: Input) -> bool:
        """Put an input in without waiting; False where far too much lies there."""
        if self._queue.qsize() >= 2 * INBOX:
            return False
        self._queue.put_nowait(item)
        return True

    def put(self, given: Arrival | None) -> None:
        """Put in what always has room: a game, or the end."""
        self._queue.put_nowait(given)

    async def taken(self, patience: float | None) -> list[Given]:
        """Everything that lies there, once something does; empty when nothing came for `patience` seconds."""
        try:
            taken = [await asyncio.wait_for(self._queue.get(), patience)]
        except TimeoutError:
            return []
        while not self._queue.empty():
            taken.append(self._queue.get_nowait())
        return taken

    def make_room(self) -> None:
        """Let those go on that wait to give something."""
        self._room.set()

    def done(self, count: int) -> None:
        """Nothing is to be done any more with so many of what was taken."""
        for _ in range(count):
            self._queue.task_done()

    async def drained(self) -> None:
        """Wait until everything that was given has been taken and done."""
        await self._queue.join()
