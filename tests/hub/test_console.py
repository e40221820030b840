"""The console's server over both brokers, with a real gateway: what it tells, what it does, and for whom."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from broker.halls import Hall
from hub.browsers import Browser
from hub.console_halls import PASSWORDS, PEOPLE, Line, Listening, LoggedIn, Place, place
from hub.halls import MEETING, address, hub, now, publish, round_of, until
from hub.halls import Gateway as FakeGateway

from damas_board.broker.client import client
from damas_board.hub.console import desk
from damas_board.hub.console import hall as hall_module
from damas_board.hub.errors import HubError
from damas_board.hub.public_store import News, PublicStore
from damas_board.messages.access import ORGANISER_COMMANDS
from damas_board.messages.recording import read_inputs
from damas_board.messages.requests import COMMANDS
from damas_board.session.header import Header
from damas_board.session.inputs import See

ONE_BROKER = pytest.mark.parametrize("hall", ["embedded"], indirect=True)
TURNED = Header("t-1", "br-cbjd", turn=180)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "AGAIN_SECONDS", 1.0)


async def irregular(there: Place, listening: Listening) -> tuple[str, dict[str, Any]]:
    """A legal move, its answer, and a man who goes too far; the game and its alert as the console tells it."""
    table = there.tables["t-1"]
    await table.carry("c3", "d4")
    await table.carry("f6", "g5")
    await table.carry("a3", "c5")
    await listening.until(lambda: any(game["alerts"] for game in listening.games.values()))
    (game,) = listening.games.values()
    (alert,) = game["alerts"]
    return game["game"], alert


async def test_an_alert_comes_whole_with_its_evidence_and_is_decided(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path, [TURNED]) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening:
            assert listening.known is not None
            assert (listening.known["me"]["name"], listening.known["meeting"]) == ("ana", MEETING)
            game, alert = await irregular(there, listening)
            assert (alert["kind"], alert["side"], alert["squares"]) == ("illegal_move", "white", ["a3", "c5"])
            assert (alert["article"], alert["decides"]) == ("002 art. 3", "opponent")
            assert "a3-b4" in alert["legal"]
            assert [change for _, change in alert["evidence"]["trail"]][-2:] == ["-a3", "+c5"]
            told = listening.games[game]
            assert [ply["move"] for ply in told["plies"]] == ["c3-d4", "f6-g5", "a3-c5"]
            assert [ply["irregular"] for ply in told["plies"]] == [False, False, True]
            assert (told["on"], told["board"]["size"], told["turn"], told["count"]) == ("t-1", 8, "black", 3)

            evidence = await ana.get(f"evidence/{alert['id']}?lang=pt")
            seen = [frame["see"] for frame in evidence["frames"]]
            assert seen == there.tables["t-1"].seen, "in White's view, though the board lies turned"
            recorded = list(read_inputs(iter(evidence["recording"].splitlines()[1:])))
            assert [item.rows[::-1] for item in recorded if isinstance(item, See)] == seen
            assert [frame["at"] for frame in evidence["frames"]] == [i.at for i in recorded if isinstance(i, See)]
            assert (evidence["alert"]["id"], evidence["alert"]["at"]) == (alert["id"], alert["at"])
            assert evidence["head"][1] == "uma peça foi para onde não pode ir"
            texts = [line["text"] for line in evidence["lines"]]
            assert "a3 levantada (peão branco)" in texts
            assert evidence["lines"][texts.index("ESTE ALERTA")]["at"] == alert["at"]
            assert evidence["ending"] == "Está em aberto."
            stood = [one["fen"] for one in evidence["positions"]]
            assert stood == [told["start"], *(ply["fen"] for ply in told["plies"][:2])]
            moments = [one["at"] for one in evidence["positions"]]
            assert moments == sorted(moments)
            assert moments[-1] < alert["at"]
            english = await ana.get(f"evidence/{alert['id']}")
            assert english["lines"][-1]["text"] == "THIS ALERT"

            given = {"game": game, "do": "dismiss", "alert": alert["id"], "note": "The cat was it.", "for": "olga"}
            assert (await ana.command(**given)).body == {"outcome": "done"}
            await listening.until(lambda: not listening.games[game]["alerts"])
            (settled,) = listening.games[game]["settled"]
            assert (settled["id"], settled["how"]) == (alert["id"], "dismissed")
            assert settled["evidence"] == {k: v for k, v in alert["evidence"].items() if k != "trail"}
            assert [(one["do"], one["by"], one["outcome"]) for one in there.commands()] == [
                ("dismiss", "ana via hub-1", "done")
            ]
            refused = (await ana.command(game=game, do="stands", alert=alert["id"])).body
            assert (refused["outcome"], refused["reason"]) == ("refused", "no_such_alert")

            def archived() -> Any:
                return there.running.archive.game(MEETING, game)["decisions"]

            await until(lambda: len(archived()) == 2, "the decisions in the archive", asks=True)
            ((player,), _) = (await ana.get("register.json?lang=en")).values()
            (entry,) = player["alerts"]
            assert (player["side"], player["game"]) == ("white", game)
            assert (entry["kind"], entry["closed"], entry["occurrence"]) == ("illegal_move", "dismissed", 0)
            texts = [one["text"] for one in entry["told"]]
            refused_too = "command of ana via hub-1: stands, refused (no_such_alert)"
            assert texts == ['command of ana via hub-1: dismiss, done: "The cat was it."', refused_too]
            assert [one["arguments"] for one in entry["told"]] == [{}, {}], "the alert is the one it stands with"


async def test_a_running_game_is_corrected_up_to_the_first_move_that_is_none(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening:
            game, _ = await irregular(there, listening)
            moves = ["a3-b4", "b6-a5", "d4-e5"]
            given = {"game": game, "keep": 2, "moves": moves, "note": "as they say"}
            assert (await ana.post("correct", **given)).body == {"outcome": "done", "done": 3}
            await listening.until(lambda: listening.games[game]["count"] == 5)
            plies = listening.games[game]["plies"]
            assert [ply["move"] for ply in plies] == ["c3-d4", "f6-g5", *moves]
            assert [ply["entered"] for ply in plies] == [False, False, True, True, True]
            found = (await ana.post("correct", game=game, keep=4, moves=["g3-h4", "a1-a5", "d6-c5"])).body
            assert found == {"outcome": "refused", "reason": "illegal_move", "done": 1}
            await listening.until(lambda: [p["move"] for p in listening.games[game]["plies"]][4:] == ["g3-h4"])
            found = (await ana.post("correct", game=game, keep=40, moves=["g3-h4"])).body
            assert found == {"outcome": "refused", "reason": "no_such_ply", "done": 0}
            done = [(one["do"], one["outcome"]) for one in there.commands()]
            assert done[4:] == [("rewind", "done"), ("move", "done"), ("move", "refused"), ("rewind", "refused")]
            for wrong in ({"keep": -1}, {"keep": True}, {"moves": "a3-b4"}, {"moves": [1]}, {"moves": ["x"] * 401}):
                answer = await ana.post("correct", **{"game": game, "keep": 2, "moves": [], **wrong})
                assert (answer.status, answer.reason) == (400, "bad_argument")


@ONE_BROKER
async def test_a_correction_is_not_done_to_a_game_that_has_gone_on_and_by_one_person_at_a_time(
    hall: Hall, tmp_path: Path
) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening:
            game, alert = await irregular(there, listening)

            def shown() -> dict[str, int]:
                return {"plies": listening.games[game]["count"], "revision": listening.games[game]["revision"]}

            seen = shown()
            assert (await ana.command(game=game, do="rectify", alert=alert["id"])).body == {"outcome": "done"}
            await listening.until(lambda: not listening.games[game]["alerts"])
            await listening.until(lambda: listening.games[game]["count"] == 2)
            now = shown()
            before = len(there.commands())
            for path, given in (
                ("correct", {"keep": 0, "moves": ["c3-d4"]}),
                ("command", {"do": "rewind", "ply": 0}),
            ):
                answer = await ana.post(path, **{"game": game, **given, **seen})
                assert (answer.status, answer.body) == (409, {"reason": "gone_on", **now}), path
            assert (await ana.post("correct", game=game, keep=0, moves=[], plies="4")).reason == "bad_argument"
            assert len(there.commands()) == before, "nothing was done"

            once = {"game": game, "keep": 0, "moves": ["c3-d4", "f6-g5", "a3-b4"], "key": "k-1", **now}
            other = {"game": game, "keep": 0, "moves": ["c3-b4", "b6-a5"], "key": "k-2", **now}
            answers = await asyncio.gather(ana.post("correct", **once), ana.post("correct", **other))
            assert sorted(answer.status for answer in answers) == [200, 409], "the other has seen another game"
            done = next(given for given, answer in zip((once, other), answers, strict=True) if answer.status == 200)
            entered = len(there.commands())
            again = await ana.post("correct", **done)
            assert again.body == {"outcome": "done", "done": len(done["moves"])}, "what is asked again is answered"
            assert len(there.commands()) == entered, "and not done twice"
            await listening.until(lambda: [p["move"] for p in listening.games[game]["plies"]] == done["moves"])


@ONE_BROKER
async def test_a_games_moves_are_told_once_and_what_is_sent_is_packed(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        table = there.tables["t-1"]
        async with ana.listening() as listening, ana.browser.listening() as stream:
            await table.carry("c3", "d4")
            await listening.until(lambda: any(game["count"] == 1 for game in listening.games.values()))
            (game,) = listening.games
            whole = await ana.get(f"games/{game}.json")
            await table.carry("f6", "g5")
            while (told := (await stream.next("game"))[1])["count"] < 2:
                pass
            assert (told["base"], told["keep"]) == (whole["version"], 1)
            assert [ply["move"] for ply in told["plies"]] == ["f6-g5"]
            assert (await ana.command(game=game, do="rewind", ply=1)).body == {"outcome": "done"}
            assert (await ana.command(game=game, do="move", move="f6-e5")).body == {"outcome": "done"}
            while (told := (await stream.next("game"))[1])["last"]["move"] != "f6-e5":
                pass
            assert (told["keep"], [ply["move"] for ply in told["plies"]]) == (1, ["f6-e5"])
            await listening.until(lambda: [p["move"] for p in listening.games[game]["plies"]][1:] == ["f6-e5"])

            plain = await ana.browser.get("/console/api/snapshot.json")
            (lean,) = plain.body["games"]
            assert lean.keys() == listening.games[game].keys() - {"base", "keep", "plies"}
            packed = await ana.browser.get("/console/api/snapshot.json", Accept_Encoding="gzip, br")
            assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
            assert json.loads(gzip.decompress(packed.bytes))["games"][0]["game"] == game
            assert len(packed.bytes) < len(plain.bytes) / 2
        async with ana.browser.listening(Accept_Encoding="gzip") as stream:
            assert (await stream.next())[0] == "snapshot"
            assert (await stream.next("alive"))[1]["connected"], "each event can be read when it comes"
            assert (await ana.post("logout")).status == 200
            with pytest.raises(EOFError):
                await stream.next("nothing")


@ONE_BROKER
async def test_whoever_may_not_give_a_command_does_not_and_what_is_given_twice_is_done_once(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "ANSWER_SECONDS", 1.0)
    async with place(hall, tmp_path) as there:
        ana, olga = await there.person("ana"), await there.person("olga")
        async with ana.listening() as listening:
            await listening.until(lambda: listening.games)
            (game,) = listening.games
            assert set((await ana.get("me"))["may"]) == COMMANDS
            assert set((await olga.get("me"))["may"]) == ORGANISER_COMMANDS
            for do in sorted(COMMANDS - ORGANISER_COMMANDS):
                answer = await olga.command(game=game, do=do)
                assert (answer.status, answer.reason) == (403, "not_allowed"), do
            assert (await olga.post("correct", game=game, keep=0, moves=[])).reason == "not_allowed"
            assert there.commands() == []
            assert (await olga.command(game=game, do="hold")).body == {"outcome": "done"}
            await listening.until(lambda: listening.games[game]["held"])
            assert (await ana.command(game=game, do="explode")).reason == "unknown_command"
            assert (await ana.command(do="release")).reason == "bad_argument"
            assert (await ana.command(game="G/1", do="release")).reason == "bad_argument"

            once = {"game": game, "do": "release", "key": "k-1"}
            first, second = await asyncio.gather(ana.command(**once), ana.command(**once))
            assert first.body == second.body == {"outcome": "done"}
            assert (await ana.command(**once)).body == {"outcome": "done"}
            assert [(one["do"], one["by"]) for one in there.commands()] == [
                ("hold", "olga via hub-1"),
                ("release", "ana via hub-1"),
            ]
            for target in ({"game": "t-9-20260131-1"}, {"board": "t-9"}):
                answer = await ana.command(**target, do="release")
                assert (answer.status, answer.reason) == (504, "no_answer")
            answer = await ana.post("correct", game="t-9-20260131-1", keep=0, moves=["a3-b4"])
            assert (answer.status, answer.body) == (504, {"reason": "no_answer", "done": 0})


@ONE_BROKER
async def test_the_legal_moves_of_a_position_are_told(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        two = {"regulation": "br-cbjd", "fen": "W:Wc3:Bd4,f6"}
        assert (await ana.post("legal", **two)).body == {
            "turn": "white",
            "moves": [
                {
                    **{"move": "c3xg7", "from": "c3", "to": "g7", "path": ["c3", "e5", "g7"], "captured": ["d4", "f6"]},
                    "fen": "B:Wg7:B",
                }
            ],
        }
        found = (await ana.post("legal", regulation="int-fmjd", fen="B:W31:B20")).body
        assert (found["turn"], sorted(move["move"] for move in found["moves"])) == ("black", ["20-24", "20-25"])
        assert (await ana.post("legal", regulation="br-cbjd", fen="nonsense")).reason == "bad_fen"
        assert (await ana.post("legal", regulation="nonsense", fen="W:Wc3:B")).reason == "no_regulation"
        assert (await ana.post("legal", regulation="br-cbjd")).reason == "bad_argument"


@ONE_BROKER
async def test_of_an_alert_that_is_none_there_is_no_evidence(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "ANSWER_SECONDS", 1.0)
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening:
            await listening.until(lambda: listening.games)
            (game,) = listening.games
        for alert, status, reason in (
            *((f"{game}-a7", 404, "no_such_alert"), ("nothing", 404, "no_such_alert")),
            ("t-9-20260131-1-a1", 504, "no_answer"),
        ):
            answer = await ana.browser.get(f"/console/api/evidence/{alert}")
            assert (answer.status, answer.reason) == (status, reason)


@ONE_BROKER
async def test_nothing_of_the_hall_is_told_to_whoever_is_not_logged_in(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening:
            await listening.until(lambda: listening.games and listening.boards)
            (game,) = listening.games
        stranger = there.browser()
        asked = 0
        for route in there.console.routes():
            path = str(route.path)
            for name, value in (("game", game), ("alert", f"{game}-a1"), ("round", "1"), ("language", "en")):
                path = path.replace(f"{{{name}}}", value)
            path = path.replace("{path:path}", "api/anything")
            methods = route.methods or {"GET", "POST"}
            for answer in [
                *([await stranger.get(f"/console{path}")] if "GET" in methods else []),
                *([await stranger.post(f"/console{path}", {"game": game})] if "POST" in methods else []),
            ]:
                asked += 1
                assert game.encode() not in answer.bytes, path
                assert b"t-1" not in answer.bytes, path
                assert "access-control-allow-origin" not in answer.headers
                assert answer.headers["cache-control"] == "no-store", path
                assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path
                if "/api/" in path and not path.endswith("login"):
                    assert answer.status in (401, 404), path
                    assert answer.body.keys() <= {"reason", "private"}, path
        assert asked >= 15
        moved = await stranger.get("/console")
        assert (moved.status, moved.headers["location"]) == (307, "/console/")
        assert (await stranger.get("/console/words/pt.json")).body["kind.touch_move"] == "a peça tocada não foi jogada"
        assert (await stranger.get("/console/words/xx.json")).status == 404


@ONE_BROKER
async def test_that_nothing_more_becomes_public_is_told_whoever_listens(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, full = PublicStore.add, False

    def added(store: PublicStore, news: Iterable[News]) -> None:
        if full:
            raise HubError("public_store", path="p.sqlite", reason="database or disk is full")
        add(store, news)

    monkeypatch.setattr(PublicStore, "add", added)

    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.browser.listening() as stream:
            assert (await stream.next("snapshot"))[1]["hub"].get("public_waits", False) is False
            full = True
            await publish(hall, "olga", "round/1", round_of(["g-1"]) | {"state": "started"})
            while not (await stream.next("hub"))[1]["public_waits"]:
                pass
            full = False
            while (await stream.next("hub"))[1]["public_waits"]:
                pass


@ONE_BROKER
async def test_a_stream_ends_when_its_person_logs_out(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening, ana.listening():
            (session,) = there.console.sessions._sessions.values()
            assert session.streams == 2, "who only listens is there"
            assert (await ana.post("logout")).status == 200
            with pytest.raises(EOFError):
                await listening.until(lambda: False)
        await until(lambda: session.streams == 0, "streams that have ended")
        async with ana.browser.listening() as stream:
            assert stream.status == 401


async def test_a_console_whose_broker_goes_says_so_and_goes_on_when_it_is_back(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "ANSWER_SECONDS", 1.0)
    monkeypatch.setattr(hall_module, "FORGET_SECONDS", 0.5)
    for number in ("1", "2"):
        await publish(hall, "olga", f"round/{number}", round_of(["g-1"]) | {"round": number})
    async with Line(hall) as line, place(line.hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening:
            await listening.until(lambda: listening.games and len(listening.rounds) == 2)
            assert listening.rounds["1"]["variant"] == "brazilian"
            (game,) = listening.games
            line.cut()
            await listening.until(lambda: not listening.connected)
            await there.tables["t-1"].carry("c3", "d4")
            assert (await ana.command(game=game, do="hold")).reason == "no_answer"
            assert not (await ana.snapshot())["connected"]
            await publish(hall, "olga", "round/1", None)
            await line.mend()
            await listening.until(lambda: listening.connected and listening.games[game]["count"] == 1)
            await listening.until(lambda: list(listening.rounds) == ["2"])
            assert game in listening.games
            assert (await ana.command(game=game, do="hold")).body == {"outcome": "done"}


@ONE_BROKER
async def test_games_that_are_over_sleep_in_the_archive_and_are_woken_when_they_go_on(
    hall: Hall, tmp_path: Path
) -> None:
    async with FakeGateway(hall).running() as gateway:
        async with hub(hall, tmp_path / "hub", people=PEOPLE) as running:
            await publish(hall, "olga", "round/1", round_of(["g-1", "g-2"]) | {"state": "started"})
            for game in ("g-1", "g-2"):
                await gateway.start(
                    game, round="1", players={"white": {"name": "Maria Silva"}, "black": {"name": "Rui"}}
                )
                for _ in range(4):
                    await gateway.move(game)
            raised = {"id": "g-1-a1", "kind": "touch_move", "severity": "irregular", "side": "white", "ply": 4}
            await gateway.tell("g-1", "alert", **raised, squares=["c3"], evidence={"trail": [], "reason": "blocked"})
            await gateway.tell("g-1", "alert_closed", id="g-1-a1", how="stands")
            await gateway.over("g-1")
            ends = {game: (1, len(gateway.streams[game])) for game in ("g-1", "g-2")}
            await until(lambda: running.archive.known(MEETING) == ends, "all in the archive", asks=True)
        async with hub(hall, tmp_path / "hub", people=PEOPLE) as running:
            ana = LoggedIn(there := Browser(f"http://127.0.0.1:{running.hub.web.port}"))  # type: ignore[union-attr]
            assert (await there.login("ana", PASSWORDS["ana"])).status == 200
            console = running.hub.console
            assert console is not None
            async with ana.listening() as listening:
                await listening.until(lambda: "g-2" in listening.games)
                await until(lambda: set(console.hall.states) == {"g-1", "g-2"}, "what the broker has")
                assert list(listening.games) == ["g-2"], "though its round goes on"
                over = {"winner": "draw", "result": "1-1", "reason": "agreed"}
                await listening.until(lambda: [p.get("over") for p in _pairings(listening)] == [over, None])
                assert console.hall.reader.asked == 0, "what the archive has nobody is asked for"
                assert listening.games["g-2"]["count"] == 4
                whole = await ana.get("games/g-1.json")
                assert (whole["count"], whole["over"]["winner"]) == (4, "draw")
                assert [(one["how"], one["evidence"]) for one in whole["settled"]] == [
                    ("stands", {"reason": "blocked"})
                ]
                assert whole["players"]["white"] == {"name": "Maria Silva"}
                assert (await there.get("/console/api/games/g-9.json")).reason == "no_game"
                await gateway.tell("g-1", "game_reopened", by="ana", revision=0)
                await gateway.move("g-1")
                await listening.until(lambda: "g-1" in listening.games and listening.games["g-1"]["count"] == 5)
                assert listening.games["g-1"]["over"] is None
                await listening.until(lambda: [p.get("over") for p in _pairings(listening)] == [None, None])
                register = await ana.get("register.json")
                assert [one["player"] for one in register["players"]] == ["Maria Silva"]
                await gateway.tell("g-2", "alert", **{**raised, "id": "g-2-a1"}, squares=["c3"], evidence={"trail": []})
                await gateway.over("g-2")
                await gateway.over("g-1")
                await listening.until(lambda: "g-1" not in listening.games)
                assert "g-2" in listening.games, "something is open about it"
                assert listening.games["g-2"]["over"] is not None
                await gateway.tell("g-2", "alert_closed", id="g-2-a1", how="stands")
                await listening.until(lambda: "g-2" not in listening.games)


@ONE_BROKER
async def test_evidence_shows_what_stood_then_whatever_the_record_says_now(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening:
            game, alert = await irregular(there, listening)
            before = [one["fen"] for one in (await ana.get(f"evidence/{alert['id']}"))["positions"]]
            assert len(before) == 3
            assert (await ana.post("correct", game=game, keep=0, moves=["c3-b4", "b6-a5"])).body["outcome"] == "done"
            await listening.until(lambda: listening.games[game]["count"] == 2)
            assert [one["fen"] for one in (await ana.get(f"evidence/{alert['id']}"))["positions"]] == before


@ONE_BROKER
async def test_whatever_is_published_in_the_hall_the_console_goes_on(hall: Hall, tmp_path: Path) -> None:
    async with place(hall, tmp_path) as there:
        ana = await there.person("ana")
        async with ana.listening() as listening, client(address(hall, "gw-1"), identifier="odd") as odd:
            for place_, body in (
                *(("game/g-7/event", b"{"), ("game/g-7/event", b"[]"), ("game/g-7/state", b'{"schema": 1}')),
                *(("board/t-2/state", b'"x"'), ("board/t-3/link", b'{"link": [], "gateway": {}, "ts": 7}')),
                *(("board/t-3/info", b'{"table": {"a": 1}}'), ("board/t-3/state", b'{"game": [1], "state": {}}')),
                *(("game/g-7/event", _event(1, fen="nonsense", players=7)), ("game/g-7/event", _event(2, ply="x"))),
                ("game/g-7/state", b'{"over": 1, "alerts": 2, "round": [], "board": {}, "regulation": {}}'),
                *(("game/g-8/event", _event(1, "g-8", fen=8, regulation=7)), ("game/g-8/state", b'{"regulation": 7}')),
            ):
                await odd.publish(f"damas/v1/{MEETING}/{place_}", body, qos=1)
            for number, pairings in enumerate(("x", [7], [{"table": {}, "game": [], "regulation": []}]), 5):
                await publish(hall, "olga", f"round/{number}", {"round": 7, "pairings": pairings, "regulation": [1]})
            await there.tables["t-1"].carry("c3", "d4")
            await listening.until(lambda: any(g["count"] == 1 for g in listening.games.values()))
            await listening.until(lambda: {"5", "6", "7"} <= set(listening.rounds) and "t-3" in listening.boards)
            await until(lambda: "g-8" in there.console.hall.games, "the game that cannot be shown")
            told = await ana.snapshot()
            assert {board["board"] for board in told["boards"]} >= {"t-1", "t-3"}
            assert "g-8" not in {game["game"] for game in told["games"]}
        assert not [task for task in there.console.tasks if task.done()]


def _event(seq: int, game: str = "g-7", **keys: Any) -> bytes:
    name = "game_started" if seq == 1 else "move"
    told = {"schema": "damas.event/1", "ts": now(), "board": "t-3", "game": game, "epoch": 1, "seq": seq}
    return json.dumps({**told, "event": name, "at": 1.0, "regulation": "br-cbjd", **keys}).encode()


def _pairings(listening: Listening) -> list[dict[str, Any]]:
    return list(listening.rounds["1"]["pairings"]) if "1" in listening.rounds else []
