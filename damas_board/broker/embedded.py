"""The embedded broker: amqtt in this process, behind a door of our own.

amqtt does the MQTT; who comes in and who reads what is decided here, because amqtt 0.12 by itself

- reads a client's name before it checks the password: whoever knows a client identifier could, without any password,
  end that client's connection, drop its subscriptions, or put another user's name on its session;
- publishes a last will without asking whether its client may write there;
- sends every client that connects the retained messages of *all* clients' subscriptions;
- never notices a client that has gone silent (its keep-alive passes);
- loses a message for the rest of its readers where somebody subscribes or unsubscribes while it is being handed out.

So each connection's CONNECT is read at the door: password and will are checked, the client identifier is prefixed with
the user's name (nobody can speak of another user's client), and only then is the connection handed on to amqtt, through
a reader that also ends it when the keep-alive has passed one and a half times. Retained messages are sent by our own
method. A command or request that is sent as a retained message is neither kept nor handed to those who listen: MQTT
takes the mark off for them, and a gateway could not tell it from one that was meant for now.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import ssl
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from amqtt.adapters import ReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker
from amqtt.contexts import Action, BrokerConfig, ListenerConfig, ListenerType
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin

from damas_board.broker.connect import CONNECT, Connect, ConnectError, ProtocolLevelError, read_connect
from damas_board.broker.errors import BrokerStartError
from damas_board.broker.logins import Login, hashed, password_matches
from damas_board.messages.access import User, may_publish, may_receive, may_subscribe
from damas_board.messages.envelope import rfc3339
from damas_board.messages.requests import retained_refusal
from damas_board.messages.topics import Kind, covers, topic

_log = logging.getLogger(__name__)

HELLO_SECONDS = 10.0
"""How long a connection may take to say CONNECT."""
LARGEST_CONNECT = 64 * 1024
KEPT_SESSION_SECONDS = 24 * 3600
"""How long the messages of a client that is away are kept for it."""

_LISTENER = "default"
"""The one that amqtt must have: external, that is, ours."""
_WRONG_LEVEL = bytes([0x20, 2, 0, 1])
_NOT_AUTHORISED = bytes([0x20, 2, 0, 5])
_NOBODY = hashed(secrets.token_hex())
"""Compared with where there is no such user, so that a wrong name takes as long as a wrong password."""


class _Door(ReaderAdapter):  # type: ignore[misc]  # amqtt has no types
    """A connection's bytes for amqtt: the CONNECT that was read, then the stream, while the client keeps alive."""

    def __init__(self, first: bytes, reader: asyncio.StreamReader, keep_alive: int) -> None:
        self._first = first
        self._reader = reader
        self._patience = keep_alive * 1.5
        self._ends = asyncio.get_running_loop().time() + self._patience

    async def read(self, n: int = -1) -> bytes:
        if self._first:
            size = len(self._first) if n < 0 else n
            chunk, self._first = self._first[:size], self._first[size:]
            return chunk
        if not self._patience:
            return await self._reader.readexactly(n)
        try:
            async with asyncio.timeout_at(self._ends):
                chunk = await self._reader.readexactly(n)
        except TimeoutError:
            self._reader.feed_eof()
            return await self._reader.readexactly(n)
        self._ends = asyncio.get_running_loop().time() + self._patience
        return chunk

    def feed_eof(self) -> None:
        self._reader.feed_eof()


class _Subscriptions(dict[str, list[tuple[Any, int]]]):
    """Sessions by filter. Whoever goes through them sees them as they were when they began, whatever they wait for."""

    def __iter__(self) -> Iterator[str]:
        return iter(list(super().keys()))

    def items(self) -> Any:
        return [(text, list(sessions)) for text, sessions in super().items()]


class _Amqtt(Broker):  # type: ignore[misc]  # amqtt has no types
    def __init__(self, config: BrokerConfig, users: Mapping[str, User]) -> None:
        super().__init__(config)
        self._subscriptions = _Subscriptions()
        self._users = users

    async def _handle_message_delivery(
        self, client_session: Any, handler: Any, wait_deliver: asyncio.Future[Any]
    ) -> bool:
        """A publication that was to be retained where nothing ever is reaches nobody; its writer is told so."""
        message = wait_deliver.result()
        user = self._users[client_session.username]
        asked = bool(message and message.publish_packet and message.publish_packet.retain_flag)
        if not asked or not may_publish(user, message.topic) or may_publish(user, message.topic, retain=True):
            return bool(await super()._handle_message_delivery(client_session, handler, wait_deliver))
        if message.data:
            _log.warning("%s: a retained message on %s is not delivered", user.name, message.topic)
            place = topic(Kind.ANSWER, user.meeting, user.name)
            await self._broadcast_message(None, str(place), retained_refusal(rfc3339(datetime.now(UTC)), message.data))
        return True

    async def _publish_retained_messages_for_subscription(self, subscription: tuple[str, int], session: Any) -> None:
        topic_filter, qos = subscription
        handler = self._get_handler(session)
        subscribed = self.subscriptions.get(topic_filter, [])
        if handler is None or not any(other is session for other, _ in subscribed):
            return
        user = self._users[session.username]
        sending = [
            handler.mqtt_publish(kept.topic, kept.data, min(qos, kept.qos or 0), retain=True)
            for kept in list(self.retained_messages.values())
            if covers(topic_filter, kept.topic) and may_receive(user, kept.topic)
        ]
        await asyncio.gather(*sending, return_exceptions=True)


class LetIn(BaseAuthPlugin):  # type: ignore[misc]  # amqtt has no types
    """Lets in the users that the door has checked."""

    @dataclass
    class Config:
        users: Any = field(default_factory=dict)

    async def authenticate(self, *, session: Any) -> bool:
        return session.username in self.config.users


class Access(BaseTopicPlugin):  # type: ignore[misc]  # amqtt has no types
    """Asks the access table."""

    @dataclass
    class Config:
        users: Any = field(default_factory=dict)

    async def topic_filtering(
        self, *, session: Any = None, topic: str | None = None, action: Action | None = None
    ) -> bool:
        user = self.config.users.get(session.username)
        if user is None or topic is None:
            return False
        match action:
            case Action.PUBLISH:
                return may_publish(user, topic)
            case Action.SUBSCRIBE:
                return may_subscribe(user, topic)
            case _:
                return may_receive(user, topic)


class EmbeddedBroker:
    """A broker for the time of an `async with`; `port` 0 picks a free one.

    `logins` are all that may connect. Retained messages and sessions live in memory: they are gone when it stops.
    """

    def __init__(
        self,
        logins: Iterable[Login],
        *,
        host: str = "127.0.0.1",
        port: int = 1883,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._logins = {login.user.name: login for login in logins}
        self._host = host
        self._wanted = port
        self._tls = tls
        self._amqtt: _Amqtt | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def host(self) -> str:
        return self._host

    @property
    def port(self) -> int:
        """The port it listens on. RuntimeError where it does not."""
        if self._server is None:
            raise RuntimeError("the broker is not running")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        for name in ("amqtt", "transitions"):
            # One line a connection and one a state, at levels where ours are the ones that matter.
            logging.getLogger(name).setLevel(logging.CRITICAL)
        users = {name: login.user for name, login in self._logins.items()}
        config = BrokerConfig(
            listeners={_LISTENER: ListenerConfig(type=ListenerType.EXTERNAL)},
            session_expiry_interval=KEPT_SESSION_SECONDS,
            plugins={f"{__name__}.LetIn": {"users": users}, f"{__name__}.Access": {"users": users}},
        )
        self._amqtt = _Amqtt(config, users)
        await self._amqtt.start()
        try:
            self._server = await asyncio.start_server(self._connected, self._host, self._wanted, ssl=self._tls)
        except OSError as error:
            await self._amqtt.shutdown()
            place: dict[str, str | int] = {"host": self._host, "port": self._wanted}
            if error.errno == errno.EADDRINUSE:
                raise BrokerStartError("port_taken", **place) from error
            # asyncio's own words name the address once more.
            known = error.errno is not None and error.errno > 0
            reason = os.strerror(error.errno or 0) if known else error.strerror or str(error)
            raise BrokerStartError("cannot_listen", **place, reason=reason.lower()) from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is None or self._amqtt is None:
            return
        self._server.close()
        await self._amqtt.shutdown()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        self._server = None
        self._amqtt = None

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._served(reader, writer)
        finally:
            writer.close()

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                connect = read_connect(await _first_packet(reader))
                user = await self._admitted(connect)
        except ProtocolLevelError as error:
            await _refuse(writer, _WRONG_LEVEL, str(error))
            return
        except (ConnectError, asyncio.IncompleteReadError, TimeoutError, OSError) as error:
            await _refuse(writer, b"", str(error) or "no CONNECT came")
            return
        if user is None:
            await _refuse(writer, _NOT_AUTHORISED, f'"{connect.user}": wrong name or password, or a will out of place')
            return
        name = f"{user.name}/{connect.client or secrets.token_hex(8)}"
        door = _Door(connect.renamed(name), reader, connect.keep_alive)
        if self._amqtt is not None:
            await self._amqtt.external_connected(door, StreamWriterAdapter(writer), _LISTENER)

    async def _admitted(self, connect: Connect) -> User | None:
        login = self._logins.get(connect.user or "")
        stored = login.password if login else _NOBODY
        right = await asyncio.to_thread(password_matches, connect.password or "", stored)
        if login is None or not right:
            return None
        if connect.will is not None and not may_publish(login.user, connect.will.topic, retain=connect.will.retain):
            return None
        return login.user


async def _first_packet(reader: asyncio.StreamReader) -> bytes:
    """What is behind the fixed header of the first packet. ConnectError where that is no CONNECT, or a huge one."""
    if (await reader.readexactly(1))[0] != CONNECT:
        raise ConnectError("the first packet is no CONNECT")
    length = 0
    for place in range(4):
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            break
    if length > LARGEST_CONNECT:
        raise ConnectError("CONNECT is too long")
    return await reader.readexactly(length)


async def _refuse(writer: asyncio.StreamWriter, answer: bytes, reason: str) -> None:
    peer = writer.get_extra_info("peername")
    _log.info("connection from %s refused: %s", peer, reason)
    try:
        writer.write(answer)
        await writer.drain()
    except OSError as error:
        _log.debug("connection from %s ended first: %s", peer, error)
