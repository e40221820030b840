"""What every source of a physical board promises, as a kit of tests that a new board's test file takes over.

    class TestMyBoard(SourceContract):
        @pytest.fixture
        def made(self) -> Bench:
            return MyBench()

docs/add-a-board.md leads through it; `talk_contract` has the kit for what is said on the line.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator

import pytest
from sources.bench import Bench, listening

from damas_board.session.inputs import Lever, Link, See


class SourceContract:
    """Each test has a bench of its own, `made`, and its connection."""

    @pytest.fixture
    def made(self) -> Bench:
        """The device under the test's hand; every board has its own."""
        raise NotImplementedError

    @pytest.fixture
    async def bench(self, made: Bench) -> AsyncIterator[Bench]:
        async with made.carrier:
            yield made

    async def test_the_stream_begins_with_the_whole_board(self, bench: Bench) -> None:
        async with listening(bench) as listener:
            await listener.until(lambda: listener.inputs)
            first = listener.inputs[0]
            assert isinstance(first, See)
            assert first.rows == bench.rows()
            assert sum(mark in "obw" for mark in first.rows) == 24

    async def test_each_change_is_told_in_the_order_it_happened(self, bench: Bench) -> None:
        async with listening(bench) as listener:
            await listener.until(lambda: listener.sights)
            expected = [bench.rows()]
            for act, place in [(bench.lift, 22), (bench.put, 18), (bench.lift, 9), (bench.put, 14), (bench.lift, 18)]:
                act(place)
                expected.append(bench.rows())
                await listener.let_see(bench)
            await listener.until(lambda: len(listener.boards) == len(expected))
            assert listener.boards == expected

    async def test_times_never_go_back_and_was_is_never_later_than_at(self, bench: Bench) -> None:
        async with listening(bench) as listener:
            await listener.until(lambda: listener.sights)
            for _ in range(20):
                bench.lift(22)
                bench.put(22)
            bench.cut()
            bench.lift(22)
            await listener.until(lambda: "lost" in listener.links)
            bench.restore()
            await listener.until_seen(bench.rows())
            times = [item.at for item in listener.inputs]
            assert times == sorted(times)
            assert all(seen.was is None or seen.was <= seen.at for seen in listener.sights)

    async def test_the_clock_s_lever_is_told_in_its_place_and_with_its_player(self, bench: Bench) -> None:
        if not bench.has_clock:
            pytest.skip("no clock is connected to it")
        async with listening(bench) as listener:
            await listener.until(lambda: listener.sights)
            bench.lift(22)
            bench.put(18)
            bench.press_clock()
            bench.lift(9)
            await listener.until_seen(bench.rows())
            assert [type(item) for item in listener.inputs] == [See, See, See, Lever, See]
            assert [item.side for item in listener.inputs if isinstance(item, Lever)] == ["white"]

    async def test_a_broken_connection_is_lost_once_and_back_once_with_the_board_as_it_is_then(
        self, bench: Bench
    ) -> None:
        async with listening(bench) as listener:
            await listener.until(lambda: listener.sights)
            bench.cut()
            await listener.until(lambda: listener.links)
            before = len(listener.inputs)
            bench.lift(22)
            bench.put(18)
            bench.restore()
            await listener.until_seen(bench.rows())
            assert listener.links == ["lost", "back"]
            back, *seen = listener.inputs[before:]
            assert isinstance(back, Link)
            assert all(isinstance(item, See) for item in seen)
            assert len(seen) == 1 or back.whole
            bench.lift(9)
            await listener.until_seen(bench.rows())
            lost = listener.inputs[before - 1]
            assert isinstance(lost, Link)
            assert lost.reason

    async def test_a_connection_that_breaks_again_and_again_never_ends_the_stream(self, bench: Bench) -> None:
        async with listening(bench) as listener:
            await listener.until(lambda: listener.sights)
            for times in range(1, 4):
                bench.cut()
                await listener.until(lambda n=2 * times - 1: len(listener.links) >= n)
                bench.restore()
                await listener.until(lambda n=2 * times: len(listener.links) >= n)
            bench.lift(22)
            await listener.until_seen(bench.rows())

    async def test_leaving_ends_the_stream_and_leaves_no_thread_behind(self, bench: Bench) -> None:
        before = set(threading.enumerate())
        async with listening(bench) as listener:
            await listener.until(lambda: listener.sights)
        ours = {thread for thread in set(threading.enumerate()) - before if not thread.name.startswith("asyncio")}
        assert [thread for thread in ours if not bench.runs(thread.name)] == []

    async def test_it_can_be_left_while_the_connection_is_broken(self, bench: Bench) -> None:
        async with listening(bench) as listener:
            await listener.until(lambda: listener.sights)
            bench.cut()
            await listener.until(lambda: listener.links)

    async def test_an_error_in_the_block_is_not_swallowed(self, bench: Bench) -> None:
        with pytest.raises(KeyError, match="ours"):
            async with bench.source():
                raise KeyError("ours")
