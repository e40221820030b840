"""An aiomqtt client for this project's brokers, with the settings that its traps ask for.

- A broker that hangs is noticed after `TIMEOUT` seconds, not ten; then a publication may have arrived all the same.
- aiomqtt warns of every publication beyond ten under way; many at once are normal here.
- Small packets wait for each other (Nagle) for 40 ms at a time, unless the socket is told not to.
- A connection that ends while nobody waits for a message leaves a future whose error nobody asks for: asyncio would
  print it at exit. Its socket may also be closed between two steps of the event loop that would watch it. And a
  connection that is told to stop while it is made leaves a callback behind that fails once it is gone.
  `quiet_lost_connections` lets exactly these three pass; the next publication says the same.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import logging
import socket
import ssl
import traceback
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import aiomqtt

_log = logging.getLogger(__name__)

TIMEOUT = 3.0
KEEPALIVE = 5
IN_FLIGHT = 100
QUEUED_INCOMING = 10_000


@dataclass(frozen=True, slots=True)
class Address:
    """A broker, and who one is there."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def at(self, port: int) -> Address:
        """The same at another port: that of an embedded broker which picked one."""
        return replace(self, port=port)


def instance(*parts: str) -> str:
    """Eight digits that tell programs with one login apart: the same each time for the same parts on this machine.

    A client identifier that ends in it is nobody else's: brokers end the connection of whoever had it before.
    """
    return hashlib.sha256("\0".join((f"{uuid.getnode():012x}", *parts)).encode()).hexdigest()[:8]


def client(
    address: Address, *, identifier: str | None = None, will: aiomqtt.Will | None = None, clean: bool = True
) -> aiomqtt.Client:
    """A client, not yet connected: `async with` does that, again after each loss.

    `identifier` must be the same each time where the broker is to keep what was missed (`clean=False`). Must be called
    in the event loop that uses it.
    """
    made = aiomqtt.Client(
        address.host,
        address.port,
        username=address.user,
        password=address.password,
        identifier=identifier,
        will=will,
        clean_session=clean,
        timeout=TIMEOUT,
        keepalive=KEEPALIVE,
        max_inflight_messages=IN_FLIGHT,
        max_queued_incoming_messages=QUEUED_INCOMING,
        tls_context=address.tls,
        socket_options=((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
    )
    made.pending_calls_threshold = 10 * IN_FLIGHT
    quiet_lost_connections(asyncio.get_running_loop())
    return made


def quiet_lost_connections(loop: asyncio.AbstractEventLoop) -> None:
    """Demote 'exception was never retrieved' for lost MQTT connections to a debug line; all else stays as it was."""
    former = loop.get_exception_handler()
    if not isinstance(former, _Demoting):
        loop.set_exception_handler(_Demoting(former))


class _Demoting:
    def __init__(self, former: Callable[[asyncio.AbstractEventLoop, dict[str, Any]], object] | None) -> None:
        self._former = former

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if _is_lost_connection(context):
            _log.debug("connection lost: %s", context["exception"])
        elif self._former is not None:
            self._former(loop, context)
        else:
            loop.default_exception_handler(context)


def _asks_who_has_gone(error: asyncio.CancelledError) -> bool:
    """Whether aiomqtt hears of a lost connection, and asks one who was waiting for it and has been told to stop."""
    frames = (frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(code.co_name == "_on_disconnect" and "aiomqtt" in code.co_filename for code in frames)


def _is_lost_connection(context: dict[str, Any]) -> bool:
    error = context.get("exception")
    if isinstance(error, aiomqtt.MqttError):
        return "never retrieved" in context["message"]
    if isinstance(error, asyncio.CancelledError):
        return _asks_who_has_gone(error)
    watching = "add_writer" in repr(context.get("handle")) or "add_reader" in repr(context.get("handle"))
    # The socket is closed already, or another has been given its number meanwhile.
    return isinstance(error, OSError) and error.errno in (errno.EBADF, errno.EEXIST) and watching
