"""A wall clock that is put forward and back by hours, between starts and during one: no record knows of it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import pairwise
from pathlib import Path

import pytest
from app.tables import HEADER, HandFed, Hands, items, moves, published, replayed, until

from damas_board.app import Gateway
from damas_board.app import clock as clock_module
from damas_board.session.inputs import Command
from damas_board.sinks import journal_file
from damas_board.sinks.journal import Journal

HOURS = (5.0, -7.0, 26.0, -3.0, 0.0)


class Wall(datetime):
    """A wall clock that somebody puts."""

    put = timedelta()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Wall":
        moment = datetime.now(tz) + cls.put
        return cls.combine(moment.date(), moment.timetz())


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> type[Wall]:
    Wall.put = timedelta()
    monkeypatch.setattr(clock_module, "datetime", Wall)
    monkeypatch.setattr(journal_file, "datetime", Wall)
    return Wall


@pytest.mark.parametrize("boots", [False, True], ids=["the machine runs on", "the machine starts again"])
async def test_a_wall_clock_that_jumps_between_starts_changes_no_record(
    tmp_path: Path, wall: type[Wall], monkeypatch: pytest.MonkeyPatch, boots: bool
) -> None:
    given = items(7, 30)
    path = tmp_path / "j.db"
    epochs, ids, ends = set(), [], []
    for number, hours in enumerate(HOURS):
        if boots:
            (tmp_path / "boot").write_text(f"start-{number}")
            monkeypatch.setattr(clock_module, "BOOT", tmp_path / "boot")
        wall.put = timedelta(hours=hours)
        part = given[max(0, len(given) * number // 5 - 1) : len(given) * (number + 1) // 5]
        with Journal.open(path) as journal:
            boards = [replayed(part), replayed(given, replace(HEADER, board="table-2"))]
            async with asyncio.timeout(30), Gateway(journal, boards) as gateway:
                await gateway.finished()
                other = gateway.boards["table-2"]
                await other.give(Command(journal.last_at, "abort", f"a{number}"))
                await other.give(Command(journal.last_at, "new_game", f"n{number}"))
                await other.drained()
                ids.append(other.game)
                name = str(gateway.boards["table-1"].game)
                state = gateway.boards["table-1"].state
            epochs.add(journal.epoch)
            ends.append(journal.last_at)
    assert state is not None
    assert state.moves == moves(given)
    assert len(epochs) == 1
    assert len(set(ids)) == len(HOURS)
    with Journal.open(path) as journal:
        assert journal.differences() == []
        inputs = [stored.item.at for stored in journal.inputs(name)]
        games = [game.game for game in journal.games()]
    assert inputs == sorted(inputs)
    assert len(games) == len(set(games))
    told = published(path, f"game/{name}")
    assert [body["at"] for body in told] == sorted(body["at"] for body in told)
    assert [body["event"] for body in told].count("game_started") == 1
    jumps = [second - first for first, second in pairwise(ends)]
    assert all(jump >= 0 for jump in jumps)
    if not boots:
        assert max(jumps) < 3600, "hours that the wall clock was put forward have not passed"


async def test_a_wall_clock_that_jumps_during_a_game_is_not_asked(tmp_path: Path, wall: type[Wall]) -> None:
    given = items(7, 30)
    hands = Hands()
    with Journal.open(tmp_path / "j.db") as journal:
        async with asyncio.timeout(30), Gateway(journal, [hands.setup()]) as gateway:
            source: HandFed = hands["table-1"]
            shift = source.now()
            began = asyncio.get_running_loop().time()
            for number, item in enumerate(given):
                wall.put = timedelta(hours=HOURS[number % len(HOURS)])
                source.given.put_nowait(replace(item, at=item.at + shift))
            await until(source.given.empty)
            await gateway.boards["table-1"].drained()
            passed = asyncio.get_running_loop().time() - began
            assert abs(source.now() - shift - passed) < 0.01
            state = gateway.boards["table-1"].state
            assert state is not None
            assert state.moves == moves(given)
    assert datetime.now(UTC) > datetime.fromisoformat(journal.utc)


def test_an_epoch_that_begins_when_the_wall_clock_was_put_back_is_newer_all_the_same(
    tmp_path: Path, wall: type[Wall]
) -> None:
    epochs = []
    for hours in HOURS:
        wall.put = timedelta(hours=hours)
        with Journal.open(tmp_path / "j.db") as journal:
            epochs.append(journal.epoch)
        (tmp_path / "j.db-unwritten").touch()
    assert epochs == sorted(set(epochs))
