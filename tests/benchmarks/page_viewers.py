"""A process that is many pages: each has a connection of its own to the hub, and notes when each ply comes.

    python tests/benchmarks/page_viewers.py PORT VIEWERS OUT

Prints `ready` once all have their first snapshot. At the end of stdin what came goes to OUT, as JSON: `connected`, the
seconds until all were, and `plies`: [time, page, game, ply] of each `game` event; times are monotonic.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from pathlib import Path

_PLY = re.compile(rb'event: game\ndata: \{"game":"([^"]+)".*?"count":(\d+)')
"""What is read of an event; a page would parse it all, which 200 pages in one process cannot do beside the hub."""


class Page(asyncio.Protocol):
    def __init__(self, number: int, came: list[tuple[float, int, str, int]], ready: asyncio.Future[None]) -> None:
        self._number = number
        self._came = came
        self._ready = ready
        self._left = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"GET /live/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        at = time.monotonic()
        text = self._left + data
        whole, gap, self._left = text.rpartition(b"\n\n")
        if not gap:
            return
        if not self._ready.done() and b"event: snapshot\n" in whole:
            self._ready.set_result(None)
        self._came += [(at, self._number, game.decode(), int(ply)) for game, ply in _PLY.findall(whole)]

    def connection_lost(self, error: Exception | None) -> None:
        if not self._ready.done():
            self._ready.set_exception(ConnectionError("the hub has hung up"))


async def watch(port: int, viewers: int, out: Path) -> None:
    loop = asyncio.get_running_loop()
    came: list[tuple[float, int, str, int]] = []
    began = time.monotonic()
    ready = [loop.create_future() for _ in range(viewers)]
    for number, future in enumerate(ready):
        await loop.create_connection(lambda n=number, f=future: Page(n, came, f), "127.0.0.1", port)
    await asyncio.gather(*ready)
    connected = round(time.monotonic() - began, 2)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await asyncio.to_thread(out.write_text, json.dumps({"connected": connected, "plies": came}), encoding="utf-8")


if __name__ == "__main__":
    _, port, viewers, out = sys.argv
    asyncio.run(watch(int(port), int(viewers), Path(out)))
