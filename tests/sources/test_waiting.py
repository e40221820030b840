"""How a board's thread waits for bytes: long where nothing is due, and never when there is something to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sources.bench import PATIENCE_SECONDS
from sources.simulated import SimulatedBench

from damas_board.decoding import wire
from damas_board.decoding.conversation import Timing
from damas_board.sources import serial_board, serial_port
from damas_board.sources.serial_board import SerialBoard
from simulator import board as simulated_board
from simulator.tcp import BoardTcp

NEVER = 1e6
PATIENT = Timing(silent_after=NEVER)


@pytest.fixture(autouse=True)
def long_waits(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Waits for bytes are without end, the board says nothing by itself; the timeouts of the reads are noted."""
    monkeypatch.setattr(serial_port, "CALM_SECONDS", NEVER)
    monkeypatch.setattr(simulated_board, "HEARTBEAT_SECONDS", NEVER)
    waits: list[float | None] = []
    reading = serial_board.read_available

    def noted(port: object) -> bytes:
        waits.append(getattr(port, "timeout", None))
        return reading(port)  # type: ignore[arg-type]

    monkeypatch.setattr(serial_board, "read_available", noted)
    return waits


async def calm(waits: list[float | None]) -> None:
    """Wait until a read without end has begun."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while waits[-1:] != [NEVER]:  # noqa: ASYNC110  what is waited for is another thread's
            await asyncio.sleep(0.01)


@pytest.fixture
async def board(long_waits: list[float | None]) -> AsyncIterator[tuple[SimulatedBench, SerialBoard]]:
    bench = SimulatedBench()
    async with asyncio.timeout(PATIENCE_SECONDS), bench.carrier, bench.source(timing=PATIENT) as source:
        await anext(source)
        yield bench, source


async def test_a_board_that_says_nothing_does_not_wake_the_program(
    board: tuple[SimulatedBench, SerialBoard], long_waits: list[float | None]
) -> None:
    bench, source = board
    await calm(long_waits)
    reads = len(long_waits)
    bench.lift(1)
    await anext(source)
    await calm(long_waits)
    assert len(long_waits) <= reads + 2


async def test_an_order_is_sent_at_once_also_to_a_board_that_says_nothing(
    board: tuple[SimulatedBench, SerialBoard], long_waits: list[float | None]
) -> None:
    bench, source = board
    await calm(long_waits)
    source.light(wire.Colour.GREEN, frozenset({3}))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not bench.board.lights:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert bench.board.lights == {3: wire.Colour.GREEN}


async def test_leaving_does_not_wait_for_a_board_that_says_nothing(long_waits: list[float | None]) -> None:
    bench = SimulatedBench()
    async with asyncio.timeout(PATIENCE_SECONDS), bench.carrier:
        async with bench.source(timing=PATIENT) as source:
            await anext(source)
            await calm(long_waits)
        assert source._thread is not None
        assert not source._thread.is_alive()


async def test_where_a_wait_cannot_be_ended_it_is_short(long_waits: list[float | None]) -> None:
    bench = SimulatedBench(BoardTcp)
    async with asyncio.timeout(PATIENCE_SECONDS), bench.carrier, bench.source(timing=PATIENT) as source:
        await anext(source)
        source.light(wire.Colour.GREEN, frozenset({3}))
        while not bench.board.lights:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert set(long_waits) == {serial_port.POLL_SECONDS}
