"""The console's parts put together, and its routes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import aiomqtt
from starlette.routing import BaseRoute

from damas_board.hub.archive import Archive
from damas_board.hub.console.people import Person
from damas_board.regulations import Regulation, shipped


class Console:
    """`async with Console(...)` reads the whole hall and gives the commands of whoever is logged in, as `user`."""

    def __init__(
        self,
        connect: Callable[[], aiomqtt.Client],
        user: str,
        meeting: str,
        archive: Archive,
        people: Sequence[Person] = (),
        *,
        regulations: Callable[[str], Regulation] = shipped,
        health: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        self._connect = connect
        self._user = user
        self._meeting = meeting
        self._archive = archive
        self._people = {person.name: person for person in people}
        self._regulations = regulations
        self._health = health

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
        """What is under /console, without that prefix."""
        return []
