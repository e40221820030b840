from __future__ import annotations

import sys
from typing import get_args

import pytest
from cobs import cobs as reference_cobs
from crccheck.crc import Crc16Ibm3740
from decoding.golden_frames import WIRE, Golden, bad_frames, golden_frames, value_of
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding import wire

GOLDEN = golden_frames()
BAD = bad_frames()
by_name = pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)

u8, u16, u32 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))
versions = st.tuples(u8, u8)
bodies = st.binary(max_size=wire.MAX_PAYLOAD - wire.HEADER.size)
thresholds = st.builds(wire.Thresholds, u8, u8, u8)
hellos = st.builds(wire.Hello, u16, u32, u8, versions, u16, u8, u8, u16, u8, u8, u8, u16, u8, u8, u32)
board_frames: st.SearchStrategy[wire.BoardFrame] = st.one_of(
    hellos,
    st.builds(wire.ForeignHello, u16, u32, u8, st.integers(2, 255), versions),
    st.builds(wire.Event, u16, u32, u8, u8),
    st.builds(wire.Snapshot, u16, u32, u8, st.binary(max_size=52)),
    st.builds(wire.Heartbeat, u16, u32, u16, u8, u8, u16, st.frozensets(st.integers(1, 103))),
    st.builds(wire.Nak, u16, u32, u8, u8, u8),
    st.builds(wire.Ack, u16, u32, u8, u8),
    st.builds(wire.Raw, u16, u32, u8, st.binary(max_size=52)),
    st.builds(wire.Calibration, u16, u32, u8, u8, st.lists(thresholds, max_size=17).map(tuple)),
    st.builds(wire.Log, u16, u32, st.text(st.characters(codec="utf-8"), max_size=13)),
    st.builds(wire.OtherFrame, u16, u32, st.integers(0x20, 0x3F), bodies),
)
commands: st.SearchStrategy[wire.HostCommand] = st.one_of(
    st.builds(wire.AskHello, u8),
    st.builds(wire.AskSnapshot, u8),
    st.builds(wire.Resend, u8, u16),
    st.builds(wire.SetDebounce, u8, st.integers(1, 255), st.integers(1, 255)),
    st.builds(wire.Light, u8, st.integers(0, 5), st.frozensets(st.integers(1, 100))),
    st.builds(wire.ReportRaw, u8, u8),
    st.builds(wire.ReadCalibration, u8, st.integers(1, 100)),
    st.builds(wire.WriteCalibration, u8, st.integers(1, 100), st.lists(thresholds, min_size=1, max_size=18).map(tuple)),
    st.builds(wire.KeepCalibration, u8, u8, u16),
    st.builds(wire.FactoryCalibration, u8),
)


def decode(data: bytes, sender: str) -> list[wire.BoardFrame | wire.HostFrame]:
    decoder = wire.board_decoder() if sender == "board" else wire.command_decoder()
    return list(decoder.feed(data))


@by_name
def test_a_golden_frame_is_read_as_it_says(golden: Golden) -> None:
    assert decode(golden.data, golden.sender) == [value_of(golden.says)]


ONLY_READ = ("hello-with-a-field-appended-later", "heartbeat-supply-not-measured")
WRITTEN = [
    golden
    for golden in GOLDEN
    if golden.name not in ONLY_READ and not isinstance(value_of(golden.says), wire.BadCommand)
]
"""Those that this version writes, and does not only read."""


@pytest.mark.parametrize("golden", WRITTEN, ids=lambda golden: golden.name)
def test_a_golden_frame_is_written_as_it_stands(golden: Golden) -> None:
    value = value_of(golden.says)
    written = wire.encode_command(value) if isinstance(value, get_args(wire.HostCommand)) else wire.encode_frame(value)
    assert written == golden.data


@by_name
def test_a_golden_frame_agrees_with_other_implementations_of_cobs_and_crc(golden: Golden) -> None:
    assert golden.data.endswith(b"\0")
    content = reference_cobs.decode(golden.data[:-1])
    assert Crc16Ibm3740.calc(content[:-2]) == int.from_bytes(content[-2:], "little")


def test_the_golden_frames_hold_every_frame_and_command() -> None:
    kinds = {type(value_of(golden.says)) for golden in GOLDEN}
    assert kinds == {*get_args(wire.BoardFrame), *get_args(wire.HostCommand), wire.BadCommand}


def test_the_bytes_in_the_protocol_text_are_golden_frames() -> None:
    text = (WIRE.parents[1] / "firmware" / "PROTOCOL.md").read_text(encoding="utf-8")
    shown = [line.split("  ")[-1].strip() for line in text.rpartition("## 7.")[2].splitlines() if line.endswith(" 00")]
    assert len(shown) == 4
    assert {bytes.fromhex(data) for data in shown} <= {golden.data for golden in GOLDEN}


@pytest.mark.parametrize(
    ("data", "reason"), [(data, reason) for _, data, reason in BAD], ids=[name for name, *_ in BAD]
)
def test_a_bad_frame_is_counted_and_costs_only_itself(data: bytes, reason: str) -> None:
    before, after = wire.Event(1, 2, 3, 1), wire.Event(2, 3, 3, 0)
    decoder = wire.board_decoder()
    assert decoder.feed(wire.encode_frame(before) + data + wire.encode_frame(after)) == [before, after]
    assert decoder.bad == wire.BadFrames(**{reason: 1})


@pytest.mark.parametrize(
    ("data", "reason"), [(data, reason) for _, data, reason in BAD], ids=[name for name, *_ in BAD]
)
def test_whoever_looks_closer_sees_what_was_thrown_away_where_it_stood(data: bytes, reason: str) -> None:
    before, after = wire.Event(1, 2, 3, 1), wire.Event(2, 3, 3, 0)
    thrown_away = wire.Bad(reason, data[:-1][: wire.MAX_ENCODED])  # type: ignore[arg-type]
    for size in (1, 7, 2000):
        decoder = wire.board_decoder()
        stream = wire.encode_frame(before) + data + wire.encode_frame(after)
        pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
        assert [item for piece in pieces for item in decoder.inspect(piece)] == [before, thrown_away, after]


def test_an_unfinished_frame_can_be_looked_at() -> None:
    decoder = wire.board_decoder()
    data = wire.encode_frame(wire.Event(1, 2, 3, 1))
    assert decoder.feed(data[:-1]) == []
    assert decoder.pending == data[:-1]
    decoder.feed(data[-1:])
    assert decoder.pending == b""


@given(st.binary(max_size=300))
def test_the_crc_is_ibm_3740(data: bytes) -> None:
    assert wire.crc(data) == Crc16Ibm3740.calc(data)


def test_the_crc_of_the_check_string() -> None:
    assert wire.crc(b"123456789") == 0x29B1


@given(board_frames)
def test_every_frame_of_the_board_is_read_as_it_was_written(frame: wire.BoardFrame) -> None:
    assert wire.board_decoder().feed(wire.encode_frame(frame)) == [frame]


@given(commands)
def test_every_command_is_read_as_it_was_written(command: wire.HostCommand) -> None:
    assert wire.command_decoder().feed(wire.encode_command(command)) == [command]


@given(st.binary(min_size=1, max_size=60))
def test_any_sound_payload_to_the_board_is_a_command_or_says_how_to_refuse_it(payload: bytes) -> None:
    assert len(wire.command_decoder().feed(wire.frame(payload))) == 1


@given(st.lists(st.one_of(board_frames.map(wire.encode_frame), st.binary(max_size=90))), st.data())
def test_any_chunking_gives_the_same_frames(pieces: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(pieces)
    whole = wire.board_decoder()
    expected = whole.feed(stream)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    decoder = wire.board_decoder()
    frames = [f for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True) for f in decoder.feed(stream[a:b])]
    assert frames == expected
    assert decoder.bad == whole.bad


@given(st.lists(board_frames, min_size=3, max_size=6), st.data())
def test_noise_costs_only_the_frames_it_touches(frames: list[wire.BoardFrame], data: st.DataObject) -> None:
    encoded = [wire.encode_frame(frame) for frame in frames]
    hit = data.draw(st.integers(1, len(frames) - 2))
    begin = data.draw(st.integers(0, len(encoded[hit]) - 1))
    end = data.draw(st.integers(begin + 1, len(encoded[hit])))
    noise = data.draw(st.binary(min_size=1))
    spoilt = encoded[hit][:begin] + noise + encoded[hit][end:]
    got = wire.board_decoder().feed(b"".join(encoded[:hit]) + spoilt + b"\0" + b"".join(encoded[hit + 1 :]))
    assert got[:hit] == frames[:hit]
    assert got[len(got) - len(frames) + hit + 1 :] == frames[hit + 1 :]


@given(st.lists(board_frames, min_size=2, max_size=5), st.data())
def test_a_lost_end_mark_costs_the_two_frames_it_stood_between(
    frames: list[wire.BoardFrame], data: st.DataObject
) -> None:
    encoded = [wire.encode_frame(frame) for frame in frames]
    hit = data.draw(st.integers(0, len(frames) - 2))
    encoded[hit] = encoded[hit][:-1]
    assert wire.board_decoder().feed(b"".join(encoded)) == frames[:hit] + frames[hit + 2 :]


def test_endless_noise_takes_no_memory() -> None:
    decoder = wire.board_decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 1000) == []
    assert sys.getsizeof(decoder._pending) < 1000
    assert decoder.bad.overlong == 1
    event = wire.Event(1, 2, 3, 1)
    assert decoder.feed(b"\0" + wire.encode_frame(event)) == [event]


@pytest.mark.parametrize("kinds", [2, 5])
@given(data=st.data())
def test_packed_levels_are_unpacked_again(kinds: int, data: st.DataObject) -> None:
    levels = tuple(data.draw(st.lists(st.integers(0, kinds - 1), max_size=103)))
    assert wire.unpack_levels(wire.pack_levels(levels, kinds), len(levels), kinds) == levels


def test_the_longest_snapshot_fits_a_frame() -> None:
    packed = wire.pack_levels((0,) * (wire.MAX_PLACES + len(wire.BUTTONS)), 5)
    assert len(wire.board_payload(wire.Snapshot(0, 0, 0, packed))) == wire.MAX_PAYLOAD


def test_the_crc_of_a_table_of_calibration_is_that_of_the_golden_command_that_keeps_it() -> None:
    (keep,) = (value_of(golden.says) for golden in GOLDEN if golden.name.startswith("calibrate-keep-32-times-128-8-36"))
    assert isinstance(keep, wire.KeepCalibration)
    assert keep.crc == wire.calibration_crc(wire.WHITE_ABOVE, [wire.Thresholds(128, 8, 36)] * 32)


@pytest.mark.parametrize(
    "frame",
    [
        wire.Event(1 << 16, 0, 1, 1),
        wire.Event(0, -1, 1, 1),
        wire.Log(0, 0, "x" * 54),
        wire.Heartbeat(0, 0, 0, 0, 0, unstable=frozenset({104})),
        wire.Calibration(0, 0, 1, 0, (wire.Thresholds(0, 0, 256),)),
        wire.Calibration(0, 0, 1, 0, (wire.Thresholds(0, 0, 0),) * 18),
    ],
)
def test_a_value_that_does_not_fit_its_frame_is_refused(frame: wire.BoardFrame) -> None:
    with pytest.raises(ValueError, match=r"fit|payload|mask|0 to 255"):
        wire.encode_frame(frame)


@pytest.mark.parametrize(
    ("seq", "last", "ahead"),
    [(1, 0, 1), (0, 65535, 1), (65535, 0, -1), (5, 5, 0), (32767, 0, 32767), (32768, 0, -32768)],
)
def test_event_numbers_are_compared_over_their_wrap(seq: int, last: int, ahead: int) -> None:
    assert wire.seq_ahead(seq, last) == ahead
