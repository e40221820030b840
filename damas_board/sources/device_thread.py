"""What sources have in common whose device has a thread of its own: what it tells crosses into asyncio in order."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable
from threading import Event, Thread  # noqa: TID251  the device's own thread: the edge of the program
from types import TracebackType
from typing import Self, TypeVarTuple, Unpack

from damas_board.session.inputs import Input

LEAVING_SECONDS = 5.0
"""How long leaving waits for the thread to end."""

_Arguments = TypeVarTuple("_Arguments")


class DeviceThread(ABC):
    """A Source whose `_work` runs in a thread from entering the block on.

    Entering waits until `_begin` is called there, or raises what `_work` raises before that; what it raises later, the
    stream does. When `_work` returns the stream ends.
    """

    def __init__(self) -> None:
        self._begun = False
        self._leaving = Event()
        """Set when `_work` is to return."""
        self._inputs: asyncio.Queue[Input | Exception | None] = asyncio.Queue()
        self._thread: Thread | None = None

    @property
    @abstractmethod
    def _place(self) -> str:
        """What the thread is called after."""

    @abstractmethod
    def _work(self) -> None:
        """What the thread does, until `_leaving` is set or there is nothing more to come."""

    @abstractmethod
    def _wake(self) -> None:
        """Let the thread see at once that there is something to do, or that it is to end."""

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._start: asyncio.Future[None] = self._loop.create_future()
        self._thread = Thread(target=self._run, name=f"board {self._place}", daemon=True)
        self._thread.start()
        try:
            await self._start
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._leave()

    def __aiter__(self) -> AsyncIterator[Input]:
        return self

    async def __anext__(self) -> Input:
        item = await self._inputs.get()
        if item is None:
            self._inputs.put_nowait(None)
            raise StopAsyncIteration
        if isinstance(item, Exception):
            raise item
        return item

    async def _leave(self) -> None:
        self._leaving.set()
        self._wake()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, LEAVING_SECONDS)
        self._inputs.put_nowait(None)

    # In the device's own thread.

    def _run(self) -> None:
        error: Exception | None = None
        try:
            self._work()
        except Exception as raised:  # noqa: BLE001  raised in the task that waits for the start, or reads the stream
            error = raised
        self._cross(self._end, error)

    def _begin(self) -> None:
        """The device is there: entering has succeeded."""
        if not self._begun:
            self._begun = True
            self._cross(self._succeed)

    def _tell(self, *items: Input) -> None:
        """Give inputs; of several none is there before all are."""
        self._cross(self._put, items)

    def _cross(self, call: Callable[[Unpack[_Arguments]], None], *arguments: *_Arguments) -> None:
        """Run `call` in the event loop; the order of calls is kept."""
        self._loop.call_soon_threadsafe(call, *arguments)

    # In the event loop again.

    def _put(self, items: Iterable[Input]) -> None:
        for item in items:
            self._inputs.put_nowait(item)

    def _succeed(self) -> None:
        if not self._start.done():
            self._start.set_result(None)

    def _end(self, error: Exception | None) -> None:
        if error is not None and not self._start.done():
            self._start.set_exception(error)
        else:
            self._inputs.put_nowait(error)
