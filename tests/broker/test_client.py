"""Which errors of the event loop are a lost connection and nothing else."""

from __future__ import annotations

import asyncio
import errno
from typing import Any

import aiomqtt
import pytest

from damas_board.broker.client import Address, client, quiet_lost_connections

UNRETRIEVED = "Future exception was never retrieved"
WATCHING = "<Handle _SelectorEventLoop.add_writer(32)>"
ELSEWHERE = "<Handle something()>"


@pytest.mark.parametrize(
    ("context", "passes"),
    [
        ({"message": UNRETRIEVED, "exception": aiomqtt.MqttError("gone")}, False),
        ({"message": "", "handle": WATCHING, "exception": OSError(errno.EBADF, "closed")}, False),
        ({"message": "", "handle": WATCHING, "exception": FileExistsError(errno.EEXIST, "given again")}, False),
        ({"message": "", "handle": ELSEWHERE, "exception": FileExistsError(errno.EEXIST, "a file")}, True),
        ({"message": "", "handle": WATCHING, "exception": OSError(errno.EACCES, "denied")}, True),
        ({"message": UNRETRIEVED, "exception": ValueError("ours")}, True),
        ({"message": "Exception in callback", "exception": asyncio.CancelledError()}, True),
    ],
)
async def test_only_lost_connections_are_demoted(context: dict[str, Any], passes: bool) -> None:
    told: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: told.append(context))
    quiet_lost_connections(loop)
    loop.call_exception_handler(context)
    assert told == ([context] if passes else [])


async def test_a_client_that_is_stopped_while_it_connects_says_nothing_when_its_connection_ends() -> None:
    told: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: told.append(context))
    came: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
    server = await asyncio.start_server(lambda reader, writer: came.put_nowait(writer), "127.0.0.1", 0)
    async with server:
        address = Address("127.0.0.1", server.sockets[0].getsockname()[1], "ana", "a password")
        waiting = client(address, identifier="ana")
        connecting = asyncio.create_task(waiting.__aenter__())
        writer = await came.get()
        connecting.cancel()
        await asyncio.gather(connecting, return_exceptions=True)
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(0.2)
    assert told == []
