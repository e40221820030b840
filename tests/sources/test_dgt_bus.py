"""Boards of one line are read as every board is, and one that is silent, or a table that leaves, changes no other."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from sources.bench import Bench, Listener, listening
from sources.contract import SourceContract
from sources.dgt_bench import CORNER, FieldsBench, field, set_out

from damas_board.decoding.dgt.bus import BusTalk
from damas_board.decoding.talk import Told
from damas_board.session.inputs import Link, See
from damas_board.sources.adapter import Place
from damas_board.sources.adapters import ADAPTERS
from damas_board.sources.dgt_bus import BusLines, DgtBusBoard, DgtBusOptions, together
from damas_board.sources.errors import BoardError
from simulator.clock import RunningClock
from simulator.dgt.bus import DgtBus
from simulator.pty import BoardPty

SPEED = 3.0
TIMEOUT = 0.2
"""The machine may be busy."""
SERIALS = ("01025", "02054", "00003")


class BusBench(FieldsBench):
    """The first of `count` boards; `cut` takes its own supply away, or pulls the line's converter."""

    def __init__(self, count: int = 2, *, cuts_line: bool = True, lines: BusLines | None = None) -> None:
        super().__init__()
        self.clock = RunningClock(SPEED)
        self.bus = DgtBus(self.clock)
        self.lines = lines or BusLines()
        self.boards = [self.bus.add(10, serial=serial, corner=CORNER) for serial in SERIALS[:count]]
        for board in self.boards:
            set_out(board)
        self.board = self.boards[0]
        self.carrier = BoardPty(self.bus, self.clock)
        self._cuts_line = cuts_line

    def place(self) -> Place:
        return Place(self.carrier.path, 10, "left", CORNER, "kind", speed=SPEED)

    def source(self, number: int = 0, **options: Any) -> DgtBusBoard:
        options = {"address": SERIALS[number], "timeout": TIMEOUT, "log": False, **options}
        return self.lines.make(self.place(), DgtBusOptions(**options), self.clock.now)

    def cut(self) -> None:
        (self.bus if self._cuts_line else self.board).unplug()

    def restore(self) -> None:
        (self.bus if self._cuts_line else self.board).plug()

    def rows(self, number: int = 0) -> str:
        board = self.boards[number]
        return board.square_map.rows(board.pieces, 5)


class TestDgtBusBoard(SourceContract):
    @pytest.fixture(params=["the line", pytest.param("its own supply", marks=pytest.mark.slow)])
    def made(self, request: pytest.FixtureRequest) -> Bench:
        return BusBench(cuts_line=request.param == "the line")


@pytest.fixture
async def bench() -> AsyncIterator[BusBench]:
    made = BusBench()
    async with made.carrier:
        yield made


async def test_each_table_is_told_its_own_board_at_one_port(bench: BusBench) -> None:
    async with AsyncExitStack() as stack:
        tables = [Listener(await stack.enter_async_context(bench.source(number))) for number in (0, 1)]
        for number, table in enumerate(tables):
            await table.until_seen(bench.rows(number))
        assert len([thread for thread in threading.enumerate() if thread.name.startswith("line ")]) == 1
        bench.boards[1].lift(field(bench.boards[1], 22))
        await tables[1].until_seen(bench.rows(1))
        bench.lift(23)
        await tables[0].until_seen(bench.rows(0))
        assert [len(table.boards) for table in tables] == [2, 2]
        bench.bus.unplug()
        for table in tables:
            await table.until(lambda table=table: table.links)
        bench.bus.plug()
        for number, table in enumerate(tables):
            await table.until(lambda table=table: len(table.links) == 2)
            await table.until_seen(bench.rows(number))
        assert [table.links for table in tables] == [["lost", "back"]] * 2


async def test_a_table_that_leaves_ends_the_line_only_if_it_is_the_last(bench: BusBench) -> None:
    async with bench.source(1) as staying:
        async with listening(bench) as leaving:
            await leaving.until(lambda: leaving.sights)
        table = Listener(staying)
        bench.boards[1].lift(field(bench.boards[1], 22))
        await table.until_seen(bench.rows(1))
        async with listening(bench) as back:
            await back.until_seen(bench.rows(0))
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(("line ", "board "))]


async def test_a_board_that_does_not_answer_is_missing_at_its_own_table(bench: BusBench) -> None:
    bench.board.unplug()
    async with bench.source(1) as there:
        with pytest.raises(BoardError) as missing:
            async with bench.source(0):
                pass
        assert missing.value.key == "no_bus_board"
        assert missing.value.facts == {"port": bench.carrier.path, "address": "01025"}
        table = Listener(there)
        await table.until(lambda: table.sights)
        bench.boards[1].lift(field(bench.boards[1], 22))
        await table.until_seen(bench.rows(1))
        assert table.links == []


async def test_a_table_that_comes_to_a_line_whose_port_came_back_takes_it_for_the_same_line(bench: BusBench) -> None:
    async with listening(bench) as table:
        await table.until(lambda: table.sights)
        bench.bus.unplug()
        await table.until(lambda: table.links)
        with pytest.raises(BoardError) as missing:
            async with bench.source(1):
                pass
        assert missing.value.key == "port_lost"
        bench.bus.plug()
        await table.until(lambda: len(table.links) == 2)
        async with bench.source(1) as other:
            late = Listener(other)
            await late.until_seen(bench.rows(1))


async def test_a_port_that_is_not_there_is_missing_at_every_table(tmp_path: Path) -> None:
    lines = BusLines()
    for address in SERIALS:
        place = Place(str(tmp_path / "board"), 10, "left", CORNER, "kind")
        with pytest.raises(BoardError) as missing:
            async with lines.make(place, DgtBusOptions(address=address), RunningClock().now):
                pass
        assert missing.value.key == "port_missing"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("line ")]


async def test_boards_with_the_same_address_at_two_ports_do_not_meet(bench: BusBench) -> None:
    other = BusBench(lines=bench.lines)
    async with other.carrier, bench.source() as here, other.source() as there:
        tables = Listener(here), Listener(there)
        other.lift(22)
        await tables[1].until_seen(other.rows())
        await tables[0].until_seen(bench.rows())
        assert len(tables[0].boards) == 1


async def test_a_fault_of_this_program_at_one_table_is_raised_there_and_changes_no_other(
    bench: BusBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        broken, whole = [await stack.enter_async_context(bench.source(number)) for number in (0, 1)]

        def wrong(item: Told, path: str) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(broken, "_told", wrong)
        bench.lift(22)
        with pytest.raises(ZeroDivisionError):
            async for _ in broken:
                pass
        table = Listener(whole)
        bench.boards[1].lift(field(bench.boards[1], 22))
        await table.until_seen(bench.rows(1))


async def test_a_line_that_this_program_breaks_is_another_one_for_who_comes_next(
    bench: BusBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench.source(0) as broken:
        with monkeypatch.context() as patch:
            patch.setattr(BusTalk, "tick", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                async for _ in broken:
                    pass
        async with listening(bench) as table:
            await table.until_seen(bench.rows())


async def test_what_was_played_while_nobody_listened_is_told_whole(bench: BusBench) -> None:
    async with listening(bench) as before:
        await before.until(lambda: before.sights)
        known = before.sights[-1]
    bench.lift(22)
    without = bench.rows()
    await bench.clock.sleep(1.0)
    bench.put(18)
    await bench.clock.sleep(1.0)
    source = bench.source(log=True)
    source.go_on_from(known)
    async with source:
        table = Listener(source)
        await table.until_seen(bench.rows())
        link, *seen = table.inputs
        assert isinstance(link, Link)
        assert (link.state, link.whole) == ("back", True)
        assert [item.rows for item in seen if isinstance(item, See)][:2] == [without, bench.rows()]
        times = [known.at, *(item.at if item.was is None else item.was for item in table.sights)]
        assert times == sorted(times)


async def test_each_table_s_times_are_on_its_own_scale(bench: BusBench) -> None:
    late = bench.lines.make(
        bench.place(), DgtBusOptions(address=SERIALS[1], timeout=TIMEOUT), lambda: bench.clock.now() + 1000.0
    )
    async with bench.source(0), late:
        table = Listener(late)
        bench.boards[1].lift(field(bench.boards[1], 22))
        await table.until_seen(bench.rows(1))
        now = bench.clock.now() + 1000.0
        assert all(now - 60.0 < seen.at <= now for seen in table.sights)
        assert all(seen.was is None or now - 60.0 < seen.was <= seen.at for seen in table.sights)


@pytest.mark.parametrize("options", [{"number": 0}, {"number": 1, "poll": 0.2}])
async def test_a_table_that_does_not_fit_by_another_name_of_the_port_is_told_so(
    bench: BusBench, tmp_path: Path, options: dict[str, Any]
) -> None:
    link = tmp_path / "by-id"
    link.symlink_to(bench.carrier.path)
    async with bench.source(0) as here:
        other = bench.source(**options)
        other.port = str(link)
        with pytest.raises(BoardError) as refused:
            async with other:
                pass
        assert refused.value.key == "bus_conflict"
        table = Listener(here)
        await table.until_seen(bench.rows(0))


# What a configuration may say.


def _place(**values: Any) -> Place:
    return Place(**{"port": "/dev/x", "size": 10, "dark": "left", "corner": CORNER, "senses": "kind", **values})


@pytest.mark.parametrize(
    ("place", "options", "says"),
    [
        (_place(), {"address": "1025x"}, 'address: "1025x" is no address'),
        (_place(), {"address": "16384"}, "address: "),
        (_place(), {"address": "01025", "fields": "white"}, "fields: "),
        (_place(uid="01026"), {"address": "01025"}, 'address: "01025" is not the board "01026"'),
        (_place(size=12), {"address": "01025"}, "8 or 10 squares"),
    ],
)
def test_what_does_not_fit_a_table_is_said_at_the_option_s_name(
    place: Place, options: dict[str, str], says: str
) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as refused:
        BusLines().make(place, DgtBusOptions(**options), RunningClock().now)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"address": "1025"}, "address: another table at this port has the board 01025"),
        ({"address": "01026", "timeout": 0.2}, "timeout: "),
        ({"address": "01026", "poll": 0.2}, "poll: "),
        ({"address": "01026", "lower_lines": False}, "lower_lines: "),
    ],
)
def test_tables_at_one_port_must_have_other_boards_and_the_same_line(other: dict[str, Any], says: str) -> None:
    tables = [(_place(), DgtBusOptions(address="01025")), (_place(), DgtBusOptions(**other))]
    with pytest.raises(ValueError, match=r"^[^\n]+$") as refused:
        together(tables)
    assert str(refused.value).startswith(says)
    together([(_place(), DgtBusOptions(address=address, timeout=0.3, clock=address == "00001")) for address in SERIALS])


def test_the_adapter_is_one_of_the_program_s_own() -> None:
    adapter = ADAPTERS["dgt-bus"]
    assert adapter.shares_port
    assert adapter.together is together
