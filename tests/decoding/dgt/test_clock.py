"""The clock on a DGT board: what of its messages is told, as tables of time | what comes | what is told.

`L 1:30:00 R 0:59:59 right` is a reading: times of the left and right side, and on which side the lever is up, whose
time runs; `- left` stands, with the lever up on the left. `hex` is a message as it comes. Told: `white 300 black 295
black` (whose time runs), `lever white`, `doubt` where the clock is to be asked again.
"""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from board_tables import TableBoard, Teller
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.decoding.dgt.clock import (
    ClockAck,
    ClockMessage,
    ClockSide,
    ClockTimes,
    ClockWatch,
    Hand,
    HeldLever,
    NoClock,
    NoTimes,
    decimal,
    read_clock,
)
from damas_board.decoding.talk import ClockShown, LeverPressed
from damas_board.session.events import AlertRaised, ClockChanged, Event
from damas_board.session.header import Header
from damas_board.session.inputs import ClockReading, Tick

MESSAGES: dict[str, ClockMessage] = {
    # right hours and flags, minutes, seconds; left the same; status
    "01 23 45 02 34 56 01": ClockTimes(ClockSide(9296), ClockSide(5025), True, "left"),
    "01 23 45 02 34 56 00": ClockTimes(ClockSide(9296), ClockSide(5025), False, "left"),
    "00 00 01 00 00 00 03": ClockTimes(ClockSide(0), ClockSide(1), True, "right"),
    "00 00 00 00 00 00 02": ClockTimes(ClockSide(0), ClockSide(0), False, "right"),
    "09 59 59 09 59 59 02": ClockTimes(ClockSide(35999), ClockSide(35999), False, "right"),
    "00 05 00 00 05 00 0B": ClockTimes(ClockSide(300), ClockSide(300), True, "right", "right"),
    "00 05 00 00 05 00 11": ClockTimes(ClockSide(300), ClockSide(300), True, "left", "left"),
    "00 05 00 00 05 00 19": ClockTimes(ClockSide(300), ClockSide(300), True, "left"),  # both bits say nothing
    "00 05 00 00 05 00 04": ClockTimes(ClockSide(300), ClockSide(300), False, "left", battery_low=True),
    "50 00 00 00 05 00 02": ClockTimes(ClockSide(300), ClockSide(0, flag=True, blocked=True), False, "right"),
    "00 05 00 20 05 00 40": ClockTimes(ClockSide(300, per_move=True), ClockSide(300), False, "left"),
    "00 05 00 00 05 00 20": NoClock(),
    "00 00 00 00 00 00 20": NoClock(),
    "7F 7F 7F 7F 7F 7F 20": NoClock(),
    "00 00 00 00 00 00 00": NoTimes("zero"),
    "0B 05 00 00 05 00 01": NoTimes("hours"),
    "00 05 00 0F 05 00 01": NoTimes("hours"),
    "00 60 00 00 05 00 01": NoTimes("minutes"),
    "00 05 60 00 05 00 01": NoTimes("minutes"),
    "00 05 00 00 7F 00 01": NoTimes("minutes"),
    "00 05 00 00 05 1A 01": NoTimes("minutes"),
    "00 05 00 00 5A 00 01": NoTimes("minutes"),
    # an acknowledgement by either nibble, though the rest looks like times; top bits from the other bytes
    "0A 10 09 00 22 00 01": ClockAck(bytes((0x10, 0x09, 0x22, 0x00))),
    "00 10 01 0A 00 00 01": ClockAck(bytes((0x10, 0x01, 0x00, 0x00))),
    "0A 10 0B 0A 00 00 20": ClockAck(bytes((0x10, 0x0B, 0x00, 0x00))),
    "0A 10 08 2A 00 31 00": ClockAck(bytes((0x10, 0x88, 0x00, 0x31))),
    "1A 10 10 2A 05 31 00": ClockAck(bytes((0x10, 0x90, 0x85, 0x31))),
    "2A 01 01 1A 05 31 00": ClockAck(bytes((0x81, 0x01, 0x05, 0xB1))),
    "3A 01 01 3A 05 31 00": ClockAck(bytes((0x81, 0x81, 0x85, 0xB1))),
}

WHITE: dict[str, Any] = {"left": "white"}
LEVERS: dict[str, Any] = {"left": "white", "levers": True}

TABLES: dict[str, tuple[dict[str, Any], str]] = {
    "the_first_reading_waits_for_a_second_one": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 - left  | doubt
        0.2 | L 0:05:00 R 0:05:00 - left  | white 300 black 300 -
        """,
    ),
    "what_was_told_is_not_told_again": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 - left  | doubt
        1.0 | L 0:05:00 R 0:05:00 - left  | white 300 black 300 -
        2.0 | L 0:05:00 R 0:05:00 - left  |
        3.0 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        4.0 | L 0:04:59 R 0:05:00 left    | white 299 black 300 white
        4.2 | L 0:04:59 R 0:05:00 left    |
        5.0 | L 0:04:58 R 0:05:00 left    | white 298 black 300 white
        """,
    ),
    "a_running_clock_that_stands_is_heard_all_the_same": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 right   | doubt
        1.0 | L 0:05:00 R 0:05:00 right   | white 300 black 300 black
        1.5 | L 0:05:00 R 0:05:00 right   |
        2.0 | L 0:05:00 R 0:05:00 right   | white 300 black 300 black
        3.0 | L 0:05:00 R 0:05:00 - right | white 300 black 300 -
        4.0 | L 0:05:00 R 0:05:00 - right |
        """,
    ),
    "left_is_a_side_of_the_clock_and_black_may_sit_there": (
        {"left": "black", "levers": True},
        """
        0.0 | L 0:05:00 R 0:04:00 left    | doubt
        1.0 | L 0:04:59 R 0:04:00 left    | white 240 black 299 black
        2.0 | L 0:04:58 R 0:04:00 right   | lever black, white 240 black 298 white
        3.0 | L 0:04:58 R 0:03:59 right   | white 239 black 298 white
        4.0 | L 0:04:58 R 0:03:58 left    | lever white, white 238 black 298 black
        """,
    ),
    "levers_are_told_before_the_reading_of_the_time_after_them": (
        LEVERS,
        """
        0.0 | L 0:05:00 R 0:05:00 - right | doubt
        0.1 | L 0:05:00 R 0:05:00 - right | white 300 black 300 -
        1.0 | L 0:05:00 R 0:05:00 left    | lever black, white 300 black 300 white
        2.0 | L 0:04:59 R 0:05:00 left    | white 299 black 300 white
        2.5 | L 0:04:59 R 0:05:00 right   | lever white, white 299 black 300 black
        3.5 | L 0:04:59 R 0:04:59 right   | white 299 black 299 black
        """,
    ),
    "without_being_asked_for_no_lever_is_told": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        0.1 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        1.0 | L 0:05:00 R 0:05:00 right   | white 300 black 300 black
        """,
    ),
    "a_lever_on_a_clock_that_stands_is_a_lever": (
        LEVERS,
        """
        0.0 | L 0:05:00 R 0:05:00 - left  | doubt
        0.1 | L 0:05:00 R 0:05:00 - left  | white 300 black 300 -
        1.0 | L 0:05:00 R 0:05:00 - right | lever white
        """,
    ),
    "the_clock_says_itself_whose_turn_it_is_where_that_is_wanted": (
        {"left": "white", "turn_by": "flags"},
        """
        0.0 | hex 00 05 00 00 05 00 0B    | doubt
        0.1 | hex 00 05 00 00 05 00 0B    | white 300 black 300 black
        0.5 | hex 00 05 00 00 05 00 09    |
        1.0 | hex 00 05 00 00 05 00 13    | white 300 black 300 white
        2.0 | hex 00 05 00 00 04 59 03    | white 299 black 300 -
        """,
    ),
    "boards_by_bluetooth_say_zero_before_they_know": (
        WHITE,
        """
        0.0 | hex 00 00 00 00 00 00 00    |
        1.0 | L 0:05:00 R 0:05:00 left    | doubt
        1.1 | hex 00 00 00 00 00 00 00    | doubt
        1.2 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        2.0 | hex 00 00 00 00 00 00 00    | doubt
        3.0 | L 0:04:58 R 0:05:00 left    | white 298 black 300 white
        """,
    ),
    "an_old_acknowledgement_is_no_time": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        0.1 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        1.0 | hex 0A 10 09 00 22 00 01    |
        1.1 | hex 00 10 01 0A 00 00 01    |
        1.2 | hex 0A 10 01 0A 00 00 03    |
        2.0 | L 0:04:58 R 0:05:00 left    | white 298 black 300 white
        """,
    ),
    "more_than_nine_hours_and_more_than_fifty_nine_are_no_time": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        0.1 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        1.0 | hex 0B 05 00 00 04 59 01    | doubt
        1.1 | hex 00 60 00 00 04 59 01    | doubt
        1.2 | hex 00 05 00 00 04 6A 01    | doubt
        2.0 | L 0:04:58 R 0:05:00 left    | white 298 black 300 white
        """,
    ),
    "a_jump_of_hours_once_is_not_told": (
        LEVERS,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        0.1 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        1.0 | L 2:04:59 R 0:05:00 right   | doubt
        2.0 | L 0:04:58 R 0:05:00 left    | doubt
        2.1 | L 0:04:58 R 0:05:00 left    | white 298 black 300 white
        """,
    ),
    "a_fall_to_nothing_once_is_not_told": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        0.1 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        1.0 | L 0:00:00 R 0:05:00 left    | doubt
        1.2 | L 0:04:59 R 0:05:00 left    | doubt
        1.4 | L 0:04:59 R 0:05:00 left    | white 299 black 300 white
        """,
    ),
    "a_flag_that_falls_is_told_at_once": (
        WHITE,
        """
        0.0 | L 0:00:02 R 0:05:00 left    | doubt
        1.0 | L 0:00:01 R 0:05:00 left    | white 1 black 300 white
        2.0 | L 0:00:00 R 0:05:00 left    | white 0 black 300 white
        """,
    ),
    "a_clock_that_is_set_anew_is_told_by_its_second_reading": (
        WHITE,
        """
        0.0 | L 0:00:05 R 0:00:00 - left  | doubt
        0.1 | L 0:00:05 R 0:00:00 - left  | white 5 black 0 -
        60  | L 1:30:00 R 1:30:00 - left  | doubt
        60.2 | L 1:30:00 R 1:30:00 - left | white 5400 black 5400 -
        """,
    ),
    "an_increment_is_told_at_once_and_a_new_period_by_its_second_reading": (
        WHITE,
        """
        0.0 | L 0:00:20 R 0:05:00 left    | doubt
        1.0 | L 0:00:19 R 0:05:00 left    | white 19 black 300 white
        2.0 | L 0:00:48 R 0:05:00 right   | white 48 black 300 black
        9.0 | L 0:00:48 R 0:34:54 left    | doubt
        10.0 | L 0:00:47 R 0:34:54 left   | white 47 black 2094 white
        """,
    ),
    "a_reading_late_by_a_second_is_told": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        1.0 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        1.1 | L 0:04:58 R 0:05:00 left    | white 298 black 300 white
        1.2 | L 0:04:58 R 0:04:58 right   | white 298 black 298 black
        1.3 | L 0:04:54 R 0:04:58 right   | doubt
        """,
    ),
    "after_a_silence_as_much_as_passed_may_be_gone": (
        WHITE,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        0.1 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        60  | L 0:04:30 R 0:04:30 right   | white 270 black 270 black
        120 | L 0:03:00 R 0:04:30 right   | doubt
        """,
    ),
    "a_clock_that_is_taken_away_is_another_one_when_it_is_back": (
        LEVERS,
        """
        0.0 | L 0:05:00 R 0:05:00 left    | doubt
        0.1 | L 0:05:00 R 0:05:00 left    | white 300 black 300 white
        1.0 | hex 00 05 00 00 05 00 20    |
        5.0 | L 0:05:00 R 0:05:00 right   | doubt
        5.1 | L 0:05:00 R 0:05:00 right   | white 300 black 300 black
        """,
    ),
}


def message_of(words: str) -> ClockMessage:
    kind, *rest = words.split()
    if kind == "hex":
        return read_clock(bytes.fromhex("".join(rest)))
    assert (kind, rest[1]) == ("L", "R")
    running, high = (False, rest[4]) if rest[3] == "-" else (True, rest[3])
    return ClockTimes(ClockSide(seconds(rest[0])), ClockSide(seconds(rest[2])), running, hand(high))


def seconds(text: str) -> int:
    hours, minutes, rest = map(int, text.split(":"))
    return hours * 3600 + minutes * 60 + rest


def hand(word: str) -> Hand:
    assert word in ("left", "right")
    return word  # type: ignore[return-value]


def words_of(told: ClockShown | LeverPressed) -> str:
    match told:
        case LeverPressed():
            return f"lever {told.side}"
        case ClockShown():
            return f"white {told.white:g} black {told.black:g} {told.running or '-'}"


@pytest.mark.parametrize("data", MESSAGES)
def test_messages(data: str) -> None:
    assert read_clock(bytes.fromhex(data)) == MESSAGES[data]


@pytest.mark.parametrize("name", TABLES)
def test_what_is_told(name: str) -> None:
    arguments, table = TABLES[name]
    watch = ClockWatch(**arguments)
    for line in table.strip().splitlines():
        at, words, expected = (cell.strip() for cell in line.split("|"))
        told = watch.hear(message_of(words), float(at))
        assert all(item.at == float(at) for item in told)
        got = [*map(words_of, told), *(["doubt"] if watch.doubtful else [])]
        assert ", ".join(got) == expected, line


def test_it_is_known_whether_a_clock_is_there_and_its_battery() -> None:
    watch = ClockWatch("white")
    assert (watch.connected, watch.battery_low) == (None, False)
    for message, connected, low in (
        ("00 00 00 00 00 00 00", None, False),
        ("0A 10 09 00 22 00 01", None, False),
        ("00 05 00 00 05 00 06", True, False),
        ("00 05 00 00 05 00 06", True, True),
        ("00 00 00 00 00 00 20", False, True),
    ):
        watch.hear(message_of(f"hex {message}"), 0.0)
        assert (watch.connected, watch.battery_low) == (connected, low)


def test_decimal_digits_go_up_to_59() -> None:
    assert [n for n in range(256) if decimal(n) is not None] == [int(str(n), 16) for n in range(60)]
    assert decimal(0x47) == 47


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.binary(min_size=7, max_size=7), st.floats(0, 100)), max_size=20))
def test_whatever_comes_only_readings_that_another_one_explains_are_told(messages: list[tuple[bytes, float]]) -> None:
    watch, at, before = ClockWatch("white", levers=True), 0.0, None
    for data, passed in messages:
        at += passed
        message = read_clock(bytes(byte & 0x7F for byte in data))
        told = watch.hear(message, at)
        for item in told:
            assert before is not None
            if isinstance(item, ClockShown):
                gained = max(item.white - before[0], item.black - before[1])
                lost = max(0, before[0] - item.white) + max(0, before[1] - item.black)
                assert gained <= 60
                assert lost <= at - before[2] + 2
        if isinstance(message, ClockTimes):
            before = message.left.seconds, message.right.seconds, at
        elif isinstance(message, NoClock):
            before = None


HELD = {
    "a_lever_is_told_when_the_board_has_stood_still": "0 press white, 1 -, 1.5 white, 9 -",
    "what_moves_on_the_board_holds_it_up": "0 press white, 0.4 move, 1.5 -, 1.8 -, 1.9 white",
    "it_is_told_late_and_not_in_the_middle_of_the_reply": "0 press white, 1.4 move, 2.6 move, 4 -, 4.1 white",
    "the_other_lever_takes_its_place": "0 press white, 1 move, 1.2 press black, 2.6 -, 2.7 black, 9 -",
    "what_moves_without_a_lever_tells_nothing": "0 move, 3 -, 4 press black, 5.5 black",
}


@pytest.mark.parametrize("name", HELD)
def test_held(name: str) -> None:
    lever = HeldLever()
    for step in HELD[name].split(", "):
        at, what, *side = step.split()
        match what:
            case "press":
                lever.pressed(LeverPressed(float(at), "white" if side == ["white"] else "black"))
            case "move":
                lever.moved(float(at))
            case _:
                told = lever.due(float(at))
                assert [f"{item.at:g} {item.side}" for item in told] == (
                    [] if what == "-" else [f"{float(at):g} {what}"]
                )
                assert not told or lever.deadline == inf


def test_nothing_is_due_where_no_lever_is_held() -> None:
    lever = HeldLever()
    lever.moved(1.0)
    assert lever.deadline == inf
    lever.pressed(LeverPressed(2.0, "white"))
    assert lever.deadline == 3.5


# What a Session makes of a clock that is heard late: why its levers are told only where somebody wants them.

LAWFUL = """
   0 | lift 32
 300 | put 28
 700 | {white_in_time}
1000 | lift 20
1300 | put 23
1500 | {white_late}
1700 | lift 23
1900 | put 24
2500 | {black_in_time}
3500 | {black_late}
"""
"""White moves, then Black, whose piece rests on a square where it may not go before it comes to the right one."""


def board_events(**clock: str) -> list[str]:
    words = dict.fromkeys(("white_in_time", "white_late", "black_in_time", "black_late"), "tick") | clock
    board, teller = TableBoard(Header("t", "int-fmjd", clock="60")), Teller()
    inputs = [board.see(0.0)]
    for line in LAWFUL.format(**words).strip().splitlines():
        at, happening = line.split("|")
        inputs += board.happen(1 + int(at) / 1000, happening.strip())
    inputs += [Tick(20.0)]
    told = [teller.told(event) for item in inputs for event in board.session.feed(item)]
    return [text for text in told if text is not None and text.split()[0] in ("move", "revised", "alert", "retracted")]


PLAYED = ["move 32-28", "move 20-24"]


def test_readings_that_are_late_change_nothing_on_the_board() -> None:
    assert board_events() == PLAYED
    for white in ("white_in_time", "white_late"):
        for black in ("black_in_time", "black_late"):
            assert board_events(**{white: "reading 3600 3600 black", black: "reading 3600 3599 white"}) == PLAYED


@pytest.mark.parametrize("control", [None, "5", "40/5:5"])
def test_a_delay_of_each_move_is_no_silence_and_no_jump(control: str | None) -> None:
    """A delay of five seconds a move, told each second: the clock runs and shows the same."""
    session = TableBoard(Header("t", "int-fmjd", clock=control)).session
    watch, black = ClockWatch("white"), 300
    events: list[Event] = []
    for second in range(40):
        black -= second % 10 >= 5 and second >= 5
        message = ClockTimes(ClockSide(300), ClockSide(black), True, "right")
        for item in watch.hear(message, float(second)):
            assert isinstance(item, ClockShown)
            events += session.feed(ClockReading(item.at, item.white, item.black, item.running))
    assert black < 300
    assert [event.kind for event in events if isinstance(event, AlertRaised)] == []
    assert [event.jump for event in events if isinstance(event, ClockChanged) and event.jump] == []


def test_a_lever_that_is_told_late_accuses_nobody() -> None:
    """By then the opponent may be in the middle of a move."""
    assert board_events(white_in_time="lever white", black_in_time="lever black") == PLAYED
    assert board_events(white_late="lever white", black_late="lever black") == PLAYED
