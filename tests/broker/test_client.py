"""Which errors of the event loop are a lost connection and nothing else."""

from __future__ import annotations

import asyncio
import errno
from typing import Any

import aiomqtt
import pytest

from damas_board.broker.client import quiet_lost_connections

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
    ],
)
async def test_only_lost_connections_are_demoted(context: dict[str, Any], passes: bool) -> None:
    told: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: told.append(context))
    quiet_lost_connections(loop)
    loop.call_exception_handler(context)
    assert told == ([context] if passes else [])
