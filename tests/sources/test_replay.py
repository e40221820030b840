"""Recordings in the place of a board."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from damas_board.session.inputs import Input, Lever, See, Tick
from damas_board.sources.replay import ReplayError, ReplaySource, read_recording

ITEMS: list[Input] = [See(10.0, "./.", was=9.5), Lever(10.5, "white"), Tick(11.25)]
HEADER = '{"recording": 1, "board": "table-1", "regulation": "br-cbjd"}\n'


async def replayed(source: ReplaySource) -> list[Input]:
    async with source:
        return [item async for item in source]


async def test_without_a_clock_the_times_stay_as_recorded() -> None:
    assert await replayed(ReplaySource(ITEMS)) == ITEMS


async def test_with_a_clock_the_first_input_is_now_and_the_distances_stay() -> None:
    assert await replayed(ReplaySource(ITEMS, now=lambda: 110.0)) == [
        See(110.0, "./.", was=109.5),
        Lever(110.5, "white"),
        Tick(111.25),
    ]


async def test_a_paced_recording_takes_its_time() -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert len(await replayed(ReplaySource(ITEMS, speed=5.0))) == 3
    assert loop.time() - began >= 0.25


async def test_a_paced_recording_can_be_left_while_the_next_input_is_awaited() -> None:
    async with asyncio.timeout(20), ReplaySource([ITEMS[0], Tick(10_000.0)], speed=1.0) as source:
        async for item in source:
            assert item == ITEMS[0]
            break


async def test_leaving_ends_the_stream_for_whoever_reads_it() -> None:
    async with asyncio.timeout(20):
        source = ReplaySource([ITEMS[0], Tick(10_000.0)], speed=1.0)
        read: list[Input] = []

        async def reading() -> None:
            async for item in source:
                read.append(item)

        async with source:
            task = asyncio.create_task(reading())
            await asyncio.sleep(0.05)
        await task
    assert read == ITEMS[:1]


async def test_an_empty_recording_ends_at_once() -> None:
    assert await replayed(ReplaySource([])) == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xd8\xff\xe0", "is no recording"),
        (b"", "line 1: the recording is empty"),
        (b'[Event "?"]\n', "line 1: not JSON"),
        (HEADER.encode() + b'{"at": 1, "tick": true}\n{"at": 2, "ti', "line 3: not JSON"),
        (HEADER.encode() + b'{"at": 2, "tick": true}\n{"at": 1, "tick": true}\n', "line 3: the time goes back"),
    ],
)
def test_a_recording_that_cannot_be_read_names_file_and_line(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "evening.jsonl"
    path.write_bytes(content)
    with pytest.raises(ReplayError, match=rf"evening\.jsonl.*{told}"):
        read_recording(path)


def test_a_recording_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=r"nothing\.jsonl: cannot be read \(No such file"):
        read_recording(tmp_path / "nothing.jsonl")
