"""A simulated board behind a TCP port, for a host elsewhere or without pseudo-terminals; one host at a time."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

from simulator.carrier import PIECE, Carried, Carrier
from simulator.clock import RunningClock


class BoardTcp(Carrier):
    """`async with BoardTcp(board, clock) as tcp:` the board answers at `tcp.path`, a pyserial URL, until the end."""

    def __init__(self, board: Carried, clock: RunningClock, host: str = "127.0.0.1", port: int = 0) -> None:
        """`port` 0: a free one."""
        super().__init__(board, clock)
        self._address = host, port
        self._listening: socket.socket | None = None
        self._host: socket.socket | None = None

    @property
    def path(self) -> str:
        return f"socket://{self._address[0]}:{self._address[1]}"

    def _open(self) -> None:
        if self._listening is not None:
            return
        listening = socket.create_server(self._address, backlog=1)
        listening.setblocking(False)
        # The same port when the board is plugged in again.
        self._address = self._address[0], listening.getsockname()[1]
        self._listening = listening
        asyncio.get_running_loop().add_reader(listening, self._accept, listening)

    def _close(self) -> None:
        self._hang_up()
        if self._listening is not None:
            asyncio.get_running_loop().remove_reader(self._listening)
            self._listening.close()
            self._listening = None

    def _hang_up(self) -> None:
        if self._host is not None:
            asyncio.get_running_loop().remove_reader(self._host)
            self._host.close()
            self._host = None

    def _accept(self, listening: socket.socket) -> None:
        with suppress(BlockingIOError):
            host, _ = listening.accept()
            self._hang_up()
            host.setblocking(False)
            self._host = host
            asyncio.get_running_loop().add_reader(host, self._from_host, host)

    def _send(self, data: bytes) -> None:
        if self._host is not None:
            try:
                self._host.send(data)
            except ConnectionError:
                self._hang_up()

    def _from_host(self, host: socket.socket) -> None:
        try:
            data = host.recv(PIECE)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if data:
            self._board.receive(data)
        else:
            self._hang_up()
