"""What is played while no gateway runs: the board has kept it, and the next one tells it as if it had been there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from app.tables import HEADER, published, until
from firmware.host_build import built
from sources.native import NativeBench
from sources.simulated import MAP

from damas_board.app import BoardSetup, Gateway, regulation_of
from damas_board.decoding.conversation import Timing
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, Link, See
from damas_board.sinks.journal import Journal
from damas_board.sources.reconnection import Backoff
from damas_board.sources.serial_board import SerialBoard
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

SPEED = 8.0
GAME = replace(HEADER, clock="300")
START = [1] * 12 + [0] * 8 + [1] * 12


class Hall:
    """A board on a pty that never stops, and gateways that do."""

    def __init__(self, folder: Path) -> None:
        self.journal = folder / "j.db"
        self.clock = RunningClock(SPEED)
        self.board = Board(MAP, self.clock)
        self.board.set_up(START)
        self.pty = BoardPty(self.board, self.clock, folder / "port")

    @asynccontextmanager
    async def gateway(self, header: Header = GAME) -> AsyncIterator[Gateway]:
        setup = BoardSetup(header, self._source)
        async with asyncio.timeout(60):
            with Journal.open(self.journal) as journal:
                async with Gateway(journal, [setup], speed=SPEED) as gateway:
                    yield gateway

    def _source(self, now: Callable[[], float]) -> SerialBoard:
        timing, backoff = Timing().scaled(SPEED), Backoff.scaled(SPEED)
        return SerialBoard(self.pty.path, MAP, now, timing=timing, backoff=backoff)

    async def play(self, *acts: str) -> None:
        """`-c3` lifts, `+d4` puts down, `a` and `b` press the clock, a number waits so many seconds."""
        geometry = regulation_of(HEADER).variant.geometry
        for act in acts:
            match act[0]:
                case "-":
                    self.board.lift(MAP.place(geometry.square(act[1:])))
                case "+":
                    self.board.place(MAP.place(geometry.square(act[1:])))
                case "a" | "b":
                    self.board.press(f"clock-{act}")
                case _:
                    await self.clock.sleep(float(act))
            await self.clock.sleep(0.2)

    def inputs(self) -> list[Input]:
        with Journal.open(self.journal) as journal:
            (game,) = journal.games()
            return [stored.item for stored in journal.inputs(game.game)]

    def told(self, *kinds: str) -> list[dict[str, Any]]:
        with Journal.open(self.journal) as journal:
            (game,) = journal.games()
        return [event for event in published(self.journal, f"game/{game.game}") if event["event"] in kinds]


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    hall = Hall(tmp_path)
    async with hall.pty:
        yield hall


async def begun(hall: Hall) -> None:
    """One ply is played before the first gateway ends."""
    async with hall.gateway() as gateway:
        await hall.play("-c3", "0.3", "+d4", "a", "1.0")
        await until(lambda: gateway.boards["table-1"].state.moves == ("c3-d4",))


async def go_on(hall: Hall, moves: int) -> tuple[str, ...]:
    async with hall.gateway() as gateway:
        await until(lambda: len(gateway.boards["table-1"].state.moves) >= moves)
        await asyncio.wait_for(gateway.boards["table-1"].drained(), 10)
        return gateway.boards["table-1"].state.moves


async def test_moves_made_in_ten_seconds_without_a_gateway_are_seen_and_not_guessed(hall: Hall) -> None:
    await begun(hall)
    await hall.play(
        "2.0", "-b6", "0.3", "+a5", "b", "1.5", "-d2", "0.4", "+c3", "a", "1.5", "-a7", "0.3", "+b6", "b", "2"
    )
    assert await go_on(hall, 4) == ("c3-d4", "b6-a5", "d2-c3", "a7-b6")
    told = hall.told("move")
    assert [move["basis"] for move in told] == ["seen"] * 4
    assert [ply["ply"] for ply in hall.told("move_confirmed")] == [1, 2, 3, 4]
    assert not hall.told("move_revised", "moves_retracted")
    lost = [event["kind"] for event in hall.told("alert")]
    assert lost == ["board_lost"]


async def test_the_clock_is_as_if_the_gateway_had_been_there(hall: Hall) -> None:
    """Both levers were pressed while nobody listened: who had thought for three seconds has lost three."""
    await begun(hall)
    await hall.play("3.0", "-b6", "0.3", "+a5", "b", "0.3", "-d2", "0.3", "+c3", "a", "6.0")
    await go_on(hall, 3)
    first, second, third = [event for event in hall.told("clock") if event["running"] is not None][:3]
    assert (first["running"], second["running"], third["running"]) == ("black", "white", "black")
    assert 4.0 < first["black"] - second["black"] < 9.0
    assert 0.5 < second["white"] - third["white"] < 3.0
    assert third["at"] - second["at"] == pytest.approx(second["white"] - third["white"], abs=0.01)


async def test_an_irregularity_that_nobody_saw_is_told(hall: Hall) -> None:
    """Black lets two pieces rest where they are not touched again: first one, then it plays another."""
    await begun(hall)
    await hall.play("1.0", "-d6", "1.0", "+d6", "1.0", "-b6", "0.5", "+a5", "b", "1.0", "3.0")
    assert await go_on(hall, 2) == ("c3-d4", "b6-a5")
    (touched,) = [event for event in hall.told("alert") if event["kind"] != "board_lost"]
    assert touched["kind"] == "touch_move"
    assert "d6" in touched["squares"]


async def test_an_irregular_move_that_had_stood_is_told_with_when_it_was(hall: Hall) -> None:
    await begun(hall)
    await hall.play("1.0", "-b6", "0.5", "+b4", "8.0")
    with_it = await go_on(hall, 2)
    assert with_it[0] == "c3-d4"
    (move,) = hall.told("move")[1:]
    assert move["irregular"]
    assert move["basis"] == "seen"
    assert hall.inputs()[-1].at - move["at"] > 4.0, "it had stood for long when the gateway came"


async def test_what_is_journalled_says_which_event_it_was_and_is_journalled_once(hall: Hall) -> None:
    await begun(hall)
    for lift, put in (("-b6", "+a5"), ("-d2", "+c3"), ("-a7", "+b6")):
        await hall.play(lift, "0.3", put, "1.0")
        async with hall.gateway() as gateway:
            await until(lambda gateway=gateway: gateway.boards["table-1"].figures.up)
    items = hall.inputs()
    seen = [item for item in items if isinstance(item, See)]
    assert [item.event.uid for item in seen] == [f"{hall.board.uid:08x}"] * len(seen)
    changes = [now.event.seq for before, now in pairwise(seen) if before.rows != now.rows]
    assert changes == sorted(set(changes))
    assert len(changes) == 8
    assert [item.whole for item in items if isinstance(item, Link) and item.state == "back"] == [True] * 3
    assert [item.at for item in items] == sorted(item.at for item in items)


async def test_a_command_comes_before_what_the_board_had_kept_and_loses_nothing(hall: Hall) -> None:
    """Who gives a command while the board's port is away finds what is played meanwhile behind it."""
    async with hall.gateway() as gateway:
        board = gateway.boards["table-1"]
        await hall.play("-c3", "0.3", "+d4", "a", "1.0")
        await until(lambda: board.state.moves == ("c3-d4",))
        await hall.pty.__aexit__(None, None, None)
        await until(lambda: not board.figures.up)
        await hall.play("-b6", "0.3", "+a5", "b", "1.0")
        assert board.offer(Command(gateway._clock.now(), "hold", "1", {}, "ana"))
        await board.drained()
        await hall.pty.__aenter__()
        await until(lambda: board.state.moves == ("c3-d4", "b6-a5"))
        assert board.state.held
    assert [move["basis"] for move in hall.told("move")] == ["seen", "seen"]


async def test_what_the_board_has_not_kept_is_made_out_as_before(hall: Hall) -> None:
    await begun(hall)
    await hall.play("-b6", "0.3", "+a5", "b")
    hall.board.reset()
    assert await go_on(hall, 2) == ("c3-d4", "b6-a5")
    assert [move["basis"] for move in hall.told("move")] == ["seen", "inferred"]


@pytest.mark.slow
async def test_the_firmware_keeps_it_as_the_board_in_software_does(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    bench = NativeBench(built("board-32", tmp_path, require_program), tmp_path)
    geometry = regulation_of(HEADER).variant.geometry

    def source(now: Callable[[], float]) -> SerialBoard:
        return SerialBoard(str(tmp_path / "board"), MAP, now)

    async def move(start: str, end: str) -> None:
        bench.lift(MAP.place(geometry.square(start)))
        await asyncio.sleep(0.4)
        bench.put(MAP.place(geometry.square(end)))
        await asyncio.sleep(0.6)

    async with asyncio.timeout(60), bench.carrier:
        for moves in (("c3-d4",), ("c3-d4", "b6-a5", "d2-c3")):
            with Journal.open(tmp_path / "j.db") as journal:
                async with Gateway(journal, [BoardSetup(HEADER, source)]) as gateway:
                    board = gateway.boards["table-1"]
                    await until(lambda board=board: board.figures.up)
                    if len(moves) == 1:
                        await move("c3", "d4")
                    await until(lambda board=board, moves=moves: board.state.moves == moves)
            if len(moves) == 1:
                await move("b6", "a5")
                await move("d2", "c3")
    with Journal.open(tmp_path / "j.db") as journal:
        told = [row.body for row in journal.events(f"game/{journal.games()[0].game}")]
    assert [event["basis"] for event in told if event["event"] == "move"] == ["seen"] * 3
