"""Tables of time | what comes in | what is told | what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding import wire
from damas_board.decoding.conversation import (
    UNREADABLE,
    Answered,
    Back,
    Calibrated,
    Conversation,
    Ended,
    Greeted,
    Health,
    Lost,
    Observation,
    Pressed,
    Refused,
    Said,
    Seen,
    Timing,
)
from damas_board.decoding.dgt.frames import NEVER, WRITES_MEMORY

HELLO = wire.Hello(
    seq=0,
    t=0,
    tag=0,
    firmware=(1, 0),
    boot_id=1,
    places=4,
    buttons=3,
    caps=0,
    geometry=0x28,
    levels=2,
    hardware=0,
    scan_hz=1000,
    debounce_down=10,
    debounce_up=10,
    uid=7,
)
QUIET = None
"""Time passes and nothing comes."""

Row = tuple[float, wire.BoardFrame | bytes | None, list[Observation], list[str]]


def snapshot(seq: int, t: int, levels: str = "1100", tag: int = 1) -> wire.Snapshot:
    return wire.Snapshot(seq, t, tag, wire.pack_levels((*map(int, levels), 0, 0, 0), 2))


def heartbeat(seq: int, t: int, *unstable: int) -> wire.Heartbeat:
    return wire.Heartbeat(seq, t, 1000, 0, 0, unstable=frozenset(unstable))


def health(at: float, seq: int, t: int, *unstable: int, bad: int = 0) -> Health:
    return Health(at, heartbeat(seq, t, *unstable), bad, frozenset(unstable))


def seen(at: float, levels: str, was: float | None = None) -> Seen:
    return Seen(at, tuple(UNREADABLE if level == "?" else int(level) for level in levels), was)


def asked(data: bytes) -> list[str]:
    """The commands in `data`, without their tags."""
    names = []
    for command in wire.command_decoder().feed(data):
        match command:
            case wire.AskHello():
                names.append("HELLO")
            case wire.AskSnapshot():
                names.append("SNAPSHOT")
            case wire.Resend(_, first):
                names.append(f"RESEND {first}")
            case other:
                names.append(str(other))
    return names


def run(rows: Sequence[Row], conversation: Conversation | None = None) -> Conversation:
    conversation = conversation or Conversation(rows[0][0])
    for at, came, told, asks in rows:
        match came:
            case None:
                got = conversation.tick(at)
            case bytes():
                got = conversation.receive(came, at)
            case _:
                got = conversation.receive(wire.encode_frame(came), at)
        assert (at, got) == (at, told)
        assert (at, asked(conversation.data_to_send())) == (at, asks)
    return conversation


START: list[Row] = [
    (0.0, QUIET, [], ["HELLO"]),
    (0.01, replace(HELLO, t=10), [Greeted(0.01, replace(HELLO, t=10))], ["SNAPSHOT"]),
    (0.02, snapshot(0, 20), [seen(0.02, "1100")], []),
]


def test_it_greets_asks_for_the_board_and_follows_it() -> None:
    run(
        [
            *START,
            (0.5, wire.Event(1, 500, 1, 0), [seen(0.5, "0100")], []),
            (0.6, wire.Event(2, 600, 3, 1), [seen(0.6, "0110")], []),
            (1.0, heartbeat(2, 1000), [health(1.0, 2, 1000)], []),
        ]
    )


def test_the_first_byte_ends_whatever_the_board_had_received_before() -> None:
    conversation = Conversation(0.0)
    conversation.tick(0.0)
    assert conversation.data_to_send()[:1] == b"\0"


def test_hello_is_asked_each_300_ms_for_five_seconds_then_there_is_no_board() -> None:
    conversation = Conversation(10.0)
    asks = []
    while (at := conversation.deadline) is not None:
        told = conversation.tick(at)
        if conversation.data_to_send():
            asks.append(round(at, 3))
    assert asks == [pytest.approx(10 + 0.3 * n) for n in range(17)]
    assert told == [Ended(15.0, "no_board", 5.0)]


def test_a_late_board_is_greeted_at_the_next_asking() -> None:
    run(
        [
            (0.0, QUIET, [], ["HELLO"]),
            (0.1, b"boot loader noise", [], []),
            (0.3, QUIET, [], ["HELLO"]),
            (0.4, b"\0" + wire.encode_frame(HELLO), [Greeted(0.4, HELLO)], ["SNAPSHOT"]),
        ]
    )


def test_frames_before_hello_mean_nothing() -> None:
    run([(0.0, QUIET, [], ["HELLO"]), (0.1, heartbeat(9, 100), [], []), (0.2, wire.Event(10, 120, 1, 1), [], [])])


def test_another_protocol_is_refused_with_both_versions() -> None:
    conversation = run(
        [
            (0.0, QUIET, [], ["HELLO"]),
            (0.1, wire.ForeignHello(0, 5, 1, 2, (2, 3)), [Refused(0.1, theirs=2, ours=1, firmware=(2, 3))], []),
            (0.2, HELLO, [], []),
        ]
    )
    assert conversation.deadline is None


def test_events_before_the_snapshot_are_in_it() -> None:
    run(
        [
            *START[:2],
            (0.02, wire.Event(1, 15, 1, 1), [], []),
            (0.03, snapshot(1, 20, "1000"), [seen(0.03, "1000")], []),
            (0.04, wire.Event(2, 30, 2, 1), [seen(0.04, "1100")], []),
        ]
    )


def test_a_lost_snapshot_is_asked_again() -> None:
    run(
        [
            *START[:2],
            (0.51, QUIET, [], ["SNAPSHOT"]),
            (1.01, QUIET, [], ["SNAPSHOT"]),
            (1.02, snapshot(0, 1020), [seen(1.02, "1100")], []),
        ]
    )


def test_a_board_that_never_says_what_stands_on_it_is_given_up() -> None:
    run(
        [
            *START[:2],
            (2.5, heartbeat(0, 2500), [health(2.5, 0, 2500)], []),
            (5.0, heartbeat(0, 5000), [health(5.0, 0, 5000)], []),
            (5.01, QUIET, [Ended(5.01, "no_snapshot", 5.0)], []),
        ]
    )


def test_a_snapshot_that_does_not_fit_the_board_is_not_believed() -> None:
    conversation = run([*START[:2], (0.02, wire.Snapshot(0, 20, 1, b"\1\2\3"), [], [])])
    assert conversation.bad.length == 1
    run([(0.51, QUIET, [], ["SNAPSHOT"])], conversation)


def test_a_hole_is_fetched_and_its_events_say_when_they_were() -> None:
    run(
        [
            *START,
            (1.0, wire.Event(1, 1000, 1, 0), [seen(1.0, "0100")], []),
            # Event 2 (t 1100) was lost.
            (1.2, wire.Event(3, 1200, 3, 1), [], ["RESEND 2"]),
            (1.25, wire.Event(2, 1100, 2, 0), [seen(1.25, "0000", was=1.1)], []),
            (1.25, wire.Event(3, 1200, 3, 1), [seen(1.25, "0010", was=1.2)], []),
            (1.26, wire.Ack(3, 1251, 3, wire.CommandType.RESEND), [Answered(1.26, 3, 0x43)], []),
            (1.4, wire.Event(4, 1400, 4, 1), [seen(1.4, "0011")], []),
        ]
    )


def test_a_lost_last_event_is_seen_in_the_next_heartbeat() -> None:
    run(
        [
            *START,
            (2.0, heartbeat(1, 2000), [health(2.0, 1, 2000)], ["RESEND 1"]),
            (2.02, wire.Event(1, 1500, 2, 0), [seen(2.02, "1000", was=1.5)], []),
        ]
    )


def test_a_hole_in_what_was_sent_again_is_asked_once_more() -> None:
    run(
        [
            *START,
            (2.0, heartbeat(2, 2000), [health(2.0, 2, 2000)], ["RESEND 1"]),
            (2.1, wire.Event(2, 1600, 3, 1), [], []),
            (2.5, QUIET, [], ["RESEND 1"]),
            (2.6, wire.Event(1, 1500, 2, 0), [seen(2.6, "1000", was=1.5)], []),
            (2.6, wire.Event(2, 1600, 3, 1), [seen(2.6, "1010", was=1.6)], []),
            (3.0, heartbeat(2, 3000), [health(3.0, 2, 3000)], []),
        ]
    )


def test_after_two_tries_the_board_is_read_anew_and_the_hole_is_told() -> None:
    run(
        [
            *START,
            (1.0, heartbeat(0, 1000), [health(1.0, 0, 1000)], []),
            (2.0, heartbeat(1, 2000), [health(2.0, 1, 2000)], ["RESEND 1"]),
            (2.5, QUIET, [], ["RESEND 1"]),
            (3.0, QUIET, [], ["SNAPSHOT"]),
            (
                3.02,
                snapshot(1, 3020, "1000"),
                [Lost(3.02, "events_lost"), Back(3.02), seen(3.02, "1000")],
                [],
            ),
            (3.5, wire.Event(2, 3500, 3, 1), [seen(3.5, "1010")], []),
        ]
    )


def test_events_that_are_gone_are_not_asked_twice() -> None:
    run(
        [
            *START,
            (1.0, heartbeat(500, 1000), [health(1.0, 500, 1000)], ["RESEND 1"]),
            (1.01, wire.Nak(500, 1010, 3, wire.CommandType.RESEND, wire.NakCode.GONE), [], ["SNAPSHOT"]),
            (
                1.03,
                snapshot(500, 1030, "0011"),
                [Lost(1.03, "events_lost"), Back(1.03), seen(1.03, "0011")],
                [],
            ),
        ]
    )


def test_an_event_sent_twice_is_applied_once() -> None:
    run(
        [
            *START,
            (0.5, wire.Event(1, 500, 1, 0), [seen(0.5, "0100")], []),
            (0.6, wire.Event(2, 600, 1, 1), [seen(0.6, "1100")], []),
            (0.7, wire.Event(1, 500, 1, 0), [], []),
            (1.0, heartbeat(2, 1000), [health(1.0, 2, 1000)], []),
        ]
    )


def test_event_numbers_go_on_over_their_wrap() -> None:
    run(
        [
            *START[:2],
            (0.02, snapshot(65534, 20), [seen(0.02, "1100")], []),
            (0.5, wire.Event(65535, 500, 1, 0), [seen(0.5, "0100")], []),
            (0.6, wire.Event(0, 600, 1, 1), [seen(0.6, "1100")], []),
            (0.8, heartbeat(2, 800), [health(0.8, 2, 800)], ["RESEND 1"]),
            (0.81, wire.Event(1, 700, 1, 0), [seen(0.81, "0100", was=0.7)], []),
            (0.81, wire.Event(2, 701, 1, 1), [seen(0.81, "1100", was=pytest.approx(0.701))], []),
            (1.0, heartbeat(2, 1000), [health(1.0, 2, 1000)], []),
        ]
    )


def test_an_event_that_was_long_on_its_way_says_when_it_was() -> None:
    run(
        [
            *START,
            (1.0, heartbeat(0, 1000), [health(1.0, 0, 1000)], []),
            (1.8, wire.Event(1, 1300, 1, 0), [seen(1.8, "0100", was=1.3)], []),
            (1.81, wire.Event(2, 1790, 2, 0), [seen(1.81, "0000")], []),
        ]
    )


def test_was_is_never_before_what_was_shown_before() -> None:
    run(
        [
            *START,
            # 50 ms on its way: too little to be told, so it was shown as of 1.05.
            (1.05, wire.Event(1, 1000, 1, 0), [seen(1.05, "0100")], []),
            (1.5, heartbeat(2, 1500), [health(1.5, 2, 1500)], ["RESEND 2"]),
            (1.51, wire.Event(2, 1010, 2, 0), [seen(1.51, "0000", was=1.05)], []),
        ]
    )


def test_a_button_tells_when_it_goes_down() -> None:
    run(
        [
            *START,
            (0.5, wire.Event(1, 500, wire.Key.CLOCK_A, 1), [Pressed(0.5, wire.Key.CLOCK_A)], []),
            (0.6, wire.Event(2, 600, wire.Key.CLOCK_A, 0), [], []),
            (0.7, wire.Event(3, 700, wire.Key.ADJUST, 1), [Pressed(0.7, wire.Key.ADJUST)], []),
            (0.8, wire.Event(4, 800, 0xEE, 1), [], []),
            (1.0, heartbeat(4, 1000), [health(1.0, 4, 1000)], []),
        ]
    )


def test_a_restarted_board_is_read_anew() -> None:
    again = replace(HELLO, boot_id=2, t=3)
    run(
        [
            *START,
            (5.0 - 3, heartbeat(0, 2000), [health(2.0, 0, 2000)], []),
            (2.5, again, [Greeted(2.5, again), Lost(2.5, "board_restarted")], ["SNAPSHOT"]),
            (2.51, wire.Event(1, 13, 1, 1), [], []),
            (2.51, snapshot(1, 14, "1000", tag=0), [], []),
            (2.52, snapshot(1, 20, "1000"), [Back(2.52), seen(2.52, "1000")], []),
            (3.0, wire.Event(2, 503, 2, 1), [seen(3.0, "1100")], []),
        ]
    )


def test_a_restart_whose_hello_was_lost_is_noticed_by_a_time_that_went_back() -> None:
    again = replace(HELLO, boot_id=2, t=1010, tag=3)
    run(
        [
            *START,
            (2.0, heartbeat(0, 2000), [health(2.0, 0, 2000)], []),
            (3.0, heartbeat(0, 1000), [health(3.0, 0, 1000)], ["HELLO"]),
            (3.01, again, [Greeted(3.01, again), Lost(3.01, "board_restarted")], ["SNAPSHOT"]),
            (3.02, snapshot(0, 1020), [Back(3.02), seen(3.02, "1100")], []),
        ]
    )


def test_a_restart_is_noticed_by_a_number_that_went_back() -> None:
    run(
        [
            *START,
            (1.0, wire.Event(1, 1000, 1, 0), [seen(1.0, "0100")], []),
            (1.5, heartbeat(0, 1500), [health(1.5, 0, 1500)], ["HELLO"]),
            (1.8, QUIET, [], ["HELLO"]),
        ]
    )


def test_a_restart_is_noticed_by_a_next_event_that_is_older_than_the_last() -> None:
    run(
        [
            *START,
            (1.0, wire.Event(1, 1000, 1, 0), [seen(1.0, "0100")], []),
            (1.5, wire.Event(2, 30, 2, 1), [], ["HELLO"]),
        ]
    )


def test_a_second_answer_to_hello_changes_nothing() -> None:
    run([*START, (0.3, replace(HELLO, t=300, tag=2), [], []), (0.5, wire.Event(1, 500, 1, 0), [seen(0.5, "0100")], [])])


def test_after_three_silent_seconds_it_is_over() -> None:
    conversation = run([*START, (1.0, heartbeat(0, 1000), [health(1.0, 0, 1000)], [])])
    assert conversation.deadline == 4.0
    assert conversation.tick(3.99) == []
    assert conversation.tick(4.0) == [Ended(4.0, "silent", 3.0)]
    assert conversation.deadline is None


def test_noise_is_no_sign_of_life() -> None:
    run([*START, (2.0, b"\x55\x00\x56\x00", [], []), (3.02, QUIET, [Ended(3.02, "silent", 3.0)], [])])


def test_bad_frames_are_told_with_the_heartbeat() -> None:
    run([*START, (0.5, b"\x02\x07\x00", [], []), (1.0, heartbeat(0, 1000), [health(1.0, 0, 1000, bad=1)], [])])


def test_commands_are_sent_and_their_answers_told() -> None:
    conversation = run(START)
    lit = conversation.light(wire.Colour.RED, frozenset({1, 4}))
    slower = conversation.debounce(20, 30)
    assert wire.command_decoder().feed(conversation.data_to_send()) == [
        wire.Light(lit, wire.Colour.RED, frozenset({1, 4})),
        wire.SetDebounce(slower, 20, 30),
    ]
    run(
        [
            (0.1, wire.Nak(0, 100, lit, 0x45, 1), [Answered(0.1, lit, 0x45, refused=1)], []),
            (0.2, wire.Ack(0, 110, slower, 0x44), [Answered(0.2, slower, 0x44)], []),
        ],
        conversation,
    )


def test_a_place_that_is_not_still_is_unreadable_until_a_heartbeat_without_it() -> None:
    run(
        [
            *START,
            (0.4, heartbeat(0, 400, 1), [health(0.4, 0, 400, 1), seen(0.4, "?100")], []),
            (1.0, heartbeat(0, 1000, 1), [health(1.0, 0, 1000, 1)], []),
            (1.2, wire.Event(1, 1200, 3, 1), [seen(1.2, "?110")], []),
            (1.4, heartbeat(1, 1400, 1, 4), [health(1.4, 1, 1400, 1, 4), seen(1.4, "?11?")], []),
            (1.6, heartbeat(1, 1600, 4), [health(1.6, 1, 1600, 4), seen(1.6, "111?")], []),
            (2.0, heartbeat(1, 2000), [health(2.0, 1, 2000), seen(2.0, "1110")], []),
        ]
    )


def test_an_event_of_a_place_says_that_it_is_still_again_where_the_heartbeat_was_lost() -> None:
    run(
        [
            *START,
            (0.4, heartbeat(0, 400, 1), [health(0.4, 0, 400, 1), seen(0.4, "?100")], []),
            (0.9, wire.Event(1, 900, 1, 0), [seen(0.9, "0100")], []),
            (1.0, heartbeat(1, 1000), [health(1.0, 1, 1000)], []),
        ]
    )


def test_an_event_from_before_the_unrest_does_not_end_it() -> None:
    run(
        [
            *START,
            # Event 1 (t 100) was lost; the contact is restless since.
            (0.4, heartbeat(1, 400, 1), [health(0.4, 1, 400, 1)], ["RESEND 1"]),
            (0.42, wire.Event(1, 100, 1, 0), [seen(0.42, "?100", was=0.1)], []),
            (1.0, heartbeat(1, 1000), [health(1.0, 1, 1000), seen(1.0, "0100")], []),
        ]
    )


def test_what_is_still_again_is_not_shown_as_it_was_before_a_hole() -> None:
    run(
        [
            *START,
            (0.4, heartbeat(0, 400, 1), [health(0.4, 0, 400, 1), seen(0.4, "?100")], []),
            # Event 1, which says that the piece is gone, was lost.
            (0.6, heartbeat(1, 600), [health(0.6, 1, 600)], ["RESEND 1"]),
            (0.7, wire.Event(1, 590, 1, 0), [seen(0.7, "0100", was=0.59)], []),
        ]
    )


def test_a_board_that_is_read_anew_after_a_hole_still_has_its_unreadable_place() -> None:
    run(
        [
            *START,
            (1.0, heartbeat(0, 1000, 2), [health(1.0, 0, 1000, 2), seen(1.0, "1?00")], []),
            (2.0, heartbeat(500, 2000, 2), [health(2.0, 500, 2000, 2)], ["RESEND 1"]),
            (2.01, wire.Nak(500, 2010, 3, wire.CommandType.RESEND, wire.NakCode.GONE), [], ["SNAPSHOT"]),
            (2.03, snapshot(500, 2030, "0011"), [Lost(2.03, "events_lost"), Back(2.03), seen(2.03, "0?11")], []),
            (2.5, snapshot(500, 2500, "0011", tag=9), [], []),
            (3.0, heartbeat(500, 3000), [health(3.0, 500, 3000), seen(3.0, "0011")], []),
        ]
    )


def test_a_restarted_board_says_anew_what_is_not_still() -> None:
    again = replace(HELLO, boot_id=2, t=3)
    run(
        [
            *START,
            (2.0, heartbeat(0, 2000, 1), [health(2.0, 0, 2000, 1), seen(2.0, "?100")], []),
            (2.5, again, [Greeted(2.5, again), Lost(2.5, "board_restarted")], ["SNAPSHOT"]),
            (2.52, snapshot(1, 20, "1000"), [Back(2.52), seen(2.52, "1000")], []),
            (2.75, heartbeat(1, 250, 1), [health(2.75, 1, 250, 1), seen(2.75, "?000")], []),
        ]
    )


def test_a_place_that_was_not_still_when_the_board_was_greeted_is_unreadable_from_the_beginning() -> None:
    run(
        [
            *START[:2],
            (0.02, heartbeat(0, 20, 4), [health(0.02, 0, 20, 4)], []),
            (0.03, snapshot(0, 30), [seen(0.03, "110?")], []),
        ]
    )


def test_a_button_that_is_not_still_is_told_with_the_heartbeat_and_is_no_place() -> None:
    beat = heartbeat(0, 1000, 5, 7, 99)
    buttons = frozenset({wire.Key.CLOCK_A, wire.Key.ADJUST})
    run([*START, (1.0, beat, [Health(1.0, beat, 0, frozenset(), buttons)], [])])


def test_a_table_of_calibration_is_read_written_and_kept() -> None:
    conversation = run(START)
    squares = (wire.Thresholds(128, 8, 36), wire.Thresholds(127, 9, 40))
    asked = [
        conversation.read_calibration(3),
        conversation.write_calibration(3, squares),
        conversation.keep_calibration(1, squares * 2),
        conversation.factory_calibration(),
    ]
    assert wire.command_decoder().feed(conversation.data_to_send()) == [
        wire.ReadCalibration(asked[0], 3),
        wire.WriteCalibration(asked[1], 3, squares),
        wire.KeepCalibration(asked[2], 1, wire.calibration_crc(1, squares * 2)),
        wire.FactoryCalibration(asked[3]),
    ]
    run(
        [
            (0.1, wire.Calibration(0, 100, 3, 1, squares), [Calibrated(0.1, 3, 1, squares)], []),
            (0.2, wire.Nak(0, 110, asked[2], 0x47, 4), [Answered(0.2, asked[2], 0x47, refused=4)], []),
        ],
        conversation,
    )


def test_tags_go_from_1_to_255_but_for_those_that_another_board_would_mind_and_begin_again() -> None:
    conversation = Conversation(0.0)
    harmless = [
        tag for tag in range(1, 256) if not {*WRITES_MEMORY, *NEVER} & set(wire.encode_command(wire.AskHello(tag)))
    ]
    assert [conversation.report_raw(1) for _ in range(256)] == (harmless * 2)[:256]
    assert (harmless[0], harmless[-1]) == (1, 255)


def test_text_and_unknown_frames_are_passed_on_or_over() -> None:
    run(
        [
            *START,
            (0.1, wire.Log(0, 100, "hello"), [Said(0.1, "hello")], []),
            (0.2, wire.OtherFrame(1, 200, 0x33, b"later"), [], ["RESEND 1"]),
        ]
    )


def test_patience_is_scaled_for_a_clock_that_runs_fast() -> None:
    conversation = Conversation(0.0, Timing().scaled(10))
    conversation.tick(0.0)
    assert conversation.deadline == pytest.approx(3.0)


frames: st.SearchStrategy[wire.BoardFrame] = st.one_of(
    st.builds(replace, st.just(HELLO), boot_id=st.integers(1, 2), seq=st.integers(0, 4), t=st.integers(0, 5000)),
    st.builds(
        wire.Event, st.integers(0, 6), st.integers(0, 5000), st.integers(0, 6) | st.just(0xF0), st.integers(0, 5)
    ),
    st.builds(snapshot, st.integers(0, 6), st.integers(0, 5000), st.just("0110"), st.integers(0, 2)),
    st.builds(heartbeat, st.integers(0, 6) | st.integers(65533, 65535), st.integers(0, 5000)),
    st.builds(heartbeat, st.integers(0, 6), st.integers(0, 5000), st.integers(1, 8)),
    st.builds(wire.Nak, st.integers(0, 6), st.integers(0, 5000), st.just(1), st.sampled_from([0x43, 0x45]), st.just(3)),
    st.builds(wire.ForeignHello, st.just(0), st.just(0), st.just(1), st.just(2), st.just((2, 0))),
)
steps = st.lists(st.tuples(st.floats(0, 2), st.one_of(st.none(), st.binary(max_size=40), frames)), max_size=60)


@given(steps)
def test_whatever_comes_is_survived_and_told_in_order(
    steps: list[tuple[float, bytes | wire.BoardFrame | None]],
) -> None:
    at = 0.0
    conversation = Conversation(at)
    told: list[Observation] = []
    for gap, came in steps:
        at += gap
        data = came if isinstance(came, bytes) else wire.encode_frame(came) if came else b""
        told += conversation.receive(data, at)
        told += conversation.tick(at)
        assert (conversation.deadline is None) == isinstance(told[-1] if told else None, Ended | Refused)
        if conversation.deadline is None:
            break
        assert conversation.deadline > at or conversation.data_to_send()
        conversation.data_to_send()
    assert [item.at for item in told] == sorted(item.at for item in told)
    sights = [item for item in told if isinstance(item, Seen)]
    assert all(sight.was is None or sight.was <= sight.at for sight in sights)
    shown = [sight.at if sight.was is None else sight.was for sight in sights]
    assert shown == sorted(shown)
    links = [type(item) for item in told if isinstance(item, Lost | Back)]
    assert links == [Lost, Back] * (len(links) // 2) + [Lost] * (len(links) % 2)
    if Seen in map(type, told):
        assert Greeted in map(type, told[: list(map(type, told)).index(Seen)])


def test_whoever_else_may_listen_is_never_sent_what_would_change_it() -> None:
    """On a line without a baud rate (Bluetooth, USB) another maker's board hears the question as it is."""
    conversation = Conversation(0.0, Timing(hello_every=0.1, hello_for=1000.0))
    sent = bytearray()
    for tenth in range(600):
        conversation.tick(tenth / 10)
        sent += conversation.data_to_send()
    assert len(wire.command_decoder().feed(bytes(sent))) > 255
    assert not {*WRITES_MEMORY, *NEVER} & set(sent)
