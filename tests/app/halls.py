"""Brokers in processes of their own, a reader that heals, and a gateway in a process that can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiomqtt

from damas_board.broker.client import Address, client
from damas_board.broker.logins import Login, hashed
from damas_board.broker.mosquitto import Listener, write_files
from damas_board.messages.access import User
from damas_board.messages.envelope import Envelope, decode, read_object
from damas_board.messages.stream import Follower, Record, Since, fold
from damas_board.messages.topics import Kind, parse, topic

MEETING = "autumn"
ASK_SECONDS = 3.0
HALL_BOARDS = tuple(f"hall-{number}" for number in range(1, 41))
USERS = (
    User("gw-1", "gateway", MEETING, boards=("table-1", "table-2", "table-3", "table-4", *HALL_BOARDS)),
    User("ana", "arbiter", MEETING),
    User("olga", "organiser", MEETING),
)
LOGINS = tuple(Login(user, hashed(f"secret of {user.name}", iterations=101)) for user in USERS)

EMBEDDED = """
import asyncio, sys
from app.halls import LOGINS
from damas_board.broker.embedded import EmbeddedBroker
async def main():
    async with EmbeddedBroker(LOGINS, port=int(sys.argv[1])):
        await asyncio.Event().wait()
asyncio.run(main())
"""


@dataclass
class Hall:
    """A broker in its own process, at the same port each time it is started."""

    kind: str
    port: int
    folder: Path
    program: str = ""
    _process: asyncio.subprocess.Process | None = field(default=None, repr=False)

    def address(self, user: str, password: str | None = None) -> Address:
        return Address("127.0.0.1", self.port, user, f"secret of {user}" if password is None else password)

    async def start(self) -> None:
        if self.kind == "mosquitto":
            path = write_files(self.folder, LOGINS, Listener(port=self.port), run_as=getpass.getuser())
            command = [self.program, "-c", str(path)]
        else:
            command = [sys.executable, "-c", EMBEDDED, str(self.port)]
        tests = str(Path(__file__).parents[1])
        self._process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.DEVNULL, env={"PYTHONPATH": tests}
        )
        async with asyncio.timeout(30):
            await self._listening()

    async def kill(self) -> None:
        """As if its plug were pulled."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
        if process is not None:
            await process.wait()

    def forget(self) -> None:
        """What a broker that was killed had kept is gone too."""
        for path in self.folder.glob("*.db"):
            path.unlink()

    async def _listening(self) -> None:
        assert self._process is not None
        open_ = False
        while not open_:
            assert self._process.returncode is None, "the broker ended"
            await asyncio.sleep(0.05)
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                open_ = True


class Reader:
    """An arbiter's login that reads the whole hall, drops what it has, and asks for what it misses.

    `lose(envelope)` says which live events this reader never gets.
    """

    def __init__(self, hall: Hall, lose: Callable[[Envelope], bool] = lambda envelope: False) -> None:
        self.records: dict[str, Record] = {}
        self.followers: dict[str, Follower] = {}
        self.events: list[Envelope] = []
        """Live and asked for, in their order, each once."""
        self.live: list[Envelope] = []
        """As they came."""
        self.boards: list[Envelope] = []
        """Events of boards without a game."""
        self.retained: dict[str, dict[str, Any]] = {}
        """The newest of each retained topic."""
        self.flagged: set[str] = set()
        """Topics that came as retained messages on this connection."""
        self.answers: list[dict[str, Any]] = []
        self.sizes: list[int] = []
        self.asked: list[Since] = []
        self.connected = asyncio.Event()
        self._hall = hall
        self._lose = lose
        self._client: aiomqtt.Client | None = None

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[Reader]:
        tasks = [asyncio.create_task(self._keep_reading()), asyncio.create_task(self._keep_asking())]
        try:
            await self.connected.wait()
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def send(self, place: str, body: Mapping[str, Any] | bytes, *, retain: bool = False) -> None:
        assert self._client is not None
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        await self._client.publish(f"damas/v1/{MEETING}/{place}", payload, qos=1, retain=retain)

    async def _keep_reading(self) -> None:
        while True:
            try:
                async with client(self._hall.address("ana")) as self._client:
                    await self._client.subscribe(f"damas/v1/{MEETING}/#", qos=1)
                    self.flagged.clear()
                    self.connected.set()
                    await self._ask_again()
                    async for message in self._client.messages:
                        await self._take(message)
            except aiomqtt.MqttError:
                self.connected.clear()
                await asyncio.sleep(0.1)

    async def _keep_asking(self) -> None:
        """What was asked of a gateway that was gone by then is asked again."""
        while True:
            await asyncio.sleep(ASK_SECONDS)
            with contextlib.suppress(aiomqtt.MqttError):
                if self.connected.is_set():
                    await self._ask_again()

    async def _ask_again(self) -> None:
        for game, follower in self.followers.items():
            if follower.hole is not None:
                await self._ask(game, follower.hole)

    async def _take(self, message: aiomqtt.Message) -> None:
        assert isinstance(message.payload, bytes)
        place = parse(str(message.topic))
        match place.kind:
            case Kind.GAME_EVENT:
                envelope = decode(message.payload, "damas.event/1")
                if not self._lose(envelope):
                    self.live.append(envelope)
                    await self._event(place.id("game"), envelope)
            case Kind.GAME_STATE:
                self._retained(message)
                state = decode(message.payload, "damas.state/1")
                assert state.game is not None
                if state.epoch is not None and state.seq is not None:
                    step = self._follower(state.game).noticed(state.epoch, state.seq)
                    if step.ask is not None:
                        await self._ask(state.game, step.ask)
            case Kind.ANSWER:
                self.sizes.append(len(message.payload))
                answer = json.loads(message.payload)
                self.answers.append(answer)
                for flat in answer.get("events", ()):
                    await self._event(answer["game"], read_object(flat))
            case Kind.BOARD_EVENT:
                self.boards.append(decode(message.payload, "damas.event/1"))
            case Kind.COMMAND_BOARD | Kind.COMMAND_GAME:
                pass
            case _:
                self._retained(message)

    def _retained(self, message: aiomqtt.Message) -> None:
        assert isinstance(message.payload, bytes)
        short = str(message.topic).removeprefix(f"damas/v1/{MEETING}/")
        if message.payload:
            self.retained[short] = json.loads(message.payload)
            self.flagged.add(short)

    def _follower(self, game: str) -> Follower:
        self.records.setdefault(game, Record())
        return self.followers.setdefault(game, Follower())

    async def _event(self, game: str, envelope: Envelope) -> None:
        step = self._follower(game).take(envelope)
        if step.restarted:
            self.records[game] = Record()
        for event in step.events:
            self.events.append(event)
            self.records[game] = fold(self.records[game], event)
        if step.ask is not None:
            await self._ask(game, step.ask)

    async def _ask(self, game: str, since: Since) -> None:
        self.asked.append(since)
        assert self._client is not None
        body = {"id": f"r{len(self.asked)}", "want": "since", "game": game, "epoch": since.epoch, "seq": since.seq}
        await self._client.publish(str(topic(Kind.REQUEST, MEETING, "ana")), json.dumps(body), qos=1)


GATEWAY = """
import asyncio, sys
from pathlib import Path
from app.halls import MEETING
from app.tables import HEADER
from damas_board.app import BoardSetup, Gateway, mqtt_relay
from damas_board.broker.client import Address
from damas_board.sinks.journal import Journal
from damas_board.sources.replay import ReplaySource, read_recording
async def main(path, port, recording, skip, speed):
    _, items = read_recording(Path(recording))
    items = items[max(0, int(skip) - 1):]
    board = BoardSetup(HEADER, lambda now: ReplaySource(items, now=now, speed=float(speed)))
    with Journal.open(Path(path)) as journal:
        relay = mqtt_relay(Address("127.0.0.1", int(port), "gw-1", "secret of gw-1"), MEETING, journal)
        async with Gateway(journal, [board], relay=relay) as gateway:
            await gateway.finished()
            await relay.drained()
asyncio.run(main(*sys.argv[1:]))
"""


@contextlib.asynccontextmanager
async def gateway_process(*arguments: object) -> AsyncIterator[asyncio.subprocess.Process]:
    """A gateway with one replayed board: journal, port, recording, how many inputs the board has shown, speed.

    Leaving the block kills it, if it still runs.
    """
    tests = Path(__file__).parents[1]
    path = f"{tests}:{tests.parent}"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", GATEWAY, *map(str, arguments), env={"PYTHONPATH": path}
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
