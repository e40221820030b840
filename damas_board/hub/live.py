"""What the live page is told: the public subtree as everybody may read it, as a whole and as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

import aiomqtt
from starlette.routing import BaseRoute

from damas_board.regulations import Regulation, shipped


class Live:
    """`async with Live(...)` reads `public/#` and nothing else; it connects, and connects again, by itself."""

    def __init__(
        self,
        connect: Callable[[], aiomqtt.Client],
        meeting: str,
        regulations: Callable[[str], Regulation] = shipped,
    ) -> None:
        self._connect = connect
        self._meeting = meeting
        self._regulations = regulations

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends only when something is wrong with it."""
        return ()

    def routes(self) -> list[BaseRoute]:
        """What is under /live."""
        return []
