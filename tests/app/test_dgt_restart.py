"""kill -9 of a gateway that reads DGT boards while games are played: the boards' own logs tell what it did not see."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from app.halls import Hall, Reader
from app.on_ptys import Kind, players, reading_gateway
from app.tables import until

from damas_board.app import regulation_of
from damas_board.notation.moves import write_move
from damas_board.session.header import Header, Settings
from damas_board.session.inputs import Link
from damas_board.sinks.journal import Journal
from damas_board.sources.adapter import Place
from damas_board.sources.dgt import DGT, DgtOptions
from damas_board.sources.source import Source
from simulator.clock import RunningClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.memory import LogMemory
from simulator.games import PlayedGame, invented

SPEED = 8.0
HEADER = Header("table-1", "int-fmjd", senses="kind", settings=Settings(**DGT.settings))
NO_ONES_FAULT = {"board_lost", "board_mismatch", "sensor_suspect"}


def board_of(number: int, clock: RunningClock) -> DgtBoard:
    serial = f"{number:05}"
    return DgtBoard(10, clock, pieces="draughts", memory=LogMemory(), serial=serial, garbage=True, seed=number)


def game_of(seed: int, plies: int) -> PlayedGame:
    return invented(regulation_of(HEADER).variant, seed, plies)


def with_log(port: Path, speed: float, now: Callable[[], float]) -> Source:
    return DGT.make(place(port, speed), DgtOptions(), now)


def without_log(port: Path, speed: float, now: Callable[[], float]) -> Source:
    return DGT.make(place(port, speed), DgtOptions(log=False), now)


def place(port: Path, speed: float) -> Place:
    variant = regulation_of(HEADER).variant
    return Place(str(port), variant.size, variant.corner, "black-left", HEADER.senses, speed=speed)


WITH_LOG = Kind(HEADER, game_of, board_of, with_log)
WITHOUT_LOG = replace(WITH_LOG, source=without_log)


def played(seed: int, plies: int) -> tuple[str, ...]:
    given = game_of(seed, plies)
    return tuple(write_move(p, m) for p, m in zip(given.positions(), given.moves, strict=False))


def alerts(reader: Reader) -> set[str]:
    """The kinds of those that are no notes."""
    told = (event.body for event in reader.events if event.body["event"] == "alert")
    return {body["kind"] for body in told if body["severity"] != "note"}


@pytest.mark.parametrize("hall", ["embedded"], indirect=True)
@pytest.mark.parametrize(
    ("boards", "kills", "plies", "seed"),
    [
        (1, 1, 10, 1),
        *(pytest.param(2, 2, 18, seed, marks=pytest.mark.slow) for seed in (2, 3)),
        pytest.param(2, 4, 40, 4, marks=pytest.mark.slow),
    ],
)
async def test_games_are_recorded_as_they_were_played_however_often_the_gateway_is_killed(
    hall: Hall, tmp_path: Path, boards: int, kills: int, plies: int, seed: int
) -> None:
    """A restart must not take a whole game; what is played meanwhile is in the board's own log."""
    chance = random.Random(seed)
    seeds = [(f"table-{number}", seed * 10 + number) for number in range(1, boards + 1)]
    names = [name for name, _ in seeds]
    wanted = {name: played(of, plies) for name, of in seeds}
    async with asyncio.timeout(120 + 10 * kills), Reader(hall).reading() as reader:
        async with players(tmp_path, seeds, plies, SPEED, kills + 1, WITH_LOG) as hands:
            for number in range(kills):
                known = sum(len(record.plies) for record in reader.records.values())
                if number > 0:
                    hands.go_on()  # while nobody reads
                async with reading_gateway(tmp_path, hall.port, names, SPEED, WITH_LOG):
                    if number == 0:
                        await until(lambda: len(reader.records) == boards)
                        hands.go_on()
                    more = known + (plies * boards - known) // (kills + 1) // 2
                    await until(lambda more=more: sum(len(r.plies) for r in reader.records.values()) >= more)
                    await asyncio.sleep(chance.uniform(0.0, 0.3))
            hands.go_on()
            async with reading_gateway(tmp_path, hall.port, names, SPEED, WITH_LOG):
                await until(
                    lambda: (
                        hands.done
                        and all(any(r.moves == moves for r in reader.records.values()) for moves in wanted.values())
                    )
                )
                await until(lambda: all(follower.hole is None for follower in reader.followers.values()))
        with Journal.open(tmp_path / "j.db") as journal:
            assert journal.differences() == []
            games = {of.board: of.game for of in journal.games()}
            assert len(games) == len(journal.games()) == boards
            for name in games.values():
                links = [stored.item for stored in journal.inputs(name) if isinstance(stored.item, Link)]
                assert any(link.whole for link in links), "the log has told what nobody saw"
    for board, name in games.items():
        assert reader.records[name].moves == wanted[board]
    assert alerts(reader) <= NO_ONES_FAULT


@pytest.mark.slow
@pytest.mark.parametrize("hall", ["embedded"], indirect=True)
@pytest.mark.parametrize("seed", [1, 2])
async def test_without_the_log_nothing_wrong_is_recorded_and_nobody_accused(
    hall: Hall, tmp_path: Path, seed: int
) -> None:
    plies, board = 16, ["table-1"]
    wanted = played(seed, plies)

    async with (
        asyncio.timeout(180),
        Reader(hall).reading() as reader,
        players(tmp_path, [(*board, seed)], plies, SPEED, 3, WITHOUT_LOG) as hands,
    ):
        async with reading_gateway(tmp_path, hall.port, board, SPEED, WITHOUT_LOG):
            await until(lambda: reader.records)
            hands.go_on()
            await until(lambda: any(len(record.plies) >= 4 for record in reader.records.values()))
        hands.go_on()
        await asyncio.sleep(3.0)  # most of this part is played while nobody reads
        async with reading_gateway(tmp_path, hall.port, board, SPEED, WITHOUT_LOG):
            hands.go_on()
            await until(lambda: hands.done and "board_mismatch" in alerts(reader))
            await until(lambda: all(follower.hole is None for follower in reader.followers.values()))
    (record,) = reader.records.values()
    assert 4 <= len(record.moves) < plies
    assert record.moves == wanted[: len(record.moves)]
    assert alerts(reader) <= NO_ONES_FAULT
