"""The boards of a gateway that is running already, as its broker tells of them: for whoever may read the hall.

While a gateway runs, its ports are its own. What stands on its boards is public to the hall's readers all the same, so
a look at them needs no second opening.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

from damas_board.broker.client import Address, client
from damas_board.messages.topics import Kind, TopicError, parse, topic, topic_filter
from damas_board.session.inputs import Input, Link, See

ONLINE_SECONDS = 2.0
"""How long a broker may take to say whether the gateway is there: its state is retained."""


class RunningHall:
    """`async with RunningHall(...) as hall:` reads until the end of the block; `hall.online` says if a gateway runs.

    Entering raises aiomqtt.MqttError where the broker is not reached or does not let the reader in.
    """

    def __init__(self, address: Address, meeting: str, gateway: str) -> None:
        self.online = False
        self._address = address
        self._meeting = meeting
        self._state = str(topic(Kind.GATEWAY_STATE, meeting, gateway))
        self._heard = asyncio.Event()
        self._inputs: defaultdict[str, asyncio.Queue[Input]] = defaultdict(asyncio.Queue)
        self._lost: dict[str, str | None] = {}
        """The boards that are lost, and what the broker keeps of them, seen before or just before they are back."""
        self._cameras: defaultdict[str, asyncio.Queue[Input]] = defaultdict(asyncio.Queue)

    async def __aenter__(self) -> Self:
        self._client = client(self._address)
        await self._client.__aenter__()
        filters = [
            self._state,
            *(topic_filter(k, self._meeting) for k in (Kind.BOARD_LINK, Kind.BOARD_SEE, Kind.BOARD_HEALTH)),
        ]
        await self._client.subscribe([(text, 1) for text in filters])
        self._task = asyncio.create_task(self._read())
        await asyncio.wait([asyncio.create_task(self._heard.wait())], timeout=ONLINE_SECONDS)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._client.__aexit__(kind, error, trace)

    async def inputs(self, board: str) -> AsyncIterator[Input]:
        """What that board shows, beginning with what it showed last; without an end."""
        while True:
            yield await self._inputs[board].get()

    async def cameras(self, board: str) -> AsyncIterator[Input]:
        """Whether the camera beside a sensor board watches, whenever its gateway tells of it; without an end."""
        while True:
            yield await self._cameras[board].get()

    async def _read(self) -> None:
        async for message in self._client.messages:
            payload = _object(message.payload)
            if str(message.topic) == self._state:
                self.online = payload.get("state") == "online"
                self._heard.set()
            else:
                self._take(str(message.topic), payload)

    def _take(self, text: str, payload: dict[str, Any]) -> None:
        try:
            place = parse(text)
        except TopicError:
            return
        at = asyncio.get_running_loop().time()
        match place.kind, payload:
            case Kind.BOARD_LINK, {"link": link}:
                lost = None if link == "up" else str(payload.get("reason", "lost"))
                self._inputs[place.id("board")].put_nowait(Link(at, "back" if link == "up" else "lost", lost))
                seen = self._lost.pop(place.id("board"), None)
                if link != "up":
                    self._lost[place.id("board")] = seen
                elif seen is not None:
                    self._inputs[place.id("board")].put_nowait(See(at, seen))
            case Kind.BOARD_SEE, {"see": str(rows)}:
                if place.id("board") in self._lost:
                    self._lost[place.id("board")] = rows
                else:
                    self._inputs[place.id("board")].put_nowait(See(at, rows))
            case Kind.BOARD_HEALTH, {"links": {"camera": link}}:
                reason = None if link == "up" else "lost"
                self._cameras[place.id("board")].put_nowait(Link(at, "back" if link == "up" else "lost", reason))
            case _:
                pass


def _object(payload: Any) -> dict[str, Any]:
    try:
        found = json.loads(payload)
    except (ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}
