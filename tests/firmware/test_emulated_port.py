"""The emulated firmware behind a real pseudo-terminal: ports that are closed and opened again, cables, resets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from firmware.conftest import require_modules
from sources.bench import PATIENCE_SECONDS, Listener

from damas_board.decoding.square_map import SquareMap
from damas_board.session.inputs import Lever
from damas_board.sources.serial_board import SerialBoard
from simulator.clock import RunningClock
from simulator.emulated import EmulatedBoard, EmulatorError

MAP = SquareMap(10, "left")


@pytest.fixture(autouse=True)
def _node(require_program: Callable[[str], str]) -> None:
    require_program("node")
    require_modules()


@asynccontextmanager
async def listening(source: SerialBoard) -> AsyncIterator[Listener]:
    async with source:
        told = Listener(source)
        yield told
    await told.ended()


def standing(count: int, told: Listener) -> bool:
    return bool(told.sights) and told.sights[-1].rows.count("o") == count


async def test_a_port_that_is_closed_and_opened_again_loses_nothing() -> None:
    clock = RunningClock()
    boots = []
    async with EmulatedBoard("matrix-50") as board:
        for pieces in range(2):
            source = SerialBoard(board.path, MAP, clock.now)
            async with listening(source) as told:
                await told.until(lambda pieces=pieces: standing(pieces, told))
                assert source.hello is not None
                boots.append(source.hello.boot_id)
            board.bounce(1, times=9)
    assert len(set(boots)) == 1


async def test_a_cable_that_is_pulled_and_a_reset_are_gaps_and_nothing_more() -> None:
    clock = RunningClock()
    async with EmulatedBoard("matrix-50") as board:
        source = SerialBoard(board.path, MAP, clock.now)
        async with listening(source) as told:
            board.place(1)
            await told.until(lambda: standing(1, told))
            board.unplug()
            await told.until(lambda: told.links == ["lost"])
            board.place(2)
            board.plug()
            await told.until(lambda: told.links == ["lost", "back"] and standing(2, told))
            board.lift(1)
            board.reset()
            await told.until(lambda: told.links == ["lost", "back"] * 2 and standing(1, told))
            board.drop(13)
            board.place(30)
            board.press("clock-a")
            await told.until(lambda: standing(2, told) and any(isinstance(item, Lever) for item in told.inputs))
            assert source.hello is not None
            assert source.hello.boot_id == 3
            assert told.links == ["lost", "back"] * 2


async def test_a_board_that_stands_still_goes_on_when_told_to() -> None:
    async with EmulatedBoard("hall-50-lights", speed=-1) as board:
        await board.run(0.1)
        await board.run(0.15)
        assert await board.time() == 0.25
        assert await board.lights() == [(0, 0, 0)] * 50


async def test_a_board_that_runs_flat_out_answers_commands_meanwhile() -> None:
    async with EmulatedBoard("matrix-32", speed=0) as board:
        board.place(3)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await board.time() < 3:
                pass
        assert (await board.figures())["seconds"] >= 3


async def test_a_command_that_the_emulator_does_not_take_is_an_error_at_the_end() -> None:
    async def bad() -> None:
        async with EmulatedBoard("matrix-50") as board:
            board.volts(1, 2.5)
            await board.time()

    with pytest.raises(EmulatorError, match="error"):
        await bad()
