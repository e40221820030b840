from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.clock import VirtualClock
from simulator.faults import Fault

MAP = SquareMap(8, "left")
START = [1] * 12 + [0] * 8 + [1] * 12


class Wire:
    """The host's end: what the board sent, and commands to it."""

    def __init__(self, faults: Sequence[Fault] = (), levels: int = 2) -> None:
        self.clock = VirtualClock()
        self.board = Board(MAP, self.clock, faults=faults, levels=levels)
        self.decoder = wire.board_decoder()

    def sent(self) -> list[wire.BoardFrame]:
        self.board.advance()
        return self.decoder.feed(self.board.data_to_send())

    def ask(self, *commands: wire.HostCommand) -> list[wire.BoardFrame]:
        self.board.receive(b"".join(map(wire.encode_command, commands)))
        return self.sent()


@pytest.fixture
def started() -> Wire:
    host = Wire()
    host.sent()
    return host


def test_at_start_it_says_who_it_is_and_what_stands_on_it() -> None:
    host = Wire()
    hello, snapshot = host.sent()
    assert isinstance(hello, wire.Hello)
    assert (hello.tag, hello.seq, hello.t, hello.boot_id) == (0, 0, 0, 1)
    assert (hello.places, hello.buttons, hello.levels, hello.geometry) == (32, 3, 2, MAP.geometry)
    assert snapshot == wire.Snapshot(0, 0, 0, wire.pack_levels((0,) * 35, 2))


def test_after_a_reset_the_pieces_are_events_from_number_1(started: Wire) -> None:
    started.board.set_up(START)
    started.sent()
    started.clock.set(5.0)
    started.sent()
    started.board.reset()
    hello, *events, snapshot = started.sent()
    assert isinstance(hello, wire.Hello)
    assert (hello.boot_id, hello.seq, hello.t) == (2, 0, 0)
    places = [place for place, level in enumerate(START, 1) if level]
    assert events == [wire.Event(seq, 0, place, 1) for seq, place in enumerate(places, 1)]
    assert snapshot == wire.Snapshot(24, 0, 0, wire.pack_levels((*START, 0, 0, 0), 2))


def test_lifts_and_placements_are_events_with_the_board_s_milliseconds(started: Wire) -> None:
    started.clock.set(0.25)
    started.board.place(7)
    started.clock.set(0.75)
    started.board.lift(7)
    assert started.sent() == [wire.Event(1, 250, 7, 1), wire.Event(2, 750, 7, 0)]


def test_putting_a_piece_where_one_stands_is_no_event(started: Wire) -> None:
    started.board.place(7)
    started.sent()
    started.board.place(7)
    assert started.sent() == []


def test_a_board_that_sees_colour_tells_it() -> None:
    host = Wire(levels=5)
    host.sent()
    host.board.place(3, 4)
    assert host.sent() == [wire.Event(1, 0, 3, 4)]
    with pytest.raises(ValueError, match="from 1 to 4"):
        host.board.place(3, 5)


@pytest.mark.parametrize("place", [0, 33])
def test_a_place_that_is_not_there_is_refused(started: Wire, place: int) -> None:
    with pytest.raises(ValueError, match="places are 1 to 32"):
        started.board.place(place)


def test_a_button_goes_down_and_up(started: Wire) -> None:
    started.board.press("clock-b")
    assert started.sent() == [wire.Event(1, 0, 0xF1, 1), wire.Event(2, 0, 0xF1, 0)]


def test_a_heartbeat_each_second_carries_the_newest_number(started: Wire) -> None:
    started.clock.set(1.5)
    started.board.place(1)
    started.clock.set(3.0)
    assert started.sent() == [
        wire.Heartbeat(0, 1000, 1000, 0, 0),
        wire.Event(1, 1500, 1, 1),
        wire.Heartbeat(1, 2000, 1000, 0, 0),
        wire.Heartbeat(1, 3000, 1000, 0, 0),
    ]


def test_events_are_sent_again_with_their_own_numbers_and_times(started: Wire) -> None:
    for second in range(1, 4):
        started.clock.set(second / 4)
        started.board.place(second)
    first = started.sent()
    assert started.ask(wire.Resend(9, 2)) == [*first[1:], wire.Ack(3, 750, 9, 0x43)]
    assert started.ask(wire.Resend(10, 4)) == [wire.Ack(3, 750, 10, 0x43)]


@pytest.mark.parametrize("first", [72, 5, 202, 60000])
def test_events_that_are_gone_or_not_yet_there_are_refused(started: Wire, first: int) -> None:
    for _ in range(100):
        started.board.place(1)
        started.board.lift(1)
    started.sent()
    assert started.ask(wire.Resend(9, first)) == [wire.Nak(200, 0, 9, 0x43, wire.NakCode.GONE)]


def test_the_log_keeps_128_events(started: Wire) -> None:
    for _ in range(100):
        started.board.place(1)
        started.board.lift(1)
    started.sent()
    assert len(started.ask(wire.Resend(9, 73))) == 128 + 1


def test_event_numbers_wrap(started: Wire) -> None:
    started.board._seq = 65534
    for _ in range(2):
        started.board.place(1)
        started.board.lift(1)
    events = started.sent()
    assert [event.seq for event in events] == [65535, 0, 1, 2]
    assert started.ask(wire.Resend(1, 65535))[:-1] == events


def test_bad_frames_are_dropped_and_counted_and_it_still_answers(started: Wire) -> None:
    started.board.receive(bytes(range(1, 200)) * 2 + b"\0\x02\x07\0")
    assert isinstance(started.ask(wire.AskHello(4))[0], wire.Hello)
    started.clock.set(1.0)
    assert started.sent() == [wire.Heartbeat(0, 1000, 1000, 2, 0)]


def test_unknown_commands_and_wrong_lengths_are_refused(started: Wire) -> None:
    started.board.receive(wire.frame(b"\x60\x08") + wire.frame(b"\x42\x09\x00") + wire.frame(b"\x41"))
    assert started.sent() == [
        wire.Nak(0, 0, 8, 0x60, wire.NakCode.UNKNOWN),
        wire.Nak(0, 0, 9, 0x42, wire.NakCode.LENGTH),
        wire.Nak(0, 0, 0, 0x41, wire.NakCode.LENGTH),
    ]


def test_lights_keep_their_colour_until_told_otherwise(started: Wire) -> None:
    assert started.ask(wire.Light(1, wire.Colour.RED, frozenset({1, 32}))) == [wire.Ack(0, 0, 1, 0x45)]
    assert started.ask(wire.Light(2, wire.Colour.OFF, frozenset({1}))) == [wire.Ack(0, 0, 2, 0x45)]
    assert started.board.lights == {1: wire.Colour.OFF, 32: wire.Colour.RED}
    assert started.ask(wire.Light(3, wire.Colour.RED, frozenset({33}))) == [wire.Nak(0, 0, 3, 0x45, 4)]


def test_lights_go_out_a_minute_after_they_were_set_last(started: Wire) -> None:
    started.ask(wire.Light(1, wire.Colour.RED, frozenset({1})))
    started.clock.set(50.0)
    started.ask(wire.Light(2, wire.Colour.GREEN, frozenset({2})))
    started.clock.set(109.9)
    started.sent()
    assert started.board.lights == {1: wire.Colour.RED, 2: wire.Colour.GREEN}
    started.clock.set(110.0)
    started.sent()
    assert started.board.lights == {}


@pytest.mark.parametrize(("button", "dark"), [("clock-a", True), ("clock-b", True), ("adjust", False)])
def test_a_press_of_the_clock_makes_the_board_dark(started: Wire, button: str, dark: bool) -> None:
    started.ask(wire.Light(1, wire.Colour.RED, frozenset({1})))
    started.board.press(button)
    assert (started.board.lights == {}) is dark


def test_a_board_that_starts_again_is_dark(started: Wire) -> None:
    started.ask(wire.Light(1, wire.Colour.RED, frozenset({1})))
    started.board.reset()
    assert started.board.lights == {}


def test_a_restless_contact_is_named_at_once_and_reports_nothing_until_it_is_still(started: Wire) -> None:
    started.board.place(7)
    started.sent()
    started.clock.set(0.25)
    started.board.make_restless([7], ["clock-b"])
    started.board.lift(7)
    started.clock.set(1.0)
    unstable = frozenset({7, 32 + 2})
    assert started.sent() == [
        wire.Heartbeat(1, 250, 1000, 0, 0, unstable=unstable),
        wire.Heartbeat(1, 1000, 1000, 0, 0, unstable=unstable),
    ]
    started.board.make_restless()
    assert started.sent() == [wire.Heartbeat(1, 1000, 1000, 0, 0), wire.Event(2, 1000, 7, 0)]


@pytest.mark.parametrize(
    "command",
    [
        wire.ReadCalibration(1, 1),
        wire.WriteCalibration(1, 99, (wire.Thresholds(128, 8, 36),)),
        wire.KeepCalibration(1, 0, 0),
        wire.FactoryCalibration(1),
    ],
)
def test_a_board_of_contacts_cannot_be_calibrated(started: Wire, command: wire.HostCommand) -> None:
    assert started.ask(command) == [wire.Nak(0, 0, 1, 0x47, wire.NakCode.UNKNOWN)]


def test_the_debounce_is_set_and_told(started: Wire) -> None:
    assert started.ask(wire.SetDebounce(1, 15, 25)) == [wire.Ack(0, 0, 1, 0x44)]
    (hello,) = started.ask(wire.AskHello(2))
    assert isinstance(hello, wire.Hello)
    assert (hello.debounce_down, hello.debounce_up, hello.tag) == (15, 25, 2)


def test_an_unplugged_board_says_nothing_and_starts_anew_when_plugged_in(started: Wire) -> None:
    started.board.unplug()
    started.board.place(5)
    started.clock.set(3.0)
    assert started.ask(wire.AskHello(1)) == []
    started.board.plug()
    hello, event, snapshot = started.sent()
    assert isinstance(hello, wire.Hello)
    assert (hello.boot_id, hello.t) == (2, 0)
    assert event == wire.Event(1, 0, 5, 1)
    assert isinstance(snapshot, wire.Snapshot)


def test_it_wakes_whoever_carries_its_bytes(started: Wire) -> None:
    woken: list[float] = []
    started.board.attach(lambda: woken.append(started.clock.now()))
    started.clock.set(0.5)
    started.board.place(1)
    assert woken
    assert set(woken) == {0.5}


@given(st.lists(st.binary(max_size=30) | st.binary(min_size=1, max_size=60).map(wire.frame)))
def test_whatever_the_host_sends_the_board_still_answers(pieces: list[bytes]) -> None:
    host = Wire()
    host.sent()
    for piece in pieces:
        host.board.receive(piece)
    host.sent()
    host.board.receive(b"\0")
    hello = host.ask(wire.AskHello(5))[-1]
    assert isinstance(hello, wire.Hello)
    assert hello.tag == 5
