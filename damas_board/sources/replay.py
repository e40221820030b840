"""A recording in the place of a board; it is not a judge of what the recording says (`replay` compares nothing)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from damas_board.messages.recording import RecordingError, read_header, read_inputs
from damas_board.session.header import Header
from damas_board.session.inputs import Input, See


class ReplayError(ValueError):
    """A recording that cannot be read; one line that names the file, and the line in it."""


def read_recording(path: Path) -> tuple[Header, list[Input]]:
    """The header and all inputs of a recording file. ReplayError names file and line."""
    try:
        lines = iter(path.read_text(encoding="utf-8").splitlines())
        return read_header(lines), list(read_inputs(lines))
    except RecordingError as error:
        raise ReplayError(f"{path}, {error}") from error
    except UnicodeDecodeError as error:
        raise ReplayError(f"{path}: is no recording (not UTF-8 text)") from error
    except OSError as error:
        raise ReplayError(f"{path}: cannot be read ({error.strerror})") from error


class ReplaySource:
    """The inputs of a recording on the scale of `now`: the first comes when the source is opened.

    `items` may be asynchronous, for a recording that is still being made.
    `speed` 1 keeps the recording's own pace, 10 is ten times as fast (the distances between the inputs' times stay as
    recorded), and None gives all at once. Without `now` the times stay those of the recording.
    """

    def __init__(
        self,
        items: Iterable[Input] | AsyncIterable[Input],
        *,
        now: Callable[[], float] | None = None,
        speed: float | None = None,
    ) -> None:
        self._items = items
        self._now = now
        self._speed = speed
        self._opened = 0.0
        self._left = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._left.clear()
        self._opened = asyncio.get_running_loop().time()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left.set()

    async def __aiter__(self) -> AsyncIterator[Input]:
        first: float | None = None
        shift = 0.0
        async for item in _each(self._items):
            if first is None:
                first = item.at
                shift = 0.0 if self._now is None else self._now() - first
            if await self._left_before(item.at - first):
                return
            yield _shifted(item, shift) if shift else item

    async def _left_before(self, elapsed: float) -> bool:
        """Wait until the recording has gone on for `elapsed` seconds of its time; True where it was left before."""
        due = 0.0 if self._speed is None else self._opened + elapsed / self._speed
        wait = due - asyncio.get_running_loop().time()
        try:
            await asyncio.wait_for(self._left.wait(), max(0.0, wait))
        except TimeoutError:
            return False
        return True


async def _each(items: Iterable[Input] | AsyncIterable[Input]) -> AsyncIterator[Input]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


def _shifted(item: Input, by: float) -> Input:
    if isinstance(item, See) and item.was is not None:
        return replace(item, at=item.at + by, was=item.was + by)
    return replace(item, at=item.at + by)
