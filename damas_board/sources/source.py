"""What every source is: a device, or something in its place, that gives inputs and knows no rules."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType
from typing import Protocol, Self

from damas_board.session.inputs import Input


class Source(Protocol):
    """`async with source` opens it, `async for item in source` gives its inputs, in the order they happened.

    Opening raises an error of the source's own where the device is not there at all or is something else. After that a
    source never raises for its hardware: a connection that goes and comes back is `Link` inputs. The iteration ends
    where there is nothing more to come; the block may be left at any time, also while an input is awaited.
    """

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def __aiter__(self) -> AsyncIterator[Input]: ...
