"""A hub that publishes with a delay, killed at any moment: nothing twice, nothing lost, nothing early, one epoch.

And one that archives, whose database is killed under it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest
from broker.halls import Hall, free_port
from hub.halls import MEETING, Gateway, Viewer, publish, round_of, until
from hub.postgres import server

from damas_board.hub.archive import Archive
from damas_board.notation.pdn import read_games
from damas_board.rules.generation import legal_moves

DELAY = 1.0
KILLS = 12
GAMES = ("g-1", "g-2")


def config(hall: Hall, folder: Path, user: str = "hub-1", archive: str | None = None) -> Path:
    text = f'meeting = "{MEETING}"\n[broker]\nkind = "server"\nhost = "{hall.host}"\nport = {hall.port}\n'
    text += (
        f'[[user]]\nname = "{user}"\nrole = "hub"\npassword_env = "HUB"\npublishes = {str(user == "hub-1").lower()}\n'
    )
    text += f'[hub]\nuser = "{user}"\ndelay = {DELAY}\nport = {free_port()}\nfeeds = "feeds"\n'
    text += "" if archive is None else f'archive = "{archive}"\n'
    path = folder / "hub.toml"
    path.write_text(text, "utf-8")
    return path


@contextlib.asynccontextmanager
async def process(path: Path, log: Path, user: str = "hub-1") -> AsyncIterator[asyncio.subprocess.Process]:
    """`damas-board hub`; killed at the end if it still runs."""
    environ = {**os.environ, "HUB": f"secret of {user}", "DAMAS_LANG": "en"}
    with log.open("ab") as errors:
        command = [sys.executable, "-m", "damas_board", "hub", str(path)]
        running = await asyncio.create_subprocess_exec(*command, stderr=errors, env=environ)
        try:
            yield running
        finally:
            if running.returncode is None:
                running.kill()
            await running.wait()


async def play(gateway: Gateway, playing: asyncio.Event) -> None:
    """Both games, with moves that are put right or taken back at once, until `playing` is cleared."""
    for game in GAMES:
        await gateway.start(game, players={"white": {"name": "Ana"}})
    number = 0
    while playing.is_set():
        number += 1
        moved = [game for game in GAMES if legal_moves(gateway.positions[game])]
        for game in moved:
            await gateway.move(game)
        if number % 4 == 0 and "g-1" in moved:
            await gateway.revise("g-1")
        if number % 5 == 0 and "g-2" in moved:
            await gateway.retract("g-2", len(gateway.records["g-2"].plies))
        await asyncio.sleep(0.3)


@pytest.mark.slow
async def test_a_hub_that_is_killed_at_any_moment(hall: Hall, tmp_path: Path) -> None:
    await publish(hall, "olga", "round/1", round_of(list(GAMES)))
    path, log, random = config(hall, tmp_path), tmp_path / "log", Random(11)
    playing = asyncio.Event()
    playing.set()
    async with Gateway(hall).running() as gateway, Viewer(hall).watching() as viewer:
        games = asyncio.create_task(play(gateway, playing))
        for _ in range(KILLS):
            async with process(path, log):
                await asyncio.sleep(random.uniform(0.3, 3.5))  # from before its first line until well in its work
        async with process(path, log):
            playing.clear()
            await games
            wanted = {game: gateway.records[game] for game in GAMES}
            await until(
                lambda: all(viewer.states.get(g, {}).get("moves") == list(wanted[g].moves) for g in GAMES), "the games"
            )
            await until(lambda: all(viewer.records[g].moves == wanted[g].moves for g in GAMES), "the events")
            feed = tmp_path / "feeds" / "feed" / "1.pdn"
            await until(
                lambda: (
                    [len(game.plies) for game in read_games(feed.read_bytes())]
                    == [len(wanted[game].moves) for game in GAMES]
                ),
                "the feed",
            )
    assert "Traceback" not in log.read_text()

    # one epoch, no hole, and what comes again after a kill is what came before
    for game in GAMES:
        bodies: dict[int, bytes] = {}
        for _, place, payload in viewer.heard:
            if place.endswith(f"{game}/event"):
                assert bodies.setdefault(json.loads(payload)["seq"], payload) == payload
        assert sorted(bodies) == list(range(1, max(bodies) + 1))
        assert len({json.loads(payload)["epoch"] for payload in bodies.values()}) == 1
        plies = [event["ply"] for event in map(json.loads, bodies.values()) if event["event"] == "move"]
        assert plies == list(range(1, len(wanted[game].moves) + 1))
        kinds = {json.loads(payload)["event"] for payload in bodies.values()}
        assert not kinds & {"move_revised", "moves_retracted"}  # each was put right within the delay

    # nothing early
    told = {(game, e["ply"], e["fen"]): t for t, game, e in gateway.told if e["event"] in ("move", "move_revised")}
    for at, place, payload in viewer.heard:
        body = json.loads(payload)
        if body.get("event") == "move":
            assert at - told[place.split("/")[-2], body["ply"], body["fen"]] >= DELAY
        elif place.endswith("/state") and body["moves"]:
            game, ply = place.split("/")[-2], len(body["moves"])
            assert at - min(t for (g, n, _), t in told.items() if (g, n) == (game, ply)) >= DELAY
    with Archive.open(f"sqlite:///{tmp_path / 'archive.sqlite'}") as archive:
        assert archive.known(MEETING) == {game: (1, len(gateway.streams[game])) for game in GAMES}
        for game in GAMES:
            record = archive.record(MEETING, game)
            assert record is not None
            assert (record.moves, record.revision) == (wanted[game].moves, wanted[game].revision)


@pytest.mark.slow
async def test_a_database_that_is_killed_under_an_archiving_hub(
    hall: Hall, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    with server(require_program) as database:
        path, log = config(hall, tmp_path, "hub-2", archive=database.url), tmp_path / "log"
        playing = asyncio.Event()
        playing.set()
        await publish(hall, "olga", "round/1", round_of(list(GAMES)))
        async with Gateway(hall).running() as gateway, process(path, log, "hub-2") as running:
            games = asyncio.create_task(play(gateway, playing))

            def archived() -> int:
                with Archive.open(database.url) as archive:
                    return sum(seq for _, seq in archive.known(MEETING).values())

            for way in ("kill", "stop", "kill"):
                before = sum(map(len, gateway.streams.values()))
                await until(lambda before=before: archived() > before, "something in the archive", asks=True)
                said = log.read_text().count("the archive cannot be used")
                await asyncio.to_thread(getattr(database, way))
                await until(
                    lambda said=said: log.read_text().count("the archive cannot be used") > said, "the hub's word"
                )
                await asyncio.sleep(1.5)  # it tries again, in vain
                await asyncio.to_thread(database.start)
            playing.clear()
            await games
            wanted = {game: (1, len(gateway.streams[game])) for game in GAMES}
            with Archive.open(database.url) as archive:
                await until(lambda: archive.known(MEETING) == wanted, "all that was played", asks=True)
                for game in GAMES:
                    record = archive.record(MEETING, game)
                    assert record is not None
                    assert record.moves == gateway.records[game].moves
            assert running.returncode is None
            running.terminate()
            assert await asyncio.wait_for(running.wait(), 20) == 0
    told = log.read_text()
    assert told.count("the archive can be used again") == 3
    assert "Traceback" not in told
