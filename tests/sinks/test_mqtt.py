"""The relay's answers, in memory: bounded, and only for the connection on which they were asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiomqtt import Will
from app.tables import until

from damas_board.sinks.journal import Journal
from damas_board.sinks.mqtt import ANSWER_PIECES, MqttRelay


class Taking:
    """A client that takes what is published."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []

    async def publish(self, place: str, payload: bytes, **options: Any) -> None:
        self.taken.append(payload)


def never(will: Will) -> Any:
    raise AssertionError("nothing connects here")


@asynccontextmanager
async def connected(path: Path) -> AsyncIterator[MqttRelay]:
    """A relay that takes itself for connected, with nobody who sends."""
    with Journal.open(path) as journal:
        relay = MqttRelay(never, "nowhere", "autumn", "gw-1", journal)
        relay.connections = 1
        relay.connected.set()
        yield relay


async def sent(relay: MqttRelay, behind: asyncio.Task[None] | None = None) -> list[bytes]:
    """What goes out until `behind` is done and nothing waits any more."""
    client = Taking()
    sending = asyncio.create_task(relay._answer(client))  # type: ignore[arg-type]
    await until(lambda: relay._answers.empty() and (behind is None or behind.done()))
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)
    return client.taken


async def test_answers_that_nobody_takes_do_not_pile_up(tmp_path: Path) -> None:
    async with asyncio.timeout(10), connected(tmp_path / "j.db") as relay:
        for n in range(3 * ANSWER_PIECES):
            relay.answer("ana", b"%d" % n)
        assert await sent(relay) == [b"%d" % n for n in range(ANSWER_PIECES)]


async def test_a_long_answer_waits_and_goes_out_whole(tmp_path: Path) -> None:
    pieces = [b"%d" % n for n in range(3 * ANSWER_PIECES)]
    async with asyncio.timeout(10), connected(tmp_path / "j.db") as relay:
        delivering = asyncio.create_task(relay.deliver("ana", pieces))
        await asyncio.sleep(0.01)
        assert relay._answers.qsize() == ANSWER_PIECES
        assert await sent(relay, delivering) == pieces


async def test_answers_of_a_connection_that_broke_are_forgotten(tmp_path: Path) -> None:
    async with asyncio.timeout(10), connected(tmp_path / "j.db") as relay:
        delivering = asyncio.create_task(relay.deliver("ana", [b"old"] * (2 * ANSWER_PIECES)))
        await asyncio.sleep(0.01)
        relay.connections = 2
        assert await sent(relay, delivering) == []
        relay.answer("ana", b"new")
        assert await sent(relay) == [b"new"]
