"""A line of boards: what goes over it, whose turn it is, and what becomes of answers that are lost, late or spoiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from dgt_bus_cable import BusCable, set_out, stands
from hypothesis import given
from hypothesis import strategies as st
from sources.talk_contract import Line, TalkContract

from damas_board.decoding.dgt.bus import BusSearch, BusTalk, BusTiming, address_of, address_text
from damas_board.decoding.dgt.bus_frames import (
    LENGTHS,
    WRITES_BUS_MEMORY,
    Answer,
    Ask,
    BusReader,
    Said,
    Spoiled,
    answer,
    request,
)
from damas_board.decoding.dgt.reading import Found, Setting
from damas_board.decoding.square_map import SquareMap
from damas_board.decoding.talk import (
    Away,
    ClockShown,
    Condition,
    Greeted,
    Hopeless,
    LeverPressed,
    Missed,
    Shown,
    Talk,
    Told,
)
from damas_board.notation.time_control import read_time_control
from simulator.clock import VirtualClock
from simulator.dgt.bus import DgtBus, Habits
from simulator.dgt.clock import DgtClock

HARMLESS = {
    Ask.CHANGES,
    Ask.CHANGES_AGAIN,
    Ask.BOARD,
    Ask.BLACK_FIELDS,
    Ask.CLOCK,
    Ask.PING,
    Ask.VERSION,
}
MAN = 62
"""A place with a white man, and the ones before it where he may go to."""
THERE = 53
SAID = {"kind": {}, "colour": str.maketrans("WB", "wb")}
PLAYABLE = [SquareMap(10, "all").place(square) for square in SquareMap(10, "left").squares]


# Bytes.


def test_the_checksum_is_the_one_of_the_documented_example() -> None:
    assert request(Ask.CLOCK, 0x10 << 7 | 0x06) == bytes.fromhex("81 10 06 17")


def test_a_board_s_address_is_the_serial_number_on_its_box() -> None:
    assert request(Ask.BOARD, address_of("01025"))[1:3] == bytes((0x08, 0x01))
    assert address_text(address_of("01025")) == "01025"


@pytest.mark.parametrize("text", ["", "0", "00000", "16384", "99999", "-1", "1 025", "board", "١٠٢٥"])
def test_what_is_no_address_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ValueError, match="serial number on the box") as refused:
        address_of(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("address", [-1, 1 << 14])
def test_an_address_that_does_not_fit_is_not_sent(address: int) -> None:
    with pytest.raises(ValueError, match="address is 0 to 16383"):
        request(Ask.PING, address)


answers = st.sampled_from(list(Answer)).flatmap(
    lambda id_: st.builds(
        Said,
        st.just(int(id_)),
        st.integers(0, (1 << 14) - 1),
        st.sampled_from([length for length in range(6, 120) if length in LENGTHS[id_]]).flatmap(
            lambda length: st.lists(st.integers(0, 0x7F), min_size=length - 6, max_size=length - 6).map(bytes)
        ),
    )
)


@given(st.lists(answers, max_size=5), st.randoms(use_true_random=False))
def test_answers_come_out_of_bytes_that_are_split_anywhere(said: list[Said], random: Random) -> None:
    line = b"".join(answer(each) for each in said)
    reader, read = BusReader(), []
    while line:
        count = random.randint(1, 9)
        read += reader.feed(line[:count])
        line = line[count:]
    assert read == said
    assert reader.dropped == 0


@given(answers, st.data())
def test_an_answer_with_a_changed_byte_is_never_believed_unless_the_sum_is_the_same(
    said: Said, data: st.DataObject
) -> None:
    whole = answer(said)
    place = data.draw(st.integers(3, len(whole) - 1))
    changed = data.draw(st.integers(0, 0x7F).filter(lambda byte: byte != whole[place]))
    read = BusReader().feed(whole[:place] + bytes((changed,)) + whole[place + 1 :])
    assert read == [Spoiled(said.id)]


@given(st.binary(max_size=400), st.integers(0, 3))
def test_whatever_comes_is_no_error_and_nothing_is_told_of_boards_nobody_looks_after(data: bytes, at: int) -> None:
    talk = BusTalk(0.0)
    talk.join(1025, Setting(), 0.0)
    heard = [*talk.receive(data, float(at)), *talk.tick(float(at))]
    assert {address for address, _ in heard} <= {1025}


# One at a time, and nothing that writes.


def test_only_one_request_is_on_the_line_at_a_time_and_none_writes_to_a_board() -> None:
    cable = BusCable(seed=3)
    boards = [
        cable.add(f"{number:05}", habits=Habits(lost=0.1, spoiled=0.1, late=0.1, late_by=0.2))
        for number in (1, 127, 128, 1025, 16383)
    ]
    boards[3].unplug()
    cable.run(10.0)
    requests = cable.requests()
    assert {ask for _, ask, _ in requests} <= HARMLESS
    assert not HARMLESS & WRITES_BUS_MEMORY
    assert len(requests) > 150
    assert all(len(data) <= 5 for _, data in cable.sent)
    assert not any(board.memory_writes or board.overflowed or board.bricked for board in boards)


def test_the_next_request_waits_for_the_answer_or_for_the_time_out() -> None:
    talk = BusTalk(0.0)
    talk.join(1, Setting(), 0.0)
    talk.join(2, Setting(), 0.0)
    talk.tick(0.0)
    assert talk.data_to_send() == b"\x4a"
    assert talk.deadline == 0.08
    talk.tick(0.08)
    assert talk.data_to_send() == request(Ask.PING, 1)
    due = talk.deadline
    assert due == pytest.approx(0.16 + 4 * 10 / 9600)
    talk.tick(due - 0.001)
    assert talk.data_to_send() == b""
    talk.tick(due)
    assert talk.data_to_send() == request(Ask.PING, 2)
    talk.receive(answer(Said(Answer.PING, 2)), due + 0.02)
    talk.tick(due + 0.02)
    assert talk.data_to_send() == request(Ask.VERSION, 2)


def test_an_answer_that_is_on_its_way_is_waited_for() -> None:
    talk = BusTalk(0.0)
    talk.join(1, Setting(), 0.0)
    talk.tick(0.08)
    talk.data_to_send()
    whole = answer(Said(Answer.PING, 1))
    talk.receive(whole[:4], 0.16)
    talk.tick(0.20)
    assert talk.data_to_send() == b""
    talk.receive(whole[4:], 0.23)
    talk.tick(0.23)
    assert talk.data_to_send() == request(Ask.VERSION, 1)


# What is told.


def test_every_board_is_greeted_by_its_address_and_shown_once() -> None:
    cable = BusCable()
    boards = [cable.add(f"{1025 + number:05}") for number in range(3)]
    cable.run(12.0)
    for board in boards:
        greeted, *others = [told for told in cable.told(board) if not isinstance(told, Condition)]
        assert greeted == Greeted(greeted.at, board.serial, {"address": board.serial, "version": "1.03"})
        assert [item.rows for item in others if isinstance(item, Shown)] == [stands(board)]
        assert len(others) == 1


@pytest.mark.parametrize(
    ("setting", "options"),
    [
        (Setting(size=10), {}),
        (Setting(size=10, corner="white-right"), {"corner": "white-right"}),
        (Setting(size=10, fields="black"), {}),
        (Setting(size=10, fields="black", corner="white-right"), {"corner": "white-right"}),
        (Setting(size=10, pieces="auto"), {"pieces": "draughts before 2011"}),
        (Setting(size=8, senses="colour"), {"pieces": "chess"}),
        (Setting(size=8, dark="right", senses="colour"), {"pieces": "chess"}),
    ],
    ids=lambda value: "" if isinstance(value, Setting) else str(value),
)
def test_each_step_of_a_move_is_shown_in_its_order(setting: Setting, options: dict[str, str]) -> None:
    cable = BusCable()
    board = cable.add("01025", setting, **options)
    cable.add("01026")
    cable.run(3.0)
    squares = SquareMap(setting.size, setting.dark).squares
    front = setting.size // 2 - 2
    man = max(
        square for square in squares if square // setting.size == front and square % setting.size < setting.size - 1
    )
    expected = [stands(board)]
    board.lift(board.square_map.place(man))
    expected.append(stands(board))
    cable.run(1.0)
    board.place(board.square_map.place(man + setting.size + 1), 1)
    expected.append(stands(board))
    cable.run(1.0)
    assert cable.rows(board) == [rows.translate(SAID[setting.senses]) for rows in expected]


def test_what_changed_between_two_visits_is_shown_step_by_step() -> None:
    cable = BusCable(timing=BusTiming(poll=5.0))
    board = cable.add("01025")
    cable.run(6.0)
    board.lift(MAN)
    cable.run(0.5)
    board.place(THERE, 1)
    cable.run(6.0)
    start, without, moved = cable.rows(board)
    assert moved == stands(board)
    assert [mark for mark, was in zip(without, start, strict=True) if mark != was] == ["."]
    lifted, put = [item.was for item in cable.told(board) if isinstance(item, Shown)][-2:]
    assert lifted is not None
    assert put is not None
    assert 6.0 <= lifted < put


def test_a_dump_that_no_change_explains_is_told_when_others_say_the_same_for_a_while() -> None:
    talk, at = _shown_one()
    codes = bytearray(_start_codes())
    codes[61] = 0
    at += 20.0
    dumps = 0
    while not (told := _answered(talk, at, Ask.BOARD, Said(Answer.BOARD, 1, bytes(codes)))):
        dumps += 1
        at += 0.15
    assert 2 <= dumps <= 8
    assert isinstance(told[0], Shown)


def test_one_garbled_dump_with_a_right_checksum_is_not_told() -> None:
    talk, at = _shown_one()
    codes = bytearray(_start_codes())
    codes[61], codes[63] = 0, 0  # the sum of what they were is missing elsewhere
    at += 20.0
    assert _answered(talk, at, Ask.BOARD, Said(Answer.BOARD, 1, bytes(codes))) == []
    for _ in range(20):
        at += 0.15
        if _sent(talk, at) == Ask.BOARD:
            assert _answered(talk, at, None, Said(Answer.BOARD, 1, _start_codes())) == []


def test_after_a_wrong_checksum_the_changes_are_asked_for_again() -> None:
    talk, at = _shown_one()
    at += 0.2
    _until(talk, at, Ask.CHANGES)
    spoiled = bytearray(answer(Said(Answer.CHANGES, 1, bytes((0x40, 61)))))
    spoiled[5] ^= 1
    talk.receive(bytes(spoiled), at + 0.02)
    talk.tick(at + 0.02)
    assert talk.data_to_send() == request(Ask.CHANGES_AGAIN, 1)


def test_a_single_mode_dump_is_no_board_s_answer_though_its_id_is_known() -> None:
    talk, at = _shown_one()
    single = bytes((0x86, 0, 103)) + bytes(100)
    with_sum = bytes((0x86, 0, 106, 0, 1)) + bytes(100)
    with_sum += bytes((sum(with_sum) & 0x7F,))
    for data in (single, with_sum):
        assert [told for _, told in talk.receive(data, at + 1.0) if isinstance(told, Shown)] == []


@pytest.mark.parametrize("order", [0x43, 0x40, 0x45])
def test_a_board_that_falls_into_single_mode_is_brought_back(order: int) -> None:
    cable = BusCable()
    board = cable.add("01025")
    other = cable.add("01026")
    cable.run(3.0)
    for each in (board, other):
        each.receive(bytes((order,)))  # as what is left of a request whose first byte was lost
    board.lift(MAN)
    cable.run(2.0)
    assert (board.mode, other.mode) == ("bus", "bus")
    assert cable.rows(board)[-1] == stands(board)
    assert len(cable.rows(other)) == 1


def test_boards_that_another_program_left_in_single_mode_are_brought_back_first() -> None:
    cable = BusCable()
    board = cable.add("01025")
    board.receive(b"\x43")
    cable.run(0.05)
    assert board.mode == "bus"
    assert cable.sent[0][1][0] == 0x4A


# Shown by changes.


LIFT, PUT = bytes((0x40, 61)), bytes((0x41, 61))


def _without(codes: bytes, *fields: int) -> bytes:
    return bytes(0 if field in fields else code for field, code in enumerate(codes))


def _proven_one() -> tuple[BusTalk, float]:
    """A talk with a board whose changes have led to its dump: field 61 was left and taken again."""
    talk, at = _shown_one()
    at += 0.5
    assert _changes(talk, at, LIFT) == []
    at += 0.1
    assert _answered(talk, at, Ask.BOARD, Said(Answer.BOARD, 1, _without(_start_codes(), 61)))
    at += 0.5
    assert _changes(talk, at, PUT)
    at += 0.5
    assert _answered(talk, at, Ask.BOARD, Said(Answer.BOARD, 1, _start_codes())) == []
    return talk, at


def _changes(talk: BusTalk, at: float, data: bytes) -> list[Told]:
    _until(talk, at, Ask.CHANGES)
    return _answered(talk, at, None, Said(Answer.CHANGES, 1, data))


def test_a_board_is_shown_by_its_changes_once_they_have_led_to_a_dump() -> None:
    talk, at = _shown_one()
    assert _changes(talk, at + 0.5, LIFT) == []  # nothing has proven them yet
    talk, at = _proven_one()
    (shown,) = _changes(talk, at + 0.5, LIFT)
    assert isinstance(shown, Shown)
    assert _answered(talk, at + 1.0, Ask.BOARD, Said(Answer.BOARD, 1, _without(_start_codes(), 61))) == []


def test_a_change_that_is_told_right_behind_a_dump_is_shown() -> None:
    talk, at = _shown_one()
    at += 0.03
    assert _changes(talk, at, LIFT) == []
    (shown,) = _answered(talk, at + 0.12, Ask.BOARD, Said(Answer.BOARD, 1, _without(_start_codes(), 61)))
    assert isinstance(shown, Shown)


def test_changes_that_do_not_lead_to_the_dump_are_put_right_and_prove_nothing_any_more() -> None:
    talk, at = _proven_one()
    (wrong,) = _changes(talk, at + 0.5, LIFT)
    at += 1.0
    codes, told = _without(_start_codes(), 63), []
    while not told:
        told = _answered(talk, at, Ask.BOARD, Said(Answer.BOARD, 1, codes))
        at += 0.15
    (right,) = told
    assert isinstance(wrong, Shown)
    assert isinstance(right, Shown)
    assert [mark != other for mark, other in zip(wrong.rows, right.rows, strict=True)].count(True) == 2
    assert _changes(talk, at + 0.5, bytes((0x40, 65))) == []


def test_on_a_line_where_something_was_spoiled_the_dumps_are_waited_for() -> None:
    talk, at = _proven_one()
    spoiled = bytearray(answer(Said(Answer.CHANGES, 1, LIFT)))
    spoiled[-1] ^= 1
    _until(talk, at + 0.5, Ask.CHANGES)
    talk.receive(bytes(spoiled), at + 0.5)
    assert _sent(talk, at + 0.5) is Ask.CHANGES_AGAIN
    assert _answered(talk, at + 0.6, None, Said(Answer.CHANGES, 1, LIFT)) == []
    (shown,) = _answered(talk, at + 0.8, Ask.BOARD, Said(Answer.BOARD, 1, _without(_start_codes(), 61)))
    assert isinstance(shown, Shown)


def test_a_board_that_was_switched_on_anew_is_not_shown_by_its_changes() -> None:
    talk, at = _proven_one()
    assert _changes(talk, at + 0.5, bytes((0x7F, 0x7F, 0x7F, 0x6A, 0x41, 50))) == []


def test_changes_that_come_twice_are_shown_once() -> None:
    talk, at = _proven_one()
    both = bytes((0x40, 63)) + LIFT + PUT
    assert len(_changes(talk, at + 0.5, both)) == 3
    for _ in range(2):
        assert talk.receive(answer(Said(Answer.CHANGES, 1, both)), at + 0.6) == []


def test_changes_of_one_packet_keep_their_order_and_what_came_soon_lies_close() -> None:
    talk, at = _proven_one()
    _changes(talk, at + 1.0, b"")
    told = _changes(talk, at + 2.0, LIFT + bytes((0x50, 63)) + PUT)
    times = [item.was for item in told if isinstance(item, Shown)]
    first, soon, late = (time for time in times if time is not None)
    assert at + 1.0 < first < soon < late < at + 2.0
    assert soon - first < 0.25 <= late - soon


@pytest.mark.parametrize("levers", [True, False])
def test_a_lever_is_told_only_where_that_is_asked_for_once_the_board_stands_still(levers: bool) -> None:
    cable = BusCable()
    control = read_time_control("300")
    assert control is not None
    board = cable.add("01025", Setting(levers=levers), dgt_clock=DgtClock(control, seed=1))
    cable.run(10.0)
    for side in ("clock-b", "clock-a", "clock-b"):  # the first one only shows which way it lies
        board.press(side)
        cable.run(6.0)
    pressed = [told.side for told in cable.told(board) if isinstance(told, LeverPressed)]
    assert pressed == (["white", "black"] if levers else [])


def test_changes_of_a_board_that_tells_its_black_fields_are_of_all_of_them() -> None:
    cable = BusCable()
    board = cable.add("01025", Setting(fields="black"))
    cable.run(5.0)
    board.lift(MAN)
    cable.run(5.0)
    before = len(cable.requests())
    board.place(MAN, 1)
    while cable.rows(board)[-1] != stands(board):
        cable.run(0.01)
    assert Ask.BLACK_FIELDS not in {ask for _, ask, _ in cable.requests()[before:]}


# Whose board it is.


def test_a_question_whose_answer_came_spoiled_is_asked_again_before_the_next_board_s_turn() -> None:
    talk = BusTalk(0.0)
    talk.join(1, Setting(), 0.0)
    talk.join(2, Setting(), 0.0)
    talk.data_to_send()
    spoiled = bytearray(answer(Said(Answer.CHANGES, 1)))
    spoiled[-1] ^= 1
    asked = []
    answers = [answer(Said(Answer.PING, 1)), answer(Said(Answer.VERSION, 1, bytes((1, 3)))), *[bytes(spoiled)] * 3]
    for number, said in enumerate(answers, 1):
        talk.tick(number / 10)
        asked.append(talk.data_to_send())
        talk.receive(said, number / 10 + 0.02)
    talk.tick(0.6)
    asked.append(talk.data_to_send())
    again = request(Ask.CHANGES_AGAIN, 1)
    assert asked[2:] == [request(Ask.CHANGES, 1), again, again, request(Ask.PING, 2)]


def test_a_board_is_lost_when_both_its_tries_and_the_patience_are_over() -> None:
    for timing in (BusTiming(patience=0.0), BusTiming(tries=1)):
        talk = BusTalk(0.0, timing)
        talk.join(1, Setting(), 0.0)
        at, tries, away = 0.0, 0, []
        while not away:
            away = [told for _, told in talk.tick(at) if isinstance(told, Away)]
            tries += talk.data_to_send()[:1] == bytes((Ask.PING,))
            at = talk.deadline
        assert tries >= timing.tries
        assert timing.patience <= away[0].at < timing.patience + 1.5


def test_the_line_is_free_for_others_only_when_the_answer_to_who_left_cannot_come_any_more() -> None:
    talk = BusTalk(0.0)
    talk.join(1, Setting(), 0.0)
    talk.join(2, Setting(), 0.0)
    talk.data_to_send()
    talk.tick(0.08)
    assert talk.data_to_send() == request(Ask.PING, 1)
    due = talk.deadline
    talk.leave(1)
    talk.tick(due - 0.01)
    assert talk.data_to_send() == b""
    talk.tick(due)
    assert talk.data_to_send() == request(Ask.PING, 2)


def test_a_silent_board_is_lost_for_itself_only_and_comes_back() -> None:
    cable = BusCable()
    boards = [cable.add(f"{1025 + number:05}") for number in range(4)]
    cable.run(5.0)
    silent, *others = boards
    cable.bus.habits(silent).silent = True
    cable.run(5.0)
    (away,) = [told for told in cable.told(silent) if isinstance(told, Away)]
    assert away.reason == "silent"
    for board in others:
        board.lift(MAN)
    cable.run(1.0)
    for board in others:
        assert cable.rows(board)[-1] == stands(board)
        assert not [told for told in cable.told(board) if isinstance(told, Away)]
    cable.bus.habits(silent).silent = False
    silent.lift(MAN)
    cable.run(4.0)
    assert cable.rows(silent)[-1] == stands(silent)
    assert len([told for told in cable.told(silent) if isinstance(told, Away)]) == 1


def test_a_board_that_was_never_there_is_told_as_away_and_the_others_hardly_wait() -> None:
    cable = BusCable()
    board, missing = cable.add("01025"), cable.add("01026")
    missing.unplug()
    cable.run(5.0)
    assert [told.reason for told in cable.told(missing) if isinstance(told, Away)] == ["silent"]
    before = len(cable.requests())
    cable.run(10.0)
    asked = Counter(address for _, _, address in cable.requests()[before:])
    assert asked[missing.bus_address] <= 6
    assert asked[board.bus_address] > 60


def test_many_boards_that_are_switched_off_hardly_delay_the_one_that_is_not() -> None:
    cable = BusCable()
    board = cable.add("00001")
    for number in range(2, 31):
        cable.add(f"{number:05}").unplug()
    cable.run(30.0)
    before = len(cable.requests())
    cable.run(10.0)
    asked = Counter(address == board.bus_address for _, _, address in cable.requests()[before:])
    assert asked[True] > 60
    assert asked[False] > 15


def test_a_board_that_never_is_still_leaves_the_others_their_turns() -> None:
    cable = BusCable()
    restless, board = cable.add("01025"), cable.add("01026")
    cable.run(3.0)
    for times in range(60):
        restless.lift(MAN) if times % 2 == 0 else restless.place(MAN, 1)
        if times == 30:
            board.lift(MAN)
        cable.run(0.05)
    assert cable.rows(board)[-1] == stands(board)
    cable.run(1.0)
    assert cable.rows(restless)[-1] == stands(restless)


def test_a_line_on_which_nothing_is_heard_is_opened_anew() -> None:
    cable = BusCable()
    boards = [cable.add(f"{1025 + number:05}") for number in range(2)]
    cable.run(5.0)
    for board in boards:
        board.unplug()
    heard = cable.run(40.0)
    assert [(address, told.why) for address, told in heard if isinstance(told, Hopeless)] == [(None, "silent")]


def test_a_board_that_leaves_is_asked_no_more_and_its_answer_is_nobody_s() -> None:
    cable = BusCable()
    leaving, board = cable.add("01025"), cable.add("01026")
    cable.run(3.0)
    while cable.requests()[-1][2] != leaving.bus_address:
        cable.run(0.005)
    cable.talk.leave(leaving.bus_address)
    before = len(cable.heard), len(cable.requests())
    board.lift(MAN)
    cable.run(2.0)
    assert {address for address, _ in cable.heard[before[0] :]} == {board.bus_address}
    assert {address for _, _, address in cable.requests()[before[1] :]} == {board.bus_address}
    assert cable.rows(board)[-1] == stands(board)


def test_two_tables_cannot_have_the_same_board() -> None:
    talk = BusTalk(0.0)
    talk.join(1025, Setting(), 0.0)
    with pytest.raises(ValueError, match="01025"):
        talk.join(1025, Setting(), 0.0)


def test_a_board_of_another_size_is_refused() -> None:
    cable = BusCable()
    board = cable.bus.add(8, serial="01025", pieces="chess")
    set_out(board)
    cable.talk.join(1025, Setting(size=10), 0.0)
    cable.run(3.0)
    refused = next(told for address, told in cable.heard if isinstance(told, Hopeless))
    assert (refused.why, refused.facts) == ("wrong_fields", {"found": 64, "expected": 100})


def test_one_dump_of_another_size_is_asked_for_again() -> None:
    talk, at = _shown_one()
    at += 20.0
    assert _answered(talk, at, Ask.BOARD, Said(Answer.BOARD, 1, bytes(64))) == []
    assert _answered(talk, at + 0.2, Ask.BOARD, Said(Answer.BOARD, 1, _start_codes())) == []
    for _ in range(4):
        at += 20.0
        assert _answered(talk, at, Ask.BOARD, Said(Answer.BOARD, 1, bytes(64))) == []
        assert _answered(talk, at + 0.2, Ask.BOARD, Said(Answer.BOARD, 1, _start_codes())) == []


# Clocks.


def test_each_board_s_clock_is_read_and_only_its_own() -> None:
    cable = BusCable()
    control = read_time_control("300")
    assert control is not None
    clocks = [DgtClock(control, seed=1), None, DgtClock(control, white="right", seed=2)]
    left: list[Setting] = [Setting(), Setting(), Setting(clock_left="black")]
    boards = [
        cable.add(f"{1025 + n:05}", setting, dgt_clock=clock)
        for n, (clock, setting) in enumerate(zip(clocks, left, strict=True))
    ]
    cable.run(5.0)
    boards[0].press("clock-b")
    boards[2].press("clock-a")
    cable.run(20.0)
    first, none, third = ([told for told in cable.told(board) if isinstance(told, ClockShown)] for board in boards)
    assert none == []
    assert (first[-1].running, third[-1].running) == ("white", "black")
    assert 278.0 <= first[-1].white <= 282.0
    assert first[-1].black == 300.0
    assert (third[-1].white, third[-1].running) == (300.0, "black")
    at = [told.at for told in first if told.running]
    assert max(late - early for early, late in pairwise(at)) < 1.5
    health = {board.serial: told.facts for board in boards for told in cable.told(board) if isinstance(told, Condition)}
    assert [health[board.serial]["clock"] for board in boards] == ["connected", "none", "connected"]


# What was played while nobody heard.


def test_what_was_played_while_the_line_was_broken_is_told_whole() -> None:
    cable = BusCable()
    board = cable.add("01025")
    cable.run(5.0)
    known = Shown(4.0, cable.rows(board)[-1])
    expected = []
    cable.talk = BusTalk(1000.0)  # the host hears nothing meanwhile
    for act in (lambda: board.lift(MAN), lambda: board.place(THERE, 1), lambda: board.lift(38)):
        act()
        expected.append(stands(board))
        cable.run(1.0)
    cable.talk = BusTalk(cable.clock.now())
    cable.talk.join(board.bus_address, Setting(), cable.clock.now(), known)
    heard = cable.run(3.0)
    (missed,) = [told for _, told in heard if isinstance(told, Shown | Missed)]
    assert isinstance(missed, Missed)
    assert [shown.rows for shown in missed.shown][: len(expected)] == expected
    assert missed.shown[-1].rows == stands(board)
    times = [known.at, *(shown.at if shown.was is None else shown.was for shown in missed.shown)]
    assert times == sorted(times)


def test_what_cannot_be_known_of_a_gap_is_not_made_up() -> None:
    cable = BusCable()
    board = cable.add("01025", join=False)
    cable.run(3.0)
    elsewhere = stands(board).replace("w", ".", 3)
    cable.talk.join(board.bus_address, Setting(), cable.clock.now(), Shown(1.0, elsewhere))
    heard = cable.run(3.0)
    (shown,) = [told for _, told in heard if isinstance(told, Shown | Missed)]
    assert shown == Shown(shown.at, stands(board))


def test_a_gap_of_which_the_board_has_told_nothing_is_no_gap_in_which_nothing_happened() -> None:
    known = _shown_rows(_shown_one()[0])
    talk = BusTalk(10.0)
    talk.join(1, Setting(clock=False), 10.0, Shown(5.0, known))
    at, told = 10.0, []
    while not told and at < 30.0:
        at = max(talk.deadline, at)
        talk.tick(at)
        sent = talk.data_to_send()
        if sent[:1] == bytes((Ask.PING,)):
            talk.receive(answer(Said(Answer.PING, 1)), at)
        elif sent[:1] == bytes((Ask.BOARD,)):
            heard = talk.receive(answer(Said(Answer.BOARD, 1, _start_codes())), at)
            told = [item for _, item in heard if isinstance(item, Shown | Missed)]
    assert told == [Shown(at, known)]


def test_where_men_of_both_sides_look_the_same_a_gap_is_not_filled() -> None:
    cable = BusCable()
    board = cable.add("01025", Setting(senses="occupancy"))
    cable.run(5.0)
    known = Shown(4.0, cable.rows(board)[-1])
    cable.talk = BusTalk(1000.0)
    board.lift(MAN)
    board.place(THERE, 1)
    cable.run(1.0)
    cable.talk = BusTalk(cable.clock.now())
    cable.talk.join(board.bus_address, Setting(senses="occupancy"), cable.clock.now(), known)
    (shown,) = [told for _, told in cable.run(3.0) if isinstance(told, Shown | Missed)]
    assert isinstance(shown, Shown)


def test_which_codes_the_pieces_have_is_known_over_a_broken_line() -> None:
    found = Found()
    cable = BusCable()
    board = cable.bus.add(10, serial="01025", pieces="draughts before 2011")
    set_out(board)
    cable.talk.join(1025, Setting(), 0.0, found=found)
    cable.run(3.0)
    for place in [place for place, level in enumerate(board.pieces, 1) if level == 2][1:]:
        board.lift(place)  # one black man is left, which looks like a white king of today
    cable.run(3.0)
    cable.talk = BusTalk(cable.clock.now())
    cable.talk.join(1025, Setting(), cable.clock.now(), found=found)
    cable.run(3.0)
    assert cable.rows(board)[-1] == stands(board)


# Bad lines.


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 16))])
def test_on_a_bad_line_nothing_is_shown_that_did_not_stand_and_in_the_end_all_is_right(seed: int) -> None:
    random = Random(seed)
    cable = BusCable(bundle=random.choice((0.002, 0.016)), seed=seed, watches=True)
    settings = [Setting(), Setting(fields="black"), Setting(), Setting()]
    boards = [
        cable.add(
            f"{number:05}",
            setting,
            seed=seed,
            pair=random.random() < 0.5,
            habits=Habits(lost=0.1, spoiled=0.15, late=0.05, late_by=random.uniform(0.08, 0.5)),
        )
        for number, setting in zip(random.sample(range(1, 16384), 4), settings, strict=True)
    ]
    cable.run(4.0)
    for _ in range(40):
        board = random.choice(boards)
        place = random.choice([place for place, level in enumerate(board.pieces, 1) if level])
        level = board.pieces[place - 1]
        board.lift(place)
        cable.run(random.uniform(0.05, 0.6))
        empty = [square for square in PLAYABLE if not board.pieces[square - 1]]
        board.place(random.choice(empty), level)
        cable.run(random.uniform(0.05, 0.6))
    for board in boards:
        habits = cable.bus.habits(board)
        habits.lost = habits.spoiled = habits.late = 0.0
    cable.run(15.0)
    for board in boards:
        assert cable.rows(board)[-1] == stands(board)
        assert set(cable.rows(board)) <= cable.stood[board.bus_address]


def test_late_answers_are_counted_and_told_once_in_a_while() -> None:
    cable = BusCable()
    boards = [cable.add(f"{1025 + n:05}", habits=Habits(late=0.2, late_by=0.15)) for n in range(3)]
    cable.run(60.0)
    for board in boards:
        told = [item for item in cable.told(board) if isinstance(item, Condition)]
        assert int(told[-1].facts["late_answers"]) > 5
        assert len(told) <= 12
        assert cable.rows(board) == [stands(board)]


# Who is there.


@pytest.mark.parametrize("seed", range(5))
def test_a_search_finds_all_boards_though_their_answers_meet(seed: int) -> None:
    clock = VirtualClock()
    bus = DgtBus(clock, bundle=0.016, seed=seed)
    serials = {int(bus.add(10, serial=f"{number:05}").serial) for number in Random(seed).sample(range(1, 16384), 24)}
    search = BusSearch(0.0)
    while not search.over:
        at = clock.now()
        search.receive(bus.data_to_send(), at)
        search.tick(at)
        if out := search.data_to_send():
            bus.receive(out)
            continue
        clock.set(max(min(bus.deadline, search.deadline), at))
        bus.advance()
    assert search.found == serials
    assert bus.wire.collisions
    assert clock.now() < 30.0


# The kit.


class _OneOfALine(Talk):
    """A line with one board, as the talk with it."""

    def __init__(self, at: float, known: Shown | None) -> None:
        self._talk = BusTalk(at)
        self._talk.join(1025, Setting(corner="white-right"), at, known)

    @property
    def deadline(self) -> float:
        return self._talk.deadline

    def receive(self, data: bytes, at: float) -> Sequence[Told]:
        return [told for _, told in self._talk.receive(data, at)]

    def tick(self, at: float) -> Sequence[Told]:
        return [told for _, told in self._talk.tick(at)]

    def data_to_send(self) -> bytes:
        return self._talk.data_to_send()


class TestBusTalk(TalkContract):
    @pytest.fixture
    def line(self) -> Line:
        clock = VirtualClock()
        bus = DgtBus(clock)
        board = bus.add(10, serial="01025", corner="white-right")
        set_out(board)
        return Line(
            clock,
            bus,
            _OneOfALine,
            change=lambda: board.lift(2) if board.pieces[1] else board.place(2),
            rows=lambda: stands(board),
        )


def _start_codes() -> bytes:
    clock = VirtualClock()
    board = DgtBus(clock).add(10, serial="00001")
    set_out(board)
    clock.set(1.0)
    board.advance()
    return board.dump("all")


def _shown_one() -> tuple[BusTalk, float]:
    """A talk that has shown one board, with nothing on the line."""
    talk = BusTalk(0.0)
    talk.join(1, Setting(clock=False), 0.0)
    talk.tick(0.08)
    talk.data_to_send()
    at = 0.0
    said = {
        Ask.PING: Said(Answer.PING, 1),
        Ask.VERSION: Said(Answer.VERSION, 1, bytes((1, 3))),
        Ask.CHANGES: Said(Answer.CHANGES, 1),
        Ask.BOARD: Said(Answer.BOARD, 1, _start_codes()),
    }
    asked = Ask.PING
    for _ in range(40):
        at += 0.12
        if any(isinstance(item, Shown) for _, item in talk.receive(answer(said[asked]), at)):
            return talk, at
        talk.tick(at)
        asked = Ask(talk.data_to_send()[0])
    raise AssertionError("it was never shown")


def _sent(talk: BusTalk, at: float) -> Ask | None:
    """What it asks now; changes are answered with none."""
    talk.tick(at)
    sent = talk.data_to_send()
    if sent[:1] == bytes((Ask.CHANGES,)):
        talk.receive(answer(Said(Answer.CHANGES, 1)), at)
        return _sent(talk, at)
    return Ask(sent[0]) if sent else None


def _shown_rows(talk: BusTalk) -> str:
    (board,) = talk._boards.values()
    assert board.known is not None
    return board.known.rows


def _until(talk: BusTalk, at: float, ask: Ask) -> None:
    """Let it ask until it asks that, answering what else it asks."""
    for _ in range(10):
        if ask is Ask.CHANGES:
            talk.tick(at)
            if talk.data_to_send()[:1] == bytes((ask,)):
                return
        elif _sent(talk, at) is ask:
            return
    raise AssertionError(f"never asked {ask.name}")


def _answered(talk: BusTalk, at: float, ask: Ask | None, said: Said) -> list[Told]:
    if ask is not None:
        _until(talk, at, ask)
    return [told for _, told in talk.receive(answer(said), at)]
