"""Server-sent events for many readers: a ring of the newest ones, encoded once for all, and a cursor for each reader.

How it works. Whoever knows the present (`snapshot`) tells what changed in it (`tell`). An event is encoded when it is
told, with its number as its `id`, and every open stream writes the same bytes. A stream is a number: that of the last
event that it has written. So a slow reader holds up nobody and costs nothing but what its connection keeps; when it
comes to itself it gets all that it missed in one go, or, where that has left the ring or would be more than
`MOST_BEHIND`, a snapshot. The same happens to who comes back with a `Last-Event-ID`: the ids of another start of this
program are of another `boot`, and are not known. What nobody may read any more is forgotten with all that is older
(`forget`): who has not got that far gets a snapshot.

To write to all streams takes the processor some time, so they are woken no oftener than they are many
(`STREAM_SECONDS`): what is told meanwhile is written with one go. What comes alone is written at once.

A snapshot is the event `snapshot`, first in a stream unless it goes on; `alive` (`beat`) has no id, and of several
that a stream has not written only the newest is written.

Everything is called in the event loop. What `snapshot` tells is what it is after the last `tell`: change the present,
then tell, without waiting in between.
"""

from __future__ import annotations

import asyncio
import json
import math
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

MOST_EVENTS = 4096
MOST_BYTES = 4_000_000
"""The ring lets go of its oldest events beyond these."""
MOST_BEHIND = 500_000
"""Who would have to read more bytes than this to catch up gets a snapshot."""
MOST_STREAMS = 600
CHUNK = 65_536
"""Bytes that are written at once, unless one event is longer."""
STREAM_SECONDS = 0.0005
"""For each stream, between two times that all are woken: a tenth of a second for 200."""
RETRY_MILLISECONDS = 1500
"""How long a browser waits before it connects again."""
FULL_SECONDS = 20
FRESH_SECONDS = 0.2
"""So old a snapshot may be that several readers are given."""


class EventRing:
    """`snapshot(id)`: the present, whose newest event has that id, as what the event `snapshot` says."""

    def __init__(
        self,
        snapshot: Callable[[str], Mapping[str, Any]],
        *,
        boot: str | None = None,
        most_events: int = MOST_EVENTS,
        most_bytes: int = MOST_BYTES,
        most_behind: int = MOST_BEHIND,
        most_streams: int = MOST_STREAMS,
        most_of_one: int | None = None,
    ) -> None:
        """`most_of_one`: so many streams one address may have open, unless it is this machine's."""
        self.boot = secrets.token_hex(4) if boot is None else boot
        self.streams = 0
        """How many are open."""
        self._snapshot = snapshot
        self._most_events = most_events
        self._most_bytes = most_bytes
        self._most_behind = most_behind
        self._most_streams = most_streams
        self._most_of_one = most_of_one
        self._of: Counter[str] = Counter()
        """How many are open of an address; none is listed that has none."""
        self._newest = self._oldest = 0
        """The ring has the events from `_oldest + 1` to `_newest`."""
        self._events: dict[int, tuple[bytes, int]] = {}
        """By number, with how many bytes were told up to and with it."""
        self._told = self._gone = 0
        self._beat = 0
        self._alive = b""
        self._whole: tuple[int, float, bytes] | None = None
        """The newest snapshot, with the event that it was made after, and when."""
        self._news = asyncio.Event()
        self._ready = 0
        """The newest event that streams were woken for, and when that was."""
        self._woken = -math.inf
        self._waking: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def id(self) -> str:
        """Of the newest event."""
        return f"{self.boot}-{self._newest}"

    def tell(self, event: str, body: Mapping[str, Any]) -> None:
        """Something has changed. ValueError for what cannot be written as JSON; then nothing is told."""
        data = encoded(body)
        self._newest += 1
        line = _event(event, data, self.id)
        self._told += len(line)
        self._events[self._newest] = (line, self._told)
        while len(self._events) > self._most_events or self._told - self._gone > self._most_bytes:
            self._oldest += 1
            self._gone = self._events.pop(self._oldest)[1]
        self._wake()

    def forget(self) -> None:
        """Nothing of what was told may be read again: who has not had it gets a snapshot instead."""
        self._events.clear()
        self._oldest, self._gone = self._newest, self._told
        self._whole = None

    def beat(self, body: Mapping[str, Any]) -> None:
        """Let every stream say `alive`."""
        self._beat += 1
        self._whole = None  # what a beat says, a snapshot says too
        self._alive = _event("alive", encoded(body))
        self._wake()

    def close(self) -> None:
        """All streams end, and no more are opened."""
        self._closed = True
        self._wake_all()

    def whole(self, own: Mapping[str, Any] | None = None) -> bytes:
        """The snapshot as JSON; `own` is what it says to this reader alone."""
        now = asyncio.get_running_loop().time()
        if self._whole is None or self._whole[0] != self._newest or now - self._whole[1] > FRESH_SECONDS:
            self._whole = (self._newest, now, encoded(self._snapshot(self.id)))
        body = self._whole[2]
        return body if not own else encoded(own)[:-1] + b"," + body[1:]

    async def stream(self, last: str | None = None, own: Mapping[str, Any] | None = None) -> AsyncIterator[bytes]:
        """What a reader is to be written, who has everything up to the event `last`; ends when the ring is closed."""
        at = self._place(last)
        beat = 0
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        while not self._closed:
            if at is None or self._is_far(at):
                at, beat = self._newest, self._beat
                yield _event("snapshot", self.whole(own), self.id)
            elif at < self._ready:
                chunk = self._chunk(at)
                at += len(chunk)
                yield b"".join(chunk)
            elif beat < self._beat:
                beat = self._beat
                yield self._alive
            else:
                await self._news.wait()

    def response(
        self, request: Request, headers: Mapping[str, str] | None = None, own: Mapping[str, Any] | None = None
    ) -> Response:
        """The stream as an answer, going on behind the `Last-Event-ID` of the request, or its `?last=`.

        503 where there are as many as there may be: a browser does not ask again by itself then.
        """
        who = None if self._most_of_one is None or request.client is None else _counted(request.client.host)
        crowds = who is not None and self._of[who] >= (self._most_of_one or 0)
        if self._closed or crowds or self.streams >= self._most_streams:
            full = {**(headers or {}), "Cache-Control": "no-store", "Retry-After": str(FULL_SECONDS)}
            return Response("too many streams\n", 503, full, "text/plain")
        last = request.headers.get("last-event-id") or request.query_params.get("last")
        return _Stream(self, self.stream(last, own), headers, who)

    def count(self, who: str | None, by: int) -> None:
        """A stream of that address is opened or closed."""
        self.streams += by
        if who is not None:
            self._of[who] += by
            if not self._of[who]:
                del self._of[who]

    def _place(self, last: str | None) -> int | None:
        """The number of the event of that id; None where it is not known (any more)."""
        boot, _, number = (last or "").rpartition("-")
        if boot != self.boot or not (number.isascii() and number.isdigit()) or len(number) > 15:
            return None
        return int(number) if self._oldest <= int(number) <= self._newest else None

    def _is_far(self, at: int) -> bool:
        if at < self._oldest:
            return True
        behind = self._told - (self._events[at][1] if at in self._events else self._gone)
        return behind > self._most_behind

    def _chunk(self, at: int) -> list[bytes]:
        """The events behind `at`, as many as are written at once."""
        found = [self._events[at + 1][0]]
        room = CHUNK - len(found[0])
        for number in range(at + 2, self._newest + 1):
            line = self._events[number][0]
            room -= len(line)
            if room < 0:
                break
            found.append(line)
        return found

    def _wake(self) -> None:
        if self._waking is not None:
            return
        loop = asyncio.get_running_loop()
        rest = self._woken + self.streams * STREAM_SECONDS - loop.time()
        if rest > 0:
            self._waking = loop.call_later(rest, self._wake_all)
        else:
            self._wake_all()

    def _wake_all(self) -> None:
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None
        self._woken, self._ready = asyncio.get_running_loop().time(), self._newest
        self._news.set()
        self._news.clear()


class _Stream(EventSourceResponse):
    """Counts itself for as long as it is open. Who is gone is noticed by the connection (web.py), not by a timer."""

    def __init__(
        self, ring: EventRing, content: AsyncIterator[bytes], headers: Mapping[str, str] | None, who: str | None
    ) -> None:
        super().__init__(content, headers={**(headers or {}), "Cache-Control": "no-store"}, ping=0, sep="\n")
        self._ring = ring
        self._who = who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._ring.count(self._who, 1)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ring.count(self._who, -1)


def _counted(host: str) -> str | None:
    """As whose streams they count that come from an address: all of an IPv6 network's together; None: as nobody's."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return None
    return str(ip_network((address, 64), strict=False) if isinstance(address, IPv6Address) else address)


def encoded(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _event(event: str, data: bytes, id_: str | None = None) -> bytes:
    head = f"event: {event}\n" if id_ is None else f"id: {id_}\nevent: {event}\n"
    return head.encode() + b"data: " + data + b"\n\n"
