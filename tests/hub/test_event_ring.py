"""The ring of events: who missed something gets exactly that, who missed too much a snapshot, and nobody waits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from damas_board.hub.event_ring import EventRing


class Present:
    """A number that grows: what the ring tells of."""

    def __init__(self, **bounds: int) -> None:
        self.value = 0
        self.ring = EventRing(lambda id_: {"id": id_, "value": self.value}, boot="b00", **bounds)

    def grow(self, times: int = 1, pad: str = "") -> None:
        for _ in range(times):
            self.value += 1
            self.ring.tell("value", {"value": self.value, "pad": pad})


def read(chunk: bytes) -> list[tuple[str | None, str, Any]]:
    """(id, event, data) of all events of a chunk."""
    found = []
    for block in chunk.decode().removesuffix("\n\n").split("\n\n"):
        fields: Mapping[str, str] = dict(line.split(": ", 1) for line in block.split("\n"))
        if "event" in fields:
            found.append((fields.get("id"), fields["event"], json.loads(fields["data"])))
    return found


async def opened(ring: EventRing, last: str | None = None, **more: Any) -> AsyncIterator[bytes]:
    stream = ring.stream(last, **more)
    assert (await anext(stream)).startswith(b"retry: ")
    return stream


async def following(stream: AsyncIterator[bytes]) -> list[tuple[str | None, str, Any]]:
    return read(await asyncio.wait_for(anext(stream), 10))


async def test_a_stream_begins_with_a_snapshot_and_goes_on_with_what_changes() -> None:
    present = Present()
    present.grow(3)
    stream = await opened(present.ring)
    assert await following(stream) == [("b00-3", "snapshot", {"id": "b00-3", "value": 3})]
    waiting = asyncio.create_task(following(stream))
    await asyncio.sleep(0)
    present.grow()
    assert await waiting == [("b00-4", "value", {"value": 4, "pad": ""})]
    present.grow(2)
    assert [data["value"] for _, _, data in await following(stream)] == [5, 6]


async def test_what_many_are_told_at_short_intervals_is_written_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.hub.event_ring.STREAM_SECONDS", 0.0025)
    present = Present()
    stream = await opened(present.ring)
    await following(stream)
    present.ring.streams = 200
    for first in (1, 5):
        waiting = asyncio.create_task(following(stream))
        await asyncio.sleep(0)
        present.grow()
        assert [data["value"] for _, _, data in await waiting] == [first]  # what comes alone comes at once
        waiting = asyncio.create_task(following(stream))
        for _ in range(3):
            await asyncio.sleep(0)
            present.grow()
            assert not waiting.done()
        assert [data["value"] for _, _, data in await waiting] == [first + 1, first + 2, first + 3]
        await asyncio.sleep(0.55)


async def test_who_comes_back_gets_what_was_missed_and_no_snapshot() -> None:
    present = Present()
    present.grow(5)
    assert [id_ for id_, _, _ in await following(await opened(present.ring, "b00-2"))] == ["b00-3", "b00-4", "b00-5"]
    stream = await opened(present.ring, "b00-5")
    present.grow()
    assert [id_ for id_, _, _ in await following(stream)] == ["b00-6"]


@pytest.mark.parametrize(
    "last", ["", "b00-9", "b00--1", "b01-2", "b00-x", "b00-٣", "2", "b00-" + "9" * 5000, "\udcff-1"]
)
async def test_an_id_that_is_not_known_means_a_snapshot(last: str) -> None:
    present = Present()
    present.grow(5)
    assert [event for _, event, _ in await following(await opened(present.ring, last))] == ["snapshot"]


@pytest.mark.parametrize("bounds", [{"most_events": 10}, {"most_bytes": 1000}, {"most_behind": 1000}])
async def test_who_fell_behind_gets_a_snapshot_and_what_is_kept_is_bounded(bounds: dict[str, int]) -> None:
    present = Present(**bounds)
    slow = await opened(present.ring)
    await following(slow)
    present.grow(200)
    assert [(event, data["value"]) for _, event, data in await following(slow)] == [("snapshot", 200)]
    present.grow()
    assert [event for _, event, _ in await following(slow)] == ["value"]
    assert len(present.ring._events) <= bounds.get("most_events", 201)
    assert present.ring._told - present.ring._gone <= bounds.get("most_bytes", 10**6)


async def test_an_event_that_is_larger_than_the_ring_is_told_as_a_snapshot() -> None:
    present = Present(most_bytes=1000)
    stream = await opened(present.ring)
    await following(stream)
    present.grow(pad="x" * 2000)
    assert [(event, data["value"]) for _, event, data in await following(stream)] == [("snapshot", 1)]


async def test_what_is_forgotten_is_read_by_nobody_again() -> None:
    present = Present()
    present.grow(3, pad="a name")
    slow = await opened(present.ring)
    await following(slow)
    present.grow(2, pad="a name")
    present.ring.forget()
    assert b"name" not in present.ring.whole()
    present.grow()
    for reader in (slow, *[await opened(present.ring, f"b00-{number}") for number in range(5)]):
        assert await following(reader) == [("b00-6", "snapshot", {"id": "b00-6", "value": 6})]
    assert [id_ for id_, _, _ in await following(await opened(present.ring, "b00-5"))] == ["b00-6"]
    present.grow(2)
    assert [id_ for id_, _, _ in await following(slow)] == ["b00-7", "b00-8"]


async def test_what_is_written_at_once_is_bounded() -> None:
    present = Present()
    present.grow(30, pad="x" * 10_000)
    stream = await opened(present.ring, "b00-0")
    chunks = [await anext(stream) for _ in range(5)]
    assert max(map(len, chunks)) <= 65_536
    assert [data["value"] for chunk in chunks for _, _, data in read(chunk)] == list(range(1, 31))


async def test_of_several_beats_only_the_newest_is_written_and_it_has_no_id() -> None:
    present = Present()
    stream = await opened(present.ring)
    await following(stream)
    for number in range(3):
        present.ring.beat({"beat": number})
    present.grow()
    assert [event for _, event, _ in await following(stream)] == ["value"]
    assert await following(stream) == [(None, "alive", {"beat": 2})]
    assert [event for _, event, _ in await following(await opened(present.ring, present.ring.id))] == ["alive"]
    later = await opened(present.ring)
    assert [event for _, event, _ in await following(later)] == ["snapshot"]
    present.grow()
    assert [event for _, event, _ in await following(later)] == ["value"]  # a snapshot says it all


async def test_a_reader_has_a_snapshot_of_his_own() -> None:
    present = Present()
    ana, rui = [await opened(present.ring, own={"me": name}) for name in ("ana", "rui")]
    assert [(await following(one))[0][2] for one in (ana, rui)] == [
        {"me": name, "id": "b00-0", "value": 0} for name in ("ana", "rui")
    ]


async def test_what_cannot_be_written_is_not_told() -> None:
    present = Present()
    with pytest.raises(ValueError, match="JSON"):
        present.ring.tell("value", {"value": float("nan")})
    present.grow()
    assert present.ring.id == "b00-1"


async def test_all_streams_end_when_the_ring_is_closed() -> None:
    present = Present()
    streams = [await opened(present.ring) for _ in range(20)]
    for stream in streams:
        await following(stream)
    waiting = [asyncio.create_task(anext(stream, b"end")) for stream in streams]
    await asyncio.sleep(0)
    present.ring.close()
    assert await asyncio.wait_for(asyncio.gather(*waiting), 10) == [b"end"] * 20


async def test_one_address_may_not_have_all_the_streams_but_this_machine_may() -> None:
    ring = EventRing(lambda id_: {"id": id_}, most_of_one=2)
    open_: list[asyncio.Task[None]] = []

    async def opened(host: str) -> int:
        """Opens a stream from there; the status of its answer."""
        scope = {"type": "http", "method": "GET", "client": (host, 1), "headers": [], "query_string": b""}
        status: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                status.set_result(message["status"])

        answer = ring.response(Request(scope))
        open_.append(asyncio.create_task(answer(scope, asyncio.Event().wait, send)))  # type: ignore[arg-type]
        async with asyncio.timeout(30):
            return await status

    assert [await opened("198.51.100.7") for _ in range(3)] == [200, 200, 503]
    assert await opened("198.51.100.8") == 200
    networks = ("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1", "::ffff:198.51.100.7")
    assert [await opened(host) for host in networks] == [200, 200, 503, 200, 503]
    assert [await opened(host) for host in ("127.0.0.1",) * 3 + ("::1",) * 3] == [200] * 6
    open_[0].cancel()
    await asyncio.wait([open_[0]])
    assert [await opened("198.51.100.7") for _ in range(2)] == [200, 503]
    ring.close()
    await asyncio.gather(*open_, return_exceptions=True)
    assert ring.streams == 0
    assert not ring._of
