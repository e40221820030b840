"""kill -9 of the gateway at any moment: the record is whole, the game goes on, and nobody is told a thing twice."""

import asyncio
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from app.forked import followed, forked, shown, undisturbed, written
from app.halls import Hall, Reader
from app.tables import HEADER, items, until

from damas_board.app.gateway import new_session
from damas_board.messages.stream import Record, fold_event
from damas_board.session.inputs import Input
from damas_board.sinks.journal import Journal

BOARDS = ("table-1", "table-2", "table-3", "table-4")
PLIES = 20
SPEED = 25.0
"""Times as fast as time: a game lasts two seconds."""


async def killed_often(hall: Hall, folder: Path, kills: int, seed: int, speed: float) -> None:
    """Play four games to their end, killing the gateway `kills` times, and compare all there is to compare."""
    chance = random.Random(seed)
    given = {board: items(seed * 10 + number, PLIES) for number, board in enumerate(BOARDS)}
    recordings = [written(folder, replace(HEADER, board=board), given[board]) for board in BOARDS]
    path = folder / "j.db"
    wanted = undisturbed(given)
    async with Reader(hall).reading() as reader:
        for _ in range(kills):
            async with forked(path, hall.port, recordings, speed):
                await asyncio.sleep(chance.uniform(0.0, 1.2) ** 2)
        async with forked(path, hall.port, recordings, None) as gateway:
            await gateway.finished()
            await followed(path, reader)
            assert await gateway.ended() == 0
        with Journal.open(path) as journal:
            assert journal.mended is None
            assert journal.differences() == []
            games = {game.board: game for game in journal.games()}
            assert len(games) == len(journal.games()) == len(BOARDS)
            for board, played in games.items():
                name = played.game
                await until(lambda name=name: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
                told_plies = tuple((ply.move, ply.fen, ply.irregular) for ply in reader.records[name].plies)
                assert told_plies == wanted[board], board
                told = [row.body for row in journal.events(f"game/{name}")]
                assert [body["event"] for body in told].count("game_started") == 1
                assert _made_again(journal, name) == [b for b in told if b["event"] in ("move", "move_revised")]
    for name in reader.followers:
        events = [event for event in reader.events if event.game == name]
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert len({event.epoch for event in events}) == 1


def _made_again(journal: Journal, name: str) -> list[object]:
    """What a Session makes of the journalled inputs: the moves as published."""
    played = next(game for game in journal.games() if game.game == name)
    session = new_session(played.header)
    made = []
    for stored in journal.inputs(name):
        assert stored.state == "fed"
        session.feed(stored.item)
        made += [body for body in stored.events if body["event"] in ("move", "move_revised")]
    assert session.state.moves == tuple(body["move"] for body in _last_of_each(made))
    return made


def _last_of_each(bodies: list[dict[str, object]]) -> list[dict[str, object]]:
    return list({body["ply"]: body for body in bodies}.values())


@pytest.mark.parametrize(
    ("hall", "seed"), [("embedded", 1), pytest.param("mosquitto", 1, marks=pytest.mark.slow)], indirect=["hall"]
)
async def test_a_gateway_killed_twenty_times_in_four_games_ends_with_the_record_of_an_undisturbed_run(
    hall: Hall, tmp_path: Path, seed: int
) -> None:
    async with asyncio.timeout(120):
        await killed_often(hall, tmp_path, 20, seed, SPEED)


def _torn(path: Path, chance: random.Random) -> None:
    """4 KiB somewhere in the journal are no more what they were."""
    with path.open("r+b") as opened:
        opened.seek(chance.randrange(4096, path.stat().st_size - 4096))
        opened.write(chance.randbytes(4096))


def _told(record: Record) -> tuple[object, ...]:
    plies = tuple((ply.move, ply.fen, ply.irregular, ply.confirmed) for ply in record.plies)
    return plies, record.revision, record.over, record.open_alerts, record.players, record.start


def _came(path: Path, given: Mapping[str, Sequence[Input]]) -> dict[str, int]:
    """How far each board had come. Behind it the journal has no log that would make good for it."""
    with Journal.open(path) as journal:
        return {board: shown(journal, board, items) for board, items in given.items()}


@pytest.mark.parametrize(
    ("hall", "seed"),
    [
        ("embedded", 11),
        *(
            pytest.param(kind, seed, marks=pytest.mark.slow)
            for seed in range(12, 22)
            for kind in ("embedded", "mosquitto")
        ),
    ],
    indirect=["hall"],
)
async def test_a_journal_torn_three_times_in_four_games_costs_no_follower_the_end(
    hall: Hall, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    given = {board: items(seed * 50 + number, PLIES) for number, board in enumerate(BOARDS)}
    recordings = [written(tmp_path, replace(HEADER, board=board), given[board]) for board in BOARDS]
    path = tmp_path / "j.db"
    wanted = undisturbed(given)
    begin = dict.fromkeys(BOARDS, 0)
    async with asyncio.timeout(90), Reader(hall).reading() as reader:
        for plies in (20, 35, 50):
            async with forked(path, hall.port, recordings, SPEED, begin):
                await until(lambda plies=plies: sum(len(r.plies) for r in reader.records.values()) >= plies)
            begin = _came(path, given)
            _torn(path, chance)
        async with forked(path, hall.port, recordings, None, begin) as gateway:
            await gateway.finished()
            await followed(path, reader)
            assert await gateway.ended() == 0
        with Journal.open(path) as journal:
            assert journal.mended is None
            for played in journal.games():
                name = played.game
                await until(lambda name=name: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
                assert reader.followers[name].epoch == journal.epoch
                record = Record()
                for row in journal.events(f"game/{name}"):
                    record = fold_event(record, row.body)
                assert _told(reader.records[name]) == _told(record)
                assert record.fen == wanted[played.board][-1][1], played.board
            assert len(journal.games()) == len(BOARDS)
    aside = [name for name in os.listdir(tmp_path) if ".damaged-" in name and not name.endswith("-wal")]
    assert 1 <= len(aside) <= 3, "a page that nothing is in may be torn"
    assert len({event.epoch for event in reader.events}) == 1 + len(aside)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
async def test_a_gateway_killed_twenty_times_in_four_games_at_a_slower_pace(
    hall: Hall, tmp_path: Path, seed: int
) -> None:
    async with asyncio.timeout(300):
        await killed_often(hall, tmp_path, 20, seed, 8.0)
