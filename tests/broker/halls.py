"""Brokers of each kind, from the same users."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from damas_board.broker.client import Address, client
from damas_board.broker.logins import Login, hashed, login
from damas_board.broker.mosquitto import Listener, write_files
from damas_board.messages.access import User

MEETING = "autumn"
USERS = (
    User("screen", "viewer", MEETING),
    User("gw-1", "gateway", MEETING, boards=("table-1", "table-2"), games=("g-1", "g-2")),
    User("gw-2", "gateway", MEETING, boards=("table-3",), games=("g-3",)),
    User("olga", "organiser", MEETING),
    User("ana", "arbiter", MEETING),
    User("bia", "arbiter", MEETING),
    User("hub-1", "hub", MEETING, publishes=True),
    User("hub-2", "hub", MEETING),
    User("other", "arbiter", "spring"),
)
LOGINS = (
    *(Login(user, hashed(f"secret of {user.name}", iterations=101)) for user in USERS[:-1]),
    login(USERS[-1], f"secret of {USERS[-1].name}"),
)


@dataclass(frozen=True)
class Hall:
    """A running broker."""

    kind: str
    host: str
    port: int

    def client(
        self, name: str, password: str | None = None, *, tls: ssl.SSLContext | None = None, **options: Any
    ) -> aiomqtt.Client:
        secret = f"secret of {name}" if password is None else password
        return client(Address(self.host, self.port, name, secret, tls), **options)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def mosquitto(
    program: str, folder: Path, certificate: Path | None = None, key: Path | None = None
) -> AsyncIterator[Hall]:
    port = free_port()
    listener = Listener(port=port, certificate=certificate, key=key)
    path = write_files(folder, LOGINS, listener, run_as=getpass.getuser())
    process = await asyncio.create_subprocess_exec(
        program, "-c", str(path), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(20):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    if process.returncode is not None:
                        assert process.stderr is not None
                        pytest.fail(f"mosquitto ended: {(await process.stderr.read()).decode()}")
                    await asyncio.sleep(0.02)
                else:
                    writer.close()
                    await writer.wait_closed()
                    break
        yield Hall("mosquitto", "127.0.0.1", port)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()
