"""What carries a simulated board's bytes to a host: the board runs by its clock, and wakes when something is due."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from simulator.clock import RunningClock

PIECE = 4096
"""The most bytes that are read at once."""


class Carried(Protocol):
    """A board as whoever carries its bytes sees it."""

    @property
    def plugged(self) -> bool: ...

    @property
    def deadline(self) -> float:
        """The time of the clock at which it wants `advance`."""
        ...

    def attach(self, wake: Callable[[], None]) -> None:
        """Call `wake` whenever `data_to_send`, `plugged` or `deadline` may have changed."""
        ...

    def advance(self) -> None:
        """Let everything happen that is due."""
        ...

    def receive(self, data: bytes) -> None:
        """Bytes from the host."""
        ...

    def data_to_send(self) -> bytes:
        """The bytes that have reached the host's end of the cable by now."""
        ...


class Carrier(ABC):
    """`async with`: the board runs and can be reached at `path` until the end."""

    def __init__(self, board: Carried, clock: RunningClock) -> None:
        self._board = board
        self._clock = clock
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    @abstractmethod
    def path(self) -> str:
        """The port as a host opens it; known from entering on."""

    async def __aenter__(self) -> Self:
        self._board.attach(self._changed.set)
        self._carry()
        self._task = asyncio.create_task(self._run(), name=f"simulated board at {self.path}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._task is not None:
                self._task.cancel()
                with suppress(asyncio.CancelledError):
                    await self._task
        finally:
            self._close()

    async def _run(self) -> None:
        while True:
            self._board.advance()
            self._carry()
            self._changed.clear()
            waits = max(self._clock.real_seconds(self._board.deadline - self._clock.now()), 0.0)
            with suppress(TimeoutError):
                async with asyncio.timeout(None if waits == float("inf") else waits):
                    await self._changed.wait()

    def _carry(self) -> None:
        if self._board.plugged:
            self._open()
        else:
            self._close()
        data = self._board.data_to_send()
        if data:
            # Full means that no host reads: a real board's bytes would be lost as well.
            with suppress(BlockingIOError):
                self._send(data)

    @abstractmethod
    def _open(self) -> None:
        """Let hosts in, if they are not yet."""

    @abstractmethod
    def _close(self) -> None:
        """Keep hosts out, and end what is open."""

    @abstractmethod
    def _send(self, data: bytes) -> None:
        """Bytes for the host, if one is there; BlockingIOError where they do not fit."""
