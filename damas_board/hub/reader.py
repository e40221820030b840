"""A reader of one meeting: follows the streams of all its games, asks for what it missed, and folds them to records.

Who wants the events themselves is a `Listener`. It is told how old each was when it came: what comes as it happens is
new, whatever time it bears, and of what was asked for the answer's own time tells. So no two clocks are compared.

How far the hall has been heard: until `proved` everything that the broker had has come here; and of the games in
`assured` their gateway has said since, to us, how far they have come, so that what it has not sent yet (it may have
been away, with moves in its outbox) would show as a hole. What a broker has retained says nothing about that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import TracebackType
from typing import Any, Protocol, Self

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode

from damas_board.hub.ending import ended
from damas_board.messages.envelope import Envelope, EnvelopeError, decode, instant, read_object
from damas_board.messages.json_text import read_json
from damas_board.messages.stream import Follower, Record, Since, Step, StreamError, fold
from damas_board.messages.topics import Kind, Topic, TopicError, parse, topic, topic_filter

log = logging.getLogger(__name__)

REFUSED = frozenset({1, 2, 4, 5, 132, 133, 134, 135, 138, 140})
"""CONNACK codes of MQTT 3.1.1, and the MQTT 5 codes that paho turns them into, which no retry will change."""
AGAIN_SECONDS = 0.5
ASK_SECONDS = 2.0
"""How long an answer is waited for before it is asked for again."""
LOOK_SECONDS = 0.5
DOUBT_SECONDS = 10.0
"""The same for a game of which nothing is known to be missing."""
PROVE_SECONDS = 0.25
"""So often the broker is asked whether it is there."""
READS = (Kind.GATEWAY_STATE, Kind.ROUND, Kind.ANSWER, Kind.GAME_STATE, Kind.GAME_EVENT, Kind.BOARD_LINK)
"""In this order: how a round is to be published is known before its games are."""


class LoginRefusedError(RuntimeError):
    """The broker does not let this login in."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event of a game's stream, and how many seconds ago it happened at least when it came here."""

    envelope: Envelope
    age: float


class Listener(Protocol):
    """Who wants the events themselves; called in the event loop, must return at once."""

    def resume(self, game: str) -> Since | None:
        """How far a game is known already, so that only what came after it is asked for."""

    def events(self, game: str, told: Sequence[Told], *, whole: bool) -> None:
        """The next events of a game's stream, each once, in order; `whole`: nothing is missing in between."""

    def round(self, round_: str, payload: Mapping[str, Any]) -> None:
        """A round as its organiser published it."""


class Reader:
    """`async with Reader(...) as reader:` keeps `records` by game and `links` by board up to date.

    It connects again by itself. `changed` is set at every change; clear it before waiting for the next.
    """

    def __init__(
        self,
        connect: Callable[[], aiomqtt.Client],
        user: str,
        meeting: str,
        *,
        listener: Listener | None = None,
        folds: bool = True,
        also: Sequence[Kind] = (),
        hears: Callable[[Topic, bytes], None] | None = None,
    ) -> None:
        """`connect` makes a client, not yet connected, that logs in as `user`; with `folds` there are `records`.

        `hears` is given each message as it came, before it counts here, of the kinds `also` too; empty is what was
        retained and is not any more. What it cannot use it says with a ValueError.
        """
        self.records: dict[str, Record] = {}
        self.boards: dict[str, str] = {}
        """The game that each board had last."""
        self.links: dict[str, bool] = {}
        self.changed = asyncio.Event()
        self.connected = asyncio.Event()
        """Set while there is a connection."""
        self.heard = -math.inf
        """Until when, in the loop's time, the broker is known to have been there, with nothing waiting here."""
        self.proved = -math.inf
        """Until when everything that the broker had has come here: it answered what was asked then. A message alone
        does not tell: it may have been long on its way, and one that was sent behind it still is."""
        self.assured: set[str] = set()
        """Games whose gateway has said how far they have come, since we and it are connected."""
        self.asked = 0
        """Times that something was missing and asked for."""
        self._listener = listener
        self._folds = folds
        self._reads = (*READS, *also)
        self._hears = hears
        self._answers: dict[str, Mapping[str, Any] | None] = {}
        """By id, the answers to commands that are waited for."""
        self._connect = connect
        self._user = user
        self._meeting = meeting
        self._followers: dict[str, Follower] = {}
        self._doubted: frozenset[str] = frozenset()
        self._asked_at: dict[str, float] = {}
        self._hurry = asyncio.Event()
        self._ids = count(1)
        self._client: aiomqtt.Client | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        work = {"read": self._read(), "ask": self._ask_again(), "prove": self._prove()}
        self._tasks = [asyncio.create_task(one, name=name) for name, one in work.items()]
        connected = asyncio.create_task(self.connected.wait())
        try:
            done, _ = await asyncio.wait([connected, self._tasks[0]], return_when=asyncio.FIRST_COMPLETED)
        finally:
            connected.cancel()
        if self._tasks[0] in done:
            await self.__aexit__(None, None, None)
            self._tasks[0].result()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await ended(*self._tasks)

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        """Its work, which ends only when something is wrong with it."""
        return tuple(self._tasks)

    @property
    def missing(self) -> tuple[str, ...]:
        """The games of which events are known to be missing."""
        return tuple(game for game, follower in self._followers.items() if follower.hole is not None)

    def again(self, game: str, known: Since | None = None) -> None:
        """Read what a game's stream has told so far again, behind `known`, from its beginning where that is None."""
        former = self._followers.get(game)
        follower = self._followers[game] = Follower()
        if known is not None:
            follower.resume(known.epoch, known.seq)
        if former is not None and former.epoch is not None:
            follower.noticed(former.epoch, former.seq)
        self._asked_at.pop(game, None)
        self._hurry.set()

    def assure(self, games: Iterable[str]) -> None:
        """Have the gateways say how far these games have come; those of the last call count no more."""
        before, self._doubted = self._doubted, frozenset(games)
        if not self._doubted <= before:
            self._hurry.set()

    async def command(self, board: str, do: str, **arguments: Any) -> Mapping[str, Any]:
        """Gives a command to a board and waits for its answer; sent again if a broker lost it (it is done once)."""
        id_ = f"{self._user}-{do.replace('_', '-')}-{next(self._ids)}"
        place = topic(Kind.COMMAND_BOARD, self._meeting, self._user, board)
        self._answers[id_] = None
        try:
            while (answer := self._answers[id_]) is None:
                await self.publish(place, {"do": do, "id": id_, **arguments})
                try:
                    async with asyncio.timeout(ASK_SECONDS):
                        await self._until_answered(id_)
                except TimeoutError:
                    log.info("no answer to %s yet; sent again", id_)
        finally:
            del self._answers[id_]
        return answer

    async def _until_answered(self, id_: str) -> None:
        while self._answers[id_] is None:
            self.changed.clear()
            await self.changed.wait()

    async def _read(self) -> None:
        ever = away = False
        while True:
            try:
                async with self._connect() as self._client:
                    for kind in self._reads:
                        ids = (self._user,) if kind is Kind.ANSWER else ()
                        await self._client.subscribe(topic_filter(kind, self._meeting, *ids), qos=1)
                    self.connected.set()
                    ever, away = True, False
                    async for message in self._client.messages:
                        await self._take(message)
                        self._is_there(self._client, asyncio.get_running_loop().time())
            except aiomqtt.MqttError as error:
                if not ever and _code(error) in REFUSED:
                    raise LoginRefusedError(str(error)) from error
                level = logging.INFO if away else logging.WARNING  # said once while the broker is away
                away = True
                log.log(
                    level, "the connection to the broker is gone (%s); tried again every %g s", error, AGAIN_SECONDS
                )
            self._client = None
            self.connected.clear()
            self._doubt_all()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _prove(self) -> None:
        """Ask the broker for an answer: it only comes if it is still there, and behind all that it sent before."""
        nothing = f"{topic_filter(Kind.ANSWER, self._meeting, self._user)}/nothing"
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PROVE_SECONDS)
            client, now = self._client, loop.time()
            if client is None or not self.connected.is_set() or now - self.proved < PROVE_SECONDS:
                continue
            try:
                await client.unsubscribe(nothing)
            except aiomqtt.MqttError as error:
                log.info("the broker does not say that it is there: %s", error)
            else:
                if self._is_there(client, now):
                    self.proved = max(self.proved, now)

    def _is_there(self, client: aiomqtt.Client, at: float) -> bool:
        """The broker was there at that time; whether what came from it is taken."""
        if client is not self._client or len(client.messages):
            return False
        self.heard = max(self.heard, at)
        return True

    def _doubt_all(self) -> None:
        self.assured.clear()
        self._asked_at.clear()
        self._hurry.set()

    async def _take(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        if not isinstance(payload, bytes):
            return
        try:
            place = parse(str(message.topic))
            if self._hears is not None:
                self._hears(place, payload)
            if payload:
                await self._understand(place, payload, retained=message.retain)
        except (TopicError, EnvelopeError, StreamError, ValueError, KeyError) as error:
            log.warning("a message on %s cannot be used: %s", message.topic, error)
        self.changed.set()

    async def _understand(self, place: Topic, payload: bytes, *, retained: bool = False) -> None:
        match place.kind:
            case Kind.GATEWAY_STATE:
                if not retained:  # it went, or came, perhaps with more to tell
                    self._doubt_all()
            case Kind.GAME_EVENT:
                await self._event(place.id("game"), decode(payload), 0.0)
            case Kind.ROUND:
                if self._listener is not None:
                    self._listener.round(place.id("round"), _object(payload))
            case Kind.GAME_STATE:
                state = decode(payload)
                if state.epoch is not None and state.seq is not None:
                    game = place.id("game")
                    await self._step(game, self._follower(game).noticed(state.epoch, state.seq))
                    if not retained:
                        self.assured.add(game)
            case Kind.BOARD_LINK:
                self.links[place.id("board")] = _object(payload).get("link") == "up"
            case Kind.ANSWER:
                answer = _object(payload)
                for flat in _events(answer):
                    envelope = read_object(flat)
                    await self._event(_named(answer, "game"), envelope, _age(answer, envelope))
                if answer.get("want") == "since" and answer.get("piece") == answer.get("pieces"):
                    self.assured.add(_named(answer, "game"))
                if "outcome" in answer and (id_ := _named(answer, "id")) in self._answers:
                    self._answers[id_] = answer
            case _:
                pass  # of `also`

    def _follower(self, game: str) -> Follower:
        known = self._followers.get(game)
        if known is None:
            known = self._followers[game] = Follower()
            since = None if self._listener is None else self._listener.resume(game)
            if since is not None:
                known.resume(since.epoch, since.seq)
        if self._folds:
            self.records.setdefault(game, Record())
        return known

    async def _event(self, game: str, envelope: Envelope, age: float) -> None:
        if envelope.board is not None:
            self.boards[envelope.board] = game
        await self._step(game, self._follower(game).take(envelope), (envelope, age))

    async def _step(self, game: str, step: Step, came: tuple[Envelope, float] | None = None) -> None:
        if self._folds:
            if step.restarted:
                self.records[game] = Record()
            for envelope in step.events:
                self.records[game] = fold(self.records[game], envelope)
        if self._listener is not None and step.events:
            told = [Told(e, came[1] if came is not None and e is came[0] else 0.0) for e in step.events]
            self._listener.events(game, told, whole=self._followers[game].hole is None)
        if step.ask is not None:
            await self._ask(game, step.ask)

    async def _ask(self, game: str, since: Since) -> None:
        self.asked += 1
        self._asked_at[game] = asyncio.get_running_loop().time()
        body = {"id": f"since-{next(self._ids)}", "want": "since", "game": game, "epoch": since.epoch, "seq": since.seq}
        await self.publish(topic(Kind.REQUEST, self._meeting, self._user), body)

    async def _ask_again(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), LOOK_SECONDS)
            self._hurry.clear()
            for game, follower in list(self._followers.items()):
                if follower.hole is not None:
                    await self._ask_once_in(ASK_SECONDS, game, follower.hole)
                elif game in self._doubted - self.assured and follower.epoch is not None:
                    await self._ask_once_in(DOUBT_SECONDS, game, Since(follower.epoch, follower.seq))

    async def _ask_once_in(self, seconds: float, game: str, since: Since) -> None:
        if asyncio.get_running_loop().time() - self._asked_at.get(game, -math.inf) >= seconds:
            await self._ask(game, since)

    async def publish(self, place: Topic, body: Mapping[str, Any]) -> None:
        """Sends if there is a connection; what gets lost is sent again by whoever waits for the answer."""
        if self._client is None:
            return
        try:
            await self._client.publish(str(place), json.dumps(body), qos=1)
        except aiomqtt.MqttError as error:
            log.info("not sent to %s: %s", place, error)


def _code(error: aiomqtt.MqttError) -> int | None:
    rc = error.rc if isinstance(error, aiomqtt.MqttCodeError) else None
    return rc.value if isinstance(rc, ReasonCode) else rc


def _object(payload: bytes) -> dict[str, Any]:
    body = read_json(payload)
    if not isinstance(body, dict):
        raise ValueError("not a JSON object")
    return body


def _events(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = answer.get("events", [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ValueError('"events" is no list of JSON objects')
    return found


def _named(answer: Mapping[str, Any], key: str) -> str:
    name = answer[key]
    if not isinstance(name, str):
        raise ValueError(f'"{key}" is no text')
    return name


def _age(answer: Mapping[str, Any], envelope: Envelope) -> float:
    """How old the event was when the answer was given, by the clock of the gateway that gave both."""
    return max(0.0, (instant(str(answer["ts"])) - instant(envelope.ts)).total_seconds())
