"""What each message of a DGT board says, byte by byte, and that what cannot be meant is odd and never an error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.decoding.dgt.clock import ClockAck, ClockSide, ClockTimes, NoClock, NoTimes
from damas_board.decoding.dgt.frames import LENGTHS, Frame, FrameReader, Message
from damas_board.decoding.dgt.reports import (
    FIELDS,
    Battery,
    BusAddress,
    ClockSaid,
    Dump,
    FieldChanged,
    Fields,
    Log,
    LongSerialNumber,
    Odd,
    Report,
    SerialNumber,
    Trademark,
    Version,
    report,
)
from simulator.dgt.clock import Reading, acknowledgement, times

START = "01" * 20 + "00" * 10 + "04" * 20
WITH_LIGHT = "".join(f"00{code:02x}" if row % 2 == 0 else f"{code:02x}00" for row in range(10) for code in [1] * 5)
LINES: dict[str, Report] = {
    "86 00 67" + WITH_LIGHT: Dump(
        "all100", tuple(((0, 1) if row % 2 == 0 else (1, 0))[c % 2] for row in range(10) for c in range(10))
    ),
    "86 00 43" + "07" * 16 + "00" * 32 + "01" * 16: Dump("all64", (7,) * 16 + (0,) * 32 + (1,) * 16),
    "94 00 35" + START: Dump("black50", (1,) * 20 + (0,) * 10 + (4,) * 20),
    "95 00 35" + "00" * 50: Dump("white50", (0,) * 50),
    "8E 00 05 1C 00": FieldChanged(28, 0),
    "8E 00 05 63 0A": FieldChanged(99, 10),
    "8D 00 0A 00 59 58 01 00 09 0B": ClockSaid(ClockTimes(ClockSide(3609), ClockSide(3598), True, "right", "right")),
    "8D 00 0A 00 00 00 00 00 00 20": ClockSaid(NoClock()),
    "8D 00 0A 00 00 00 00 00 00 00": ClockSaid(NoTimes("zero")),
    "8D 00 0A 0A 10 09 0A 22 00 00": ClockSaid(ClockAck(bytes((0x10, 0x09, 0x22, 0x00)))),
    "8F 00 06 6A 6B 7F": Log(bytes((0x6A, 0x6B, 0x7F))),
    "90 00 05 08 01": BusAddress(1025),
    "91 00 08 30 31 30 32 35": SerialNumber("01025"),
    "A2 00 0D 33 30 30 30 30 30 31 30 32 35": LongSerialNumber("3000001025"),
    "92 00 0C 41 20 42 0D 0A 31 2E 30 00": Trademark("A B 1.0"),
    "92 00 03": Trademark(""),
    "93 00 05 01 02": Version(1, 2),
    "A0 00 0C 55 0A 1E 02 05 01 03 04 01": Battery(85, 630, 125, 24 * 60 + 184, charging=True, discharging=False),
    "A0 00 0C 64 7F 7F 00 07 7F 7F 7F 02": Battery(100, None, 7, None, charging=False, discharging=True),
    "A0 00 07 2A 01 02 00": Battery(42, 62),
}
ODD = {
    "86 00 67" + "10" + "00" * 99: "0x10 is no piece's code",
    "8E 00 05 64 01": "0x01 on field 100",
    "8E 00 05 10 10": "0x10 on field 16",
    "91 00 08 30 31 30 32 3A": "'0102:' is no serial number",
}


@pytest.mark.parametrize("line", LINES)
def test_golden_messages(line: str) -> None:
    data = bytes.fromhex(line)
    assert [report(each) for each in FrameReader().feed(data)] == [LINES[line]]


@pytest.mark.parametrize("line", ODD)
def test_what_is_garbled_is_odd(line: str) -> None:
    data = bytes.fromhex(line)
    assert [report(each) for each in FrameReader().feed(data)] == [Odd(data[0], ODD[line])]


def test_a_version_is_written_with_two_digits_behind_the_point() -> None:
    assert Version(1, 2).text == "1.02"


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(LENGTHS)) | st.integers(0x80, 0xFF), st.binary(max_size=120))
def test_whatever_a_frame_holds_it_is_read(id_: int, data: bytes) -> None:
    report(Frame(id_, bytes(byte & 0x7F for byte in data)))


readings = st.builds(
    Reading,
    *[st.integers(0, 9 * 3600 + 3599)] * 2,
    st.booleans(),
    st.sampled_from(["left", "right", None]),
    *[st.booleans()] * 4,
)


@settings(max_examples=150, deadline=None)
@given(readings)
def test_the_times_that_a_board_in_software_tells_are_read(reading: Reading) -> None:
    payload = times(reading)
    if any(payload):
        assert report(Frame(Message.CLOCK, payload)) == ClockSaid(
            ClockTimes(
                ClockSide(reading.left, flag=reading.left_flag, blocked=reading.left_flag),
                ClockSide(reading.right, flag=reading.right_flag, blocked=reading.right_flag),
                reading.running,
                "right" if reading.right_is_up else "left",
                reading.turn,
                reading.battery_low,
            )
        )


@settings(max_examples=80, deadline=None)
@given(st.binary(min_size=4, max_size=4), st.integers(0, 63))
def test_the_acknowledgements_that_a_board_in_software_tells_are_read(data: bytes, status: int) -> None:
    assert report(Frame(Message.CLOCK, acknowledgement(data, status))) == ClockSaid(ClockAck(data))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(FIELDS)), st.integers(0, 99), st.integers(0, 127), st.integers(0, 127))
def test_a_code_anywhere_is_read_where_it_stands(fields: Fields, field: int, code: int, other: int) -> None:
    count, id_ = (
        FIELDS[fields],
        {"black50": Message.DUMP_BLACK, "white50": Message.DUMP_WHITE}.get(fields, Message.DUMP),
    )
    codes = [0] * count
    codes[field % count] = code
    codes[(field * 7 + 1) % count] = other
    said = report(Frame(id_, bytes(codes)))
    assert said == Dump(fields, tuple(codes)) if max(codes) <= 0x0F else isinstance(said, Odd)


def test_every_message_that_is_known_is_read() -> None:
    """Of each id, a frame of a length that it can have; nothing is odd only because nobody reads it."""
    for id_, lengths in LENGTHS.items():
        length = next(n for n in range(3, 300) if n in lengths)
        payload = (b"0" if id_ in (Message.SERIAL_NUMBER, Message.LONG_SERIAL_NUMBER) else b"\0") * (length - 3)
        assert not isinstance(report(Frame(id_, payload)), Odd)
