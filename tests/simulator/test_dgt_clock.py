"""The clock beside the simulated board of another maker, by the bytes that the board tells of it."""

from __future__ import annotations

import pytest
from dgt_host import Host

from damas_board.decoding.dgt.clock import ClockAck, ClockTimes, NoTimes, read_clock
from damas_board.notation.time_control import read_time_control
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.clock import DgtClock, Reading, acknowledgement, times

CLOCK = 0x8D
NO_CLOCK = bytes.fromhex("00 00 00 00 00 00 20")
VERSION = bytes.fromhex("2b 03 03 09 00")


def at_board(control: str = "300", mode: int = 0x4B, *, bluetooth: bool = False, **options: object) -> Host:
    clock = VirtualClock()
    dgt_clock = DgtClock(read_time_control(control), **options)
    host = Host(DgtBoard(10, clock, dgt_clock=dgt_clock, bluetooth=bluetooth), clock)
    host.ask(mode)
    return host


def clock_of(host: Host) -> DgtClock:
    assert host.board.dgt_clock is not None
    return host.board.dgt_clock


def told(host: Host, seconds: float) -> list[tuple[float, bytes]]:
    return [(frame.at, frame.payload) for frame in host.run(seconds) if frame.id == CLOCK]


def acks(host: Host, seconds: float) -> list[bytes]:
    heard = [read_clock(payload) for _, payload in told(host, seconds)]
    return [item.data for item in heard if isinstance(item, ClockAck)]


def shown(host: Host) -> ClockTimes:
    payload = [frame.payload for frame in host.ask(0x41) if frame.id == CLOCK][-1]
    reading = read_clock(payload)
    assert isinstance(reading, ClockTimes)
    return reading


@pytest.mark.parametrize(
    ("reading", "payload"),
    [
        (Reading(3723, 59, True, "left", True), "00 00 59 01 02 03 13"),
        (Reading(0, 600, True, "right", False, left_flag=True), "00 10 00 50 00 00 09"),
        (Reading(36000, 1, False, None, False, right_flag=True, battery_low=True), "50 00 01 09 59 59 04"),
    ],
)
def test_a_reading_is_told_in_decimal_digits_the_right_side_first(reading: Reading, payload: str) -> None:
    assert times(reading) == bytes.fromhex(payload)


@pytest.mark.parametrize("data", ["10 09 14 00", "40 81 93 7f", "90 8a 00 ff", "ff ff ff ff", "00 00 80 80"])
def test_an_acknowledgement_has_its_top_bits_elsewhere(data: str) -> None:
    payload = acknowledgement(bytes.fromhex(data))
    assert max(payload) < 0x80
    assert read_clock(payload) == ClockAck(bytes.fromhex(data))


@pytest.mark.parametrize(("white", "right_first"), [("left", False), ("right", True)])
def test_the_side_of_white_s_time_is_where_the_clock_stands(white: str, right_first: bool) -> None:
    host = at_board(white=white)
    host.board.press("clock-a")
    host.run(60.0)
    host.board.press("clock-b")
    host.run(1.0)
    host.run(9.0)
    reading = shown(host)
    side_of_white, side_of_black = (reading.right, reading.left) if right_first else (reading.left, reading.right)
    assert side_of_black.seconds == 240
    assert 288 <= side_of_white.seconds <= 290
    assert reading.turn == ("right" if right_first else "left")
    assert reading.high == reading.turn
    assert reading.running


def test_a_lever_is_heard_up_to_a_second_late_and_never_earlier() -> None:
    late = []
    for seed in range(40):
        host = at_board(seed=seed)
        host.run(3.0 + seed / 40)
        pressed = host.clock.now()
        host.board.press("clock-a")
        first = next(at for at, payload in told(host, 3.0) if payload[6] & 1)
        late.append(first - pressed)
    assert min(late) < 0.25
    assert 0.7 < max(late) < 1.05
    assert min(late) > 0.0


def test_what_is_asked_for_is_up_to_a_second_old() -> None:
    host = at_board(mode=0x44)
    host.board.press("clock-a")
    ages = []
    for n in range(40):
        host.run(1.0 + n * 0.037)
        asked = host.clock.now()
        frame = next(frame for frame in host.ask(0x41) if frame.id == CLOCK)
        reading = read_clock(frame.payload)
        assert isinstance(reading, ClockTimes)
        ages.append(reading.right.seconds - (300 - (asked - 1.0)))
    assert min(ages) >= 0
    assert 1.0 < max(ages) < 2.1


def test_updates_tell_it_when_it_changes_and_the_mode_update_every_second_beside() -> None:
    for mode, standing, running in ((0x4B, 0, 10), (0x43, 10, 10), (0x44, 0, 0)):
        host = at_board(mode=mode)
        host.run(3.0)
        assert len(told(host, 10.0)) == pytest.approx(standing, abs=1 if standing else 0)
        host.board.press("clock-a")
        host.run(1.1)
        assert running <= len(told(host, 10.0)) <= 2 * running


def test_a_flag_falls_and_is_shown() -> None:
    host = at_board("5")
    host.board.press("clock-a")
    host.run(4.0)
    assert not shown(host).right.flag
    host.run(3.0)
    reading = shown(host)
    assert (reading.right.flag, reading.right.seconds, reading.left.flag) == (True, 0, False)


def test_its_battery_and_whether_it_is_there() -> None:
    host = at_board()
    host.run(1.0)
    assert not shown(host).battery_low
    clock_of(host).battery_low = True
    host.run(1.5)
    assert shown(host).battery_low
    clock_of(host).connected = False
    assert told(host, 2.0)[-1][1] == NO_CLOCK
    host.board.receive(VERSION)
    assert acks(host, 2.0) == []
    clock_of(host).connected = True
    host.run(1.5)
    assert shown(host).left.seconds == 300


def test_the_arbiter_stops_it_and_lets_it_go_on() -> None:
    host = at_board()
    host.board.press("clock-a")
    host.run(10.0)
    clock_of(host).pause(host.clock.now())
    host.run(30.0)
    reading = shown(host)
    assert (reading.running, reading.turn) == (False, None)
    assert 289 <= reading.right.seconds <= 290
    clock_of(host).resume(host.clock.now())
    host.run(5.0)
    assert shown(host).running


def test_a_message_is_acknowledged_and_its_version_told() -> None:
    host = at_board()
    host.board.receive(VERSION)
    assert acks(host, 1.0) == [bytes((0x10, 0x09, 0x14, 0x00))]


def test_the_old_acknowledgement_may_come_once_more_before_the_new_one() -> None:
    host = at_board()
    version, beep = bytes((0x10, 0x09, 0x14, 0x00)), bytes((0x10, 0x0B, 0x00, 0x00))
    seen = set()
    for _ in range(30):
        host.board.receive(VERSION)
        assert acks(host, 2.0)[-1] == version
        host.board.receive(bytes.fromhex("2b 04 03 0b 01 00"))
        seen.add(tuple(acks(host, 2.0)))
    assert seen == {(beep,), (version, beep)}


@pytest.mark.parametrize("data", ["2b 03 04 09 00", "2b 03 03 09 01", "2b 02 03 00"])
def test_what_is_no_message_is_not_acknowledged(data: str) -> None:
    host = at_board()
    host.board.receive(bytes.fromhex(data))
    assert acks(host, 2.0) == []


def test_letters_are_shown_though_the_message_is_longer_than_the_board_s_buffer() -> None:
    host = at_board()
    host.board.receive(bytes.fromhex("2b 0c 03 0c") + b"DAMAS 10" + bytes.fromhex("00 00"))
    assert acks(host, 1.0) == [bytes((0x10, 0x0C, 0, 0))]
    assert clock_of(host).shown == b"DAMAS 10\x00"
    assert host.board.overflowed == 0


def test_times_are_set_only_in_the_mode_for_it() -> None:
    host = at_board()
    order = bytes.fromhex("2b 0a 03 0a 00 05 00 00 05 00 01 00")
    host.board.receive(order)
    assert acks(host, 1.0) == [bytes((0x10, 0x0A, 0, 0))]
    clock_of(host).mode = 1
    host.board.receive(order)
    assert acks(host, 2.0)[-1] == bytes((0x40, 0x90, 0, 0))


def test_a_button_is_told_by_itself() -> None:
    host = at_board()
    clock_of(host).button(0x33, host.clock.now())
    assert acks(host, 1.0) == [bytes((0x10, 0x88, 0x00, 0x33))]


def test_over_bluetooth_some_messages_are_all_zero_and_the_true_one_follows() -> None:
    host = at_board(bluetooth=True)
    host.board.press("clock-a")
    payloads = [payload for _, payload in told(host, 120.0)]
    zeros = [n for n, payload in enumerate(payloads) if payload == bytes(7)]
    assert 3 < len(zeros) < len(payloads) / 4
    assert any(payloads[n + 1] != bytes(7) for n in zeros[:-1])
    wired = at_board()
    wired.board.press("clock-a")
    assert bytes(7) not in [payload for _, payload in told(wired, 120.0)]


def test_nonsense_is_out_of_range_or_has_grown_by_hours() -> None:
    host = at_board("7200", nonsense=0.3)
    host.board.press("clock-a")
    heard = [read_clock(payload) for _, payload in told(host, 200.0)]
    out_of_range = {item.why for item in heard if isinstance(item, NoTimes)}
    assert out_of_range == {"hours", "minutes"}
    assert not any(isinstance(item, ClockAck) for item in heard)
    grown = [
        item for item in heard if isinstance(item, ClockTimes) and max(item.left.seconds, item.right.seconds) > 7200
    ]
    assert grown
    assert len(grown) < len(heard) / 4


def test_a_lever_is_logged_with_the_time_of_who_pressed_it() -> None:
    host = at_board()
    host.board.press("clock-a")
    host.run(61.0)
    host.board.press("clock-b")
    host.run(2.0)
    newest = host.board.memory.read()[-7:]
    white, black, end = newest[:3], newest[3:6], newest[6:]
    assert white == bytes.fromhex("70 05 00")
    assert black in (bytes.fromhex("60 03 59"), bytes.fromhex("60 04 00"))
    assert end == b"\x6b"


def test_nothing_is_logged_of_a_clock_whose_levers_are_left_alone() -> None:
    host = at_board()
    host.run(5.0)
    assert set(host.board.memory.read()) == {0x7F, 0x6A, 0x6B}


def test_a_second_that_has_begun_is_shown_until_it_is_over() -> None:
    host = at_board()
    host.board.press("clock-a")
    host.run(10.4)
    host.board.press("clock-b")
    host.run(10.4)
    clock_of(host).pause(host.clock.now())
    host.run(2.0)
    reading = shown(host)
    assert (reading.left.seconds, reading.right.seconds) == (290, 290)
