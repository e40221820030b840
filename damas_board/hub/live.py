"""What the live page is told: the public subtree as everybody may read it, as a whole and as server-sent events.

    /live/snapshot.json       {id, meeting, now, connected, rounds, games}: all, the games without their plies
    /live/games/{game}.json   one game with its plies
    /live/events              `snapshot` first, then `game`, `round`, `gone` as they come, each with an id to go on from
                              (`Last-Event-ID`, `?last=`), and every `ALIVE_SECONDS` `alive`: {now, connected}

What is in them is said in public_view.py; how streams go on, and what becomes of slow readers, in event_ring.py. It is
a reader of the broker as any other, with nothing but `public/`: what is shown is what everybody may have.
`connected` is false while the broker is away, or while the hub can let nothing more become public (its disk is full):
what was shown before stays, and is not the present any more.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import aiomqtt
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas_board.hub.ending import ended
from damas_board.hub.event_ring import MOST_STREAMS, EventRing
from damas_board.hub.pages import JSON, Page, packed
from damas_board.hub.public_view import PublicView
from damas_board.hub.web import PUBLIC_HEADERS, answered, not_found
from damas_board.messages.envelope import rfc3339
from damas_board.messages.topics import Kind, parse, topic_filter
from damas_board.regulations import Regulation, shipped

log = logging.getLogger(__name__)

ALIVE_SECONDS = 3.0
FIRST_BACKOFF_SECONDS = 0.2
LONGEST_BACKOFF_SECONDS = 5.0
FORGET_SECONDS = 20.0
"""So long after a connection what the broker has not said again is still shown: who publishes may come back later."""
HEADERS = {**PUBLIC_HEADERS, "Cache-Control": "no-store"}
READS = (Kind.PUBLIC_ROUND, Kind.PUBLIC_GAME_STATE)


class Live:
    """`async with Live(...)` reads `public/#` and nothing else; it connects, and connects again, by itself."""

    def __init__(
        self,
        connect: Callable[[], aiomqtt.Client],
        meeting: str,
        regulations: Callable[[str], Regulation] = shipped,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> None:
        """`goes_on`: whether what happens in the hall still becomes public."""
        self.ring = EventRing(self._snapshot, most_of_one=MOST_STREAMS // 2)
        self.connected = False
        self._connect = connect
        self._meeting = meeting
        self._goes_on = goes_on
        self._view = PublicView(
            meeting, self.ring.tell, regulations, versions=time.time_ns() // 1_000_000, forget=self.ring.forget
        )
        self._page = Page(b"", JSON, "")
        """The newest snapshot that was asked for alone."""
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        work = {"live": self._keep_reading(), "live beat": self._keep_beating()}
        self._tasks = [asyncio.create_task(one, name=name) for name, one in work.items()]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        await ended(*self._tasks)

    def close(self) -> None:
        """End all streams: the server is about to stop."""
        self.ring.close()

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends only when something is wrong with it."""
        return tuple(self._tasks)

    def routes(self) -> list[BaseRoute]:
        """What is under /live."""

        async def snapshot(request: Request) -> Response:
            body = self.ring.whole()
            if self._page.body is not body:
                self._page = Page(body, JSON, f'"{self.ring.id}-{time.monotonic_ns()}"', packed(body))
            return answered(self._page, request, HEADERS)

        async def game(request: Request) -> Response:
            found = self._view.whole(request.path_params["game"], datetime.now(UTC))
            return not_found() if found is None else Response(found, 200, HEADERS, JSON)

        async def events(request: Request) -> Response:
            return self.ring.response(request, HEADERS)

        return [
            Route("/live/snapshot.json", snapshot, methods=["GET"]),
            Route("/live/games/{game}.json", game, methods=["GET"]),
            Route("/live/events", events, methods=["GET"]),
        ]

    def _snapshot(self, id_: str) -> Mapping[str, Any]:
        return {"id": id_, "connected": self._is_current(), **self._view.snapshot(datetime.now(UTC))}

    # one connection after the other

    async def _keep_reading(self) -> None:
        pause = FIRST_BACKOFF_SECONDS
        while True:
            try:
                async with self._connect() as client:
                    await client.subscribe([(topic_filter(kind, self._meeting), 1) for kind in READS])
                    pause = FIRST_BACKOFF_SECONDS
                    await self._read(client)
            except aiomqtt.MqttError as error:
                level = logging.WARNING if pause == FIRST_BACKOFF_SECONDS else logging.INFO
                log.log(level, "the live page's connection is gone (%s); again in %g s", error, pause)
            finally:
                self._is_connected(False)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_BACKOFF_SECONDS)

    async def _read(self, client: aiomqtt.Client) -> None:
        self._view.connected()
        self._is_connected(True)
        forgetting = asyncio.create_task(self._forget())
        try:
            async for message in client.messages:
                self._take(message)
        finally:
            await ended(forgetting)

    def _take(self, message: aiomqtt.Message) -> None:
        try:
            self._view.take(parse(str(message.topic)), message.payload, datetime.now(UTC))
        except ValueError as error:
            log.warning("what is on %s cannot be shown: %s", message.topic, error)

    async def _forget(self) -> None:
        await asyncio.sleep(FORGET_SECONDS)
        self._view.forget(datetime.now(UTC))

    def _is_connected(self, connected: bool) -> None:
        if connected != self.connected:
            self.connected = connected
            self._beat()

    async def _keep_beating(self) -> None:
        while True:
            self._beat()
            await asyncio.sleep(ALIVE_SECONDS)

    def _beat(self) -> None:
        self.ring.beat({"now": rfc3339(datetime.now(UTC)), "connected": self._is_current()})

    def _is_current(self) -> bool:
        return self.connected and self._goes_on()
