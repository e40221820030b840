"""Tasks of the hub end, also those that have lost a cancellation."""

from __future__ import annotations

import asyncio

import pytest

from damas_board.hub import ending
from damas_board.hub.ending import ended


async def test_a_task_that_has_lost_a_cancellation_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "AGAIN_SECONDS", 0.05)
    lost = 0

    async def loses_one() -> None:
        nonlocal lost
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            lost += 1
        await asyncio.sleep(600)

    async def breaks() -> None:
        raise ValueError

    tasks = [asyncio.create_task(one) for one in (loses_one(), asyncio.sleep(600), breaks())]
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await ended(*tasks)
    assert lost == 1
    assert [task.cancelled() for task in tasks] == [True, True, False]
    await ended()
