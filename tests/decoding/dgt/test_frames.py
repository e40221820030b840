"""Frames of a DGT board: what is a message, whatever noise is around it and however the bytes are split."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.decoding.dgt.frames import (
    LENGTHS,
    NEVER,
    WRITES_MEMORY,
    Command,
    Frame,
    FrameReader,
    Message,
    Partial,
    encode,
)

HEADERS = (
    (Message.DUMP, 64, "86 00 43"),
    (Message.DUMP, 100, "86 00 67"),
    (Message.DUMP_BLACK, 50, "94 00 35"),
    (Message.DUMP_WHITE, 50, "95 00 35"),
    (Message.CLOCK, 7, "8D 00 0A"),
    (Message.FIELD, 2, "8E 00 05"),
    (Message.LOG, 0x1F00, "8F 3E 03"),
    (Message.BUS_ADDRESS, 2, "90 00 05"),
    (Message.SERIAL_NUMBER, 5, "91 00 08"),
    (Message.TRADEMARK, 253, "92 02 00"),
    (Message.TRADEMARK, 0, "92 00 03"),
    (Message.VERSION, 2, "93 00 05"),
    (Message.BATTERY, 9, "A0 00 0C"),
    (Message.BATTERY, 4, "A0 00 07"),
    (Message.LONG_SERIAL_NUMBER, 10, "A2 00 0D"),
)
COMMANDS = "40 41 42 43 44 45 46 47 49 4A 4B 4C 4D 4E 50 51 52 53 54 55"

short_frames = st.sampled_from([row for row in HEADERS if row[1] <= 100]).flatmap(
    lambda row: st.binary(min_size=row[1], max_size=row[1]).map(
        lambda payload: Frame(row[0], bytes(byte & 0x7F for byte in payload))
    )
)
quiet = st.binary(max_size=12).map(lambda noise: bytes(byte & 0x7F for byte in noise))
loud = st.binary(max_size=12) | st.sampled_from(HEADERS).map(lambda row: bytes.fromhex(row[2])[:2])
lines = st.lists(short_frames.map(encode) | loud | quiet, max_size=8).map(b"".join)
few = settings(max_examples=120, deadline=None)


def read(data: bytes) -> list[Frame]:
    return FrameReader().feed(data)


def oracle(data: bytes) -> list[Frame]:
    """A frame is an id and what belongs to it, before the next byte whose top bit is set."""
    starts = [place for place, byte in enumerate(data) if byte >= 0x80]
    frames = []
    for start, end in pairwise([*starts, len(data)]):
        piece = data[start:end]
        if len(piece) < 3 or piece[0] not in LENGTHS:
            continue
        length = piece[1] * 128 + piece[2]
        if length in LENGTHS[piece[0]] and len(piece) >= length:
            frames.append(Frame(piece[0], piece[3:length]))
    return frames


@pytest.mark.parametrize(("id_", "count", "header"), HEADERS)
def test_the_length_counts_the_header_as_well(id_: int, count: int, header: str) -> None:
    frame = Frame(id_, bytes(count))
    assert encode(frame) == bytes.fromhex(header) + bytes(count)
    assert read(bytes.fromhex(header) + bytes(count)) == [frame]


def test_the_commands_are_those_of_the_protocol() -> None:
    assert sorted(Command) == list(bytes.fromhex(COMMANDS))
    assert Command(0x4B) is Command.NICE_UPDATES
    assert set(WRITES_MEMORY) == {0x51, 0x53, 0x54}
    assert set(NEVER) == {0x4E}


@few
@given(lines, st.data())
def test_any_split_gives_the_same(data: bytes, draw: st.DataObject) -> None:
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=10)))
    whole, split = FrameReader(), FrameReader()
    frames = whole.feed(data)
    pieces = [frame for start, end in pairwise([0, *cuts, len(data)]) for frame in split.feed(data[start:end])]
    assert pieces == frames == oracle(data)
    assert (split.dropped, split.partial) == (whole.dropped, whole.partial)


@few
@given(st.lists(st.tuples(quiet, short_frames), max_size=6), quiet)
def test_what_is_no_id_between_frames_costs_none(pieces: list[tuple[bytes, Frame]], rest: bytes) -> None:
    reader = FrameReader()
    data = b"".join(noise + encode(frame) for noise, frame in pieces) + rest
    assert reader.feed(data) == [frame for _, frame in pieces]
    assert reader.dropped == sum(len(noise) for noise, _ in pieces) + len(rest)


@few
@given(st.lists(st.tuples(loud, short_frames), min_size=1, max_size=6))
def test_whatever_noise_stands_before_a_frame_it_is_read(pieces: list[tuple[bytes, Frame]]) -> None:
    found = iter(read(b"".join(noise + encode(frame) for noise, frame in pieces)))
    assert all(any(frame == other for other in found) for _, frame in pieces)


@few
@given(short_frames, short_frames, st.data())
def test_a_frame_that_is_cut_short_is_dropped_and_the_next_one_read(
    first: Frame, second: Frame, draw: st.DataObject
) -> None:
    data = encode(first)
    kept = draw.draw(st.integers(1, len(data) - 1))
    reader = FrameReader()
    assert reader.feed(data[:kept] + encode(second)) == [second]
    assert reader.dropped == kept
    assert reader.partial is None


@few
@given(lines)
def test_every_byte_is_in_a_frame_dropped_or_waiting(data: bytes) -> None:
    reader = FrameReader()
    frames = reader.feed(data)
    waiting = len(data) - reader.dropped - sum(len(encode(frame)) for frame in frames)
    assert waiting >= 0
    if reader.partial is not None:
        assert waiting == 3 + len(reader.partial.payload)
    else:
        assert waiting <= 2


@pytest.mark.parametrize(
    ("data", "frames", "dropped"),
    [
        ("8E 00 05 12 8E 00 05 13 04", "8E:1304", 4),  # an id within a frame begins anew
        ("8E 8E 00 05 13 04", "8E:1304", 1),
        ("8E 00 8E 00 05 13 04", "8E:1304", 2),
        ("86 00 44 8E 00 05 13 04", "8E:1304", 3),  # no dump has 68 bytes
        ("86 00 44 01 02 8E 00 05 13 04", "8E:1304", 5),
        ("8E 00 02 8E 00 05 13 04", "8E:1304", 3),  # less than a header
        ("8E 00 00 00 00 8E 00 05 13 04", "8E:1304", 5),
        ("8F 3E 04 8E 00 05 13 04", "8E:1304", 3),  # more than a log has
        ("84 00 05 01 02 8E 00 05 13 04", "8E:1304", 5),  # an id that is not known
        ("FF FF 8E 00 05 13 04", "8E:1304", 2),
        ("12 34 8E 00 05 13 04 56", "8E:1304", 3),
        ("8E 00 05 13 04 8E 00 05 14 00", "8E:1304 8E:1400", 0),
        ("92 00 03 93 00 05 01 02", "92: 93:0102", 0),  # a message without a payload is whole at once
    ],
)
def test_noise(data: str, frames: str, dropped: int) -> None:
    reader = FrameReader()
    got = reader.feed(bytes.fromhex(data))
    assert " ".join(f"{frame.id:X}:{frame.payload.hex()}" for frame in got) == frames
    assert (reader.dropped, reader.partial) == (dropped, None)


def test_a_log_on_its_way_can_be_looked_at() -> None:
    reader = FrameReader()
    assert reader.feed(bytes.fromhex("8F 3E")) == []
    assert reader.partial is None
    reader.feed(bytes.fromhex("03 7F 7F"))
    assert reader.partial == Partial(Message.LOG, b"\x7f\x7f", 0x1F00)
    frames = reader.feed(bytes(0x1F00 - 2))
    assert frames == [Frame(Message.LOG, b"\x7f\x7f" + bytes(0x1F00 - 2))]
    assert reader.partial is None


def test_another_line_has_its_own_lengths() -> None:
    reader = FrameReader({0x84: (6,)})
    assert reader.feed(bytes.fromhex("8E 00 05 13 04 84 00 06 01 02 03")) == [Frame(0x84, bytes((1, 2, 3)))]
    assert reader.dropped == 5


@pytest.mark.parametrize(
    "frame", [Frame(0x0E, b""), Frame(0x18E, b""), Frame(0x8E, b"\x80"), Frame(0x8F, bytes(1 << 14))]
)
def test_what_cannot_be_sent_is_refused(frame: Frame) -> None:
    with pytest.raises(ValueError, match=r"top bit|at most"):
        encode(frame)


@pytest.mark.parametrize("id_", LENGTHS)
def test_a_length_that_the_message_cannot_have_is_dropped_at_once(id_: int) -> None:
    for length in (0, 2, 9, 66, 8000, 16383):
        reader = FrameReader()
        reader.feed(bytes((id_, length >> 7, length & 0x7F)))
        assert (reader.begun is None) == (length not in LENGTHS[id_])
