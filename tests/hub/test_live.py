"""What a page is told, over both brokers: every move once, every correction, and that it is never told too early."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from broker.halls import Hall
from hub.conftest import LOGINS
from hub.halls import MEETING, Gateway, Running, Viewer, address, hub, now, publish, round_of, until
from hub.sse import Stream
from hub.test_public_view import timeless

from damas_board.broker.client import client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.hub import hub as hub_module
from damas_board.hub import live as live_module
from damas_board.hub.errors import HubError
from damas_board.hub.live import Live
from damas_board.hub.public_store import PublicStore
from damas_board.messages.publication import Terms
from damas_board.messages.topics import Kind, topic


@dataclass
class Page:
    """What a page keeps of games, by the contract; it fetches a game whose beginning it has not."""

    running: Running
    games: dict[str, dict[str, Any]] = field(default_factory=dict)
    fetched: int = 0

    async def hear(self, stream: Stream) -> None:
        """All that a stream has told since."""
        told, stream.told = stream.told, []
        for one in told:
            if one.event == "snapshot":
                self.games = {}
                for game in one.data["games"]:
                    await self.fetch(game["game"])
            elif one.event == "gone":
                self.games.pop(one.data.get("game", ""), None)
            elif one.event == "game":
                await self.change(one.data)

    async def change(self, body: dict[str, Any]) -> None:
        had = self.games.get(body["game"])
        if had is not None and had["version"] == body["base"]:
            plies = [*had["plies"][: body["keep"]], *body["plies"]]
            self.games[body["game"]] = {
                **{key: value for key, value in body.items() if key not in ("base", "keep")},
                "plies": plies,
            }
        elif had is None or had["version"] < body["version"]:
            await self.fetch(body["game"])

    async def fetch(self, game: str) -> None:
        self.fetched += 1
        status, _, body = await asyncio.to_thread(self.running.get, f"/live/games/{game}.json")
        if status == 200:
            self.games[game] = json.loads(body)


def port(running: Running) -> int:
    assert running.hub.web is not None
    return running.hub.web.port


def live_of(running: Running) -> Live:
    assert running.hub.live is not None
    return running.hub.live


async def snapshot(running: Running) -> dict[str, Any]:
    _, headers, body = await asyncio.to_thread(running.get, "/live/snapshot.json")
    assert headers["cache-control"] == "no-store"
    found: dict[str, Any] = json.loads(body)
    return found


def moves(stream: Stream, game: str = "g-1") -> int:
    """How many plies the stream told last of a game."""
    return next((one.data["count"] for one in reversed(stream.told) if one.data.get("game") == game), -1)


async def test_a_page_is_told_every_move_and_every_correction(hall: Hall, tmp_path: Path) -> None:
    await publish(hall, "olga", "round/1", round_of(["g-1", "g-2"], delay=0))
    async with Gateway(hall).running() as gateway, hub(hall, tmp_path / "hub") as running:
        page = Page(running)
        async with Stream(port(running)) as stream:
            await until(lambda: stream.of("snapshot"), "the snapshot")
            first = stream.of("snapshot")[0]
            assert (first["meeting"], stream.headers["content-type"]) == (MEETING, "text/event-stream; charset=utf-8")
            await until(lambda: stream.of("round") or first["rounds"], "the round")
            for game in ("g-1", "g-2"):
                await gateway.start(game, players={"white": {"name": "Maria Silva"}, "black": {"name": "Pedro"}})
                for _ in range(5):
                    await gateway.move(game)
            await until(lambda: moves(stream, "g-2") == 5, "the moves")
            await page.hear(stream)
            fetched = page.fetched
            await gateway.move("g-1", irregular=False, basis="inferred")
            await until(lambda: moves(stream) == 6, "a move")
            told = stream.of("game")[-1]
            assert (told["keep"], [ply["ply"] for ply in told["plies"]]) == (5, [6])
            assert told["last"]["inferred"]
            await page.hear(stream)
            assert page.fetched == fetched  # what was new is all that came
        last = live_of(running).ring.id
        await gateway.retract("g-1", 3)
        await gateway.move("g-1")
        await gateway.revise("g-2")
        await gateway.over("g-2", "white", "2-0")
        wanted = {game: gateway.records[game] for game in ("g-1", "g-2")}

        def is_shown() -> bool:
            games = live_of(running)._view.snapshot(datetime.now(UTC))["games"]
            return bool(games[1]["over"]) and games[0]["fen"] == wanted["g-1"].fen

        await until(is_shown, "the corrections")
        async with Stream(port(running), last=last) as again:
            await until(lambda: any(one["over"] for one in again.of("game")), "what was missed")
            assert again.of("snapshot") == []
            await page.hear(again)
        for game, record in wanted.items():
            assert [ply["move"] for ply in page.games[game]["plies"]] == list(record.moves)
            assert [ply["fen"] for ply in page.games[game]["plies"]] == [ply.fen for ply in record.plies]
            _, _, whole = await asyncio.to_thread(running.get, f"/live/games/{game}.json")
            assert timeless(page.games[game]) == timeless(json.loads(whole))
        assert page.games["g-2"]["over"]["winner"] == "white"
        assert page.games["g-1"]["players"]["white"]["name"] == "M. S."
        told_round = (await snapshot(running))["rounds"][0]
        assert (told_round["state"], told_round["variant"]) == ("started", "brazilian")
        assert (await asyncio.to_thread(running.get, "/live/games/g-9.json"))[0] == 404


async def test_what_nobody_can_use_is_passed_over_and_what_is_taken_away_is_gone(
    hall: Hall, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        Gateway(hall).running() as gateway,
        hub(hall, tmp_path / "hub") as running,
        Stream(port(running)) as stream,
    ):
        await gateway.start("g-1")
        await gateway.move("g-1")
        await until(lambda: moves(stream) == 1, "a move")
        async with client(address(hall, "hub-1"), identifier="other") as other:

            async def put(game: str, payload: bytes) -> None:
                place = topic(Kind.PUBLIC_GAME_STATE, MEETING, game)
                await other.publish(str(place), payload, qos=1, retain=True)

            body = {"schema": "damas.state/1", "ts": now(), "at": 1.0, "fen": "B:Wd4:Bh8", "moves": ["c3-d4"]}
            strange = {**body, "start": "W:Wc3:Bh8", "revision": 0, "regulation": "club-rules"}
            for payload in (b"junk", b"[]", b'{"a": ', json.dumps(body).encode(), b"\xff\xfe", b'"' * 5000):
                await put("g-8", payload)
            await put("g-9", json.dumps(strange).encode())
            await until(lambda: moves(stream, "g-9") == 1, "the game of an unknown regulation")
            told = stream.of("game")[-1]
            assert (told["board"], told["last"]["from"], told["fen"]) == (None, None, "B:Wd4:Bh8")
            await put("g-9", b"")
            await until(lambda: {"game": "g-9"} in stream.of("gone"), "that it is gone")
        await gateway.move("g-1")
        await until(lambda: moves(stream) == 2, "the next move")
        assert [game["game"] for game in (await snapshot(running))["games"]] == ["g-1"]
        assert "g-8/state cannot be shown" in caplog.text


async def test_a_hall_that_begins_again_leaves_nothing_over(hall: Hall, tmp_path: Path) -> None:
    async with (
        Gateway(hall).running() as gateway,
        hub(hall, tmp_path / "hub") as running,
        Stream(port(running)) as stream,
    ):
        page = Page(running)
        await gateway.start("g-1")
        for _ in range(6):
            await gateway.move("g-1")
        await until(lambda: moves(stream) == 6, "the moves")
        await page.hear(stream)
        gateway.epoch += 1
        gateway.streams.clear()
        gateway.records.clear()
        gateway.random.seed(1234)
        await gateway.start("g-1")
        for _ in range(8):
            await gateway.move("g-1")
        wanted = gateway.records["g-1"]
        await until(lambda: moves(stream) == 8, "the game as it is now")
        await page.hear(stream)
        assert [ply["move"] for ply in page.games["g-1"]["plies"]] == list(wanted.moves)
        assert [ply["fen"] for ply in page.games["g-1"]["plies"]] == [ply.fen for ply in wanted.plies]


async def test_a_board_that_is_not_heard_is_told_no_earlier_than_anything_else(hall: Hall, tmp_path: Path) -> None:
    delay = 0.4
    async with (
        Gateway(hall).running() as gateway,
        Viewer(hall).watching() as viewer,
        hub(hall, tmp_path / "hub", default=Terms(delay)) as running,
        Stream(port(running)) as stream,
    ):

        async def link(state: str) -> float:
            said = time.monotonic()
            assert gateway._client is not None
            body = {"schema": "damas.link/1", "ts": now(), "board": "t-1", "link": state, "gateway": "gw-1"}
            place = topic(Kind.BOARD_LINK, MEETING, "t-1")
            await gateway._client.publish(str(place), json.dumps(body), qos=1, retain=True)
            return said

        async def heard(silent: bool) -> float:
            def newest() -> bool:
                return bool(viewer.states.get("g-1", {}).get("silent")) == silent

            await until(newest, "that the board is not heard" if silent else "that it is heard")
            return next(at for at, place, body in reversed(viewer.heard) if place.endswith("g-1/state"))

        await link("up")
        await gateway.start("g-1")
        await gateway.move("g-1")
        await until(lambda: moves(stream) == 1, "a move")
        lost = await link("down")
        assert await heard(True) - lost >= delay
        await until(lambda: stream.of("game")[-1]["silent"], "the silence on the page")
        told = stream.of("game")[-1]
        assert (told["keep"], told["plies"], told["delay"]) == (1, [], delay)
        back = await link("up")
        assert await heard(False) - back >= delay
        gone = time.monotonic()
        await gateway.state("offline", retain=True)
        assert await heard(True) - gone >= delay
        await gateway.state("online", retain=True)
        await heard(False)
        await until(lambda: stream.of("game")[-1]["silent"] is None, "that it is heard, on the page")
        await link("down")
        await heard(True)
        await gateway.over("g-1")
        await until(lambda: stream.of("game")[-1]["over"] and stream.of("game")[-1]["silent"] is None, "the end")


class Cable:
    """A way to a broker that can be cut."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.is_cut = False
        self.writers: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[Hall]:
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        async with server:
            yield Hall(self.hall.kind, "127.0.0.1", server.sockets[0].getsockname()[1])
            self.cut()

    def cut(self) -> None:
        self.is_cut = True
        for writer in self.writers:
            writer.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        there_reader, there = await asyncio.open_connection(self.hall.host, self.hall.port)
        self.writers |= {writer, there}
        await asyncio.gather(self._carry(reader, there), self._carry(there_reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


async def test_a_broker_that_is_away_is_told_and_what_was_played_meanwhile_comes(hall: Hall, tmp_path: Path) -> None:
    cable = Cable(hall)
    async with (
        Gateway(hall).running() as gateway,
        cable.laid() as way,
        hub(way, tmp_path / "hub") as running,
        Stream(port(running)) as stream,
    ):
        await gateway.start("g-1")
        await gateway.move("g-1")
        await until(lambda: moves(stream) == 1, "a move")
        cable.cut()
        await until(lambda: any(not one["connected"] for one in stream.of("alive")), "that the broker is away")
        assert not (await snapshot(running))["connected"]
        assert [game["count"] for game in (await snapshot(running))["games"]] == [1]
        await gateway.move("g-1")
        cable.is_cut = False
        await until(lambda: moves(stream) == 2, "what was played meanwhile")
        assert stream.of("alive")[-1]["connected"]
        assert stream.of("gone") == []


async def test_what_a_broker_that_came_back_empty_does_not_say_again_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "FORGET_SECONDS", 0.2)
    async with AsyncExitStack() as brokers:
        broker = await brokers.enter_async_context(EmbeddedBroker(LOGINS, port=0))
        hall = Hall("embedded", broker.host, broker.port)
        place = topic(Kind.PUBLIC_GAME_STATE, MEETING, "g-7")
        body = {"schema": "damas.state/1", "ts": now(), "at": 1.0, "fen": "B:Wd4:Bh8", "moves": [], "revision": 0}
        body |= {"start": "B:Wd4:Bh8", "regulation": "br-cbjd"}
        async with client(address(hall, "hub-1"), identifier="other") as other:
            await other.publish(str(place), json.dumps(body), qos=1, retain=True)
        view = Live(lambda: client(address(hall, "screen"), identifier="live"), MEETING)
        async with view:
            await until(lambda: view._view._games, "the game")
            await asyncio.sleep(0.3)
            assert view._view._games
            await brokers.aclose()
            await until(lambda: not view.connected, "the loss")
            assert view._view._games
            await brokers.enter_async_context(EmbeddedBroker(LOGINS, port=hall.port))
            await until(lambda: not view._view._games, "that it is gone")


@pytest.fixture
async def embedded() -> AsyncIterator[Hall]:
    async with EmbeddedBroker(LOGINS, port=0) as broker:
        yield Hall("embedded", broker.host, broker.port)


async def test_a_server_that_starts_again_gives_who_comes_back_a_snapshot(embedded: Hall, tmp_path: Path) -> None:
    async with Gateway(embedded).running() as gateway:
        async with hub(embedded, tmp_path / "hub") as running, Stream(port(running)) as stream:
            await gateway.start("g-1")
            await gateway.move("g-1")
            await until(lambda: moves(stream) == 1, "a move")
            told = [one for one in stream.told if one.id]
        async with hub(embedded, tmp_path / "hub") as running:
            await until(lambda: live_of(running)._view._games, "the game")
            async with Stream(port(running), last=told[-1].id) as again:
                await until(lambda: again.told, "an answer")
                assert again.told[0].event == "snapshot"
                (game,) = again.told[0].data["games"]
                assert (game["fen"], game["count"]) == (gateway.records["g-1"].fen, 1)
                assert game["version"] > told[-1].data["version"]
                assert str(again.told[0].id).split("-")[0] != str(told[-1].id).split("-")[0]


async def test_a_name_that_was_withdrawn_is_told_to_nobody_who_comes_back(embedded: Hall, tmp_path: Path) -> None:
    body = round_of(["g-1"], delay=0)
    body["pairings"][0]["black"] = {"name": "Rui Costa"}
    async with (
        Gateway(embedded).running() as gateway,
        hub(embedded, tmp_path / "hub") as running,
        Stream(port(running)) as stream,
    ):
        await publish(embedded, "olga", "round/1", body)
        await gateway.start("g-1")
        await gateway.move("g-1")
        await until(lambda: moves(stream) == 1, "a move")
        await until(lambda: any("Rui Costa" in str(one) for one in stream.of("round")), "the round")
        assert "Rui Costa" in str(stream.of("game")[-1])
        body["pairings"][0]["black"]["minor"] = True
        await publish(embedded, "olga", "round/1", body)
        await until(lambda: "Rui Costa" not in str(stream.of("game")[-1]), "the game without the name")
        await until(lambda: "Rui Costa" not in str(stream.of("round")[-1]), "the round without the name")
        for number in (0, 1, 2):
            async with Stream(port(running), last=f"{live_of(running).ring.boot}-{number}") as late:
                await until(lambda: late.told, "an answer")
                assert "Rui Costa" not in str(late.told)


async def test_a_disk_that_is_full_is_told_for_nothing_more_becomes_public(
    embedded: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "ALIVE_SECONDS", 0.05)
    monkeypatch.setattr(hub_module, "AGAIN_SECONDS", 0.05)
    full, add = False, PublicStore.add

    def put(store: PublicStore, news: Any) -> None:
        if full:
            raise HubError("public_store", path="x", reason="no space")
        add(store, news)

    monkeypatch.setattr(PublicStore, "add", put)
    async with (
        Gateway(embedded).running() as gateway,
        hub(embedded, tmp_path / "hub") as running,
        Stream(port(running)) as stream,
    ):
        await gateway.start("g-1")
        await until(lambda: moves(stream) == 0 and stream.of("alive"), "the game")
        assert (await snapshot(running))["connected"]
        full = True
        await gateway.move("g-1")
        await until(lambda: not stream.of("alive")[-1]["connected"], "that it does not go on")
        assert not (await snapshot(running))["connected"]
        full = False
        await until(lambda: moves(stream) == 1 and stream.of("alive")[-1]["connected"], "that it goes on")
        assert (await snapshot(running))["connected"]


async def test_the_whole_is_compressed_for_who_takes_that(embedded: Hall, tmp_path: Path) -> None:
    async with Gateway(embedded).running() as gateway, hub(embedded, tmp_path / "hub") as running:
        for game in ("g-1", "g-2"):
            await gateway.start(game)
        await until(lambda: len(live_of(running)._view._games) == 2, "the games")

        def get(**headers: str) -> tuple[int, dict[str, str], bytes]:
            return running.get("/live/snapshot.json", **headers)

        status, headers, body = await asyncio.to_thread(get, **{"Accept-Encoding": "gzip"})
        assert (status, headers["content-encoding"], headers["cache-control"]) == (200, "gzip", "no-store")
        status, plain, whole = await asyncio.to_thread(get)
        assert (status, plain.get("content-encoding")) == (200, None)
        assert len(body) < len(whole) / 2
        found, same = json.loads(gzip.decompress(body)), json.loads(whole)
        assert [found[key] for key in ("id", "games", "rounds")] == [same[key] for key in ("id", "games", "rounds")]
        await gateway.move("g-1")
        await until(lambda: live_of(running).ring.id != same["id"], "a move")
        newer = json.loads(gzip.decompress((await asyncio.to_thread(get, **{"Accept-Encoding": "gzip"}))[2]))
        assert newer["id"] == live_of(running).ring.id
        assert newer["games"][0]["count"] == 1


def dead_reader(port: int) -> socket.socket:
    """Asks for the stream, and reads nothing of it."""
    dead = socket.socket()
    dead.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    dead.connect(("127.0.0.1", port))
    dead.send(b"GET /live/events HTTP/1.1\r\nHost: x\r\n\r\n")
    return dead


async def test_a_reader_who_reads_nothing_holds_nobody_up(
    embedded: Hall, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Also not the server's end, for which all others are told that it is over."""
    caplog.set_level(logging.WARNING)
    async with AsyncExitStack() as ending:
        running = await ending.enter_async_context(hub(embedded, tmp_path / "hub"))
        ring = live_of(running).ring
        dead = [await asyncio.to_thread(dead_reader, port(running)) for _ in range(3)]
        async with Stream(port(running)) as stream:
            await until(lambda: ring.streams == 4, "the readers")
            for number in range(400):
                ring.tell("round", {"number": number, "pad": "x" * 20_000})
                await asyncio.sleep(0)
            # who falls far behind is told the present instead
            last = ({"number": 399}.items(), {"id": ring.id}.items())
            await until(lambda: any(one.data.items() >= key for one in stream.told for key in last), "the last one")
            assert len(ring._events) < 250
            assert ring.streams == 4
            await asyncio.wait_for(ending.aclose(), 20)
            await until(lambda: stream.ended, "the end of the stream")
        assert ring.streams == 0
        for one in dead:
            one.close()
    assert "exceeded" not in caplog.text
    assert "Exception" not in caplog.text


async def test_there_are_so_many_streams_and_no_more(embedded: Hall, tmp_path: Path) -> None:
    async with hub(embedded, tmp_path / "hub") as running:
        ring = live_of(running).ring
        ring._most_streams = 2
        async with Stream(port(running)) as first, Stream(port(running)) as second:
            async with Stream(port(running)) as third:
                assert (first.status, second.status, third.status) == (200, 200, 503)
                assert int(third.headers["retry-after"]) > 0
            assert (await asyncio.to_thread(running.get, "/live/snapshot.json"))[0] == 200
        await until(lambda: ring.streams == 0, "that they are gone")
        async with Stream(port(running)) as again:
            await until(lambda: again.of("snapshot"), "a stream again")


async def test_a_login_that_may_not_read_is_asked_again_and_breaks_nothing(embedded: Hall) -> None:
    refused = 0

    def connect() -> aiomqtt.Client:
        nonlocal refused
        refused += 1
        return client(address(embedded, "nobody"), identifier="nobody")

    async with Live(connect, MEETING) as view:
        await until(lambda: refused >= 2, "another try")
        assert not view.connected
        assert not any(task.done() for task in view.tasks)
