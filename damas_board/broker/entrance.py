"""Takes connections in, no more than there is room for, and only as long as it takes them to say who they are.

Whoever can reach the port can open connections and say nothing, or begin a TLS handshake and leave it there. So the
number of connections that are not yet let in is bounded, the oldest of them makes room for a new one, and each has
`HELLO_SECONDS`; the number of all of them is bounded too, handshakes included.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

_log = logging.getLogger(__name__)

HELLO_SECONDS = 10.0
"""How long a connection may take to say CONNECT, its TLS handshake included."""
MOST_CONNECTIONS = 500
MOST_WAITING = 50
"""Connections that have not yet said who they are."""
CLOSING_SECONDS = 5.0
"""How long what was still written may take to go out, once a connection is closed."""
_AGAIN_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Visitor:
    """A connection that was taken in."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    let_in: Callable[[], None]
    """To be called once it has said who it is: from then on it makes room for nobody."""

    @property
    def address(self) -> str:
        """Where it comes from, without the port."""
        peer = self.writer.get_extra_info("peername")
        return str(peer[0]) if isinstance(peer, tuple) else ""


class Entrance:
    """Listens from `open` to `close`; each connection is handed to `serve`, and closed when that returns."""

    def __init__(self, serve: Callable[[Visitor], Awaitable[None]], tls: ssl.SSLContext | None) -> None:
        self._serve = serve
        self._tls = tls
        self._listening: list[socket.socket] = []
        self._accepting: list[asyncio.Task[None]] = []
        self._connections: set[asyncio.Task[None]] = set()
        self._waiting: dict[asyncio.Task[None], None] = {}
        """In the order in which they came."""
        self._full = False

    @property
    def port(self) -> int | None:
        """The port it listens on, None where it does not."""
        return None if not self._listening else int(self._listening[0].getsockname()[1])

    async def open(self, host: str, port: int) -> None:
        """Listen on every address of `host` (all of this machine's for none). OSError where that is not possible."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, kind, protocol, _, address in dict.fromkeys(found):
                place = (address[0], self.port or port, *address[2:])
                self._listening.append(_listening(family, kind, protocol, place))
        except OSError:
            self._stop_listening()
            raise
        self._accepting = [asyncio.create_task(self._accept(each)) for each in self._listening]

    async def close(self) -> None:
        """Listen no more, and end every connection."""
        ending = [*self._accepting, *self._connections]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        self._stop_listening()

    def _stop_listening(self) -> None:
        for each in self._listening:
            each.close()
        self._listening.clear()
        self._accepting.clear()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(listening)
            except OSError as error:  # no file may be opened any more, or the peer was gone at once
                _log.warning("a connection could not be taken in: %s", error)
                await asyncio.sleep(_AGAIN_SECONDS)
                continue
            if len(self._connections) >= MOST_CONNECTIONS:
                if not self._full:
                    _log.warning("%d connections are open: no more are taken in", len(self._connections))
                self._full = True
                connection.close()
                continue
            self._full = False
            task = asyncio.create_task(self._welcome(connection))
            self._connections.add(task)
            self._waiting[task] = None
            task.add_done_callback(self._ended)
            if len(self._waiting) > MOST_WAITING:
                oldest = next(iter(self._waiting))
                del self._waiting[oldest]
                oldest.cancel()
                _log.info("connection from %s: the oldest that did not say who it is makes room", peer)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._connections.discard(task)
        self._waiting.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a connection ended by a fault of the broker", exc_info=task.exception())

    async def _welcome(self, connection: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        patience = HELLO_SECONDS if self._tls is not None else None
        try:
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol, connection, ssl=self._tls, ssl_handshake_timeout=patience
            )
        except OSError as error:
            _log.info("connection refused: %s", error)
            connection.close()
            return
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        try:
            await self._serve(Visitor(reader, writer, lambda: self._waiting.pop(task, None)))
        finally:
            writer.close()
            loop.call_later(CLOSING_SECONDS, transport.abort)


def _listening(family: int, kind: int, protocol: int, address: tuple[str | int, ...]) -> socket.socket:
    made = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.setblocking(False)
        made.bind(address)
        made.listen(100)
    except OSError:
        made.close()
        raise
    return made
