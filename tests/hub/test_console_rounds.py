"""An organiser's rounds over HTTP: read, drawn, published, begun, with results and an end, on both brokers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import aiomqtt
import pytest
from broker.halls import Hall
from hub.halls import MEETING, Gateway, address, ended

from damas_board.broker.client import client
from damas_board.hub import desk as desks
from damas_board.hub.archive import Archive
from damas_board.hub.console import rounds
from damas_board.hub.console.door import Door
from damas_board.hub.console.people import People, Person
from damas_board.hub.console.rounds import Rounds
from damas_board.hub.console.sessions import Sessions
from damas_board.hub.web import WebServer
from damas_board.messages.topics import Kind, parse, topic

GOOD = "table;white;white_title;black;black_minor;board\n1;Ana;MN;Rui;x;t-1\n2;Eva;;Ivo;;\n3;Zé;;;;\n"


@dataclass
class Console:
    """A browser of `olga` or `ana`."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)
    person: str = "olga"

    async def post(self, path: str, body: Any, query: str = "") -> tuple[int, dict[str, Any]]:
        return await asyncio.to_thread(self._ask, f"{path}{query}", json.dumps(body).encode())

    async def get(self, path: str) -> tuple[int, dict[str, Any]]:
        return await asyncio.to_thread(self._ask, path, None)

    def _ask(self, path: str, data: bytes | None) -> tuple[int, dict[str, Any]]:
        headers = {"Origin": self.url, "Content-Type": "application/json"}
        headers |= {"Cookie": self.cookies[self.person]} if self.person in self.cookies else {}
        asked = urllib.request.Request(f"{self.url}/console/api/{path}", data, headers)
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                if path == "login":
                    self.cookies[self.person] = answer.headers["Set-Cookie"].partition(";")[0]
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())


@contextlib.asynccontextmanager
async def console(hall: Hall) -> AsyncIterator[Console]:
    people = People([Person("olga", "organiser", "o".__eq__), Person("ana", "arbiter", "a".__eq__)])
    door = Door(people, Sessions(), MEETING)

    def connect(purpose: str) -> aiomqtt.Client:
        return client(address(hall, "hub-1"), identifier=f"hub-1-{purpose}")

    with tempfile.TemporaryDirectory() as folder, Archive.open(f"sqlite:///{folder}/archive.sqlite") as archive:
        routes = [*door.routes(), *Rounds(connect, "hub-1", MEETING, archive).routes(door)]
        async with WebServer({}, console=routes) as web:
            found = Console(web.url.rstrip("/"))
            for person, password in (("ana", "a"), ("olga", "o")):
                found.person = person
                assert (await found.post("login", {"name": person, "password": password}))[0] == 200
            yield found


@dataclass
class Boards:
    """Gateway gw-1, which does whatever it is told and keeps that."""

    commands: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


@contextlib.asynccontextmanager
async def boards(hall: Hall, *names: str) -> AsyncIterator[Boards]:
    found = Boards()
    async with client(address(hall, "gw-1"), identifier="gw-1") as connection:
        state = {"schema": "damas.gateway/1", "gateway": "gw-1", "state": "online"}
        await connection.publish(str(topic(Kind.GATEWAY_STATE, MEETING, "gw-1")), json.dumps(state), qos=1, retain=True)
        for name in names:
            link = json.dumps({"schema": "damas.link/1", "link": "up", "gateway": "gw-1"})
            await connection.publish(str(topic(Kind.BOARD_LINK, MEETING, name)), link, qos=1, retain=True)
        for kind in ("board", "game"):
            await connection.subscribe(f"damas/v1/{MEETING}/cmd/+/{kind}/+", qos=1)

        async def serve() -> None:
            async for message in connection.messages:
                place = parse(str(message.topic))
                command = json.loads(bytes(message.payload))  # type: ignore[arg-type]
                if place.kind is Kind.COMMAND_BOARD and place.id("board") not in names:
                    continue
                found.commands.append((str(message.topic).partition("/cmd/")[2], command))
                body = {"schema": "damas.answer/1", "id": command["id"], "do": command["do"], "outcome": "done"}
                await connection.publish(str(topic(Kind.ANSWER, MEETING, place.id("user"))), json.dumps(body), qos=1)

        task = asyncio.create_task(serve())
        try:
            yield found
        finally:
            await ended(task)


ONE_BROKER = pytest.mark.parametrize("hall", ["embedded"], indirect=True)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "QUIET_SECONDS", 0.1)


async def retained(hall: Hall, round_: str) -> dict[str, Any]:
    async with asyncio.timeout(30), client(address(hall, "ana"), identifier="looks") as connection:
        await connection.subscribe(str(topic(Kind.ROUND, MEETING, round_)), qos=1)
        async for message in connection.messages:
            return dict(json.loads(bytes(message.payload)))  # type: ignore[arg-type]
    raise AssertionError


async def test_a_round_of_a_csv_text_is_published_begun_and_has_its_results(hall: Hall) -> None:
    async with boards(hall, "t-1") as told, console(hall) as page:
        given = {"text": GOOD, "kind": "csv", "round": "1", "regulation": "br-cbjd", "begins": "15:00", "clock": "300"}
        status, body = await page.post("round/check", given)
        assert (status, [p["table"] for p in body["round"]["pairings"]]) == (200, ["1", "2", "3"])
        planned = body["round"] | {"publication": {"delay": 60, "hold": False, "featured": ["2"]}}
        status, body = await page.post("round", planned)
        assert status == 200, body
        said = await retained(hall, "1")
        assert (said["by"], said["begins"], said["publication"]["featured"]) == ("olga", "15:00", ["2"])
        assert said["pairings"][0]["white"] == {"name": "Ana", "title": "MN"}
        assert said["pairings"][0]["black"] == {"name": "Rui", "minor": True}

        status, body = await page.post("round/1/set-up", {})
        assert {t: (a["done"], a["reason"]) for t, a in body["answers"].items()} == {
            "1": (True, None),
            "2": (True, "no_board"),
            "3": (True, "bye"),
        }
        assert (await retained(hall, "1"))["state"] == "planned"
        await page.post("round/1/begin", {})
        assert (await retained(hall, "1"))["state"] == "started"
        asked = [(place, command["do"], command["for"]) for place, command in told.commands]
        assert ("hub-1/board/t-1", "new_game", "olga") in asked
        assert ("hub-1/game/open-1-t1", "start", "olga") in asked

        status, body = await page.post("round/1/result", {"table": "2", "result": "2-0"})
        assert status == 200, body
        assert (await retained(hall, "1"))["pairings"][1]["result"] == "2-0"
        again = {**planned, "pairings": [{**p, "result": "0-2"} for p in planned["pairings"]]}
        assert (await page.post("round", again))[0] == 200
        said = await retained(hall, "1")
        assert (said["state"], said["pairings"][1]["result"]) == ("started", "2-0"), "publishing again loses nothing"
        assert (await page.post("round/1/result", {"table": "2", "result": None}))[0] == 200
        assert "result" not in (await retained(hall, "1"))["pairings"][1]

        assert await page.get("round/1/results.json") == (200, {"results": {}})
        status, body = await page.post("round/1/end", {}, "?lang=pt")
        assert (status, body["reason"]) == (409, "not_over")
        assert body["text"] == "ronda 1: há jogos por acabar, mesa 1, 2"
        assert (await page.post("round/1/end", {"anyway": True}))[0] == 200
        assert (await retained(hall, "1"))["state"] == "over"
        assert (await page.post("round/1/remove", {}))[0] == 200
        assert (await page.post("round/1/begin", {}))[1]["reason"] == "no_round"


@ONE_BROKER
async def test_what_is_wrong_is_told_with_its_line_in_the_language_that_is_asked(hall: Hall) -> None:
    async with console(hall) as page:
        for text, line, reason, said in (
            ("mesa,brncas\n1,A\n", 1, "near", "não conheço a coluna brncas; será brancas?"),
            ("mesa,xpto\n1,A\n", 1, "column", "não conheço a coluna xpto; conheço: mesa, brancas, pretas,"),
            ("table,white,black\n1,A,B\n2,C,C\n", 3, "same_player", "Brancas e Pretas são o mesmo jogador, C"),
            ("", None, "empty", "não tem nenhum emparceiramento"),
        ):
            status, body = await page.post("round/check", {"text": text, "kind": "csv", "round": "1"}, "?lang=pt")
            assert (status, body["line"], body["reason"]) == (400, line, reason)
            assert body["text"].startswith(said)
        status, body = await page.post("lots", {"round": {"round": "1", "regulation": "br-cbjb", "pairings": []}})
        assert (status, body["reason"], body["key"]) == (400, "one_of", "regulation")
        status, body = await page.post("round/check", {"kind": "xls", "text": "x"})
        assert (status, body["reason"]) == (400, "unreadable")
        status, body = await page.post("round/7/begin", {}, "?lang=pt-BR")
        assert (status, body["reason"], body["text"]) == (404, "no_round", "não há rodada 7 publicada; há: -")


@ONE_BROKER
async def test_lots_are_drawn_again_by_their_seed_and_alternate_in_a_match(hall: Hall) -> None:
    async with console(hall) as page:
        pairs = [{"table": "1", "white": "Ana", "black": "Rui", "match": "m"}]
        first = {"round": "1", "regulation": "br-cbjd", "pairings": pairs}
        status, drawn = await page.post("lots", {"round": first, "openings": "c3-d4 d6-c5\nc3-b4", "seed": 9})
        assert status == 200, drawn
        assert (drawn["round"]["lots"]["seed"], drawn["round"]["lots"]["by"]) == (9, "olga")
        _, again = await page.post("lots", {"round": drawn["round"], "openings": "c3-d4 d6-c5\nc3-b4", "seed": 9})
        assert again["round"]["pairings"] == drawn["round"]["pairings"]
        assert (await page.post("round", drawn["round"]))[0] == 200
        assert (await retained(hall, "1"))["lots"] == drawn["round"]["lots"]
        _, second = await page.post("lots", {"round": {**first, "round": "2"}, "openings": "c3-b4\nc3-d4 d6-c5"})
        one, two = drawn["round"]["pairings"][0], second["round"]["pairings"][0]
        assert (two["white"], two["opening"]) == (one["black"], one["opening"])
        free = {**first, "regulation": "pt-classicas"}
        status, body = await page.post("lots", {"round": free, "openings": "c3-b4"})
        assert (status, body["reason"]) == (400, "free")
        assert "001 O Início" in body["text"]


@ONE_BROKER
async def test_lots_that_nobody_drew_here_are_of_whoever_publishes_them(hall: Hall) -> None:
    async with console(hall) as page:
        pairs = [{"table": "1", "white": "Ana", "black": "Rui"}]
        planned = {"round": "1", "regulation": "br-cbjd", "pairings": pairs}
        _, drawn = await page.post("lots", {"round": planned, "seed": 9})
        forged = {**drawn["round"], "lots": {"seed": 1, "at": "2026-01-31T09:00:00.000Z", "by": "ana"}}
        for lots in (forged["lots"], {**drawn["round"]["lots"], "seed": 8}):
            assert (await page.post("round", {**forged, "lots": lots}))[0] == 200
            said = (await retained(hall, "1"))["lots"]
            assert (said["seed"], said["by"]) == (lots["seed"], "olga")
            assert said["at"] > drawn["round"]["lots"]["at"]
        assert (await page.post("round", {**forged, "lots": said, "name": "One"}))[0] == 200
        assert (await retained(hall, "1"))["lots"] == said, "what was published before stays as it is"


@ONE_BROKER
async def test_many_who_write_at_the_same_time_lose_nothing_and_do_not_wait_for_each_other_for_ever(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [str(number) for number in range(1, 9)]
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(32))  # each who asks has a thread
    async with console(hall) as page:
        pairs = [{"table": table, "white": f"W{table}", "black": f"B{table}"} for table in tables]
        planned = {"round": "1", "pairings": pairs}
        assert (await page.post("round", planned))[0] == 200
        results = [page.post("round/1/result", {"table": table, "result": "2-0"}) for table in tables]
        async with asyncio.timeout(60):
            answers = await asyncio.gather(*results[:5], page.post("round", planned), *results[5:])
        assert [status for status, _ in answers] == [200] * 9
        assert [pairing.get("result") for pairing in (await retained(hall, "1"))["pairings"]] == ["2-0"] * 8
        monkeypatch.setattr(rounds, "WAIT_SECONDS", 0.0)
        answers = await asyncio.gather(*(page.post("round/1/begin", {}) for _ in range(rounds.AT_ONCE + 1)))
        assert (503, {"reason": "busy"}) in answers


@ONE_BROKER
async def test_a_result_that_is_no_text_is_refused_as_any_other_that_is_none(hall: Hall) -> None:
    async with console(hall) as page:
        planned = {"round": "1", "pairings": [{"table": "1", "white": "Ana", "black": "Rui"}]}
        assert (await page.post("round", planned))[0] == 200
        for wrong in ({}, [], 7, "won"):
            status, body = await page.post("round/1/result", {"table": "1", "result": wrong})
            assert (status, body["reason"], body["key"]) == (400, "one_of", "result")


@ONE_BROKER
async def test_the_result_of_a_game_on_a_board_is_the_arbiters_and_a_game_under_way_keeps_its_pairing(
    hall: Hall,
) -> None:
    gateway = Gateway(hall)
    async with console(hall) as page, gateway.running():
        planned = {"round": "1", "pairings": [{"table": "1", "white": "Ana", "black": "Rui", "game": "g-1"}]}
        assert (await page.post("round", planned))[0] == 200
        await gateway.start("g-1")
        await gateway.move("g-1")
        status, body = await page.post("round/1/result", {"table": "1", "result": "1-1"})
        assert (status, body["reason"]) == (409, "on_board")
        other = {"round": "1", "pairings": [{"table": "1", "white": "Ana", "black": "Rui", "game": "g-2"}]}
        status, body = await page.post("round", other)
        assert (status, body["reason"]) == (409, "lost")
        assert "table 1" in body["text"]
        status, body = await page.post("round/1/remove", {})
        assert (status, body["reason"]) == (409, "not_over")
        assert (await retained(hall, "1"))["pairings"][0]["game"] == "g-1"


@ONE_BROKER
async def test_only_an_organiser_does_any_of_it_and_everybody_here_may_know_the_regulations(hall: Hall) -> None:
    async with console(hall) as page:
        page.person = "ana"
        for path in ("round/check", "round", "lots", *(f"round/1/{do}" for do in ("set-up", "begin", "result", "end"))):
            assert await page.post(path, {}) == (403, {"reason": "not_allowed"}), path
        _, body = await page.get("regulations.json?also=pt-classicas,ours")
        assert body["regulations"]["pt-classicas"]["corner"] == "right"
        assert body["regulations"]["pt-classicas"]["openings"] is False
        assert "ours" not in body["regulations"]
        page.person = "nobody"
        assert (await page.get("regulations.json"))[0] == 401
        assert (await page.post("round", {}))[0] == 401


@ONE_BROKER
async def test_without_a_broker_that_is_said(hall: Hall) -> None:
    nowhere = Hall("embedded", "127.0.0.1", 9)
    async with console(nowhere) as page:
        status, body = await page.post("round/1/begin", {})
        assert (status, body["reason"]) == (503, "away")
