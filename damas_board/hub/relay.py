"""The connection of the hub that publishes: what is public goes out to `public/...`, events before states.

Events come from the store and are marked there after the broker's acknowledgement; states are what was shown last for
each topic, and are published again at every connect, since a broker may have come back empty. What is published is
listened to: a state that does not come back was refused by the broker (`denied`), and one that tells of a newer epoch
or of more events than we published is another hub's (`on_foreign`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from types import TracebackType
from typing import Self

import aiomqtt

from damas_board.hub.ending import ended
from damas_board.hub.errors import HubError
from damas_board.hub.public_store import PublicStore
from damas_board.messages.envelope import Envelope, EnvelopeError, decode, encode
from damas_board.messages.topics import Kind, Topic, TopicError, parse, topic, topic_filter

log = logging.getLogger(__name__)

FIRST_BACKOFF_SECONDS = 0.2
LONGEST_BACKOFF_SECONDS = 5.0
ECHO_SECONDS = 5.0
KEPT_SECONDS = 0.5
"""How long after a subscription what the broker has retained is waited for."""
ROWS = 200
_STATES = (Kind.PUBLIC_GAME_STATE, Kind.PUBLIC_ROUND)


class PublicRelay:
    """`async with PublicRelay(...)` keeps a connection; `show` and `wake` say that there is something to publish."""

    def __init__(
        self,
        connect: Callable[[], aiomqtt.Client],
        meeting: str,
        store: PublicStore,
        *,
        on_foreign: Callable[[str, int, int], None] = lambda game, epoch, seq: None,
    ) -> None:
        """`on_foreign(game, epoch, seq)`: the broker has the public state of a game that says so."""
        self.connected = asyncio.Event()
        self.denied: set[str] = set()
        """Topics whose publications do not come back: the login may not write there."""
        self._connect = connect
        self._meeting = meeting
        self._store = store
        self._on_foreign = on_foreign
        self._shown: dict[str, tuple[bytes, bool]] = {}
        """By topic the payload, and whether it has to be published."""
        self._echoes: dict[str, float] = {}
        """Until when a topic's message should have come back."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._last = 0

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._keep_connected(), name="public")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Lets go out what the broker takes within a moment."""
        assert self._task is not None
        self._stopping = True
        self._wake.set()
        if self.connected.is_set():
            await asyncio.wait([self._task], timeout=3.0)
        await ended(self._task)

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends only when something is wrong with it."""
        return () if self._task is None else (self._task,)

    def show(self, place: Topic, payload: bytes) -> None:
        """Let `payload` be what a retained topic says."""
        if self._shown.get(str(place), (b"",))[0] != payload:
            self._shown[str(place)] = (payload, True)
            self._wake.set()

    def leave(self, place: Topic) -> None:
        """What a retained topic says is somebody else's from now on, also after the next connect."""
        self._shown.pop(str(place), None)
        self._echoes.pop(str(place), None)

    def wake(self) -> None:
        """The store has events to publish."""
        self._wake.set()

    # one connection after the other

    async def _keep_connected(self) -> None:
        pause = FIRST_BACKOFF_SECONDS
        while not self._stopping:
            try:
                async with self._connect() as client:
                    await client.subscribe([(topic_filter(kind, self._meeting), 1) for kind in _STATES])
                    pause = FIRST_BACKOFF_SECONDS
                    await self._serve(client)
            except HubError as error:
                log.error("what is public cannot be read from the disk, and is not sent: %s", error)
            except aiomqtt.MqttError as error:
                level = logging.WARNING if pause == FIRST_BACKOFF_SECONDS else logging.INFO
                log.log(level, "the connection for what is public is gone (%s); again in %g s", error, pause)
            finally:
                self.connected.clear()
            if not self._stopping:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_BACKOFF_SECONDS)

    async def _serve(self, client: aiomqtt.Client) -> None:
        reading = asyncio.create_task(self._read(client))
        writing = asyncio.create_task(self._write(client))
        try:
            done, _ = await asyncio.wait([reading, writing], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await ended(reading, writing)

    async def _read(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            place, payload = str(message.topic), message.payload
            if not isinstance(payload, bytes):
                continue
            if not message.retain:
                self._echoes.pop(place, None)
                self.denied.discard(place)
            if payload:
                self._compare(place, payload)

    def _compare(self, text: str, payload: bytes) -> None:
        """Whether the broker knows more of a game's public copy than we have published."""
        try:
            place, kept = parse(text), decode(payload)
        except (TopicError, EnvelopeError) as error:
            log.warning("what is on %s cannot be read: %s", text, error)
            return
        if place.kind == Kind.PUBLIC_GAME_STATE and kept.epoch is not None:
            self._on_foreign(place.id("game"), kept.epoch, kept.seq or 0)

    async def _write(self, client: aiomqtt.Client) -> None:
        await asyncio.sleep(KEPT_SECONDS)
        self._last = 0
        self._echoes.clear()
        self._shown = {place: (payload, True) for place, (payload, _) in self._shown.items()}
        self.connected.set()
        while True:
            self._wake.clear()
            states = [(place, payload) for place, (payload, due) in self._shown.items() if due]
            await self._publish_events(client)
            for place, payload in states:
                await self._publish_state(client, place, payload)
            if self._stopping and not self._wake.is_set():
                return
            self._look_for_echoes()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), ECHO_SECONDS / 5 if self._echoes else None)

    async def _publish_events(self, client: aiomqtt.Client) -> None:
        while rows := await asyncio.to_thread(self._store.unsent, self._last, ROWS):
            for row in rows:
                place = topic(Kind.PUBLIC_GAME_EVENT, self._meeting, row.game)
                body = {key: value for key, value in row.body.items() if key not in ("ts", "game")}
                envelope = Envelope(place.schema, str(row.body["ts"]), None, row.game, row.epoch, row.seq, body)
                await client.publish(str(place), encode(envelope), qos=1)
            self._last = rows[-1].number
            await asyncio.to_thread(self._store.mark_sent, [row.number for row in rows])

    async def _publish_state(self, client: aiomqtt.Client, place: str, payload: bytes) -> None:
        if place not in self._shown:
            return
        if self._shown[place][0] == payload:
            self._shown[place] = (payload, False)
        self._echoes.setdefault(place, asyncio.get_running_loop().time() + ECHO_SECONDS)
        await client.publish(place, payload, qos=1, retain=True)

    def _look_for_echoes(self) -> None:
        now = asyncio.get_running_loop().time()
        for place, due in list(self._echoes.items()):
            if due <= now:
                del self._echoes[place]
                if place not in self.denied:
                    self.denied.add(place)
                    log.error(
                        "what is published on %s does not come back: this hub's login may not write there; only the "
                        "hub that publishes may (publishes in the broker's list of users)",
                        place,
                    )
