from __future__ import annotations

import asyncio

import pytest

from simulator.clock import RunningClock, VirtualClock


async def test_sleepers_of_a_virtual_clock_wake_in_order_and_on_time() -> None:
    clock = VirtualClock()
    woken: list[tuple[str, float]] = []

    async def sleeper(name: str, *naps: float) -> None:
        for nap in naps:
            await clock.sleep(nap)
            woken.append((name, clock.now()))

    tasks = [asyncio.create_task(sleeper("a", 2.0, 2.0)), asyncio.create_task(sleeper("b", 3.0, 60.0))]
    await clock.run(5.0)
    assert woken == [("a", 2.0), ("b", 3.0), ("a", 4.0)]
    assert clock.now() == 5.0
    await clock.run_while(tasks[1])
    assert clock.now() == 63.0


async def test_a_task_that_waits_for_something_else_is_named_a_mistake() -> None:
    task = asyncio.create_task(asyncio.Event().wait())
    with pytest.raises(RuntimeError, match="not for this clock"):
        await VirtualClock().run_while(task)
    task.cancel()


def test_a_virtual_clock_does_not_go_back() -> None:
    clock = VirtualClock(5.0)
    with pytest.raises(ValueError, match="does not go back"):
        clock.set(4.0)


async def test_a_running_clock_gains_on_time_by_its_speed() -> None:
    clock, plain = RunningClock(1000), RunningClock(1)
    await clock.sleep(50)
    assert clock.now() >= 50
    assert plain.now() < clock.now()
    assert clock.real_seconds(50) == 0.05


def test_a_clock_that_stands_is_refused() -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        RunningClock(0)
