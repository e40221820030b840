"""DGT boards in software, and other things, at real pseudo-terminals."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sources.bench import PATIENCE_SECONDS, Listener, listening
from sources.dgt_bench import CORNER, SPEED, DgtBench
from sources.simulated import SimulatedBench
from sources.test_serial_board import RawPty, eventually

from damas_board.decoding.dgt.conversation import DgtTalk, Timing
from damas_board.decoding.dgt.frames import BAUD, WRITES_MEMORY
from damas_board.decoding.dgt.reading import Setting
from damas_board.session.inputs import Link, See
from damas_board.sources.adapter import Place
from damas_board.sources.adapters import ADAPTERS
from damas_board.sources.dgt import DGT, DgtOptions
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import Backoff
from damas_board.sources.spoken_board import SpokenBoard
from simulator.clock import RunningClock

SHORT = replace(Timing(), drain=0.05, greet_every=0.2, greet_for=0.6, flow_for=1.0, answer_for=0.2)


@pytest.fixture
def raw_pty() -> Iterator[RawPty]:
    pty = RawPty()
    yield pty
    pty.close()


@pytest.fixture
async def bench() -> AsyncIterator[DgtBench]:
    made = DgtBench(10)
    async with made.carrier:
        yield made


def source_at(path: str, timing: Timing = SHORT, **options: object) -> SpokenBoard:
    """A source that gives up soon."""

    def talk(at: float, known: object) -> DgtTalk:
        return DgtTalk(at, Setting(corner=CORNER), timing=timing)

    return SpokenBoard(path, talk, RunningClock().now, baud=BAUD, backoff=Backoff(0.05, 2.0, 0.2))


def reading(bench: DgtBench) -> SpokenBoard:
    """A source that asks for the board's log as well."""
    place = Place(bench.carrier.path, 10, "left", CORNER, "kind", speed=SPEED)
    return DGT.make(place, DgtOptions(), bench.clock.now)  # type: ignore[return-value]


async def refused(source: SpokenBoard) -> BoardError:
    with pytest.raises(BoardError) as caught:
        async with asyncio.timeout(PATIENCE_SECONDS), source:
            pass
    assert "\n" not in str(caught.value)
    return caught.value


@asynccontextmanager
async def talking(pty: RawPty, what: bytes, every: float) -> AsyncIterator[None]:
    """Another device says something again and again at the other end."""
    os.set_blocking(pty.master, False)

    async def talk() -> None:
        while True:
            with suppress(BlockingIOError):
                os.write(pty.master, what)
            await asyncio.sleep(every)

    task = asyncio.create_task(talk())
    yield
    task.cancel()


def test_it_is_one_of_the_program_s_adapters() -> None:
    assert ADAPTERS["dgt"] is DGT


@pytest.mark.parametrize(
    ("place", "options", "named"),
    [
        (Place("/dev/x", 12, "left", CORNER, "colour"), {}, "12"),
        (Place("/dev/x", 8, "left", CORNER, "colour"), {"fields": "black"}, "fields"),
        (Place("/dev/x", 10, "left", CORNER, "colour"), {"kings": ["queen"]}, "kings"),
        (Place("/dev/x", 10, "left", CORNER, "colour"), {"pieces": "chess"}, "pieces"),
        (Place("/dev/x", 8, "left", CORNER, "kind"), {"pieces": "chess"}, "kings"),
    ],
)
def test_a_table_and_options_that_do_not_fit_are_named(place: Place, options: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        DGT.make(place, DgtOptions.model_validate(options), RunningClock().now)
    assert "\n" not in str(caught.value)


async def test_a_port_that_is_not_there_is_named(tmp_path: Path) -> None:
    place = Place(str(tmp_path / "ttyNONE"), 10, "left", CORNER, "colour")
    error = await refused(DGT.make(place, DgtOptions(), RunningClock().now))  # type: ignore[arg-type]
    assert error.key == "port_missing"


async def test_a_port_behind_which_nobody_answers_has_no_dgt_board(raw_pty: RawPty) -> None:
    error = await refused(source_at(raw_pty.path))
    assert (error.key, error.facts) == ("no_dgt_board", {"port": raw_pty.path, "seconds": 0.6})
    assert set(os.read(raw_pty.master, 100)) == {0x40, 0x4B, 0x4D, 0x45, 0x42}


async def test_a_device_that_says_something_else_is_no_dgt_board(raw_pty: RawPty) -> None:
    async with talking(raw_pty, b"$GPGGA,123519,4807.038,N,01131.000,E\r\n", 0.02):
        assert (await refused(source_at(raw_pty.path))).key == "no_dgt_board"


async def test_a_board_of_our_own_is_no_dgt_board_and_is_not_disturbed() -> None:
    bench = SimulatedBench()
    async with bench.carrier:
        assert (await refused(source_at(bench.carrier.path))).key in ("no_dgt_board", "not_dgt")
        async with listening(bench) as listener:
            await listener.until_seen(bench.rows())


async def test_a_flood_of_garbage_is_given_up_at_once(raw_pty: RawPty) -> None:
    async with talking(raw_pty, Random(1).randbytes(1 << 16), 0.0):
        assert (await refused(source_at(raw_pty.path, Timing()))).key == "not_dgt"


async def test_a_board_that_answers_only_to_somebody_else_is_refused(bench: DgtBench) -> None:
    place = Place(bench.carrier.path, 10, "left", CORNER, "colour", uid="00007", speed=SPEED)
    error = await refused(DGT.make(place, DgtOptions(), bench.clock.now))  # type: ignore[arg-type]
    assert (error.key, error.facts["found"], error.facts["expected"]) == ("wrong_board", "01025", "00007")


@pytest.mark.parametrize(("board", "table"), [(8, 10), (10, 8)])
async def test_a_board_of_another_size_is_refused_with_what_to_do(board: int, table: int) -> None:
    bench = DgtBench(board)
    async with bench.carrier:
        place = Place(bench.carrier.path, table, "left", CORNER, "colour", speed=SPEED)
        error = await refused(DGT.make(place, DgtOptions(), bench.clock.now))  # type: ignore[arg-type]
    assert (error.key, error.facts["found"], error.facts["expected"]) == ("wrong_fields", board**2, table**2)


async def test_who_the_board_is_and_how_it_is_are_told(bench: DgtBench) -> None:
    async with bench.source() as source:
        await eventually(lambda: "long_serial_number" in source.info())  # type: ignore[attr-defined]
        info = source.info()  # type: ignore[attr-defined]
        assert info == {
            "port": bench.carrier.path,
            "uid": "01025",
            "version": "1.03",
            "long_serial_number": "0000001025",
        }
        await eventually(lambda: source.health().get("clock") == "none")  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_a_board_that_restarts_while_it_is_played_on_goes_on_telling(bench: DgtBench) -> None:
    async with listening(bench) as listener:
        await listener.until_seen(bench.rows())
        bench.board.reset()
        bench.lift(22)
        await listener.until_seen(bench.rows())
        bench.put(18)
        await listener.until_seen(bench.rows())
        assert not bench.board.memory_writes
        assert not WRITES_MEMORY & set(bench.board.orders)


@pytest.mark.slow
async def test_a_new_source_goes_on_from_what_is_known_by_the_board_s_own_log(bench: DgtBench) -> None:
    async with listening(bench) as listener:
        known = await listener.until_seen(bench.rows())
    assert known.event is not None
    assert known.event.uid == "01025"
    told: list[str] = [bench.rows()]
    for act, place in [(bench.lift, 22), (bench.put, 18), (bench.lift, 9), (bench.put, 14)]:
        act(place)
        told.append(bench.rows())
        await asyncio.sleep(2 / SPEED)  # some scans of the board
    source = reading(bench)
    source.go_on_from(known)
    async with source:
        listener = Listener(source)
        await listener.until_seen(bench.rows())
        back, *seen = listener.inputs
        assert back == Link(back.at, "back", whole=True)
        boards = [item.rows for item in seen if isinstance(item, See)]
        assert list(dict.fromkeys(boards)) == told[1:]
        assert [item.event.seq for item in listener.sights if item.event] == [
            known.event.seq + 1 + index for index in range(len(seen))
        ]
        bench.lift(18)
        await listener.until_seen(bench.rows())


@pytest.mark.slow
async def test_it_can_be_left_while_the_log_is_read(bench: DgtBench) -> None:
    async with listening(bench) as listener:
        known = await listener.until_seen(bench.rows())
    bench.lift(22)
    source = reading(bench)
    source.go_on_from(known)
    async with source:
        listener = Listener(source)
        await eventually(lambda: 0x49 in bench.board.orders)
        assert not listener.inputs
    async with listening(bench) as listener:
        await listener.until_seen(bench.rows())
