"""Any board on a line, by what its Talk tells: a talk that tells what the test says, over a real pseudo-terminal."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable, Iterator, Sequence

import pytest
from sources.bench import PATIENCE_SECONDS, Listener

from damas_board.decoding.talk import (
    Away,
    ClockShown,
    Condition,
    Greeted,
    Hopeless,
    LeverPressed,
    Missed,
    Remark,
    Shown,
    Talk,
    Told,
)
from damas_board.session.inputs import BoardEvent, ClockReading, Lever, Link, See
from damas_board.sources.errors import BoardError
from damas_board.sources.port_thread import FLOOD
from damas_board.sources.reconnection import Backoff
from damas_board.sources.source import Resumable, known_after
from damas_board.sources.spoken_board import SpokenBoard
from simulator.clock import RunningClock

QUICK = Backoff(0.01, 1.0, 0.01, look=0.01)


class Line:
    """A terminal whose other end is the test's own; a byte there wakes who reads."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        self.path = os.ttyname(self._slave)

    def wake(self) -> None:
        os.write(self.master, b".")

    def close(self) -> None:
        os.close(self._slave)
        os.close(self.master)


class Scripted(Talk):
    """Tells the next step of its script whenever it is called; knows what it was made with."""

    def __init__(self, script: list[Callable[[float], Sequence[Told]]], known: Shown | None) -> None:
        self._script = script
        self._out = b"hello"
        self.known = known

    @property
    def deadline(self) -> float:
        return 0.0

    def receive(self, data: bytes, at: float) -> Sequence[Told]:
        return []

    def tick(self, at: float) -> Sequence[Told]:
        return self._script.pop(0)(at) if self._script else []

    def data_to_send(self) -> bytes:
        out, self._out = self._out, b""
        return out


class Bench:
    def __init__(self, line: Line) -> None:
        self.line = line
        self.clock = RunningClock()
        self.script: list[Callable[[float], Sequence[Told]]] = []
        self.talks: list[Scripted] = []

    def make_talk(self, at: float, known: Shown | None) -> Talk:
        self.talks.append(Scripted(self.script, known))
        return self.talks[-1]

    def source(self, uid: str | None = None, by: str | None = None) -> SpokenBoard:
        return SpokenBoard(
            self.line.path, self.make_talk, self.clock.now, baud=9600, size=2, uid=uid, by=by, backoff=QUICK
        )

    def will(self, *told: Callable[[float], Sequence[Told]]) -> None:
        self.script += told
        self.line.wake()


def shown(rows: str, was: float | None = None) -> Callable[[float], Sequence[Told]]:
    return lambda at: [Shown(at, rows, was)]


def greeted(uid: str | None, **facts: str) -> Callable[[float], Sequence[Told]]:
    return lambda at: [Greeted(at, uid, facts)]


@pytest.fixture
def bench() -> Iterator[Bench]:
    line = Line()
    yield Bench(line)
    line.close()


async def refused(source: SpokenBoard) -> BoardError:
    with pytest.raises(BoardError) as caught:
        async with source:
            pass
    return caught.value


async def eventually(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110  what is waited for is another thread's
            await asyncio.sleep(0.005)


async def test_what_a_talk_tells_becomes_inputs_in_its_order(bench: Bench) -> None:
    bench.will(
        greeted("7", version="1.3"),
        shown("w./.."),
        lambda at: [ClockShown(at, 60.0, 50.0, "white"), LeverPressed(at, "white"), Remark(at, "odd")],
        shown(".w/..", -0.5),
    )
    async with bench.source(by="left") as source:
        listener = Listener(source)
        await listener.until_seen(".w/..")
        at = [item.at for item in listener.inputs]
        assert listener.inputs == [
            See(at[0], "w./..", "left", event=BoardEvent("7", 0, 1)),
            ClockReading(at[1], 60.0, 50.0, "white"),
            Lever(at[2], "white"),
            See(at[3], ".w/..", "left", -0.5, event=BoardEvent("7", 0, 2)),
        ]
        assert source.info() == {"port": bench.line.path, "version": "1.3", "uid": "7"}
        assert os.read(bench.line.master, 100) == b"hello"


async def test_how_a_board_is_is_gathered(bench: Bench) -> None:
    bench.will(greeted("7"), lambda at: [Condition(at, {"battery": 80, "odd": 1}), Shown(at, "w./..")])
    async with bench.source() as source:
        assert source.health() == {"battery": 80, "odd": 1}
        bench.will(lambda at: [Condition(at, {"battery": 79})])
        await eventually(lambda: source.health()["battery"] == 79)
        assert source.health()["odd"] == 1


async def test_a_board_without_an_identity_is_gone_on_from_as_well(bench: Bench) -> None:
    bench.will(greeted(None), shown("w./.."))
    async with bench.source() as source:
        listener = Listener(source)
        seen = await listener.until_seen("w./..")
        assert seen.event == BoardEvent("", 0, 1)
        assert known_after(None, seen) is seen
        assert "uid" not in source.info()
    for uid in (None, "7"):
        source = bench.source()
        source.go_on_from(seen)
        bench.will(greeted(uid), shown("w./.."))
        async with source:
            assert bench.talks[-1].known is not None
            assert (await anext(source)).event == BoardEvent(uid or "", 0, 2)  # type: ignore[union-attr]


@pytest.mark.parametrize("rows", ["w./../..", "w..", "w./.x", "", "w./.", "...\n/.../..."])
async def test_rows_that_are_no_picture_of_the_table_s_board_are_an_error_of_the_board_s(
    bench: Bench, rows: str
) -> None:
    bench.will(greeted("7"), shown(rows))
    error = await refused(bench.source())
    assert (error.key, error.facts["rows"], error.facts["size"]) == ("odd_rows", rows, 2)
    bench.will(greeted("7"), shown("w./.."))
    async with bench.source() as source:
        listener = Listener(source)
        await listener.until_seen("w./..")
        bench.will(lambda at: [Missed(at, (Shown(at, "w./.."), Shown(at, rows)))])
        await listener.until(lambda: listener.links)
        assert listener.inputs[-1] == Link(listener.inputs[-1].at, "lost", "odd_rows")


async def test_a_board_whose_name_is_not_heard_again_stays_the_same(bench: Bench) -> None:
    bench.will(greeted("7"), shown("w./.."))
    async with bench.source() as source:
        listener = Listener(source)
        await listener.until_seen("w./..")
        bench.will(lambda at: [Hopeless(at, "silent", {"seconds": 4.0})])
        await eventually(lambda: len(bench.talks) == 2)
        bench.will(greeted(None), shown(".w/.."))
        seen = await listener.until_seen(".w/..")
        assert seen.event == BoardEvent("7", 0, 2)


async def test_another_board_than_the_one_expected_is_refused(bench: Bench) -> None:
    bench.will(greeted("8"))
    error = await refused(bench.source("7"))
    assert (error.key, error.facts["found"], error.facts["expected"]) == ("wrong_board", "8", "7")


async def test_another_board_later_at_the_same_port_is_not_read(bench: Bench) -> None:
    bench.will(greeted("7"), shown("w./.."))
    async with bench.source() as source:
        listener = Listener(source)
        await listener.until_seen("w./..")

        def other(at: float) -> Sequence[Told]:
            return [Greeted(at, "8"), Shown(at, "bb/..")]

        bench.will(other, other)
        await listener.until(lambda: listener.links)
        bench.will(greeted("7"), shown(".w/.."))
        await listener.until_seen(".w/..")
        assert "bb/.." not in [item.rows for item in listener.sights]
        assert isinstance(listener.inputs[1], Link)
        assert listener.inputs[1].reason == "wrong_board"


async def test_why_there_is_no_hope_is_the_error_at_first_and_the_reason_later(bench: Bench) -> None:
    bench.will(lambda at: [Hopeless(at, "no_dgt_board", {"seconds": 8.0})])
    error = await refused(bench.source())
    assert (error.key, error.facts) == ("no_dgt_board", {"port": bench.line.path, "seconds": 8.0})
    bench.will(greeted("7"), shown("w./.."))
    async with bench.source() as source:
        listener = Listener(source)
        await listener.until_seen("w./..")
        bench.will(lambda at: [Hopeless(at, "silent", {"seconds": 4.0})])
        await listener.until(lambda: listener.links == ["lost"])
        assert isinstance(listener.inputs[-1], Link)
        assert listener.inputs[-1].reason == "silent"
        await eventually(lambda: len(bench.talks) == 3)
        assert bench.talks[-1].known is not None
        assert (bench.talks[-1].known.rows, bench.talks[-1].known.lost) == ("w./..", "silent")
        bench.will(greeted("7"), shown("w./.."))
        await listener.until(lambda: listener.links == ["lost", "back"])


async def test_a_board_that_is_away_is_lost_until_it_is_shown(bench: Bench) -> None:
    bench.will(greeted("7"), shown("w./.."))
    async with bench.source() as source:
        listener = Listener(source)
        await listener.until_seen("w./..")
        bench.will(lambda at: [Away(at, "contradictory"), Away(at, "contradictory")], shown(".w/.."))
        await listener.until_seen(".w/..")
        lost, back, seen = listener.inputs[1:]
        assert (lost, back) == (Link(lost.at, "lost", "contradictory"), Link(back.at, "back"))
        assert isinstance(seen, See)


async def test_what_was_missed_is_told_with_a_link_that_is_whole(bench: Bench) -> None:
    bench.will(greeted("7"), shown("w./.."))
    async with bench.source() as source:
        listener = Listener(source)
        await listener.until_seen("w./..")
        bench.will(
            lambda at: [Hopeless(at, "silent", {"seconds": 4.0})],
        )
        await eventually(lambda: len(bench.talks) == 2)
        bench.will(greeted("7"), lambda at: [Missed(at, (Shown(at, "../..", -1.0), Shown(at, ".w/..")))])
        await listener.until_seen(".w/..")
        lost, back, first, second = listener.inputs[1:]
        assert (lost, back) == (Link(lost.at, "lost", "silent"), Link(back.at, "back", whole=True))
        assert first == See(first.at, "../..", None, -1.0, event=BoardEvent("7", 0, 2))
        assert second == See(second.at, ".w/..", event=BoardEvent("7", 0, 3))


async def test_a_board_goes_on_from_what_is_known_of_it_and_its_numbers_grow(bench: Bench) -> None:
    source = bench.source("7")
    assert isinstance(source, Resumable)
    source.go_on_from(See(-5.0, "w./..", was=-6.0, event=BoardEvent("7", 0, 41)), ["ww/.."])
    bench.will(greeted("7"), lambda at: [Missed(at, (Shown(at, ".w/.."),))])
    async with source:
        listener = Listener(source)
        await listener.until_seen(".w/..")
        (talk,) = bench.talks
        assert talk.known == Shown(-5.0, "w./..", -6.0, ("ww/..",))
        assert [type(item) for item in listener.inputs] == [Link, See]
        assert listener.sights[0].event == BoardEvent("7", 0, 42)


async def test_what_is_known_of_another_board_is_forgotten(bench: Bench) -> None:
    source = bench.source()
    source.go_on_from(See(-5.0, "w./..", event=BoardEvent("8", 0, 41)))
    bench.will(greeted("7"))
    entering = asyncio.create_task(source.__aenter__())
    await eventually(lambda: len(bench.talks) == 2)
    bench.will(greeted("7"), shown("bb/.."))
    await entering
    try:
        listener = Listener(source)
        await listener.until_seen("bb/..")
        assert [talk.known and talk.known.rows for talk in bench.talks] == ["w./..", None]
        assert listener.sights[0].event == BoardEvent("7", 0, 42)
        assert not listener.links
    finally:
        await source.__aexit__(None, None, None)


async def test_a_board_that_remembers_for_long_is_entered_before_it_is_shown(bench: Bench) -> None:
    source = bench.source("7")
    source.go_on_from(See(-5.0, "w./..", event=BoardEvent("7", 0, 41)))
    bench.will(greeted("7"), lambda at: [Away(at, "log_asked")])
    async with source:
        listener = Listener(source)
        assert not listener.inputs
        bench.will(lambda at: [Missed(at, (Shown(at, ".w/.."),))])
        await listener.until_seen(".w/..")
        assert listener.links == ["back"]


async def test_it_can_be_left_while_nothing_comes(bench: Bench) -> None:
    bench.will(greeted("7"), lambda at: [Away(at, "log_asked")])
    async with asyncio.timeout(PATIENCE_SECONDS), bench.source():
        pass


@pytest.mark.parametrize("late", [1e9, float("nan")])
async def test_nothing_is_told_at_a_time_that_has_not_come(bench: Bench, late: float) -> None:
    bench.will(
        greeted("7"),
        lambda at: [Shown(at + late, "w./..", at + late)],
        lambda at: [Missed(at + late, (Shown(at + late, "../..", at + late), Shown(at + late, ".w/..")))],
        lambda at: [LeverPressed(at + late, "white")],
    )
    async with bench.source() as source:
        listener = Listener(source)
        await listener.until(lambda: any(isinstance(item, Lever) for item in listener.inputs))
        assert all(item.at <= bench.clock.now() for item in listener.inputs)
        assert [seen.was for seen in listener.sights] == [None] * 3


async def test_a_talk_that_tells_more_than_is_taken_is_ended(bench: Bench) -> None:
    bench.will(greeted("7"), shown("w./.."))
    async with bench.source() as source:
        bench.will(lambda at: [Shown(at, ".w/..")] * (FLOOD + 10), shown("w./.."))
        await eventually(lambda: len(bench.talks) == 2)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not isinstance(item := await anext(source), Link):
                pass
        assert item == Link(item.at, "lost", "flooding")
