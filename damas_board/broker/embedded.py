"""The embedded broker: amqtt in this process, behind a door of our own.

amqtt does the MQTT; who comes in and who reads what is decided here, because amqtt 0.12 by itself

- reads a client's name before it checks the password: whoever knows a client identifier could, without any password,
  end that client's connection, drop its subscriptions, or put another user's name on its session;
- publishes a last will without asking whether its client may write there;
- sends every client that connects the retained messages of *all* clients' subscriptions;
- never notices a client that has gone silent (its keep-alive passes);
- loses a message for the rest of its readers where somebody subscribes or unsubscribes while it is being handed out;
- has no bounds: for packets, for what waits for a reader that does not read or is away, for filters and sessions.

So each connection's CONNECT is read at the door (`broker/entrance.py`): password and will are checked, the client
identifier is prefixed with the user's name (nobody can speak of another user's client), and only then is the connection
handed on to amqtt, through a reader that looks at each packet first (`broker/packets.py`), and ends the connection when
the keep-alive has passed one and a half times. Retained messages are sent by our own method. A command or request that
is sent as a retained message is neither kept nor handed to those who listen: MQTT takes the mark off for them, and a
gateway could not tell it from one that was meant for now.

Everything that a client can make grow has a bound, named below; at a bound the client that reached it loses something,
nobody else.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import ssl
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from amqtt.adapters import ReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker
from amqtt.contexts import Action, BrokerConfig, ListenerConfig, ListenerType
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin

from damas_board.broker.connect import CONNECT, Connect, ConnectError, ProtocolLevelError, read_connect
from damas_board.broker.entrance import HELLO_SECONDS, Entrance, Visitor
from damas_board.broker.errors import BrokerStartError
from damas_board.broker.logins import Login, hashed, password_matches
from damas_board.broker.packets import LARGEST_PACKET, LONGEST_FILTER, PacketError, checked
from damas_board.messages.access import User, may_publish, may_receive, may_subscribe
from damas_board.messages.envelope import rfc3339
from damas_board.messages.requests import retained_refusal
from damas_board.messages.topics import Kind, covers, topic

_log = logging.getLogger(__name__)

LARGEST_CONNECT = 64 * 1024
KEPT_SESSION_SECONDS = 24 * 3600
"""How long the messages of a client that is away are kept for it."""
MOST_KEPT = 100_000
"""Messages that wait for one client that is away; later ones are lost to it."""
MOST_SESSIONS = 20
"""Clients of one user that are away and may come back to what waits; the one that left first is forgotten."""
MOST_FILTERS = 1000
"""Of one client."""
MOST_RETAINED = 50_000
STALLED_SECONDS = 10.0
"""How long a reader may take nothing of what is sent to it."""
MOST_UNDER_WAY = 1000
"""Publications of one client that were read and not yet handed out, and ten times as many of all: then it waits."""
FREE_FAILURES = 5
"""Wrong logins of one address that are answered at once; each further one takes twice as long, up to the longest."""
FIRST_DELAY, LONGEST_DELAY = 0.1, 5.0
MOST_REMEMBERED = 1000
"""Addresses of which wrong logins are remembered."""
CHECKING = 2
"""Passwords that are looked at together: each takes a processor for some milliseconds."""

CROWDED_SECONDS = 0.02

_LISTENER = "default"
"""The one that amqtt must have: external, that is, ours."""
_WRONG_LEVEL = bytes([0x20, 2, 0, 1])
_NOT_AUTHORISED = bytes([0x20, 2, 0, 5])
_REFUSED_FILTER = 0x80
_NOBODY = hashed(secrets.token_hex())
"""Compared with where there is no such user, so that a wrong name takes as long as a wrong password."""


class _Door(ReaderAdapter):  # type: ignore[misc]  # amqtt has no types
    """A connection's bytes for amqtt: the CONNECT that was read, then packet by packet, while the client keeps alive.

    What is no packet ends the connection. While `crowded`, nothing more is read.
    """

    def __init__(self, first: bytes, visitor: Visitor, connect: Connect, crowded: Callable[[], bool]) -> None:
        self._held = first
        self._reader = visitor.reader
        self._writer = visitor.writer
        self._patience = connect.keep_alive * 1.5 or None
        self._crowded = crowded
        self._ended = False

    async def read(self, n: int = -1) -> bytes:
        if not self._held and not self._ended:
            self._held = await self._packet()
        size = len(self._held) if n < 0 else n
        chunk, self._held = self._held[:size], self._held[size:]
        return chunk

    async def _packet(self) -> bytes:
        """The next packet; nothing where there is none any more."""
        pause = 0.0  # what was read before has to get its turn, else nothing is ever seen to wait
        while True:
            await asyncio.sleep(pause)
            if not self._crowded() or self._writer.is_closing():
                break
            pause = CROWDED_SECONDS
        try:
            async with asyncio.timeout(self._patience):
                first = (await self._reader.readexactly(1))[0]
                return checked(first, await self._reader.readexactly(await _length(self._reader, LARGEST_PACKET)))
        except PacketError as error:
            _log.warning("connection from %s ended: %s", self._writer.get_extra_info("peername"), error)
        except (asyncio.IncompleteReadError, TimeoutError, OSError) as error:
            _log.debug("connection from %s ended: %s", self._writer.get_extra_info("peername"), error)
        self._ended = True
        return b""

    def feed_eof(self) -> None:
        self._reader.feed_eof()


class _Out(StreamWriterAdapter):  # type: ignore[misc]  # amqtt has no types
    """What amqtt writes to one client; the connection of one that takes nothing of it is ended."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        super().__init__(writer)
        self._stream = writer

    async def drain(self) -> None:
        try:
            async with asyncio.timeout(STALLED_SECONDS):
                await super().drain()
        except TimeoutError:
            _log.warning("connection from %s ended: it does not read", self._stream.get_extra_info("peername"))
            self._stream.transport.abort()
            raise ConnectionResetError("it does not read") from None

    async def close(self) -> None:
        try:
            async with asyncio.timeout(STALLED_SECONDS):
                await super().close()
        except (TimeoutError, ConnectionResetError):
            self._stream.transport.abort()


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

    def crowded(self, client: str) -> bool:
        """Whether more was read of that client, or of all, than could be handed out."""
        session, _ = self._sessions.get(client, (None, None))
        own = 0 if session is None else session.delivered_message_queue.qsize()
        under_way = self._broadcast_queue.qsize() + len(self._tasks_queue) // 10
        return bool(own > MOST_UNDER_WAY or under_way > 10 * MOST_UNDER_WAY)

    async def make_room(self, user: str, client: str) -> None:
        """Forget the sessions of clients that left first, where a user would have more than `MOST_SESSIONS`."""
        away = [
            (session.last_disconnect_time or 0, name)
            for name, (session, _) in self._sessions.items()
            if name.startswith(f"{user}/") and name != client and session.transitions.state == "disconnected"
        ]
        for _, name in sorted(away)[: max(0, len(away) - MOST_SESSIONS + 1)]:
            _log.warning("%s: too many clients are away; what waits for %s is forgotten", user, name)
            await self._cleanup_session(name)

    async def add_subscription(self, subscription: tuple[str, int], session: Any) -> int:
        text, _ = subscription
        own: set[str] = session.attributes.setdefault("damas.filters", set())
        if text not in own and (len(own) >= MOST_FILTERS or len(text) > LONGEST_FILTER):
            return _REFUSED_FILTER
        code = int(await super().add_subscription(subscription, session))
        if code != _REFUSED_FILTER:
            own.add(text)
        return code

    def _del_subscription(self, a_filter: str, session: Any) -> int:
        session.attributes.get("damas.filters", set()).discard(a_filter)
        return int(super()._del_subscription(a_filter, session))

    async def retain_message(
        self, source_session: Any, topic_name: str | None, data: bytes | bytearray | None, qos: int | None = None
    ) -> None:
        if data and topic_name not in self._retained_messages and len(self._retained_messages) >= MOST_RETAINED:
            _log.warning("%s is not kept: %d retained messages are", topic_name, MOST_RETAINED)
            return
        await super().retain_message(source_session, topic_name, data, qos)

    async def _retain_broadcast_message(self, broadcast: dict[str, Any], qos: int, target_session: Any) -> None:
        waiting = target_session.retained_messages.qsize()
        if waiting == MOST_KEPT - 1:
            _log.warning(
                "%s is away and %d messages wait for it: no more are kept", target_session.client_id, MOST_KEPT
            )
        if waiting < MOST_KEPT:
            await super()._retain_broadcast_message(broadcast, qos, target_session)

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
        self._amqtt: _Amqtt | None = None
        self._entrance = Entrance(self._serve, tls)
        self._checking = asyncio.Semaphore(CHECKING)
        self._failures: OrderedDict[str, int] = OrderedDict()
        """Wrong logins by address, the newest last."""

    @property
    def host(self) -> str:
        return self._host

    @property
    def port(self) -> int:
        """The port it listens on. RuntimeError where it does not."""
        if self._entrance.port is None:
            raise RuntimeError("the broker is not running")
        return self._entrance.port

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
            await self._entrance.open(self._host, self._wanted)
        except OSError as error:
            await self._amqtt.shutdown()
            self._amqtt = None
            place: dict[str, str | int] = {"host": self._host, "port": self._wanted}
            if error.errno == errno.EADDRINUSE:
                raise BrokerStartError("port_taken", **place) from error
            known = error.errno is not None and error.errno > 0
            reason = os.strerror(error.errno or 0) if known else error.strerror or str(error)
            raise BrokerStartError("cannot_listen", **place, reason=reason.lower()) from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._amqtt is None:
            return
        amqtt, self._amqtt = self._amqtt, None
        await amqtt.shutdown()
        await self._entrance.close()

    async def _serve(self, visitor: Visitor) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                connect = read_connect(await _first_packet(visitor.reader))
                user = await self._admitted(connect, visitor.address)
        except ProtocolLevelError as error:
            await _refuse(visitor, _WRONG_LEVEL, str(error))
            return
        except (ConnectError, asyncio.IncompleteReadError, TimeoutError, OSError) as error:
            await _refuse(visitor, b"", str(error) or "no CONNECT came")
            return
        if user is None:
            # The name is repeated only where it is one: what was typed there may be a password.
            name = connect.user if connect.user in self._logins else "?"
            await _refuse(visitor, _NOT_AUTHORISED, f"{name}: wrong name or password, or a will out of place")
            return
        visitor.let_in()
        amqtt = self._amqtt
        if amqtt is None:
            return
        name = f"{user.name}/{connect.client or secrets.token_hex(8)}"
        if not connect.clean:
            await amqtt.make_room(user.name, name)
        door = _Door(connect.renamed(name), visitor, connect, lambda: amqtt.crowded(name))
        await amqtt.external_connected(door, _Out(visitor.writer), _LISTENER)

    async def _admitted(self, connect: Connect, address: str) -> User | None:
        """Who may come in; None, after a while where `address` was wrong often, where nobody may."""
        login = self._logins.get(connect.user or "")
        stored = login.password if login else _NOBODY
        async with self._checking:
            right = await asyncio.to_thread(password_matches, connect.password or "", stored)
        if login is None or not right:
            await asyncio.sleep(self._failed(address))
            return None
        self._failures.pop(address, None)
        if connect.will is not None and not may_publish(login.user, connect.will.topic, retain=connect.will.retain):
            return None
        return login.user

    def _failed(self, address: str) -> float:
        """Seconds that one more wrong login of `address` costs."""
        count = self._failures.pop(address, 0) + 1
        self._failures[address] = count
        if len(self._failures) > MOST_REMEMBERED:
            self._failures.popitem(last=False)
        doublings = count - FREE_FAILURES - 1
        return 0.0 if doublings < 0 else min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(doublings, 20))


async def _first_packet(reader: asyncio.StreamReader) -> bytes:
    """What is behind the fixed header of the first packet. ConnectError where that is no CONNECT, or a huge one."""
    if (await reader.readexactly(1))[0] != CONNECT:
        raise ConnectError("the first packet is no CONNECT")
    try:
        length = await _length(reader, LARGEST_CONNECT)
    except PacketError as error:
        raise ConnectError(f"CONNECT: {error}") from error
    return await reader.readexactly(length)


async def _length(reader: asyncio.StreamReader, most: int) -> int:
    """A packet's remaining length. PacketError where it is none, or more than `most`."""
    length = 0
    for place in range(4):
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 0x7F) << (7 * place)
        if not byte & 0x80:
            if length > most:
                raise PacketError(f"a packet of {length} bytes, at most {most} are taken")
            return length
    raise PacketError("a length of more than four bytes")


async def _refuse(visitor: Visitor, answer: bytes, reason: str) -> None:
    peer = visitor.writer.get_extra_info("peername")
    _log.info("connection from %s refused: %s", peer, reason)
    try:
        visitor.writer.write(answer)
        await visitor.writer.drain()
    except OSError as error:
        _log.debug("connection from %s ended first: %s", peer, error)
