"""The finder over real pseudo-terminals: boards are known by their identity, ports come and go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from threading import Event

import pytest
from sources.bench import PATIENCE_SECONDS, Listener
from sources.simulated import MAP, START

from damas_board.decoding.conversation import Timing
from damas_board.sources.errors import BoardError
from damas_board.sources.finder import Candidates, Finder
from damas_board.sources.serial_board import SerialBoard
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.pty import BoardPty

QUICK = Timing(hello_every=0.1, hello_for=1.0)


class Port:
    """A simulated board at a link of its own; `move` unplugs it, and plugs it in elsewhere."""

    def __init__(self, folder: Path, uid: int, clock: RunningClock) -> None:
        self.board = Board(MAP, clock, uid=uid)
        self.board.set_up(START)
        self._folder = folder
        self._clock = clock
        self._stack = AsyncExitStack()

    async def plug(self, name: str) -> None:
        await self._stack.enter_async_context(BoardPty(self.board, self._clock, self._folder / name))

    async def pull(self) -> None:
        await self._stack.aclose()


@asynccontextmanager
async def ports(folder: Path, **uids: int) -> AsyncIterator[list[Port]]:
    clock = RunningClock()
    async with AsyncExitStack() as stack:
        made = []
        for name, uid in uids.items():
            port = Port(folder, uid, clock)
            stack.push_async_callback(port.pull)
            await port.plug(name)
            made.append(port)
        yield made


def finder(folder: Path, **options: object) -> Finder:
    return Finder(Candidates((), [str(folder / "*")]), **{"timing": QUICK, "look": 0.05, **options})


def source(uid: str, found: Finder) -> SerialBoard:
    return SerialBoard(None, MAP, RunningClock().now, uid=uid, finder=found)


async def eventually(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110  what is waited for is another thread's
            await asyncio.sleep(0.01)


async def test_every_port_is_asked_who_is_there_and_nothing_is_taken(tmp_path: Path) -> None:
    async with ports(tmp_path, a=0xA1, b=0xB2) as made:
        with finder(tmp_path) as found:
            await eventually(lambda: [asked.state for asked in found.asked()] == ["free", "free"])
            assert [asked.uid for asked in found.asked()] == ["000000a1", "000000b2"]
            async with source("000000b2", found) as board:
                assert board.port == str(tmp_path / "b")
                assert [asked.state for asked in found.asked()] == ["free", "held"]
            await eventually(lambda: [asked.state for asked in found.asked()] == ["free", "free"])
            await made[0].pull()
            await eventually(lambda: [asked.uid for asked in found.asked()] == ["000000b2"])


async def test_two_boards_that_swap_ports_are_each_followed_and_never_taken_for_the_other(tmp_path: Path) -> None:
    async with ports(tmp_path, a=0xA1, b=0xB2) as (one, two):
        with finder(tmp_path) as found:
            async with source("000000a1", found) as first, source("000000b2", found) as second:
                left, right = Listener(first), Listener(second)
                for port in (one, two):
                    await port.pull()
                await left.until(lambda: left.links == ["lost"])
                await right.until(lambda: right.links == ["lost"])
                one.board.lift(22)
                two.board.lift(23)
                await one.plug("b")
                await two.plug("a")
                await left.until_seen(MAP.rows(one.board.pieces, 2))
                await right.until_seen(MAP.rows(two.board.pieces, 2))
                assert (first.port, second.port) == (str(tmp_path / "b"), str(tmp_path / "a"))
                assert left.links == right.links == ["lost", "back"]
                mine = {MAP.rows([*START[:n], 0, *START[n + 1 :]], 2) for n in (21, 22)}
                seen = {s.rows for s in left.sights} & mine, {s.rows for s in right.sights} & mine
                assert not seen[0] & seen[1]


async def test_a_board_that_is_at_no_port_is_an_error_at_once_and_is_found_when_it_comes(tmp_path: Path) -> None:
    async with ports(tmp_path, a=0xA1) as (one,):
        with finder(tmp_path) as found:
            with pytest.raises(BoardError) as caught:
                async with source("000000c3", found):
                    pytest.fail("there is no such board")
            assert (caught.value.key, caught.value.facts) == ("board_missing", {"uid": "000000c3"})
            waiting = asyncio.create_task(asyncio.to_thread(found.find, "000000c3", Event()))
            one.board.uid = 0xC3  # pulled, and another one plugged in its place
            await one.pull()
            await one.plug("a")
            async with asyncio.timeout(PATIENCE_SECONDS):
                board = await waiting
            assert board is not None
            assert (board.path, board.hello.identity) == (str(tmp_path / "a"), "000000c3")
            board.close()


async def test_a_port_where_no_board_answers_holds_up_no_other(tmp_path: Path) -> None:
    silent = Board(MAP, RunningClock(), uid=1, protocol=2)
    async with ports(tmp_path, b=0xB2), BoardPty(silent, RunningClock(), tmp_path / "a"):
        with finder(tmp_path) as found:
            async with source("000000b2", found):
                await eventually(lambda: [asked.state for asked in found.asked()] == ["refused", "held"])
            error = found.asked()[0].error
            assert error is not None
            assert error.key == "version_refused"


async def test_a_port_that_is_in_use_and_one_that_is_reserved_are_left_alone(tmp_path: Path) -> None:
    async with ports(tmp_path, a=0xA1, b=0xB2, c=0xC3), SerialBoard(str(tmp_path / "a"), MAP, RunningClock().now):
        with finder(tmp_path, reserved=[str(tmp_path / "b")]) as found:
            await eventually(lambda: [asked.state for asked in found.asked()] == ["in_use", "free"])
            found.release(str(tmp_path / "b"))
            await eventually(lambda: [asked.uid for asked in found.asked()] == [None, "000000b2", "000000c3"])


async def test_a_board_known_by_its_port_at_first_is_then_followed_by_its_identity(tmp_path: Path) -> None:
    async with ports(tmp_path, a=0xA1) as (one,):
        with finder(tmp_path, reserved=[str(tmp_path / "a")]) as found:
            async with SerialBoard(str(tmp_path / "a"), MAP, RunningClock().now, finder=found) as board:
                listener = Listener(board)
                await one.pull()
                await listener.until(lambda: listener.links == ["lost"])
                await one.plug("elsewhere")
                await listener.until(lambda: listener.links == ["lost", "back"])
                assert board.port == str(tmp_path / "elsewhere")


async def test_one_device_under_two_names_is_asked_once_under_the_first(tmp_path: Path) -> None:
    async with ports(tmp_path, a=0xA1):
        (tmp_path / "z").symlink_to(tmp_path / "a")
        with Finder(Candidates([str(tmp_path / "z")], [str(tmp_path / "*")]), timing=QUICK, look=0.05) as found:
            await eventually(found.settled)
            assert [asked.port for asked in found.asked()] == [str(tmp_path / "z")]


def test_a_usb_device_of_another_kind_is_not_asked_unless_boards_may_be_anywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Device:
        def __init__(self, device: str, vid: int | None, pid: int | None) -> None:
            self.device, self.vid, self.pid = device, vid, pid

    there = [Device("/dev/ttyACM0", 1, 2), Device("/dev/ttyACM1", 1, 2), Device("/dev/ttyUSB0", 7, 7)]
    there.append(Device("/dev/ttyS0", None, None))
    monkeypatch.setattr("damas_board.sources.finder.list_ports.comports", lambda: there)
    assert Candidates(["/dev/ttyACM0"])() == ["/dev/ttyACM0", "/dev/ttyACM0", "/dev/ttyACM1"]
    assert Candidates(everything=True)() == ["/dev/ttyACM0", "/dev/ttyACM1", "/dev/ttyUSB0"]
