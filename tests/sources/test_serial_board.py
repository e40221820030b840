"""The serial board over a real pseudo-terminal, with the simulated board behind it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import tty
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sources.bench import PATIENCE_SECONDS, Listener, listening
from sources.simulated import MAP, SimulatedBench

from damas_board.decoding import wire
from damas_board.decoding.conversation import Timing
from damas_board.decoding.square_map import SquareMap
from damas_board.session.inputs import Button, Lever, Link, See
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import Backoff, UsbNeighbours
from damas_board.sources.serial_board import Buttons, SerialBoard
from simulator.clock import RunningClock
from simulator.faults import LateFrames, LostBytes

QUICK = Timing(hello_every=0.1, hello_for=1.0)


@pytest.fixture
async def bench() -> AsyncIterator[SimulatedBench]:
    made = SimulatedBench()
    async with made.carrier:
        yield made


class RawPty:
    """A terminal whose other end is the test's own."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)

    def close(self) -> None:
        os.close(self._slave)
        os.close(self.master)


@pytest.fixture
def raw_pty() -> Iterator[RawPty]:
    pty = RawPty()
    yield pty
    pty.close()


async def eventually(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110  what is waited for is another thread's
            await asyncio.sleep(0.01)


async def refused(source: SerialBoard) -> BoardError:
    with pytest.raises(BoardError) as caught:
        async with source:
            pass
    assert "\n" not in str(caught.value)
    return caught.value


async def test_a_port_that_does_not_exist_is_named(tmp_path: Path) -> None:
    error = await refused(SerialBoard(str(tmp_path / "ttyNONE"), MAP, RunningClock().now))
    assert (error.key, error.facts) == ("port_missing", {"port": str(tmp_path / "ttyNONE")})


@pytest.mark.parametrize("what", ["a file", "a directory", "/dev/null", "nonsense://x"])
async def test_what_is_no_serial_port_is_named(tmp_path: Path, what: str) -> None:
    (tmp_path / "file").write_text("no port")
    port = {"a file": str(tmp_path / "file"), "a directory": str(tmp_path)}.get(what, what)
    error = await refused(SerialBoard(port, MAP, RunningClock().now))
    assert error.key == "port_failed"
    assert str(error).startswith(port)


async def test_a_port_in_use_is_named(bench: SimulatedBench) -> None:
    async with bench.source() as first:
        error = await refused(bench.source())
        assert (error.key, error.facts) == ("port_in_use", {"port": bench.carrier.path})
        listener = Listener(first)
        bench.lift(22)
        await listener.until_seen(bench.rows())


async def test_a_device_that_says_nothing_is_no_board(raw_pty: RawPty) -> None:
    error = await refused(SerialBoard(raw_pty.path, MAP, RunningClock().now, timing=QUICK))
    assert (error.key, error.facts) == ("no_board", {"port": raw_pty.path, "seconds": 1.0})
    asked = wire.command_decoder().feed(os.read(raw_pty.master, 4096))
    assert len(asked) > 3
    assert all(isinstance(command, wire.AskHello) for command in asked)


async def test_a_device_that_talks_nonsense_is_no_board(raw_pty: RawPty) -> None:
    async def talk() -> None:
        while True:
            os.write(raw_pty.master, b"$GPGGA,123519,4807.038,N,01131.000,E\r\n\0\x02\x02\0")
            await asyncio.sleep(0.02)

    talking = asyncio.create_task(talk())
    error = await refused(SerialBoard(raw_pty.path, MAP, RunningClock().now, timing=QUICK))
    talking.cancel()
    assert error.key == "no_board"


async def test_another_protocol_version_is_refused_with_both_versions() -> None:
    bench = SimulatedBench(protocol=2)
    async with bench.carrier:
        error = await refused(bench.source())
    assert error.key == "version_refused"
    assert (error.facts["theirs"], error.facts["ours"]) == (2, 1)
    assert "protocol 2" in str(error)
    assert "protocol 1" in str(error)


async def test_another_board_than_the_one_expected_is_refused(bench: SimulatedBench) -> None:
    error = await refused(bench.source(uid="00000abc"))
    assert (error.key, error.facts["found"], error.facts["expected"]) == ("wrong_board", "00000007", "00000abc")


async def test_a_board_of_another_size_is_refused(bench: SimulatedBench) -> None:
    error = await refused(SerialBoard(bench.carrier.path, SquareMap(10, "left"), bench.clock.now))
    assert error.key == "wrong_geometry"
    assert "32 squares" in str(error)
    assert "50 squares" in str(error)


@pytest.mark.parametrize("senses", ["colour", "kind"])
async def test_a_board_that_senses_less_than_the_configuration_says_is_refused(
    bench: SimulatedBench, senses: str
) -> None:
    error = await refused(bench.source(senses=senses))
    assert (error.key, error.facts["senses"], error.facts["levels"]) == ("wrong_senses", senses, 2)
    assert f'senses = "{senses}"' in str(error)
    assert "2 levels" in str(error)


async def test_a_board_that_senses_kinds_may_be_used_for_all() -> None:
    for senses in ("occupancy", "colour", "kind"):
        bench = SimulatedBench()
        bench.board.levels = 5
        async with bench.carrier, bench.source(senses=senses) as source:
            assert source.hello is not None
            assert source.hello.levels == 5


async def test_a_pulled_cable_is_told_as_such_and_not_as_the_system_says_it(bench: SimulatedBench) -> None:
    async with listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        bench.cut()
        await listener.until(lambda: listener.links)
        (lost,) = [item for item in listener.inputs if isinstance(item, Link)]
        assert lost.reason == "port_lost"
        bench.restore()
        await listener.until(lambda: listener.links == ["lost", "back"])


async def test_the_port_is_free_again_after_a_refusal(bench: SimulatedBench) -> None:
    await refused(bench.source(uid="00000abc"))
    async with listening(bench) as listener:
        await listener.until(lambda: listener.sights)


async def test_a_reset_in_mid_game_is_told_and_the_board_read_anew(bench: SimulatedBench) -> None:
    async with listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        bench.lift(22)
        await listener.until_seen(bench.rows())
        bench.board.reset()
        await listener.until(lambda: listener.links == ["lost", "back"])
        await listener.until_seen(bench.rows())
        (lost,) = [item for item in listener.inputs if isinstance(item, Link) and item.state == "lost"]
        assert lost.reason == "board_restarted"
        bench.put(18)
        await listener.until_seen(bench.rows())


async def test_a_board_that_falls_silent_is_lost_and_found_again(bench: SimulatedBench) -> None:
    source = bench.source(timing=Timing(hello_every=0.1, hello_for=0.5, silent_after=2.5))
    async with source:
        listener = Listener(source)
        await listener.until(lambda: listener.sights)
        answer = bench.board.data_to_send
        bench.board.data_to_send = lambda: b""  # type: ignore[method-assign]
        bench.lift(22)
        await listener.until(lambda: listener.links == ["lost"])
        assert [item.reason for item in listener.inputs if isinstance(item, Link)] == ["silent"]
        bench.board.data_to_send = answer  # type: ignore[method-assign]
        await listener.until(lambda: listener.links == ["lost", "back"])
        await listener.until_seen(bench.rows())


async def test_lost_bytes_cost_no_reading_and_late_ones_say_when_they_were() -> None:
    bench = SimulatedBench(faults=[LostBytes(seed=4, share=0.15)])
    async with bench.carrier, listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        for _ in range(40):
            bench.lift(22)
            await asyncio.sleep(0.01)
            bench.put(22)
            await asyncio.sleep(0.01)
        bench.lift(9)
        await listener.until_seen(bench.rows())
        assert any(seen.was is not None for seen in listener.sights)
        if "lost" not in listener.links:
            assert len(listener.sights) == 1 + 81


async def test_late_frames_say_when_they_were() -> None:
    bench = SimulatedBench(faults=[LateFrames(seed=1, share=1.0, seconds=0.8)])
    async with bench.carrier, listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        for _ in range(5):
            bench.lift(22)
            bench.put(22)
        await listener.until(lambda: len(listener.sights) == 11)
        assert any(seen.was is not None for seen in listener.sights)


async def test_garbage_on_the_line_never_raises_and_costs_no_reading(bench: SimulatedBench) -> None:
    plain = bench.board.data_to_send

    def dirty() -> bytes:
        data = plain()
        return data + bytes(range(256)) * 3 + b"\xff\0" if data else data

    bench.board.data_to_send = dirty  # type: ignore[method-assign]
    async with listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        for _ in range(10):
            bench.lift(22)
            await asyncio.sleep(0.005)
            bench.put(22)
            await asyncio.sleep(0.005)
        await listener.until(lambda: len(listener.sights) == 21)
        assert listener.links == []


async def test_a_board_that_comes_back_elsewhere_is_known_by_its_identity() -> None:
    home, other, elsewhere = SimulatedBench(uid=7), SimulatedBench(uid=8), SimulatedBench(uid=7)
    ports: list[str] = []
    async with other.carrier, elsewhere.carrier:
        async with home.carrier:
            ports[:] = [home.carrier.path, other.carrier.path, elsewhere.carrier.path]
            source = home.source(candidates=lambda: ports)
            await source.__aenter__()
            listener = Listener(source)
            await listener.until(lambda: listener.sights)
        # The port went away for good.
        elsewhere.lift(1)
        await listener.until(lambda: listener.links == ["lost", "back"])
        await listener.until_seen(elsewhere.rows())
        await source.__aexit__(None, None, None)


async def test_buttons_are_levers_and_an_announced_adjustment(bench: SimulatedBench) -> None:
    source = bench.source(buttons=Buttons(clock_a="black", adjust="white"), by="table-1")
    async with source:
        listener = Listener(source)
        for button in ("clock-a", "clock-b", "adjust"):
            bench.board.press(button)
        await listener.until(lambda: len(listener.inputs) == 4)
        seen, *pressed = listener.inputs
        assert isinstance(seen, See)
        assert seen.by == "table-1"
        assert seen.event is not None
        which = [seen.event._replace(seq=seen.event.seq + 2 * n - 1) for n in (1, 2, 3)]  # each is released as well
        assert pressed == [
            Lever(pressed[0].at, "black", event=which[0]),
            Lever(pressed[1].at, "white", event=which[1]),
            Button(pressed[2].at, "adjust", "white", event=which[2]),
        ]


async def test_the_source_lights_squares_of_the_board(bench: SimulatedBench) -> None:
    source = bench.source()
    async with source:
        listener = Listener(source)
        source.light(wire.Colour.GREEN, frozenset({1, 32}))
        bench.lift(22)
        await listener.until_seen(bench.rows())
        await eventually(lambda: bench.board.lights)
        assert bench.board.lights == {1: wire.Colour.GREEN, 32: wire.Colour.GREEN}


async def test_it_knows_who_the_board_is_and_how_it_fares(bench: SimulatedBench) -> None:
    source = bench.source()
    async with source:
        assert source.hello is not None
        assert (source.hello.uid, source.hello.places) == (7, 32)
        await eventually(lambda: source.health)
        assert source.health is not None
        assert source.health.heartbeat.scans == 1000


async def test_a_clock_that_runs_fast_gives_times_of_its_own_scale() -> None:
    bench = SimulatedBench(speed=20)
    async with bench.carrier:
        source = bench.source(timing=Timing().scaled(20))
        async with source:
            listener = Listener(source)
            await listener.until(lambda: listener.sights)
            first = listener.sights[0].at
            await bench.clock.sleep(10)
            bench.lift(1)
            await listener.until(lambda: len(listener.sights) == 2)
            assert listener.sights[1].at - first >= 10
            assert listener.links == []


async def test_a_cable_that_is_plugged_in_again_ends_the_longest_wait(bench: SimulatedBench) -> None:
    # Waits that would outlast the test, so that only the look can find the board.
    source = bench.source(backoff=Backoff(1000.0, 1.0, 1000.0, local=1000.0, look=0.1))
    async with source:
        listener = Listener(source)
        await listener.until(lambda: listener.sights)
        for times in range(1, 4):
            bench.cut()
            await listener.until(lambda n=times: len(listener.links) == 2 * n - 1)
            bench.lift(times)
            bench.restore()
            await listener.until_seen(bench.rows())


def test_waits_for_a_local_port_stay_short() -> None:
    backoff = Backoff()
    assert max(backoff.next(local=True) for _ in range(20)) <= 1.0
    assert backoff.look <= 0.5


def test_waits_follow_the_speed_of_the_board_s_time() -> None:
    fast, plain = Backoff.scaled(10), Backoff()
    assert [fast.next() for _ in range(6)] == pytest.approx([plain.next() / 10 for _ in range(6)])
    assert fast.look == pytest.approx(plain.look / 10)


def test_waits_between_tries_grow_to_a_limit_and_begin_anew() -> None:
    backoff = Backoff(0.25, 2.0, 1.0)
    assert [backoff.next() for _ in range(4)] == [0.25, 0.5, 1.0, 1.0]
    backoff.reset()
    assert backoff.next() == 0.25


def test_only_ports_with_the_same_usb_chip_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Found:
        def __init__(self, device: str, vid: int | None, pid: int | None) -> None:
            self.device, self.vid, self.pid, self.serial_number = device, vid, pid, None

    found = [
        Found("/dev/ttyUSB0", 0x1A86, 0x7523),
        Found("/dev/ttyUSB1", 0x0403, 0x6001),
        Found("/dev/ttyS0", None, None),
    ]
    monkeypatch.setattr("damas_board.sources.usb_converter.list_ports.comports", lambda: found)
    neighbours = UsbNeighbours("/dev/ttyUSB0")
    assert neighbours() == ["/dev/ttyUSB0"]
    neighbours.remember()
    found[:] = [Found("/dev/ttyUSB2", 0x1A86, 0x7523), *found[1:]]
    assert neighbours() == ["/dev/ttyUSB0", "/dev/ttyUSB2"]


@asynccontextmanager
async def locked(path: str) -> AsyncIterator[None]:
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    yield
    os.close(fd)


async def test_a_port_locked_by_another_program_is_in_use(bench: SimulatedBench) -> None:
    async with locked(bench.carrier.path):
        assert (await refused(bench.source())).key == "port_in_use"


async def test_the_terminal_does_not_send_the_board_its_own_bytes() -> None:
    bench = SimulatedBench()
    echoed: list[bytes] = []
    bench.board.receive = echoed.append  # type: ignore[method-assign]
    async with bench.carrier:
        bench.lift(22)
        await bench.clock.sleep(0.1)
    assert echoed == []
