"""The gateway's one connection to the broker: the outbox goes out, the present is shown, commands come in.

Three kinds of traffic. *Streams* are the journal's outbox: rows are published with QoS 1, each stream in its order, and
marked as sent after the broker's acknowledgement; a connection that breaks in between sends them again, and consumers
drop what they have by `(epoch, seq)`. *The present* is what `show_...` was last given for each retained topic: the
newest wins, nothing waits in a queue, and all of it is published again at every connect, since a broker may have come
back empty. *Answers* to requests are large, and asked for again if they are lost: they are kept in memory only.

A broker acknowledges a publication that its access rules forbid like any other. So each retained topic is subscribed to
before its first publication of a connection; if the message does not come back, `denied` names the topic. What the
broker had retained there comes first: if it tells of more events than the journal knows, the journal was restored from
an old copy, and a new epoch begins.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

from aiomqtt import Client, Message, MqttCodeError, MqttError, Will
from paho.mqtt.reasoncodes import ReasonCode

from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope, decode, encode, timestamp
from damas_board.messages.topics import Kind, Topic, TopicError, parse, topic, topic_filter
from damas_board.session.inputs import See
from damas_board.session.state import GameState, PlyNote
from damas_board.sinks.errors import BrokerError
from damas_board.sinks.journal import Journal, OutboxRow
from damas_board.sinks.presence import Presence

log = logging.getLogger(__name__)

FIRST_BACKOFF_SECONDS = 0.1
LONGEST_BACKOFF_SECONDS = 5.0
SHOW_SECONDS = 0.2
"""At least this long between two publications of one retained topic: five a second at most."""
ECHO_SECONDS = 5.0
GOODBYE_SECONDS = 3.0
ANSWER_PIECES = 256
"""Pieces of answers that may wait for the broker: at most 16 MiB."""
OUTBOX_ROWS = 500
SINGLE_FILTERS = 12
"""More topics than this are listened to by their kinds."""
COMMANDS = (Kind.COMMAND_BOARD, Kind.COMMAND_GAME, Kind.REQUEST)
_REFUSED = frozenset({1, 2, 4, 5, 132, 133, 134, 135, 138, 140})
"""CONNACK codes of MQTT 3.1.1, and the MQTT 5 codes that paho turns them into, which no retry will change."""


MakeClient = Callable[[Will], Client]
"""A client for this gateway's login with that last will; the same identifier each time."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message for this gateway: a command or a request."""

    topic: Topic
    payload: bytes
    retained: bool


@dataclass(slots=True)
class _Shown:
    payload: bytes
    qos: int
    follows: bool
    """It says up to which event of a stream it goes, and is published behind that event."""
    news: Any = None
    """What of it makes it worth publishing."""
    due: float = 0.0
    """Loop time before which it is not published again."""
    behind: int = -1
    """The reading of the outbox that has to be published before; -1 for none."""


class MqttRelay:
    """`async with MqttRelay(...)` returns when the first connection stands, and keeps one from then on.

    BrokerError if the broker refuses the login, or (with `patience` seconds) is not reached in that time, unless it is
    not `required`; with `patience=None` it waits in the background for a broker that is not there yet. After the first
    connection no state of the broker raises: the outbox grows on disk and goes out when it is back.
    """

    def __init__(
        self,
        make_client: MakeClient,
        broker: str,
        meeting: str,
        gateway: str,
        journal: Journal,
        *,
        patience: float | None = 10.0,
        instance: str = "0",
    ) -> None:
        """`broker` is what to call it where a person reads; `gateway` is the login's name too (the access table).

        `instance` tells this gateway from another one of the same name: the same each time, another elsewhere.
        """
        self.received: asyncio.Queue[Received] = asyncio.Queue(1000)
        self.connected = asyncio.Event()
        self.connections = 0
        self.published = 0
        """Messages that the broker acknowledged (QoS 0: that were handed over)."""
        self.required = True
        """Whether it is an error if the broker is not reached within `patience`; else it is waited for meanwhile."""
        self.denied: set[str] = set()
        """Topics whose publications do not come back: the login may not write (or read) them."""
        self._make_client = make_client
        self._broker = broker
        self._meeting = meeting
        self._gateway = gateway
        self._journal = journal
        self._patience = patience
        self._state_topic = topic(Kind.GATEWAY_STATE, meeting, gateway)
        self._presence = Presence(instance)
        self._shown: dict[str, _Shown] = {}
        self._fresh: dict[str, _Shown] = {}
        """Those that have changed, in the order in which they did."""
        self._answers: asyncio.Queue[tuple[int, str, bytes]] = asyncio.Queue(ANSWER_PIECES)
        """With the number of the connection that they are for: behind it they are forgotten."""
        self._wake = asyncio.Event()
        self._wake_shown = asyncio.Event()
        self._outbox_reading = 0
        """The number of the newest reading of the outbox that has begun; they are counted over all connections."""
        self._read_up_to = -1
        """The newest one of which everything is published, in this connection."""
        self._listening: set[str] = set()
        """Filters that are subscribed to for echoes."""
        self._echoes: dict[str, float | None] = {}
        """Until when a retained topic's message should have come back; infinite before it is published, None after."""
        self._awaited: set[str] = set()
        """Topics that were published and have not come back yet."""
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    # lifetime

    async def __aenter__(self) -> Self:
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._keep_connected(first), name="mqtt")
        if self._patience is not None:
            try:
                await first
            except BaseException:
                await self._end(self._task)
                raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What is in the outbox goes out if the broker takes it within `GOODBYE_SECONDS`; then `$state` is offline."""
        assert self._task is not None
        self._stopping = True
        self.wake()
        self._wake_shown.set()
        if self.connected.is_set():
            await asyncio.wait({self._task}, timeout=GOODBYE_SECONDS)
        await self._end(self._task)

    async def kept(self) -> None:
        """Wait for as long as a connection is kept; RuntimeError where that ends before the relay is left."""
        assert self._task is not None
        await asyncio.wait({self._task})
        if not self._stopping:
            raise RuntimeError("nothing is published any more") from (
                None if self._task.cancelled() else self._task.exception()
            )

    async def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def _keep_connected(self, first: asyncio.Future[None]) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        backoff = FIRST_BACKOFF_SECONDS
        while not self._stopping:
            connections = self.connections
            try:
                await self._connection(first)
            except MqttError as error:
                self.connected.clear()
                if not first.done() and self._patience is not None:
                    self._consider_giving_up(first, error, loop.time() - began)
                level = logging.INFO
                if self.connections > connections:
                    backoff = FIRST_BACKOFF_SECONDS
                    level = logging.WARNING  # once for each loss, not for each vain attempt after it
                log.log(level, "broker %s: %s; the outbox waits on disk", self._broker, error)
            except Exception as error:
                log.exception(
                    "broker %s: the connection broke by a fault of this program; it is made again", self._broker
                )
                self.connected.clear()
                if not first.done():
                    first.set_exception(error)
            if not self._stopping:
                await asyncio.sleep(backoff * random.uniform(0.5, 1.0))
                backoff = min(2 * backoff, LONGEST_BACKOFF_SECONDS)

    def _consider_giving_up(self, first: asyncio.Future[None], error: MqttError, waited: float) -> None:
        code = _code(error)
        if code in _REFUSED:
            reason = str(error).partition("] ")[2] or str(error)
            first.set_exception(BrokerError("broker_login", broker=self._broker, login=self._gateway, reason=reason))
        elif waited > (self._patience or 0.0):
            if not self.required:
                log.warning("broker %s: cannot be reached (%s); play goes on without it", self._broker, error)
                first.set_result(None)
                return
            first.set_exception(BrokerError("broker_away", broker=self._broker, reason=str(error)))

    async def _connection(self, first: asyncio.Future[None]) -> None:
        """One connection, from CONNECT until it breaks (MqttError) or the relay is stopped."""
        client = self._make_client(Will(str(self._state_topic), self._gateway_state("offline"), qos=1, retain=True))
        async with client:
            self.connections += 1
            self._echoes.clear()
            self._awaited.clear()
            self.denied.clear()
            self._fresh = dict(self._shown)
            for shown in self._shown.values():
                shown.due = 0.0
                shown.behind = self._outbox_reading + 1 if shown.follows else -1
            self._listening.clear()
            self._presence.begin()
            await self._subscribe(client, [*self._wanted(), str(self._state_topic)])
            self.show(self._state_topic, self._gateway_state("online"))
            level = logging.INFO if self.connections == 1 else logging.WARNING
            log.log(level, "broker %s: connected as %s", self._broker, self._gateway)
            reader = asyncio.create_task(self._read(client))
            answerer = asyncio.create_task(self._answer(client))
            writer = asyncio.create_task(self._write(client, first))
            try:
                done, _ = await asyncio.wait({reader, answerer, writer}, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                await client.publish(str(self._state_topic), self._gateway_state("offline"), qos=1, retain=True)
            finally:
                for task in (reader, answerer, writer):
                    task.cancel()
                await asyncio.gather(reader, answerer, writer, return_exceptions=True)
                self.connected.clear()

    # what the boards show

    def show_gateway(self, health: Mapping[str, Any], at: float) -> None:
        place = topic(Kind.GATEWAY_HEALTH, self._meeting, self._gateway)
        body = {"gateway": self._gateway, **health}
        self.show(place, encode(Envelope(place.schema, self._ts(at), body=body)), body)

    def show_link(self, board: str, up: bool | None, at: float, reason: str | None = None) -> None:
        """`at` is when this was so first: the same again is no news. `up` None is a table without a sensor board."""
        link = "none" if up is None else "up" if up else "down"
        body: dict[str, Any] = {"link": link, "gateway": self._gateway}
        if reason is not None:
            body["reason"] = reason
        self._show_board_topic(Kind.BOARD_LINK, board, None, at, body, news=body)

    def show_info(self, board: str, info: Mapping[str, Any], at: float) -> None:
        self._show_board_topic(Kind.BOARD_INFO, board, None, at, {**info, "gateway": self._gateway})

    def show_see(self, board: str, game: str | None, item: See) -> None:
        self._show_board_topic(Kind.BOARD_SEE, board, game, item.at, {"at": item.at, "see": item.rows})

    def show_health(self, board: str, health: Mapping[str, Any], at: float) -> None:
        self._show_board_topic(Kind.BOARD_HEALTH, board, None, at, health)

    def show_board(self, board: str, game: str | None, event: Mapping[str, Any]) -> None:
        self._show_board_topic(Kind.BOARD_STATE, board, game, event["at"], event)

    def show_game(self, board: str, state: GameState, seq: int, at: float) -> None:
        """`seq` is the number of the newest event that `state` includes; both are durable.

        A state that says the same as the last one is no news, whatever its `at`.
        """
        body = {key: value for key, value in state_object(state).items() if key != "game"}
        epoch = self._journal.epoch
        place, key = _place(Kind.GAME_STATE, self._meeting, state.game)
        if self._is_news(key, news := (board, epoch, seq, body)):
            envelope = Envelope(place.schema, self._ts(at), board, state.game, epoch, seq or None, {"at": at, **body})
            self.show(place, encode(envelope), news)

    def show(self, place: Topic, payload: bytes, news: Any = None) -> None:
        """Let `payload` be what a retained topic says; what it said before, and was not yet published, is forgotten.

        Where `news` is given and equal to what was given last, nothing is published.
        """
        news = payload if news is None else news
        key = str(place)
        if self._is_news(key, news):
            shown = self._shown.setdefault(key, _Shown(b"", place.qos, place.kind == Kind.GAME_STATE))
            shown.news = news
            self._change(key, shown, payload)

    def _is_news(self, key: str, news: Any) -> bool:
        shown = self._shown.get(key)
        return shown is None or shown.news != news

    def _change(self, key: str, shown: _Shown, payload: bytes) -> None:
        shown.payload = payload
        self._fresh.setdefault(key, shown)
        if shown.follows:
            # Its events are durable: the next reading of the outbox has them.
            shown.behind = self._outbox_reading + 1
            self.wake()
        else:
            self._wake_shown.set()

    def answer(self, user: str, payload: bytes) -> None:
        """Publish a short answer on `ack/{user}`, while this connection lasts and answers do not pile up."""
        if not self.connected.is_set():
            return
        try:
            self._answers.put_nowait((self.connections, self._answer_topic(user), payload))
        except asyncio.QueueFull:
            log.warning("broker %s: too many answers wait; one for %s is left out", self._broker, user)

    async def deliver(self, user: str, payloads: Iterable[bytes]) -> None:
        """Publish the pieces of an answer on `ack/{user}`, while this connection lasts; waits while answers pile up."""
        connection = self.connections
        for payload in payloads:
            if not self.connected.is_set() or self.connections != connection:
                return
            await self._answers.put((connection, self._answer_topic(user), payload))

    def _answer_topic(self, user: str) -> str:
        return str(topic(Kind.ANSWER, self._meeting, user))

    def wake(self) -> None:
        """The outbox has something new."""
        self._wake.set()

    async def drained(self) -> None:
        """Wait until a connection stands and everything that was shown or put into the outbox is with the broker."""
        while True:
            await self.connected.wait()
            await asyncio.wrap_future(self._journal.flush())
            if not await asyncio.to_thread(self._journal.unsent, 0, 1) and not self._fresh:
                return
            await asyncio.sleep(SHOW_SECONDS / 4)

    # one connection

    def _wanted(self) -> list[str]:
        """Whole kinds: the broker delivers of them what this login may read, and other boards' are passed over."""
        return [topic_filter(kind, self._meeting) for kind in COMMANDS]

    async def _subscribe(self, client: Client, filters: list[str]) -> None:
        codes: Iterable[Any] = await client.subscribe([(text, 1) for text in filters])
        for text, code in zip(filters, codes, strict=False):
            if _value(code) >= 128:
                log.error("broker %s: %s may not read %s", self._broker, self._gateway, text)
                self.denied.add(text)

    async def _read(self, client: Client) -> None:
        async for message in client.messages:
            await self._take(client, message)

    async def _take(self, client: Client, message: Message) -> None:
        text = str(message.topic)
        if text == str(self._state_topic) and message.payload:
            self._hear(message)
        if text in self._echoes:
            await self._echoed(client, message, text)
            return
        try:
            place = parse(text)
        except TopicError as error:
            log.warning("broker %s: %s", self._broker, error)
            return
        payload = message.payload
        # An empty message takes a retained one away; it says nothing to a gateway.
        if place.kind in COMMANDS and payload:
            await self.received.put(Received(place, bytes(payload), bool(message.retain)))

    async def _echoed(self, client: Client, message: Message, text: str) -> None:
        """Something on a topic of our own: what the broker had kept there, or what was just published."""
        if message.retain:
            self._compare(message)
            return
        self._echoes[text] = None
        self._awaited.discard(text)
        self.denied.discard(text)
        if self._listening and all(due is None for due in self._echoes.values()):
            filters = sorted(self._listening - {str(self._state_topic)})
            self._listening.clear()
            if filters:
                await client.unsubscribe(filters)

    def _hear(self, message: Message) -> None:
        """What is said on our own `$state`, by us or by another gateway of the same name."""
        twins = len(self._presence.twins)
        if self._presence.hear(bytes(message.payload), bool(message.retain)):
            key = str(self._state_topic)
            self._change(key, self._shown[key], self._gateway_state("online"))
        if len(self._presence.twins) > twins:
            log.error(
                "broker %s: another gateway is there as %s; stop one, or give it a name of its own",
                self._broker,
                self._gateway,
            )

    def _compare(self, message: Message) -> None:
        """Begin a new epoch where the broker's retained state includes events that the journal does not have."""
        try:
            place = parse(str(message.topic))
            if place.kind != Kind.GAME_STATE or not isinstance(message.payload, bytes | bytearray):
                return
            kept = decode(message.payload, place.schema)
        except ValueError as error:
            log.warning("broker %s: what it kept on %s cannot be read: %s", self._broker, message.topic, error)
            return
        ours = (self._journal.epoch, self._journal.last_seq(f"game/{place.id('game')}"))
        if (kept.epoch or 0, kept.seq or 0) <= ours:
            return
        log.error(
            "broker %s: it knows event %s of game %s, the journal ends at %d; it was restored from an old copy, and a "
            "new epoch begins",
            self._broker,
            kept.seq,
            place.id("game"),
            ours[1],
        )
        self._journal.begin_epoch(kept.epoch or 0)
        for key, shown in self._shown.items():
            if shown.follows:
                self._change(key, shown, encode(replace(decode(shown.payload), epoch=self._journal.epoch)))

    async def _answer(self, client: Client) -> None:
        while True:
            connection, place, payload = await self._answers.get()
            if connection == self.connections:
                await client.publish(place, payload, qos=1)
                self.published += 1

    async def _write(self, client: Client, first: asyncio.Future[None]) -> None:
        await asyncio.wrap_future(self._journal.flush())
        # Before anything is published: what the broker kept is compared with the journal, not overwritten first.
        await self._listen_for(client, list(self._shown))
        await client.publish(str(self._state_topic), self._gateway_state("online"), qos=1, retain=True)
        if not first.done() and await self._presence.twin() and self._patience is not None and self.required:
            first.set_exception(BrokerError("gateway_twice", broker=self._broker, login=self._gateway))
            raise MqttError("another gateway has this name")
        self._read_up_to = -1
        await self._publish_shown(client)
        self.connected.set()
        if not first.done():
            first.set_result(None)
        await _side_by_side([self._send_outbox(client), self._show_present(client)])

    async def _send_outbox(self, client: Client) -> None:
        """Publish what is in the outbox, for ever; while stopping, until it is empty.

        What earlier connections left there is read from the file; what is new comes from memory, as far as that goes.
        """
        sent = 0
        caught_up = False
        while True:
            self._wake.clear()
            self._outbox_reading += 1
            rows = self._journal.recent(sent, OUTBOX_ROWS) if caught_up else None
            if rows is None:
                newest = self._journal.newest
                rows = await asyncio.to_thread(self._journal.unsent, sent, OUTBOX_ROWS)
                caught_up = len(rows) < OUTBOX_ROWS
                sent = max(sent, newest) if caught_up else sent
            if rows:
                await self._publish_rows(client, rows)
                sent = max(sent, rows[-1].number)
            if len(rows) < OUTBOX_ROWS:
                self._read_up_to = self._outbox_reading
                self._wake_shown.set()
            if rows:
                continue
            if self._stopping:
                return
            await self._wake.wait()

    async def _show_present(self, client: Client) -> None:
        """Publish what was shown, when it is due, for ever; while stopping, until all of it is."""
        while True:
            self._wake_shown.clear()
            await self._publish_shown(client)
            self._look_for_echoes()
            if self._stopping and not self._fresh:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake_shown.wait(), self._pause())

    def _pause(self) -> float | None:
        """Seconds until something is due without a wake-up."""
        now = asyncio.get_running_loop().time()
        times = [shown.due for shown in self._fresh.values() if shown.behind <= self._read_up_to]
        times += [due for key in self._awaited if (due := self._echoes[key]) is not None]
        first = min(times, default=math.inf)
        return None if first == math.inf else max(0.0, first - now)

    async def _publish_rows(self, client: Client, rows: list[OutboxRow]) -> None:
        """Publish outbox rows: each stream in its order, the streams side by side."""
        streams: dict[str, list[OutboxRow]] = {}
        for row in rows:
            streams.setdefault(row.stream, []).append(row)
        await _side_by_side([self._publish_stream(client, of) for of in streams.values()])

    async def _publish_stream(self, client: Client, rows: list[OutboxRow]) -> None:
        for row in rows:
            message = self._message(row)
            if message is not None:
                await client.publish(*message, qos=1)
                self.published += 1
            self._journal.mark_sent(row.number).add_done_callback(_complain)

    def _message(self, row: OutboxRow) -> tuple[str, bytes] | None:
        """Topic and payload of an outbox row; None, loudly, for one that can never be sent."""
        try:
            kind, _, name = row.stream.partition("/")
            _, place = _place(_STREAMS[kind], self._meeting, name)
            return place, encode(row_envelope(self._journal, row))
        except ValueError:
            log.exception("outbox row %d of %s cannot be sent and is passed over", row.number, row.stream)
            return None

    async def _listen_for(self, client: Client, topics: Sequence[str]) -> None:
        """Expect what is published on these topics to come back."""
        fresh = [key for key in topics if key not in self._echoes]
        if not fresh:
            return
        self._echoes.update((key, math.inf) for key in fresh)
        filters = fresh
        if len(fresh) > SINGLE_FILTERS:
            filters = sorted({topic_filter(parse(key).kind, self._meeting) for key in fresh})
        self._listening.update(filters)
        await self._subscribe(client, filters)

    async def _publish_shown(self, client: Client) -> None:
        """Publish the retained topics that have changed and are due; what follows a stream, behind its events."""
        now = asyncio.get_running_loop().time()
        due = [
            (key, shown)
            for key, shown in self._fresh.items()
            if (shown.due <= now or self._stopping) and shown.behind <= self._read_up_to
        ]
        await self._listen_for(client, [key for key, _ in due])
        await _side_by_side([self._publish_one(client, key, shown) for key, shown in due])

    async def _publish_one(self, client: Client, key: str, shown: _Shown) -> None:
        now = asyncio.get_running_loop().time()
        self._fresh.pop(key, None)
        shown.due = now + SHOW_SECONDS
        if self._echoes[key] == math.inf:
            self._echoes[key] = now + ECHO_SECONDS
            self._awaited.add(key)
        await client.publish(key, shown.payload, qos=shown.qos, retain=True)
        self.published += 1

    def _look_for_echoes(self) -> None:
        now = asyncio.get_running_loop().time()
        for key in list(self._awaited):
            due = self._echoes[key]
            if due is not None and due <= now:
                self._awaited.discard(key)
                self.denied.add(key)
                log.error(
                    "broker %s: what is published on %s does not come back; the login %s may not write or read it: "
                    "compare the broker's access rules with the boards listed for this gateway",
                    self._broker,
                    key,
                    self._gateway,
                )

    def _show_board_topic(
        self, kind: Kind, board: str, game: str | None, at: float, body: Mapping[str, Any], news: Any = None
    ) -> None:
        place, key = _place(kind, self._meeting, board)
        if news is None or self._is_news(key, news):
            self.show(place, encode(Envelope(place.schema, self._ts(at), board, game, body=body)), news)

    def _gateway_state(self, state: str) -> bytes:
        ts = self._ts(self._journal.last_at)
        body = {"gateway": self._gateway, "state": state, "instance": self._presence.instance}
        return encode(Envelope(self._state_topic.schema, ts, body=body))

    def _ts(self, at: float) -> str:
        return timestamp(self._journal.utc, at)


def row_envelope(journal: Journal, row: OutboxRow) -> Envelope:
    """An outbox row as it is published: an event with its place in the stream, or an answer."""
    kind, _, name = row.stream.partition("/")
    ts = timestamp(journal.utc, row.at)
    if kind == "ack":
        return Envelope(_ANSWER_SCHEMA, ts, row.board, body=row.body)
    game = name if kind == "game" else None
    return Envelope(_EVENT_SCHEMA, ts, row.board, game, journal.epoch, row.seq, row.body)


def state_object(state: GameState) -> dict[str, Any]:
    """A game's present as a JSON-ready object; events in it as they travel, unset keys left out."""
    body = {key: value for key in _STATE_KEYS if (value := getattr(state, key)) is not None}
    for key in ("clock", "board_state", "over"):
        if key in body:
            body[key] = event_object(body[key])
    body["notes"] = tuple({key: getattr(note, key) for key in _NOTE_KEYS} for note in state.notes)
    return body


@lru_cache(maxsize=10_000)
def _place(kind: Kind, meeting: str, name: str) -> tuple[Topic, str]:
    """A topic of this gateway, and its text."""
    place = topic(kind, meeting, name)
    return place, str(place)


_STATE_KEYS = tuple(field.name for field in fields(GameState))
_NOTE_KEYS = tuple(field.name for field in fields(PlyNote))
_STREAMS = {"game": Kind.GAME_EVENT, "board": Kind.BOARD_EVENT, "ack": Kind.ANSWER}
_EVENT_SCHEMA = topic(Kind.GAME_EVENT, "m", "g").schema
_ANSWER_SCHEMA = topic(Kind.ANSWER, "m", "u").schema


def _code(error: MqttError) -> int | None:
    if not isinstance(error, MqttCodeError) or error.rc is None:
        return None
    return _value(error.rc)


async def _side_by_side(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Wait for all of them; where one raises, or the wait is cancelled, the others are cancelled too."""
    works = list(works)
    if len(works) == 1:
        await works[0]
        return
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _value(code: int | ReasonCode) -> int:
    return code.value if isinstance(code, ReasonCode) else code


def _complain(done: Future[None]) -> None:
    error = done.exception()
    if error is not None:
        log.error("a sent message could not be marked: %s", error)
