"""A hall around a console: a real gateway whose boards see what the test puts on them, its hub, and browsers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.tables import Hands
from broker.halls import Hall
from hub.browsers import Answer, Browser, Stream
from hub.halls import MEETING, Running, address, hub

from damas_board.app import Gateway, mqtt_relay, regulation_of
from damas_board.hub.console import Console, Person
from damas_board.rules.position import initial
from damas_board.session.header import Header
from damas_board.session.inputs import See
from damas_board.sinks.journal import Journal

PASSWORDS = {"ana": "capivara", "olga": "cegonha"}
PEOPLE = (
    Person("ana", "arbiter", PASSWORDS["ana"].__eq__),
    Person("olga", "organiser", PASSWORDS["olga"].__eq__),
)
SPEED = 5.0
"""Of the boards' clock."""


class Line:
    """`async with Line(hall) as line:` the way to a broker, `line.hall`, which can be `cut`, and is then `mended`."""

    def __init__(self, hall: Hall) -> None:
        self._broker = hall
        self._open: set[asyncio.StreamWriter] = set()
        self._port = 0

    async def __aenter__(self) -> Line:
        await self.mend()
        self.hall = Hall(self._broker.kind, "127.0.0.1", self._port)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.cut()

    def cut(self) -> None:
        self._server.close()
        for writer in self._open:
            writer.transport.abort()

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, to = await asyncio.open_connection(self._broker.host, self._broker.port)
        self._open |= {writer, to}
        try:
            await asyncio.gather(_pump(reader, to), _pump(there, writer))
        finally:
            self._open -= {writer, to}


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


@dataclass
class Table:
    """What stands on a board; `lifted` and `put` say so to whoever reads it."""

    hands: Hands
    header: Header
    squares: dict[int, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    """The rows that were told, as White sees them."""

    def __post_init__(self) -> None:
        variant = regulation_of(self.header).variant
        self.geometry = variant.geometry
        occupied = initial(variant).occupied
        self.squares = {square: "o" for square in self.geometry.playable if occupied >> square & 1}

    def tell(self) -> None:
        size = self.geometry.size
        rows = [
            "".join(self.squares.get(row * size + column, ".") for column in range(size))
            for row in reversed(range(size))
        ]
        self.seen.append("/".join(rows))
        source = self.hands[self.header.board]
        told = self.seen[-1][::-1] if self.header.turn == 180 else self.seen[-1]
        source.given.put_nowait(See(source.now(), told))

    async def lift(self, square: str) -> None:
        del self.squares[self.geometry.square(square)]
        self.tell()
        await asyncio.sleep(0.5 / SPEED)

    async def put(self, square: str) -> None:
        self.squares[self.geometry.square(square)] = "o"
        self.tell()
        await asyncio.sleep(1.5 / SPEED)

    async def carry(self, start: str, end: str) -> None:
        await self.lift(start)
        await self.put(end)


@dataclass
class Place:
    """A running hall."""

    running: Running
    journal: Journal
    tables: dict[str, Table]

    @property
    def url(self) -> str:
        assert self.running.hub.web is not None
        return self.running.hub.web.url.rstrip("/")

    @property
    def console(self) -> Console:
        assert self.running.hub.console is not None
        return self.running.hub.console

    def browser(self) -> Browser:
        return Browser(self.url)

    async def person(self, name: str) -> LoggedIn:
        browser = self.browser()
        assert (await browser.login(name, PASSWORDS[name])).status == 200
        return LoggedIn(browser)

    def commands(self) -> list[dict[str, Any]]:
        """What was answered, over all games and boards, as the journal has it."""
        found: list[dict[str, Any]] = []
        for game in self.journal.games():
            found += [e for e in self.journal.course(game).events if e["event"] == "command"]  # type: ignore[misc]
        return found


@dataclass
class LoggedIn:
    """Somebody who is logged in."""

    browser: Browser

    async def get(self, path: str) -> Any:
        return (await self.browser.get(f"/console/api/{path}")).body

    async def post(self, path: str, **body: Any) -> Answer:
        return await self.browser.post(f"/console/api/{path}", body)

    async def command(self, **body: Any) -> Answer:
        return await self.post("command", **body)

    async def snapshot(self) -> dict[str, Any]:
        return dict(await self.get("snapshot.json"))

    async def game(self, game: str) -> dict[str, Any]:
        return dict(await self.get(f"games/{game}.json"))

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[Listening]:
        async with self.browser.listening() as stream:
            found = Listening(stream, self)
            await found.until(lambda: found.known is not None)
            yield found


@dataclass
class Listening:
    """What a page that listens knows, its games whole."""

    stream: Stream
    person: LoggedIn
    known: dict[str, Any] | None = None
    boards: dict[str, Any] = field(default_factory=dict)
    games: dict[str, Any] = field(default_factory=dict)
    rounds: dict[str, Any] = field(default_factory=dict)
    gateways: dict[str, Any] = field(default_factory=dict)
    connected: bool | None = None

    async def until(self, holds: Any) -> None:
        """Listen until it holds."""
        while not holds():
            event, body = await self.stream.next()
            match event:
                case "snapshot":
                    self.known, self.connected = body, body["connected"]
                    for kind in ("board", "game", "round", "gateway"):
                        getattr(self, f"{kind}s").clear()
                        getattr(self, f"{kind}s").update({one[kind]: one for one in body[f"{kind}s"]})
                    assert not any("plies" in game for game in self.games.values())
                    for game in self.games:
                        self.games[game] = await self.person.game(game)
                case "game":
                    await self._take(body)
                case "board" | "round" | "gateway":
                    getattr(self, f"{event}s")[body[event]] = body
                case "gone":
                    ((kind, id_),) = body.items()
                    del getattr(self, f"{kind}s")[id_]
                case "alive":
                    self.connected = body["connected"]
                case _:
                    pass

    async def _take(self, told: dict[str, Any]) -> None:
        had = self.games.get(told["game"])
        if had is not None and told["version"] <= had["version"]:
            return
        if had is not None and told["base"] == had["version"]:
            self.games[told["game"]] = {**told, "plies": had["plies"][: told["keep"]] + told["plies"]}
        else:
            self.games[told["game"]] = told if told["keep"] == 0 else await self.person.game(told["game"])


@contextlib.asynccontextmanager
async def place(
    hall: Hall, folder: Path, headers: Sequence[Header] = (Header("t-1", "br-cbjd"),), *, begins: bool = True
) -> AsyncIterator[Place]:
    hands = Hands()
    tables = {header.board: Table(hands, header) for header in headers}
    with Journal.open(folder / "journal.sqlite") as journal:
        async with hub(hall, folder / "hub", people=PEOPLE) as running:
            relay = mqtt_relay(address(hall, "gw-1"), MEETING, journal)
            setups = [hands.setup(header, begins=begins) for header in headers]
            async with Gateway(journal, setups, relay=relay, speed=SPEED):
                for table in tables.values():
                    table.tell()
                await asyncio.sleep(0.5 / SPEED)
                yield Place(running, journal, tables)
