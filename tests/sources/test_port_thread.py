"""What is said of a board that was lost while its port is tried again."""

from __future__ import annotations

import asyncio
import logging

import pytest
from sources.bench import PATIENCE_SECONDS, listening
from sources.simulated import SimulatedBench


async def test_another_board_in_the_place_of_a_lost_one_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "damas_board")
    bench = SimulatedBench(uid=7)
    async with bench.carrier, listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        bench.cut()
        await listener.until(lambda: listener.links)
        bench.board.uid = 8
        bench.restore()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(not_back(caplog, logging.INFO)) < 2:  # noqa: ASYNC110  a log tells nobody
                await asyncio.sleep(0.05)
        bench.cut()
        bench.board.uid = 7
        bench.restore()
        await listener.until(lambda: listener.links == ["lost", "back"])
    (told,) = not_back(caplog, logging.WARNING)
    assert "the board is 00000008" in told


def not_back(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    said = [record for record in caplog.records if record.levelno >= level]
    return [text for text in (record.getMessage() for record in said) if "not back yet" in text and "00000008" in text]
