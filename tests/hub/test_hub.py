"""A hub between a hall and its public, over both brokers: every byte that becomes public is kept and searched."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from broker.halls import Hall
from hub.halls import MEETING, Gateway, Viewer, hub, publish, round_of, until

from damas_board.hub import relay
from damas_board.messages.feed import objection
from damas_board.messages.schemas import check
from damas_board.notation.pdn import read_games

SECRETS = (
    *("Maria", "Silva", "Rui", "Menor", "Joana", "Nova", "FMJD-77", "t-1", "t-2", "touch_move", "evidence", "trail"),
    *("piece_lifted", "mismatch", "told-by-nobody", '"ana"', "alert"),
)
PATHS = (
    *("/", "/feed/1.pdn", "/feed/1.json", "/feed/1/1.pdn", "/feed/1/2.PDN", "/rounds/1.pdn", "/api/games"),
    *("/api/rounds", "/standings.csv", "/standings.json", "/standings/1.csv", "/games/g-1.pdn", "/games/g-2.pdn"),
    *("/live/snapshot.json", "/live/games/g-1.json", "/live/games/g-2.json"),
)
DELAY = 1.5


async def test_nothing_that_is_public_is_younger_than_the_delay(hall: Hall, tmp_path: Path) -> None:
    await publish(hall, "olga", "round/1", round_of(["g-1", "g-2", "g-3"], delay=DELAY))
    files = tmp_path / "files"
    bodies: list[tuple[float, str, bytes]] = []
    async with (
        Gateway(hall).running() as gateway,
        Viewer(hall).watching() as viewer,
        hub(hall, tmp_path / "hub", files=files) as running,
    ):

        async def fetch() -> None:
            while True:
                for path in PATHS:
                    _, _, body = await asyncio.to_thread(running.get, path)
                    bodies.append((time.monotonic(), path, body))
                await asyncio.sleep(0.2)

        fetching = asyncio.create_task(fetch())
        for game in ("g-1", "g-2"):
            await gateway.start(game, players={"white": {"name": "Maria Silva"}, "black": {"name": "Rui Menor"}})
        for ply in range(1, 13):
            for game in ("g-1", "g-2"):
                await gateway.tell(game, "piece_lifted", square="c3", side="white", since=1.0)
                await gateway.move(game, note="told-by-nobody")
                alert = {"id": f"{game}-a{ply}", "kind": "touch_move", "severity": "irregular", "side": "white"}
                await gateway.tell(game, "alert", **alert, squares=[], ply=ply, evidence={"trail": []})
                await gateway.tell(game, "command", id="x", do="dismiss", outcome="done", by="ana")
            if ply % 3 == 0:
                await gateway.revise("g-1")
            if ply % 4 == 0:
                await gateway.retract("g-2", len(gateway.records["g-2"].plies))
            await asyncio.sleep(0.1)
        await gateway.over("g-1", "white", "2-0")
        await until(lambda: viewer.states.get("g-1", {}).get("over"), "the public end")
        await until(lambda: viewer.states["g-2"]["moves"] == list(gateway.records["g-2"].moves), "the last move")
        await asyncio.sleep(0.5)
        fetching.cancel()
        await asyncio.gather(fetching, return_exceptions=True)

    known = {game: record for game, record in gateway.records.items()}
    public = [*viewer.heard, *bodies]
    assert len(viewer.heard) > 30
    assert len({path for _, path, body in bodies if body}) == len(PATHS)
    for at, place, body in public:
        text = body.decode()
        assert not [secret for secret in SECRETS if secret in text], (place, text)
        for told, _, event in gateway.told:
            fen = event.get("fen")
            if fen is not None and event["event"] != "game_started" and at - told < DELAY:
                young = [e["fen"] for t, _, e in gateway.told if "fen" in e and t <= told]
                assert fen not in text or fen in young[:-1], (place, event)
    for at, place, body in bodies:
        if place.endswith(".pdn") and place.startswith(("/feed/1/1", "/games/g-1")) and b"[Event" in body:
            shown = len(next(iter(read_games(body))).plies)
            due = [e["ply"] for t, g, e in gateway.told if g == "g-1" and e["event"] == "move" and at - t >= DELAY]
            assert shown <= max(due, default=0)
    wrong = {event["was"] for _, game, event in gateway.told if event["event"] == "move_revised" and game == "g-1"}
    kinds = [json.loads(body).get("event") for _, place, body in viewer.heard if place.endswith("g-1/event")]
    assert wrong
    assert "move_revised" not in kinds  # each was put right within the delay
    assert viewer.records["g-1"].moves == known["g-1"].moves
    assert viewer.records["g-2"].moves == known["g-2"].moves
    assert viewer.records["g-1"].revision == known["g-1"].revision
    assert viewer.states["g-1"]["revision"] == known["g-1"].revision
    assert viewer.rounds["1"]["pairings"][0]["white"] == {"name": "M. S.", "rating": "1900"}
    assert viewer.rounds["1"]["pairings"][0]["black"] == {}
    assert viewer.rounds["1"]["pairings"][0]["result"] == "white"
    for _, _, body in viewer.heard:
        check(json.loads(body))
    for path in files.rglob("*.pdn"):
        assert not [secret for secret in SECRETS if secret in path.read_text()]


async def test_a_correction_reaches_every_follower(hall: Hall, tmp_path: Path) -> None:
    await publish(hall, "olga", "round/1", round_of(["g-1"], delay=0))
    async with (
        Gateway(hall).running() as gateway,
        Viewer(hall).watching() as viewer,
        hub(hall, tmp_path / "hub") as running,
        hub(hall, tmp_path / "second", "hub-2", publishes=False) as second,
    ):
        await gateway.start("g-1")
        for _ in range(6):
            await gateway.move("g-1")
        await until(lambda: len(viewer.states.get("g-1", {}).get("moves", ())) == 6, "the moves")
        await gateway.revise("g-1")
        await gateway.retract("g-1", 4)
        await gateway.move("g-1")
        wanted = gateway.records["g-1"]
        await until(lambda: viewer.records["g-1"].moves == wanted.moves, "the correction")
        await until(lambda: viewer.states["g-1"]["moves"] == list(wanted.moves), "the state")
        for one in (running, second):
            await asyncio.wait_for(one.hub.recorder.drained(), 20)
            record = one.archive.record(MEETING, "g-1")
            assert record is not None
            assert (record.moves, record.revision) == (wanted.moves, wanted.revision)
        assert viewer.records["g-1"].revision == viewer.states["g-1"]["revision"] == wanted.revision

        def fed() -> list[str]:
            games = list(read_games(running.get("/feed/1.pdn")[2]))
            return [ply.text for ply in games[0].plies] if games else []

        await until(lambda: tuple(fed()) == wanted.moves, "the feed", asks=True)
        shown = json.loads((await asyncio.to_thread(running.get, "/feed/1.json"))[2])
        assert objection(shown["games"][0]["pdn"]) is None
        assert second.hub.web is None


async def test_a_hub_that_starts_again_shows_nothing_twice_and_takes_nothing_back(hall: Hall, tmp_path: Path) -> None:
    await publish(hall, "olga", "round/1", round_of(["g-1"], delay=0))
    async with Gateway(hall).running() as gateway, Viewer(hall).watching() as viewer:
        async with hub(hall, tmp_path / "hub"):
            await gateway.start("g-1")
            for _ in range(4):
                await gateway.move("g-1")
            await until(lambda: len(viewer.states.get("g-1", {}).get("moves", ())) == 4, "the moves")
        before = len([1 for _, place, _ in viewer.heard if place.endswith("/event")])
        await gateway.move("g-1", lost=True)
        await publish(hall, "olga", "round/1", round_of(["g-1"], delay=2.0))
        async with hub(hall, tmp_path / "hub") as running:
            await gateway.show("g-1")
            await until(lambda: viewer.states["g-1"]["moves"] == list(gateway.records["g-1"].moves), "what was missed")
            events = [json.loads(body) for _, place, body in viewer.heard if place.endswith("/event")]
            assert [event["event"] for event in events[before:]] == ["move"]
            assert [event["seq"] for event in events] == list(range(1, 7))
            assert len({event["epoch"] for event in events}) == 1
            assert running.hub.health["missing"] == []
        assert all(len(json.loads(b)["moves"]) >= 4 for t, p, b in viewer.heard[before:] if p.endswith("g-1/state"))


async def test_delay_and_hold_change_while_the_round_runs(hall: Hall, tmp_path: Path) -> None:
    def told(**publication: Any) -> Any:
        return publish(hall, "olga", "round/1", round_of(["g-1", "g-2", "g-3"], **publication))

    def counts() -> list[int]:
        return [len(viewer.states.get(game, {}).get("moves", ())) for game in ("g-1", "g-2", "g-3")]

    def plies(path: str) -> list[int]:
        status, _, body = running.get(path)
        return [len(game.plies) for game in read_games(body)] if status == 200 else []

    await told(delay=0)
    async with (
        Gateway(hall).running() as gateway,
        Viewer(hall).watching() as viewer,
        hub(hall, tmp_path / "hub") as running,
    ):
        for game in ("g-1", "g-2"):
            await gateway.start(game)
            await gateway.move(game)
        await until(lambda: counts() == [1, 1, 0], "moves")
        await told(delay=0, boards={"1": {"hold": True}, "2": {"delay": 600}}, consumers={"tv": {"delay": 0}})
        publisher = running.hub.publisher
        assert publisher is not None
        await until(lambda: publisher.rounds["1"].publication.boards, "the change")
        for game in ("g-1", "g-2"):
            await gateway.move(game)
        await gateway.start("g-3")
        await gateway.move("g-3")  # later than what is held, and public at once
        await until(lambda: counts() == [1, 1, 1], "the board that is not held")
        await until(lambda: plies("/feed/1.pdn") == [1, 1, 1], "the feed", asks=True)
        # A consumer that asks for no delay has nothing that the public has not.
        await until(lambda: plies("/feed/tv/1.pdn") == [0, 0, 1], "the consumer's feed", asks=True)
        await told(delay=0, consumers={"tv": {"delay": 0}})
        await until(lambda: counts() == [2, 2, 1], "both")
        await until(lambda: plies("/feed/tv/1.pdn") == [2, 2, 1], "both in the consumer's feed", asks=True)
        await gateway.tell("g-1", "publication", held=True)
        await gateway.move("g-1")
        await gateway.move("g-2")
        await until(lambda: counts() == [2, 3, 1], "the board that is not held")
        await gateway.move("g-2")
        await until(lambda: counts() == [2, 4, 1], "what is later than the move that is held")
        await gateway.tell("g-1", "publication", held=False)
        await until(lambda: counts() == [3, 4, 1], "the release")
        assert all(stream == sorted(set(stream)) for stream in viewer.streams.values())


async def test_a_hub_that_may_not_publish_notices_it(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "ECHO_SECONDS", 1.0)
    async with Gateway(hall).running() as gateway, hub(hall, tmp_path / "hub", "hub-2") as running:
        await gateway.start("g-1")
        await gateway.move("g-1")
        await until(lambda: running.hub.health["denied"], "the notice")
        assert running.hub.health["denied"] == [f"damas/v1/{MEETING}/public/game/g-1/state"]


async def test_pages_have_what_a_follower_needs(hall: Hall, tmp_path: Path) -> None:
    await publish(hall, "olga", "round/1", round_of(["g-1", "g-2"], delay=0))
    async with (
        Gateway(hall).running() as gateway,
        Viewer(hall).watching() as viewer,
        hub(hall, tmp_path / "hub") as running,
    ):
        await gateway.start("g-2")
        await gateway.move("g-2")
        await until(lambda: "g-2" in viewer.states, "the game")

        def shown() -> list[int]:
            return [len(game.plies) for game in read_games(running.get("/feed/1.pdn")[2])]

        await until(lambda: shown() == [0, 1], "the feed", asks=True)  # all games of the round, in its order
        _, headers, body = await asyncio.to_thread(running.get, "/feed/1.pdn", Origin="https://example.org")
        assert headers["cache-control"] == "public, max-age=2"
        assert headers["access-control-allow-origin"] == "*"
        status, _, nothing = await asyncio.to_thread(running.get, "/feed/1.pdn", **{"If-None-Match": headers["etag"]})
        assert (status, nothing) == (304, b"")
        await publish(hall, "olga", "round/1", round_of(["g-2", "g-1"], delay=0))  # the boards change places
        await gateway.start("g-1")
        await gateway.move("g-1")
        await until(lambda: shown() == [1, 1], "the other game", asks=True)
        body = (await asyncio.to_thread(running.get, "/feed/1.pdn"))[2]
        text = [ply.text for game in read_games(body) for ply in game.plies]
        assert text == [gateway.records["g-1"].moves[0], gateway.records["g-2"].moves[0]]
        for path, status in (("/../etc/passwd", 404), ("/feed/9.pdn", 404), ("/", 200)):
            assert (await asyncio.to_thread(running.get, path))[0] == status
