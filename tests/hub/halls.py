"""A meeting around a hub: a gateway that says what the test has it say, an organiser, a viewer who keeps every byte."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import aiomqtt
from broker.halls import Hall

from damas_board.broker.client import Address, client
from damas_board.broker.logins import Login, hashed
from damas_board.hub.archive import Archive
from damas_board.hub.hub import Hub, Publishing
from damas_board.hub.public_store import PublicStore
from damas_board.messages.access import User
from damas_board.messages.envelope import Envelope, decode, encode, object_of, rfc3339
from damas_board.messages.publication import Terms
from damas_board.messages.stream import Record, fold
from damas_board.messages.topics import Kind, parse, topic
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.regulations import shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position, initial

MEETING = "open"
USERS = (
    User("gw-1", "gateway", MEETING, boards=("t-1", "t-2", "t-3"), games=("*",)),
    User("olga", "organiser", MEETING),
    User("ana", "arbiter", MEETING),
    User("screen", "viewer", MEETING),
    User("hub-1", "hub", MEETING, publishes=True),
    User("hub-2", "hub", MEETING),
)
LOGINS = tuple(Login(user, hashed(f"secret of {user.name}", iterations=101)) for user in USERS)
REGULATION = "br-cbjd"
PATIENCE = 30.0


def address(hall: Hall, user: str) -> Address:
    return Address(hall.host, hall.port, user, f"secret of {user}")


async def ended(task: asyncio.Task[None]) -> None:
    """Stop it; what it found wrong is raised here."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@dataclass
class Gateway:
    """Tells games as events, and answers `since`. `told` keeps the time before each was sent."""

    hall: Hall
    streams: dict[str, list[Envelope]] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    positions: dict[str, Position] = field(default_factory=dict)
    told: list[tuple[float, str, dict[str, Any]]] = field(default_factory=list)
    epoch: int = 1
    random: Random = field(default_factory=lambda: Random(7))
    deaf: bool = False
    """Requests stay without an answer."""
    _client: aiomqtt.Client | None = None

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Gateway]:
        async with client(address(self.hall, "gw-1"), identifier="gw-1") as self._client:
            await self._client.subscribe(f"damas/v1/{MEETING}/req/+", qos=1)
            task = asyncio.create_task(self._serve())
            try:
                yield self
            finally:
                await ended(task)

    async def _serve(self) -> None:
        assert self._client is not None
        async for message in self._client.messages:
            asked = json.loads(bytes(message.payload))  # type: ignore[arg-type]
            game, user = asked["game"], parse(str(message.topic)).id("user")
            if self.deaf or game not in self.streams:
                continue
            known = asked["seq"] if asked["epoch"] == self.epoch else 0
            events = [object_of(envelope) for envelope in self.streams[game][known:]]
            starts = range(0, max(len(events), 1), 40)
            for number, start in enumerate(starts, 1):
                part = {"id": asked["id"], "want": "since", "outcome": "done", "events": events[start : start + 40]}
                part |= {"piece": number, "pieces": len(starts)}
                answer = Envelope("damas.answer/1", now(), None, game, self.epoch, None, part)
                await self._client.publish(str(topic(Kind.ANSWER, MEETING, user)), encode(answer), qos=1)

    async def tell(self, game: str, event: str, /, *, lost: bool = False, ago: float = 0.0, **keys: Any) -> None:
        """One event of a game; `lost`: nobody hears it live; `ago`: it happened so many seconds ago."""
        stream = self.streams.setdefault(game, [])
        body = {"event": event, "at": time.time() - ago, **keys}
        ts = rfc3339(datetime.fromtimestamp(body["at"], UTC))
        board = f"t-{game[-1]}"
        envelope = Envelope("damas.event/1", ts, board, game, self.epoch, len(stream) + 1, body)
        stream.append(envelope)
        self.records[game] = fold(self.records.get(game, Record()), envelope)
        self.told.append((time.monotonic() - ago, game, body))
        if not lost:
            await self.publish(envelope)

    async def publish(self, envelope: Envelope) -> None:
        assert self._client is not None
        assert envelope.game is not None
        place = topic(Kind.GAME_EVENT, MEETING, envelope.game)
        await self._client.publish(str(place), encode(envelope), qos=1)
        await self.show(envelope.game)

    async def state(self, state: str, *, retain: bool = False) -> None:
        """The gateway's own `$state`; it is not away, whatever it says."""
        assert self._client is not None
        body = {"schema": "damas.gateway/1", "ts": now(), "gateway": "gw-1", "state": state}
        place = str(topic(Kind.GATEWAY_STATE, MEETING, "gw-1"))
        await self._client.publish(place, json.dumps(body), qos=1, retain=retain)

    async def show(self, game: str) -> None:
        assert self._client is not None
        record, stream = self.records[game], self.streams[game]
        body = {"at": 1.0, "regulation": record.regulation, "start": record.start, "fen": record.fen}
        body |= {"moves": list(record.moves), "revision": record.revision, "alerts": list(record.open_alerts)}
        body |= {"over": None if record.over is None else dict(record.over)}
        state = Envelope("damas.state/1", stream[-1].ts, stream[-1].board, game, self.epoch, len(stream), body)
        await self._client.publish(str(topic(Kind.GAME_STATE, MEETING, game)), encode(state), qos=1, retain=True)

    async def start(self, game: str, **keys: Any) -> None:
        position = self.positions[game] = initial(shipped(REGULATION).variant)
        await self.tell(game, "game_started", game=game, regulation=REGULATION, fen=write_fen(position), **keys)

    async def move(self, game: str, **keys: Any) -> None:
        """The next legal move."""
        await self._ply(game, "move", len(self.records[game].plies) + 1, self.positions[game], **keys)

    async def revise(self, game: str, **keys: Any) -> None:
        """The last move was another one; nothing where no other was legal."""
        record = self.records[game]
        before = self._before(game, len(record.plies))
        was = record.plies[-1].move
        if len(legal_moves(before)) == 1:
            return
        await self._ply(game, "move_revised", len(record.plies), before, avoid=was, was=was, bump=1, **keys)

    async def retract(self, game: str, from_ply: int) -> None:
        record = self.records[game]
        self.positions[game] = self._before(game, from_ply)
        fen = write_fen(self.positions[game])
        told = {"from_ply": from_ply, "reason": "rewind", "revision": record.revision + 1, "fen": fen}
        await self.tell(game, "moves_retracted", **told)

    async def over(self, game: str, winner: str = "draw", result: str = "1-1") -> None:
        record = self.records[game]
        end = {"winner": winner, "result": result, "reason": "agreed", "article": None, "ply": len(record.plies)}
        await self.tell(game, "game_over", **end, revision=record.revision)

    def _before(self, game: str, ply: int) -> Position:
        position = initial(shipped(REGULATION).variant)
        for played in self.records[game].plies[: ply - 1]:
            position = next(
                position.after(move) for move in legal_moves(position) if write_fen(position.after(move)) == played.fen
            )
        return position

    async def _ply(
        self, game: str, event: str, ply: int, before: Position, *, avoid: str = "", bump: int = 0, **keys: Any
    ) -> None:
        move = self.random.choice([m for m in legal_moves(before) if write_move(before, m) != avoid])
        after = self.positions[game] = before.after(move)
        told = {
            **{"ply": ply, "side": "white" if ply % 2 else "black", "move": write_move(before, move)},
            **{"from": "a1", "to": "b2", "path": [], "captured": [], "promoted": False, "fen": write_fen(after)},
            **{"provisional": True, "irregular": False, "basis": "seen", "down": 1.0, "seconds": None},
            "revision": self.records[game].revision + bump,
        }
        await self.tell(game, event, **{**told, **keys})


@dataclass
class Viewer:
    """Hears `public/#` and keeps all bytes with the time at which they came; folds what it hears."""

    hall: Hall
    heard: list[tuple[float, str, bytes]] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=dict)
    streams: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    states: dict[str, dict[str, Any]] = field(default_factory=dict)
    rounds: dict[str, dict[str, Any]] = field(default_factory=dict)

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[Viewer]:
        async with client(address(self.hall, "screen"), identifier="screen") as connection:
            await connection.subscribe(f"damas/v1/{MEETING}/public/#", qos=1)
            task = asyncio.create_task(self._watch(connection))
            try:
                yield self
            finally:
                await ended(task)

    async def _watch(self, connection: aiomqtt.Client) -> None:
        async for message in connection.messages:
            payload = bytes(message.payload)  # type: ignore[arg-type]
            self.heard.append((time.monotonic(), str(message.topic), payload))
            place = parse(str(message.topic))
            match place.kind:
                case Kind.PUBLIC_ROUND:
                    self.rounds[place.id("round")] = json.loads(payload)
                case Kind.PUBLIC_GAME_STATE:
                    self.states[place.id("game")] = json.loads(payload)
                case _:
                    envelope = decode(payload)
                    game = place.id("game")
                    assert envelope.epoch is not None
                    assert envelope.seq is not None
                    stream = self.streams.setdefault(game, [])
                    if stream and (envelope.epoch, envelope.seq) <= stream[-1]:
                        continue  # again
                    late = not stream and envelope.seq > 1  # who comes late has the state
                    follows = stream[-1][1] + 1 if stream and stream[-1][0] == envelope.epoch else 1
                    assert late or envelope.seq == follows
                    newer = bool(stream) and stream[-1][0] < envelope.epoch
                    stream.append((envelope.epoch, envelope.seq))
                    if newer:
                        self.records[game] = Record()
                    if newer or stream[0][1] == 1:
                        self.records[game] = fold(self.records.get(game, Record()), envelope)


@dataclass
class Running:
    hub: Hub
    archive: Archive

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """One request; waits, so not in the loop."""
        assert self.hub.web is not None
        asked = urllib.request.Request(f"http://127.0.0.1:{self.hub.web.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(asked, timeout=10) as answer:
                return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, {k.lower(): v for k, v in error.headers.items()}, error.read()


@contextlib.asynccontextmanager
async def hub(
    hall: Hall,
    folder: Path,
    user: str = "hub-1",
    *,
    publishes: bool = True,
    default: Terms | None = None,
    archive: Archive | None = None,
    files: Path | None = None,
    **more: Any,
) -> AsyncIterator[Running]:
    """`more`: other things that `Publishing` says."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    own = Archive.open(f"sqlite:///{folder / 'archive.sqlite'}") if archive is None else archive

    def connect(purpose: str) -> aiomqtt.Client:
        return client(address(hall, user), identifier=f"{user}-{purpose}")

    with contextlib.ExitStack() as stack:
        stack.callback(own.close)
        publishing = None
        if publishes:
            store = stack.enter_context(PublicStore(folder / "publication.sqlite"))
            publishing = Publishing(store, default, folder=files, **more)
        async with Hub(connect, user, MEETING, own, publishing=publishing) as running:
            yield Running(running, own)


def now() -> str:
    return rfc3339(datetime.now(UTC))


async def until(holds: Callable[[], Any], what: str, *, asks: bool = False) -> None:
    """Wait until it holds; `asks`: it waits for an answer, so not in the loop."""
    end = time.monotonic() + PATIENCE
    while not (await asyncio.to_thread(holds) if asks else holds()):
        assert time.monotonic() < end, f"{what} did not come in {PATIENCE:g} s"
        await asyncio.sleep(0.05 if asks else 0.02)


async def publish(hall: Hall, user: str, place: str, body: dict[str, Any] | None) -> None:
    """One retained message of a round or the like."""
    payload = b"" if body is None else json.dumps({"schema": "damas.round/1", "ts": now(), **body}).encode()
    async with client(address(hall, user), identifier=f"{user}-once") as connection:
        await connection.publish(f"damas/v1/{MEETING}/{place}", payload, qos=1, retain=True)


def round_of(games: list[str], **publication: Any) -> dict[str, Any]:
    """A round whose players all have something that is not for the public."""
    people = [
        {"name": "Maria Silva", "public": "M. S.", "rating": 1900},
        {"name": "Rui Menor", "minor": True, "id": "FMJD-77"},
        {"name": "Pedro Costa"},
        {"name": "Joana Nova", "minor": True, "public": "J."},
        {"name": "Ana Lima"},
        {"name": "Luis Faria"},
    ]
    pairings = [
        {"table": str(n), "game": game, "board": f"t-{n}", "white": people[2 * n - 2], "black": people[2 * n - 1]}
        for n, game in enumerate(games, 1)
    ]
    return {
        "round": "1",
        "name": "Round one",
        "regulation": REGULATION,
        "pairings": pairings,
        "publication": publication,
    }
