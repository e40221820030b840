"""The shipped images in the emulator, in lock-step: what bounces, noise, losses and restarts make of the wire."""

from __future__ import annotations

import re
import subprocess
from hashlib import sha256
from random import Random

import pytest
from firmware.conftest import Start
from firmware.rig import changes, of, only

from damas_board.decoding import wire
from damas_board.decoding.conversation import Greeted, Lost, Pressed, Seen
from simulator.clock import VirtualClock
from simulator.emulated import FIRMWARE, EmulatedCable, Emulator
from simulator.hall_board import FACTORY

MATRICES = ("matrix-32", "matrix-50", "matrix-64")
SETTLED = 0.03
"""Seconds after which a change that is still has been sent."""

matrices = pytest.mark.parametrize("build", MATRICES)


@pytest.mark.usefixtures("start")
def test_the_emulated_chip_is_like_the_chip() -> None:
    done = subprocess.run(["node", "--test", FIRMWARE / "emulator"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "# pass 9" in done.stdout


# Contacts.


@matrices
def test_nine_bounces_are_one_event_and_eight_are_none(build: str, start: Start) -> None:
    rig = start(build)
    rig.board.bounce(rig.places, times=9, apart=0.0005)
    assert changes(rig.run(SETTLED)) == [(rig.places, 1)]
    rig.board.bounce(rig.places, times=8, apart=0.0005)
    assert changes(rig.run(SETTLED)) == []
    rig.board.bounce(rig.places, times=9, apart=0.0005)
    assert changes(rig.run(SETTLED)) == [(rig.places, 0)]


@matrices
def test_a_blip_is_ignored_and_a_touch_is_seen_as_long_as_it_was(build: str, start: Start) -> None:
    rig = start(build)
    rig.board.contact(3, True)
    rig.board.contact(3, False, after=0.005)
    assert changes(rig.run(2 * SETTLED)) == []
    rig.board.contact(3, True)
    rig.board.contact(3, False, after=0.015)
    came, went = of(wire.Event, rig.run(2 * SETTLED))
    assert (came.key, came.level, went.key, went.level) == (3, 1, 3, 0)
    assert went.t - came.t == 15


@matrices
def test_every_place_and_button_has_its_own_key(build: str, start: Start) -> None:
    rig = start(build)
    seen = []
    for place in range(1, rig.places + 1):
        rig.board.place(place)
        seen += changes(rig.run(0.002))
    for button in ("clock-a", "clock-b", "adjust"):
        rig.board.hold(button, True)
        seen += changes(rig.run(0.002))
    seen += changes(rig.run(SETTLED))
    assert seen == [(key, 1) for key in [*range(1, rig.places + 1), *wire.BUTTONS]]


@matrices
def test_a_snapshot_is_what_stands_there(build: str, start: Start) -> None:
    rig = start(build)
    rig.board.set_up([Random(place).randrange(2) for place in range(rig.places)])
    rig.board.hold("clock-b", True)
    rig.run(0.12)
    assert rig.levels() == (*rig.board.pieces, 0, 1, 0)


@matrices
def test_all_places_at_once_are_all_told(build: str, start: Start) -> None:
    rig = start(build)
    rig.board.set_up([1] * rig.places)
    events = of(wire.Event, rig.run(0.15))
    assert [(event.seq, event.key) for event in events] == [(place, place) for place in range(1, rig.places + 1)]
    assert len({event.t for event in events}) == 1


@matrices
def test_a_ghost_needs_a_matrix_without_diodes(build: str, start: Start) -> None:
    for diodes in (True, False):
        rig = start(build, diodes)
        for place in (1, 2, rig.per_line + 1):
            rig.board.place(place)
        ghost = {rig.per_line + 2} - ({rig.per_line + 2} if diodes else set())
        closed = {key for key, level in changes(rig.run(SETTLED)) if level}
        assert closed == {1, 2, rig.per_line + 1} | ghost
        assert {place for place, level in enumerate(rig.levels(), 1) if level} == closed


def test_without_diodes_a_button_brings_ghosts_as_any_contact_does(start: Start) -> None:
    rig = start("matrix-50", diodes=False)
    rig.board.place(6)
    rig.board.place(7)
    rig.run(SETTLED)
    rig.board.hold("clock-a", True)
    assert changes(rig.run(SETTLED)) == [(wire.Key.CLOCK_A, 1), (wire.Key.CLOCK_B, 1)]


def test_the_debounce_that_the_host_sets_holds(start: Start) -> None:
    rig = start("matrix-50")
    only(rig.ask(lambda tag: wire.SetDebounce(tag, 40, 5)), wire.Ack)
    assert (rig.hello().debounce_down, rig.hello().debounce_up) == (40, 5)
    rig.board.contact(9, True)
    rig.board.contact(9, False, after=0.030)
    assert changes(rig.run(0.1)) == []
    rig.board.contact(9, True)
    rig.board.contact(9, False, after=0.060)
    came, went = of(wire.Event, rig.run(0.1))
    assert went.t - came.t == 60 - 40 + 5
    assert only(rig.ask(lambda tag: wire.SetDebounce(tag, 0, 5)), wire.Nak).code == wire.NakCode.VALUE


def test_a_contact_that_is_never_still_is_named_in_a_heartbeat_until_it_is(start: Start) -> None:
    rig = start("matrix-50")
    rig.board.bounce(17, times=151, apart=0.002)
    frames = rig.run(0.29)
    assert changes(frames) == []
    assert [beat.unstable for beat in of(wire.Heartbeat, frames)] == [frozenset({17})]
    frames = rig.run(0.05)
    assert changes(frames) == [(17, 1)]
    assert [beat.unstable for beat in of(wire.Heartbeat, frames)] == [frozenset()]


# The line.


def test_noise_costs_at_most_the_frames_that_it_touches(start: Start) -> None:
    rig = start("matrix-50")
    told = []
    for place in range(1, 21):
        rig.board.place(place)
        if place % 4 == 0:
            rig.board.noise(bytes([0xA5, place]))
        told += changes(rig.run(0.02))
    rig.board.garble(1)
    rig.board.place(21)
    told += changes(rig.run(SETTLED))
    rig.board.place(22)
    told += changes(rig.run(SETTLED))
    assert {key for key, _ in told} == {key for key in range(1, 23) if key not in (4, 8, 12, 16, 20, 21)}
    assert rig.bad == 6


def test_lost_events_are_asked_for_again_and_have_their_own_times(start: Start) -> None:
    rig = start("matrix-50")
    sent, times = [], []
    for place in range(1, 11):
        rig.board.place(place)
        if place == 7:
            rig.board.drop(30)
        times.append(rig.board.time)
        sent += of(wire.Event, rig.run(0.02))
    assert [event.seq for event in sent] == [1, 2, 3, 4, 5, 6, 10]
    frames = rig.ask(lambda tag: wire.Resend(tag, 7))
    again = of(wire.Event, frames)
    assert [(event.seq, event.key) for event in again] == [(7, 7), (8, 8), (9, 9), (10, 10)]
    assert again[-1] == sent[-1]
    gone = [round((at - times[5]) * 1000) for at in times[6:]]
    assert [event.t - sent[5].t for event in again] == gone
    assert isinstance(frames[-1], wire.Ack)


def test_a_lost_last_event_shows_in_the_next_heartbeat(start: Start) -> None:
    rig = start("matrix-50")
    rig.board.drop(13)
    rig.board.place(5)
    assert of(wire.Event, rig.run(SETTLED)) == []
    beat = only(rig.run(1.0), wire.Heartbeat)
    assert beat.seq == 1
    assert changes(rig.ask(lambda tag: wire.Resend(tag, 1))) == [(5, 1)]


def test_what_is_no_longer_in_the_log_is_gone_and_what_is_not_yet_is_too(start: Start) -> None:
    rig = start("matrix-64")
    for level in (1, 0, 1):
        rig.board.set_up([level] * rig.places)
        rig.run(0.1)
    newest = 3 * 64
    for first, gone in ((newest - 128, True), (newest - 127, False), (newest + 1, False), (newest + 2, True)):
        frames = rig.ask(lambda tag, first=first: wire.Resend(tag, first), within=0.16)
        assert [nak.code for nak in of(wire.Nak, frames)] == [wire.NakCode.GONE] * gone
        assert len(of(wire.Ack, frames)) == (not gone)
        assert [event.seq for event in of(wire.Event, frames)] == ([] if gone else [*range(first, newest + 1)])


def test_what_overran_the_log_is_counted_and_is_missing_in_the_numbers(start: Start) -> None:
    rig = start("matrix-64")
    for turn in range(5):
        for place in range(1, 65):
            rig.board.contact(place, turn % 2 == 0, after=turn * 0.012)
    frames = rig.run(1.1)
    numbers = [event.seq for event in of(wire.Event, frames)]
    overrun = of(wire.Heartbeat, frames)[-1].overrun
    assert overrun > 0
    assert len(numbers) == 5 * 64 - overrun
    assert numbers == sorted(numbers)
    assert numbers[-1] == 5 * 64


def test_what_is_no_command_is_refused_and_what_is_broken_is_counted(start: Start) -> None:
    rig = start("matrix-50")
    rig.board.send(wire.frame(bytes([0x7E, 9])))
    nak = only(rig.run(0.02), wire.Nak)
    assert (nak.tag, nak.command, nak.code) == (9, 0x7E, wire.NakCode.UNKNOWN)
    rig.board.send(wire.frame(bytes([wire.CommandType.HELLO, 10, 1])))
    nak = only(rig.run(0.02), wire.Nak)
    assert (nak.tag, nak.command, nak.code) == (10, wire.CommandType.HELLO, wire.NakCode.LENGTH)
    broken = bytearray(wire.encode_command(wire.AskHello(11)))
    broken[2] ^= 0x40
    rig.board.send(bytes(broken))
    assert rig.run(0.02) == []
    assert only(rig.run(1.0), wire.Heartbeat).received_bad == 1


def test_rubbish_from_the_host_does_not_stop_the_board(start: Start) -> None:
    rig = start("matrix-50")
    rig.board.send(Random(3).randbytes(300))
    rig.run(0.05)
    rig.board.send(b"\0")
    assert rig.hello().places == 50
    assert rig.board.figures()["bytes_overrun"] == 0


def test_commands_in_a_row_are_all_answered(start: Start) -> None:
    rig = start("matrix-50")
    rig.board.send(b"".join(wire.encode_command(wire.AskSnapshot(tag)) for tag in range(1, 11)))
    assert [snapshot.tag for snapshot in of(wire.Snapshot, rig.run(0.1))] == [*range(1, 11)]


# Starts.


@matrices
def test_a_start_tells_who_the_board_is_and_what_stands_on_it(build: str, start: Start) -> None:
    rig = start(build)
    before = rig.hello()
    standing = [1, rig.places // 2, rig.places]
    for place in standing:
        rig.board.place(place)
    rig.run(SETTLED)
    frames = rig.restart()
    hello, snapshot = frames[0], frames[-1]
    assert isinstance(hello, wire.Hello)
    assert (hello.seq, hello.tag, hello.boot_id) == (0, 0, before.boot_id + 1)
    assert [(event.seq, event.key, event.level) for event in of(wire.Event, frames)] == [
        (number, place, 1) for number, place in enumerate(standing, 1)
    ]
    assert isinstance(snapshot, wire.Snapshot)
    assert (snapshot.seq, snapshot.tag) == (3, 0)
    levels = wire.unpack_levels(snapshot.packed, rig.places + 3, 2)
    assert [place for place, level in enumerate(levels, 1) if level] == standing
    assert len(frames) == 5


@pytest.mark.parametrize("build", [*MATRICES, "matrix-50-lights", "hall-32", "hall-50", "hall-64-lights"])
def test_a_board_says_how_often_it_scans_and_does(build: str, start: Start) -> None:
    rig = start(build)
    hello = rig.hello()
    frames = rig.run(1.0)
    assert [beat.scans for beat in of(wire.Heartbeat, frames)][-1] == pytest.approx(hello.scan_hz, rel=0.01)
    assert hello.places == int(re.findall(r"\d+", build)[0])
    assert bool(hello.caps & wire.Cap.LIGHTS) is ("lights" in build)
    assert bool(hello.caps & wire.Cap.CALIBRATE) is ("hall" in build)
    assert hello.uid == 0xFFFFFFFF


def test_a_supply_that_sinks_is_told(start: Start) -> None:
    for build in ("matrix-50", "hall-50"):
        rig = start(build)
        rig.board.supply(4.4)
        assert of(wire.Heartbeat, rig.run(2.0))[-1].supply_mv == pytest.approx(4400, abs=20)


# The same again.


def _log(cut: float) -> str:
    """A hash of all bytes and their times of a script of bounces, losses and restarts."""
    random = Random(7)
    with Emulator("matrix-50") as board:
        heard = board.run(0.1)
        for step in range(30):
            board.bounce(random.randint(1, 50), times=random.randint(1, 12), apart=0.0004, after=random.random() / 50)
            if step % 9 == 0:
                board.send(wire.encode_command(wire.AskSnapshot(step + 1)))
            if step == 20:
                board.drop(20)
            if step == 24:
                board.reset()
            for _ in range(round(0.04 / cut)):
                heard += board.run(cut)
    # A frame that is cut by the end of a run comes in pieces.
    whole = sha256(b"".join(piece.data for piece in heard))
    for piece in heard:
        if piece.data.endswith(b"\0"):
            whole.update(round(piece.at * 16e6).to_bytes(8))
    return whole.hexdigest()


@pytest.mark.usefixtures("start")
def test_the_same_script_gives_the_same_bytes_at_the_same_times_however_it_is_cut() -> None:
    assert _log(0.04) == _log(0.04) == _log(0.01)


def test_a_conversation_in_lock_step_sees_what_stands_and_gets_over_losses_and_restarts(start: Start) -> None:
    rig = start("matrix-50")
    board = rig.board
    clock = VirtualClock()
    cable = EmulatedCable(board, clock)
    told = cable.run(1.0)
    assert isinstance(told[0], Greeted)
    board.place(28)
    board.bounce(33, times=9)
    board.drop(26)
    told = cable.run(3.0)
    assert [seen.levels[27:33:5] for seen in told if isinstance(seen, Seen)] == [(1, 0), (1, 1)]
    assert not [item for item in told if isinstance(item, Lost)]
    board.press("clock-a")
    (pressed,) = [item for item in cable.run(3.2) if isinstance(item, Pressed)]
    assert 3.01 < pressed.at < 3.02
    board.reset()
    told = cable.run(5.0)
    assert [item.reason for item in told if isinstance(item, Lost)] == ["board_restarted"]
    assert clock.now() == 5.0


# Lights.


def test_lights_show_what_was_asked_until_the_lever_is_pressed(start: Start) -> None:
    rig = start("matrix-50-lights")
    rig.run(0.01)
    assert rig.board.lights() == [(0, 0, 0)] * 50
    only(rig.ask(lambda tag: wire.Light(tag, wire.Colour.RED, frozenset({1, 50}))), wire.Ack)
    only(rig.ask(lambda tag: wire.Light(tag, wire.Colour.YELLOW, frozenset({9}))), wire.Ack)
    lights = rig.board.lights()
    bright = max(max(light) for light in lights)
    assert {place: light for place, light in enumerate(lights, 1) if any(light)} == {
        1: (bright, 0, 0),
        9: (bright, bright, 0),
        50: (bright, 0, 0),
    }
    rig.board.press("clock-b")
    rig.run(0.1)
    assert rig.board.lights() == [(0, 0, 0)] * 50


def test_many_lights_are_dimmer_than_few_and_the_chain_keeps_its_times(start: Start) -> None:
    rig = start("hall-64-lights")
    places = frozenset(range(1, 65))
    only(rig.ask(lambda tag: wire.Light(tag, wire.Colour.BLUE, frozenset({3}))), wire.Ack)
    few = rig.board.lights()[2][2]
    only(rig.ask(lambda tag: wire.Light(tag, wire.Colour.WHITE, places)), wire.Ack)
    lights = rig.board.lights()
    assert len(set(lights)) == 1
    assert 0 < lights[0][0] < few
    figures = rig.board.figures()
    # WS2812B of all years: 0.22 to 0.38 us are a 0, 0.58 to 1 us are a 1.
    assert 0.22 <= figures["high_0_us"][0] <= figures["high_0_us"][1] <= 0.38
    assert 0.58 <= figures["high_1_us"][0] <= figures["high_1_us"][1] <= 1.0


def test_no_byte_is_lost_while_lights_are_shown(start: Start) -> None:
    rig = start("matrix-64-lights")
    commands = [wire.Light(tag, wire.Colour(tag % 6), frozenset({tag, 64})) for tag in range(1, 13)]
    for some in range(1, 11):
        rig.board.contact(some, True, after=some * 0.002)
    rig.board.send(b"".join(wire.encode_command(command) for command in commands))
    frames = rig.run(0.2)
    assert [ack.tag for ack in of(wire.Ack, frames)] == [*range(1, 13)]
    assert len(changes(frames)) == 10
    assert rig.bad == 0
    figures = rig.board.figures()
    assert figures["bytes_overrun"] == 0
    assert figures["pause_us"] < 9


@pytest.mark.parametrize("build", ["matrix-64-lights", "hall-64-lights"])
def test_the_stack_has_room(build: str, start: Start) -> None:
    """At the most that was used in a run with events, lights, snapshots and a table kept."""
    rig = start(build)
    rig.board.set_up([1] * 64)
    rig.run(0.05)
    rig.ask(lambda tag: wire.Light(tag, wire.Colour.WHITE, frozenset(range(1, 65))))
    rig.ask(wire.AskSnapshot)
    rig.ask(lambda tag: wire.Resend(tag, 1), within=0.1)
    if "hall" in build:
        crc = wire.calibration_crc(0, [FACTORY] * 64)
        only(rig.ask(lambda tag: wire.KeepCalibration(tag, 0, crc), within=0.8), wire.Ack)
        rig.ask(lambda tag: wire.ReportRaw(tag, 10), within=0.3)
    assert rig.board.figures()["stack_bytes"] < 400


# Hall sensors.


def test_levels_are_told_by_pole_and_strength(start: Start) -> None:
    rig = start("hall-50")
    rig.know_kings()
    for place, level in ((1, 1), (17, 2), (33, 3), (50, 4)):
        rig.board.place(place, level)
    assert sorted(changes(rig.run(0.1))) == [(1, 1), (17, 2), (33, 3), (50, 4)]
    assert rig.levels()[:50] == tuple(rig.board.pieces)
    rig.board.hold("clock-a", True)
    assert changes(rig.run(SETTLED)) == [(wire.Key.CLOCK_A, 1)]


def test_a_board_that_is_not_calibrated_knows_no_kings(start: Start) -> None:
    rig = start("hall-50")
    rig.board.volts(1, 0.0)
    rig.board.volts(2, 5.0)
    assert sorted(changes(rig.run(0.5))) == [(1, 1), (2, 2)]


@pytest.mark.parametrize("takes", [0.02, 0.06, 0.15, 0.4])
def test_a_king_that_is_lifted_slowly_is_never_a_man(takes: float, start: Start) -> None:
    rig = start("hall-50")
    rig.know_kings()
    rig.board.place(20, 3)
    assert changes(rig.run(0.05)) == [(20, 3)]
    rig.board.volts(20, 2.5, within=takes)
    assert changes(rig.run(takes + 0.05)) == [(20, 0)]


def test_a_man_under_a_second_one_becomes_a_king_when_it_has_stood_for_a_while(start: Start) -> None:
    rig = start("hall-50")
    rig.know_kings()
    rig.board.place(20, 2)
    rig.run(0.05)
    rig.board.place(20, 4)
    assert changes(rig.run(0.2)) == []
    assert changes(rig.run(0.1)) == [(20, 4)]


def test_noise_of_twenty_millivolts_is_no_event(start: Start) -> None:
    rig = start("hall-64-lights")
    rig.board.noise_volts(0.02)
    rig.board.place(30, 1)
    assert changes(rig.run(1.5)) == [(30, 1)]


def test_zero_follows_a_slow_drift_but_not_a_piece(start: Start) -> None:
    rig = start("hall-32")
    for place in range(1, 33):
        rig.board.volts(place, 2.5 + 1.5 * 5 / 256)
    rig.board.volts(2, 2.5 - 0.4)
    rig.restart()
    rig.run(2.0)
    squares = only(rig.ask(lambda tag: wire.ReadCalibration(tag, 1)), wire.Calibration).squares
    # Places are watched in turn, half a second each.
    assert [square.zero for square in squares[:6]] == [129, 128, 129, 129, 128, 128]


def test_a_table_of_calibration_is_kept_over_a_restart_and_a_damaged_one_is_flagged(start: Start) -> None:
    rig = start("hall-50")
    assert rig.hello().caps & wire.Cap.FACTORY_TABLE
    table = tuple(wire.Thresholds(120 + place % 9, 10, 40) for place in range(50))
    for first in (1, 18, 35):
        some = table[first - 1 : first + 16]
        only(rig.ask(lambda tag, first=first, some=some: wire.WriteCalibration(tag, first, some)), wire.Ack)
    crc = wire.calibration_crc(wire.WHITE_ABOVE, table)
    assert only(rig.ask(lambda tag: wire.KeepCalibration(tag, wire.WHITE_ABOVE, crc ^ 1)), wire.Nak).code == 4
    frames = rig.ask(lambda tag: wire.KeepCalibration(tag, wire.WHITE_ABOVE, crc), within=0.8)
    only(frames, wire.Ack)
    frames = rig.restart()
    assert not of(wire.Hello, frames)[0].caps & wire.Cap.FACTORY_TABLE
    kept = [
        only(rig.ask(lambda tag, first=first: wire.ReadCalibration(tag, first)), wire.Calibration)
        for first in (1, 18, 35)
    ]
    assert tuple(square for part in kept for square in part.squares) == table
    assert {part.flags for part in kept} == {wire.WHITE_ABOVE}
    # White moves the reading up now.
    rig.board.volts(40, 3.0)
    assert changes(rig.run(0.05)) == [(40, 1)]
    rig.board.volts(40, 2.5)
    kept_byte = rig.board.eeprom(0x20)[:1]
    rig.board.write_eeprom(0x20, bytes([kept_byte[0] ^ 0x10]))
    rig.restart()
    assert rig.hello().caps & wire.Cap.FACTORY_TABLE
    assert only(rig.ask(lambda tag: wire.ReadCalibration(tag, 50)), wire.Calibration).squares == (FACTORY,)


def test_raw_readings_come_as_often_as_asked(start: Start) -> None:
    rig = start("hall-64-lights")
    rig.board.volts(64, 3.0)
    rig.ask(lambda tag: wire.ReportRaw(tag, 5))
    frames = of(wire.Raw, rig.run(1.0))
    rig.ask(lambda tag: wire.ReportRaw(tag, 0))
    assert [frame.first for frame in frames] == [1, 53] * 5
    assert frames[1].readings[-1] == int(3.0 / 5 * 256)
    assert set(frames[0].readings) == {128}


def test_readings_do_not_spoil_the_measure_of_the_supply(start: Start) -> None:
    rig = start("hall-32")
    rig.ask(lambda tag: wire.ReportRaw(tag, 100))
    beats = of(wire.Heartbeat, rig.run(3.0))
    assert [beat.supply_mv for beat in beats] == [pytest.approx(5000, abs=50)] * 3
