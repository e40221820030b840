"""Going on from a board's own log: what was done while its port was not open is told when it is."""

from __future__ import annotations

import asyncio
import os
import termios
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from firmware.host_build import built
from sources.bench import Bench, Listener, listening
from sources.native import NativeBench
from sources.simulated import MAP, SimulatedBench

from damas_board.decoding.conversation import UNREADABLE
from damas_board.session.inputs import BoardEvent, Lever, Link, See
from damas_board.sources.serial_board import SerialBoard, known_levels
from damas_board.sources.serial_port import open_port
from damas_board.sources.source import Resumable, known_after
from simulator.pty import BoardPty
from simulator.tcp import BoardTcp


def native(request: pytest.FixtureRequest) -> NativeBench:
    return NativeBench(request.getfixturevalue("native_board"), request.getfixturevalue("tmp_path"))


BENCHES: dict[str, Callable[[pytest.FixtureRequest], SimulatedBench | NativeBench]] = {
    "board in software on a pty": lambda _: SimulatedBench(BoardPty),
    "board in software over TCP": lambda _: SimulatedBench(BoardTcp),
    "the firmware's core on a pty": native,
}


@pytest.fixture(scope="module")
def native_board(tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], str]) -> Path:
    return built("board-32", tmp_path_factory.mktemp("firmware"), require_program)


@pytest.fixture(params=BENCHES)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    made = BENCHES[request.param](request)
    async with made.carrier:
        yield made


async def known(bench: Bench) -> See:
    """What is known of the board behind a first look at it."""
    async with listening(bench) as listener:
        seen = await listener.until_seen(bench.rows())
    assert seen.event is not None
    return seen


async def test_what_was_done_meanwhile_is_told_in_order_with_when_it_was(bench: Bench) -> None:
    before = await known(bench)
    expected = []
    for act, place in [(bench.lift, 22), (bench.put, 18), (bench.lift, 9), (bench.put, 14)]:
        act(place)
        expected.append(bench.rows())
        await asyncio.sleep(0.05)
    bench.press_clock()
    await asyncio.sleep(0.15)
    source = bench.source()
    assert isinstance(source, Resumable)
    source.go_on_from(before)
    async with source:
        listener = Listener(source)
        await listener.until(lambda: len(listener.inputs) >= 7)
    back, *missed, lever, now = listener.inputs
    assert back == Link(back.at, "back", whole=True)
    assert [seen.rows for seen in missed] == expected
    assert isinstance(lever, Lever)
    assert now == See(now.at, bench.rows(), event=now.event)
    times = [item.was for item in (*missed, lever)]
    assert times == sorted(times)
    assert all(before.at <= was < back.at for was in times)
    assert [item.event.seq - before.event.seq for item in (*missed, lever)] == [1, 2, 3, 4, 5]


async def test_what_the_log_does_not_hold_any_more_is_not_made_up(bench: Bench) -> None:
    before = await known(bench)
    for _ in range(70):
        for act in (bench.lift, bench.put):
            act(22)
            await asyncio.sleep(0.025 if isinstance(bench, NativeBench) else 0)
    bench.lift(9)
    await asyncio.sleep(0.1)
    source = bench.source()
    source.go_on_from(before)
    async with source:
        listener = Listener(source)
        await listener.until(lambda: listener.inputs)
    assert [type(item) for item in listener.inputs] == [See]
    assert listener.sights[0].rows == bench.rows()


async def test_a_board_that_has_started_again_is_read_anew(bench: Bench) -> None:
    before = await known(bench)
    bench.cut()
    await asyncio.sleep(0.1)
    bench.restore()
    await asyncio.sleep(0.1)
    source = bench.source()
    source.go_on_from(before)
    async with source:
        listener = Listener(source)
        await listener.until_seen(bench.rows())
    assert [type(item) for item in listener.inputs] == [See]
    assert listener.sights[0].event.boot_id != before.event.boot_id


async def test_a_port_that_is_opened_again_in_the_same_process_misses_nothing() -> None:
    """The cable's other end went away, and the board did not."""
    bench = SimulatedBench(BoardTcp)
    async with bench.carrier, listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        expected = [bench.rows()]
        await bench.carrier.__aexit__(None, None, None)
        await listener.until(lambda: [item.state for item in listener.inputs if isinstance(item, Link)] == ["lost"])
        for act, place in [(bench.lift, 22), (bench.put, 18), (bench.lift, 9)]:
            act(place)
            expected.append(bench.rows())
        await bench.carrier.__aenter__()
        await listener.until_seen(bench.rows())
    assert [seen.rows for seen in listener.sights] == [*expected, bench.rows()]
    assert [(item.state, item.whole) for item in listener.inputs if isinstance(item, Link)] == [
        ("lost", False),
        ("back", True),
    ]


async def test_closing_a_port_does_not_pull_its_lines_down() -> None:
    """With HUPCL a closed port drops DTR, and the next opening resets an Arduino."""
    master, slave = os.openpty()
    try:
        settings = termios.tcgetattr(slave)
        settings[2] |= termios.HUPCL
        termios.tcsetattr(slave, termios.TCSANOW, settings)
        with open_port(os.ttyname(slave)):
            assert not termios.tcgetattr(slave)[2] & termios.HUPCL
        assert not termios.tcgetattr(slave)[2] & termios.HUPCL
    finally:
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("kind", ["o", "w", "B"])
def test_the_levels_behind_a_picture(kind: str) -> None:
    level = {"o": 1, "w": 1, "B": 4}[kind]
    levels = tuple([level, UNREADABLE] + [0] * 30)
    assert known_levels(MAP, MAP.rows(levels, 2 if kind == "o" else 5)) == levels
    assert known_levels(MAP, "../..") is None


def test_what_a_board_would_go_on_from() -> None:
    board = SerialBoard("/dev/null", MAP, lambda: 0.0)
    first = See(1.0, "a", event=BoardEvent("7", 1, 4))
    assert isinstance(board, Resumable)
    assert known_after(None, See(1.0, "a")) is None
    assert known_after(None, Lever(1.0, "white", event=BoardEvent("7", 1, 4))) is None
    assert known_after(None, first) == first
    assert known_after(first, See(1.5, "b", "cam")) == first
    assert known_after(first, Lever(2.0, "white", event=BoardEvent("7", 1, 5))) == See(
        2.0, "a", event=BoardEvent("7", 1, 5)
    )
    assert known_after(first, Lever(2.0, "white", event=BoardEvent("7", 2, 5))) is None
