"""The simulated board of another maker by what a host sees of it, in virtual time."""

from __future__ import annotations

import asyncio
import re

import pytest
import serial
from dgt_host import Frame, Host, host

from damas_board.decoding.square_map import CORNERS, SquareMap
from damas_board.notation.time_control import read_time_control
from damas_board.rules.geometry import squares_of
from damas_board.rules.variants import VARIANTS
from simulator.clock import RunningClock, VirtualClock
from simulator.dgt.board import Bricked
from simulator.dgt.boards import board_for
from simulator.faults import FAULTS, NoDiodes, Stuck, fault
from simulator.games import invented
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty
from simulator.table import mark
from simulator.tcp import BoardTcp

DUMP, FIELD, CLOCK = 0x86, 0x8E, 0x8D
NO_CLOCK = bytes.fromhex("00 00 00 00 00 00 20")
START = [2 if row < 4 else 1 if row > 5 else 0 for row in range(10) for _ in range(10)]
START = [kind if (place // 10 + place) % 2 else 0 for place, kind in enumerate(START)]


def started(size: int = 10, **options: object) -> Host:
    """A board of a size that has found what stands on it, asked to tell what changes."""
    made = host(size, **{"lingering": 0.0, **options})
    if size == 10:
        made.board.set_up(START)
    made.run(1.0)
    made.ask(0x44)
    return made


def updates(frames: list[Frame]) -> list[tuple[int, int]]:
    return [(frame.payload[0], frame.payload[1]) for frame in frames if frame.id == FIELD]


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        (0x41, "8d 00 0a 00 00 00 00 00 00 20"),
        (0x45, "91 00 08 30 31 30 32 35"),
        (0x46, "90 00 05 08 01"),
        (0x4D, "93 00 05 01 03"),
        (0x55, "a2 00 0d 30 30 30 30 30 30 31 30 32 35"),
        (0x42, "86 00 67" + " 00" * 100),
        (0x50, "94 00 35" + " 00" * 50),
        (0x52, "95 00 35" + " 00" * 50),
    ],
)
def test_an_order_is_answered_with_its_bytes(order: int, answer: str) -> None:
    board = host()
    board.ask(order)
    assert b"".join(data for _, data in board.came) == bytes.fromhex(answer)


@pytest.mark.parametrize("order", [0x40, 0x43, 0x44, 0x4A, 0x4B, 0x4C, 0x3F, 0x7F, 0x90])
def test_what_is_no_question_is_not_answered_at_once(order: int) -> None:
    assert host().ask(order, seconds=0.9) == []


def test_an_order_that_its_firmware_does_not_know_is_passed_over() -> None:
    board = host(unknown=[0x55, 0x44])
    assert [frame.id for frame in board.ask(0x55, 0x45)] == [0x91]
    board.ask(0x44)
    assert board.board.mode == "idle"


def test_a_board_of_64_fields_has_a_dump_of_its_own_and_none_of_fifty() -> None:
    board = host(8)
    assert [(frame.id, len(frame.payload)) for frame in board.ask(0x42, 0x50, 0x52)] == [(DUMP, 64)]


def test_only_a_bluetooth_board_has_a_battery() -> None:
    board = host(bluetooth=True)
    frame = board.ask(0x4C)[0]
    assert (frame.id, len(frame.payload)) == (0xA0, 9)
    assert frame.payload[0] == 80
    assert frame.payload[8] == 2
    board.board.charging = True
    assert board.ask(0x4C)[0].payload[8] == 1


def test_it_says_a_name_of_its_own_and_never_the_maker_s() -> None:
    frame = host().ask(0x47)[0]
    text = frame.payload.decode("ascii")
    assert frame.id == 0x92
    assert "simulated" in text
    assert not re.search("dgt|digital game", text, re.IGNORECASE)


def test_the_log_is_as_long_as_all_its_memory_and_takes_more_than_eight_seconds() -> None:
    board = host()
    board.board.receive(b"\x49")
    began = board.clock.now()
    assert board.run(8.2) == []
    (frame,) = board.run(0.5)
    assert (frame.id, len(frame.payload), frame.payload[-1]) == (0x8F, 0x1F00, 0x6B)
    assert 8.2 < frame.at - began < 8.4


def test_the_log_tells_what_was_found_and_that_it_was_read() -> None:
    board = host(lingering=0.0)
    board.board.place(34, 2)
    board.run(1.0)
    log = board.ask(0x49, seconds=9.0)[0].payload.lstrip(b"\x7f")
    assert log.replace(b"\x6d", b"") in (bytes.fromhex("6a 44 21 6b"), bytes.fromhex("6a 54 21 6b"))
    assert board.ask(0x49, seconds=9.0)[0].payload[-2:] == b"\x6e\x6b"


# Modes.


def test_it_powers_up_in_bus_mode_and_any_order_leaves_it() -> None:
    board = host()
    assert board.board.mode == "bus"
    board.ask(0x42)
    assert board.board.mode == "idle"
    board.ask(0x4A)
    assert board.board.mode == "bus"


@pytest.mark.parametrize(("order", "mode"), [(0x43, "update"), (0x44, "update_board"), (0x4B, "update_nice")])
def test_changes_are_told_in_the_modes_that_are_for_it_until_it_is_idle(order: int, mode: str) -> None:
    board = host()
    board.ask(0x42)
    board.board.place(2, 1)
    assert updates(board.run(1.0)) == []
    board.ask(order)
    assert board.board.mode == mode
    board.board.place(4, 2)
    assert updates(board.run(1.0)) == [(3, 4)]
    board.ask(0x42, 0x45)
    assert board.board.mode == mode
    board.ask(0x40)
    board.board.lift(4)
    assert updates(board.run(1.0)) == []


@pytest.mark.parametrize(("order", "expected"), [(0x43, 10), (0x44, 0), (0x4B, 0)])
def test_only_the_mode_update_tells_the_clock_every_second_also_where_there_is_none(order: int, expected: int) -> None:
    board = host()
    told = [frame for frame in board.ask(order, seconds=10.5) if frame.id == CLOCK]
    assert len(told) == expected
    assert {frame.payload for frame in told} <= {NO_CLOCK}


def test_orders_of_the_bus_are_four_bytes_that_are_no_orders_of_one_board() -> None:
    board = host()
    heard: list[bytes] = []
    board.board.on_bus = lambda order, _: heard.append(order)
    assert board.ask(0x81, 0x42, 0x46, 0x09) == []
    assert heard == [b"\x81\x42\x46\x09"]
    assert board.board.mode == "bus"
    board.ask(0x87, 0x00, 0x82, 0x08, 0x01, 0x0B)
    assert heard[1:] == [b"\x82\x08\x01\x0b"]
    board.ask(0x40)
    board.ask(0x81, 0x42, 0x46, 0x09)
    assert len(heard) == 2
    assert board.board.mode == "bus"
    board.ask(0x81, 0x42, 0x46, 0x09)
    assert len(heard) == 3
    assert board.frames == []


# What it finds, and when.


def test_a_change_is_told_within_a_round_and_over_bluetooth_within_one_that_lasts_twice_as_long() -> None:
    longest = {}
    for bluetooth in (False, True):
        board = started(bluetooth=bluetooth)
        late = []
        for turn in range(60):
            board.board.place(62, 1) if turn % 2 else board.board.lift(62)
            at = board.clock.now()
            (frame,) = board.run(1.0 + turn * 0.013)
            late.append(frame.at - at)
        longest[bluetooth] = max(late)
        assert min(late) < 0.1
    assert 0.15 < longest[False] < 0.29
    assert 0.35 < longest[True] < 0.6


def test_a_dump_shows_what_was_found_and_not_yet_what_has_changed_since() -> None:
    board = started()
    shown = set()
    for tenth in range(10):
        board.board.lift(62)
        board.run(tenth * 0.02)
        frames = board.ask(0x42)
        order = [frame.id for frame in frames if frame.id in (DUMP, FIELD)]
        dump = next(frame.payload for frame in frames if frame.id == DUMP)
        assert dump[61] == (1 if order == [DUMP, FIELD] else 0)
        shown.add(dump[61])
        board.board.place(62, 1)
        board.run(1.0)
    assert shown == {0, 1}


def test_what_stands_there_is_found_in_no_order_within_two_rounds_after_the_supply_has_come() -> None:
    board = started()
    board.board.unplug()
    board.board.plug()
    fields = [field for field, _ in updates(board.ask(0x44))]
    assert len(fields) == 40
    assert fields != sorted(fields)
    board.board.unplug()
    board.board.plug()
    board.run(0.15)
    early = board.ask(0x42, seconds=0.4)[-1]
    assert 0 < sum(code != 0 for code in early.payload) < 40
    assert sum(code != 0 for code in board.dump()) == 40


def moved_quickly(lingering: float) -> list[list[tuple[int, int]]]:
    """The updates of a hundred pieces that were moved on at once, from field 61 to 50."""
    told = []
    board = started(lingering=lingering)
    for _ in range(100):
        board.run(0.037)
        board.board.lift(62)
        board.board.place(51, 1)
        told.append(updates(board.run(2.0)))
        board.board.lift(51)
        board.board.place(62, 1)
        board.run(2.0)
    return told


@pytest.mark.parametrize("lingering", [0.0, 0.5])
def test_a_piece_may_be_told_on_its_new_field_before_it_is_told_gone_from_the_old_one(lingering: float) -> None:
    told = moved_quickly(lingering)
    assert {tuple(sorted(both)) for both in told} == {((50, 1), (61, 0))}
    new_first = sum(both[0] == (50, 1) for both in told)
    assert 0 < new_first < 100


def test_a_field_that_lingers_is_told_empty_up_to_two_rounds_later() -> None:
    def latest(lingering: float) -> float:
        board = started(lingering=lingering)
        late = 0.0
        for _ in range(60):
            board.board.lift(62)
            at = board.clock.now()
            late = max(late, board.run(2.0)[-1].at - at)
            board.board.place(62, 1)
            board.run(2.017)
        return late

    assert latest(0.0) < 0.29
    assert 0.4 < latest(1.0) < 0.8


def test_a_piece_stands_on_two_squares_in_one_dump() -> None:
    board = started(lingering=1.0)
    twice = 0
    for _ in range(50):
        board.board.lift(62)
        board.board.place(51, 1)
        board.run(0.1)
        dump = board.ask(0x42, seconds=2.0)
        dump = next(frame.payload for frame in dump if frame.id == DUMP)
        twice += dump[61] == 1 and dump[50] == 1
        board.board.lift(51)
        board.board.place(62, 1)
        board.run(2.0)
    assert 0 < twice < 50


def test_a_square_on_which_a_piece_was_exchanged_between_two_looks_was_never_empty() -> None:
    board = started()
    board.board.lift(62)
    board.board.place(62, 2)
    assert updates(board.run(1.0)) == [(61, 4)]


def test_what_came_and_went_between_two_looks_is_not_told_at_all() -> None:
    board = started()
    told = []
    for _ in range(20):
        board.board.place(51, 1)
        board.run(0.02)
        board.board.lift(51)
        told.append(updates(board.run(1.0)))
    assert [] in told
    assert all(both in ([], [(50, 1), (50, 0)]) for both in told)


@pytest.mark.parametrize("bluetooth", [False, True])
def test_the_same_seed_gives_the_same_bytes_at_the_same_times_and_another_seed_others(bluetooth: bool) -> None:
    def bytes_of(seed: int) -> list[tuple[float, bytes]]:
        board = started(seed=seed, bluetooth=bluetooth, garbage=True, lingering=0.3)
        for _ in range(20):
            board.board.lift(62)
            board.board.place(51, 1)
            board.ask(0x42, seconds=2.0)
            board.board.lift(51)
            board.board.place(62, 1)
            board.ask(0x42, seconds=2.0)
        return board.came

    assert bytes_of(3) == bytes_of(3)
    assert bytes_of(3) != bytes_of(4)


# The line.


@pytest.mark.parametrize(("bluetooth", "seconds"), [(False, 103 * 10 / 9600), (True, 103 * 10 / 4800)])
def test_bytes_come_one_after_another_at_the_pace_of_the_line(bluetooth: bool, seconds: float) -> None:
    board = host(bluetooth=bluetooth, bundle=0.0, garbage=False)
    board.run(0.5)
    began = board.clock.now()
    board.ask(0x42)
    dump = [(at, data) for at, data in board.came if at > began]
    assert [len(data) for _, data in dump] == [1] * 103
    assert dump[-1][0] - dump[0][0] == pytest.approx(seconds * 102 / 103)


def test_a_converter_hands_bytes_over_in_bundles_and_none_earlier_than_it_came() -> None:
    board = host()
    board.run(0.5)
    began = board.clock.now()
    board.ask(0x42)
    sizes = [len(data) for _, data in board.came]
    assert sum(sizes) == 103
    assert 5 < len(sizes) < 10
    total = 0
    for at, data in board.came:
        total += len(data)
        assert total * 10 / 9600 <= at - began < total * 10 / 9600 + 0.02


def test_while_it_sends_ten_bytes_wait_and_the_others_are_lost() -> None:
    board = host()
    board.ask(0x49, seconds=2.0)
    board.ask(*[0x45] * 15, seconds=0.1)
    assert board.board.overflowed == 5
    board.run(7.0)
    board.ask(0x4D, seconds=9.0)
    assert [frame.id for frame in board.frames] == [0x8F] + [0x91] * 10 + [0x93]


def test_while_it_sends_nothing_more_than_ten_bytes_are_taken_one_by_one() -> None:
    board = host()
    board.ask(*[0x40] * 30, 0x45)
    assert [frame.id for frame in board.frames] == [0x91]
    assert board.frames[0].at > (31 + 8) * 10 / 9600
    assert board.board.overflowed == 0


def test_with_garbage_frames_follow_on_bytes_that_mean_nothing_and_the_end_of_one() -> None:
    beginnings = set()
    for seed in range(20):
        board = host(seed=seed, garbage=True)
        board.run(0.5)
        assert board.came
        assert board.frames == []
        beginnings.add(b"".join(data for _, data in board.came))
        assert board.ask(0x45)[0].payload == b"01025"
    assert len(beginnings) == 20
    assert any(data[-1] < 0x80 for data in beginnings)


def test_a_host_that_opens_the_port_gets_garbage_again() -> None:
    board = host(garbage=True)
    board.run(1.0)
    before = len(board.came)
    board.board.connected()
    board.run(1.0)
    assert len(board.came) > before


def test_a_board_that_hangs_hears_and_says_nothing() -> None:
    board = started()
    board.board.hung = True
    board.board.lift(62)
    assert board.ask(0x42, 0x45) == []
    board.board.hung = False
    assert board.ask(0x45)[0].payload == b"01025"


# The supply, and the lasting memory.


def test_pulling_the_cable_takes_the_supply_and_with_it_the_mode() -> None:
    board = started()
    board.board.unplug()
    board.board.lift(62)
    assert board.ask(0x42) == []
    board.board.plug()
    assert board.board.mode == "bus"
    board.board.lift(64)
    assert board.run(2.0) == []
    dump = board.dump()
    assert (dump[61], dump[63], dump[65]) == (0, 0, 1)


def test_a_reset_loses_the_mode_and_what_was_on_the_line() -> None:
    board = started()
    board.board.receive(b"\x42")
    board.run(0.05)
    board.board.reset()
    assert board.run(2.0) == []
    assert board.board.mode == "bus"
    assert sum(code != 0 for code in board.dump()) == 40


def test_a_bluetooth_board_that_loses_its_link_goes_on_by_itself() -> None:
    board = started(bluetooth=True)
    board.board.lift(62)
    board.board.unplug()
    assert board.ask(0x40, 0x42, seconds=2.0) == []
    assert board.board.known[61] == 0
    board.board.plug()
    assert board.board.mode == "update_board"
    board.board.lift(64)
    assert updates(board.run(2.0)) == [(63, 0)]


def test_nothing_is_found_nor_logged_without_supply() -> None:
    board = started()
    before = board.board.memory.read()
    board.board.lift(62)
    board.board.unplug()
    board.board.lift(64)
    board.run(2.0)
    assert board.board.memory.read() == before
    assert (board.board.known[61], board.board.known[63]) == (1, 1)


@pytest.mark.parametrize("order", [0x51, 0x53, 0x54])
def test_orders_that_write_to_the_memory_are_counted_and_others_are_not(order: int) -> None:
    board = started()
    for harmless in (0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x49, 0x4B, 0x4C, 0x4D, 0x50, 0x52, 0x55):
        board.ask(harmless, seconds=9.0 if harmless == 0x49 else 1.0)
    assert board.board.memory_writes == 0
    board.ask(order)
    assert board.board.memory_writes == 1


@pytest.mark.parametrize(
    ("order", "played_on", "seen"), [(0x51, "black", 40), (0x53, "black", 0), (0x53, "white", 40), (0x51, "white", 0)]
)
def test_a_board_that_scans_one_colour_sees_the_others_empty_also_after_the_supply_was_away(
    order: int, played_on: str, seen: int
) -> None:
    board = started(played_on=played_on)
    board.ask(order)
    assert sum(code != 0 for code in board.dump()) == seen
    board.board.unplug()
    board.board.plug()
    board.run(1.0)
    assert sum(code != 0 for code in board.dump()) == seen
    board.ask(0x54)
    assert sum(code != 0 for code in board.dump()) == 40


@pytest.mark.parametrize(("played_on", "forty"), [("black", 0x94), ("white", 0x95)])
def test_of_the_two_dumps_of_fifty_one_has_the_pieces_in_reading_order(played_on: str, forty: int) -> None:
    board = started(played_on=played_on)
    board.board.lift(2)
    board.run(1.0)
    dumps = {frame.id: frame.payload for frame in board.ask(0x50, 0x52)}
    other = 0x94 + 0x95 - forty
    assert dumps[forty] == bytes([0] + [4] * 19 + [0] * 10 + [1] * 20)
    assert dumps[other] == bytes(50)


def test_in_its_boot_loader_it_is_no_board_any_more() -> None:
    board = host()
    with pytest.raises(Bricked, match="4E"):
        board.ask(0x4E)
    with pytest.raises(Bricked):
        board.ask(0x42)


# Pieces.


@pytest.mark.parametrize(
    ("pieces", "codes"),
    [
        ("draughts", [0x01, 0x04, 0x07, 0x0A]),
        ("draughts before 2011", [0x01, 0x07, 0x04, 0x0A]),
        ("chess", [0x01, 0x07, 0x06, 0x0C]),
    ],
)
@pytest.mark.parametrize("size", [8, 10])
def test_each_kind_of_piece_has_its_code(size: int, pieces: str, codes: list[int]) -> None:
    board = host(size, pieces=pieces)
    for kind in range(1, 5):
        board.board.place(kind, kind)
    board.run(1.0)
    assert list(board.dump()[:5]) == [*codes, 0]


def test_a_chess_set_has_men_of_several_kinds_that_keep_theirs_wherever_they_go() -> None:
    board = host(8, pieces="chess mixed", lingering=0.0)
    board.board.set_up([2] * 12 + [0] * 40 + [1] * 12)
    board.run(1.0)
    dump = board.dump()
    assert sorted(dump[:12]) == [7] * 8 + [8, 8, 9, 10]
    assert sorted(dump[-12:]) == [1] * 8 + [2, 2, 3, 4]
    knight = dump.index(9)
    board.board.lift(knight + 1)
    board.board.place(30, 2)
    board.run(1.0)
    assert board.dump()[29] == 9


@pytest.mark.parametrize("corner", CORNERS)
def test_fields_are_counted_from_the_connector_s_corner(corner: str) -> None:
    board = host(corner=corner, dark="all")
    empty = "." * 10
    rows = "/".join(["w" + "." * 9, *[empty] * 8, "." * 9 + "b"])
    board.board.show(rows)
    board.run(1.0)
    dump = board.dump()
    # The white man stands at Black's left, the black one at White's right.
    white, black = {"black-left": (0, 99), "white-right": (99, 0), "black-right": (90, 9), "white-left": (9, 90)}[
        corner
    ]
    assert {field: code for field, code in enumerate(dump) if code} == {white: 1, black: 4}


# Faults.


def quiet(board: Host, pieces: list[int]) -> bool:
    """Whether it shows what stands there, at some time soon."""
    for _ in range(40):
        dumps = [frame.payload for frame in board.ask(0x42, seconds=1.5) if frame.id == DUMP]
        if dumps and list(dumps[-1]) == pieces:
            return True
    return False


CODES = [0, 1, 4, 7, 10]


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in ("stuck", "no-diodes", "weak-square")])
def test_with_each_fault_something_else_comes_and_at_rest_the_truth_is_shown(name: str) -> None:
    def play(*faults: object) -> Host:
        board = started(faults=faults)
        for _ in range(60):
            board.board.lift(62)
            board.ask(0x44, seconds=0.3)
            board.board.place(51, 1)
            board.run(0.6)
            board.board.lift(51)
            board.run(0.3)
            board.board.place(62, 1)
            board.run(0.6)
        return board

    with_fault, without = play(fault(name, 3)), play()
    assert [data for _, data in with_fault.came] != [data for _, data in without.came]
    assert quiet(with_fault, [CODES[kind] for kind in START])


def test_a_stuck_field_is_shown_so_whatever_stands_there() -> None:
    board = started(faults=[Stuck(place=62, level=0)])
    assert board.dump()[61] == 0
    board.board.lift(62)
    board.board.place(62, 1)
    board.run(1.0)
    assert board.dump()[61] == 0


def test_a_weak_field_shows_a_piece_later_than_it_came() -> None:
    board = started(faults=[fault("weak-square", 4)])
    board.board.place(1, 1)
    board.run(0.4)
    assert board.board.known[0] == 0
    board.run(3.0)
    assert board.board.known[0] == 1


def test_a_fault_that_looks_at_the_whole_board_changes_what_is_found_elsewhere() -> None:
    board = host(faults=[NoDiodes()], lingering=0.0)
    for place in (1, 3, 21):
        board.board.place(place, 1)
    board.run(1.0)
    assert board.dump()[22] == 1
    board.board.lift(21)
    board.run(1.0)
    assert board.dump()[22] == 0


def test_dropouts_and_ghosts_that_last_are_found() -> None:
    dropout, ghost = (started(faults=[fault(name, 2)]).run(200.0) for name in ("dropout", "ghost"))
    assert {code for _, code in updates(dropout)} == {0, 1, 4}
    assert len(updates(dropout)) > 4
    assert {code for _, code in updates(ghost)} == {0, 1}


# With players, and behind a real port.


@pytest.mark.parametrize(("variant", "pieces"), [("international", "draughts"), ("brazilian", "chess mixed")])
async def test_after_a_game_the_last_position_is_on_the_fields(variant: str, pieces: str) -> None:
    clock = VirtualClock()
    control = read_time_control("300+5")
    board = board_for(VARIANTS[variant], clock, corner="white-right", pieces=pieces, control=control)
    player = Player(board, clock, level("club"), 1, levers=True)
    game = invented(VARIANTS[variant], 4, 60)
    player.set_up(game.start)
    task = asyncio.create_task(player.play(game))
    await clock.run_while(task)
    await task
    await clock.run(clock.now() + 2.0)
    board.advance()
    last = list(game.positions())[-1]
    expected = {board.square_map.place(square) - 1: mark(last, square) for square in squares_of(last.occupied)}
    colours = {
        field: "w" if (code in (1, 7) if pieces == "draughts" else code <= 6) else "b"
        for field, code in enumerate(board.known)
        if code
    }
    assert colours == {field: piece.lower() for field, piece in expected.items()}
    reading = board.dgt_clock.reading if board.dgt_clock is not None else None
    assert reading is not None
    assert reading.running
    assert reading.left != 300


def test_a_board_for_a_variant_is_played_on_as_the_variant_is() -> None:
    clock = VirtualClock()
    international = board_for(VARIANTS["international"], clock, corner="white-right", serial="40123")
    assert international.square_map == SquareMap(10, "all", "white-right")
    assert board_for(VARIANTS["turkish"], clock).square_map == SquareMap(8, "all")
    with pytest.raises(ValueError, match="played on 12"):
        board_for(VARIANTS["canadian"], clock)
    player = Player(international, clock, level("clean"))
    player.set_up(invented(VARIANTS["international"], 1, 2).start)
    made = Host(international, clock)
    made.run(1.0)
    assert made.came  # garbage
    assert made.ask(0x55)[0].payload == b"0000040123"
    dumps = [frame.payload for frame in made.ask(0x50, 0x52)]
    assert [(len(dump), dump.count(0)) for dump in dumps] == [(50, 10), (50, 50)]


@pytest.mark.parametrize(("variant", "first"), [("international", "white"), ("english", "black")])
def test_the_clock_of_a_board_for_a_variant_lets_that_side_begin(variant: str, first: str) -> None:
    clock = VirtualClock()
    board = board_for(VARIANTS[variant], clock, control=read_time_control("300+60"))
    board.press("clock-a" if first == "white" else "clock-b")
    Host(board, clock).run(3.0)
    assert board.dgt_clock is not None
    reading = board.dgt_clock.reading
    assert reading is not None
    assert (reading.left if first == "white" else reading.right) == 360


@pytest.mark.parametrize("carrier", [BoardPty, BoardTcp])
async def test_behind_a_real_port_it_answers(carrier: type[BoardPty | BoardTcp]) -> None:
    clock = RunningClock()
    board = board_for(VARIANTS["international"], clock)
    async with carrier(board, clock) as port:
        answer = await asyncio.to_thread(ask, port.path, b"\x42", 103)
    assert answer[answer.index(b"\x86\x00\x67") :][:3] == b"\x86\x00\x67"


async def test_a_bricked_board_ends_the_test_that_has_it_behind_a_port() -> None:
    clock = RunningClock()
    board = board_for(VARIANTS["international"], clock)

    async def brick() -> None:
        async with BoardPty(board, clock) as port:
            await asyncio.to_thread(ask, port.path, b"\x4e", 0)
            while not board.bricked:
                await clock.sleep(0.01)

    with pytest.raises(Bricked):
        await brick()


def ask(path: str, orders: bytes, count: int) -> bytes:
    with serial.serial_for_url(path, 9600, timeout=20) as port:
        port.write(orders)
        data = b""
        while count and not (b"\x86\x00\x67" in data and len(data) - data.index(b"\x86\x00\x67") >= count):
            data += port.read(1)
        return data
