"""Tables of time | what comes in | what is told | what is sent, and the board in software with trouble on the line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import pytest

from damas_board.decoding.dgt.conversation import MOST_CHANGES, NONSENSE, REMARKS, DgtTalk, Timing
from damas_board.decoding.dgt.frames import NEVER, WRITES_MEMORY, Command, Frame, Message, encode
from damas_board.decoding.dgt.reading import BoardReading, Found, Setting, WhichFields
from damas_board.decoding.talk import (
    Away,
    ClockShown,
    Condition,
    Greeted,
    Hopeless,
    LeverPressed,
    Missed,
    Remark,
    Shown,
    Told,
)
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.talk_cable import TalkCable

QUIET = b""
RESET, DUMP, UPDATES, SERIAL, LOG, BATTERY, VERSION, BLACK, WHITE, LONG, CLOCK = (
    bytes((order,)) for order in (0x40, 0x42, 0x4B, 0x45, 0x49, 0x4C, 0x4D, 0x50, 0x52, 0x55, 0x41)
)
FULL = (
    ".b.b.b.b.b/b.b.b.b.b./.b.b.b.b.b/b.b.b.b.b./"
    + "........../........../"
    + ".w.w.w.w.w/w.w.w.w.w./.w.w.w.w.w/w.w.w.w.w."
)
CODES = {".": 0, "w": 1, "b": 4, "W": 7, "B": 10, "?": 15}
NO_CLOCK = Setting(clock=False)

Row = tuple[float, bytes, list[Told], bytes]


def says(id_: int, *payload: int) -> bytes:
    return encode(Frame(id_, bytes(payload)))


def dump(rows: str, id_: int = 0x86) -> bytes:
    return says(id_, *(CODES[mark] for mark in rows if mark != "/"))


def changes(*fields: tuple[int, int]) -> bytes:
    return b"".join(says(0x8E, field, code) for field, code in fields)


def serial(text: str = "01025") -> bytes:
    return says(0x91, *text.encode())


def after(rows: str, *fields: tuple[int, str]) -> str:
    """`rows` with other marks on some fields, as the board counts them."""
    marks = list(rows.replace("/", ""))
    for field, mark in fields:
        marks[field] = mark
    return "/".join("".join(marks[start : start + 10]) for start in range(0, 100, 10))


VERSION_SAID = says(0x93, 1, 3)
START: list[Row] = [
    (0.0, QUIET, [], RESET),
    (0.3, QUIET, [], UPDATES + VERSION),
    (0.35, VERSION_SAID, [], SERIAL),
    (0.4, serial(), [], SERIAL),
    (0.45, serial(), [Greeted(0.45, "01025", {"version": "1.03"})], DUMP),
    (0.6, dump(FULL), [], DUMP),
    (1.0, dump(FULL), [], DUMP),
    (1.5, dump(FULL), [Shown(1.5, FULL)], LONG),
    (1.6, says(0xA2, *b"0000001025"), [], BATTERY),
]
"""The order of a beginning; the last told is left out, see `BEGUN`."""
LONG_SAID = Greeted(1.6, "01025", {"version": "1.03", "long_serial_number": "0000001025"})
BEGUN: list[Row] = [*START[:-1], (*START[-1][:2], [LONG_SAID], START[-1][3])]
WITHOUT_BATTERY: list[Row] = [*BEGUN, (2.7, QUIET, [], DUMP), (2.75, dump(FULL), [], b"")]


def talk_through(
    rows: Sequence[Row], setting: Setting = NO_CLOCK, known: Shown | None = None, found: Found | None = None
) -> DgtTalk:
    """Nothing is sent or told but what stands in the rows; between them it is only looked whether something is due."""
    talk = DgtTalk(0.0, setting, known, found=found)
    for at, data, told, sent in rows:
        heard = [*talk.receive(data, at), *talk.tick(at)]
        assert (at, [item for item in heard if not isinstance(item, Condition)]) == (at, told)
        assert (at, talk.data_to_send()) == (at, sent)
        assert talk.deadline > at
    return talk


def test_a_beginning() -> None:
    talk_through(BEGUN)


def test_what_comes_at_first_is_passed_over() -> None:
    talk_through([(0.0, QUIET, [], RESET), (0.1, dump(FULL)[40:] + serial("99999") * 2, [], b""), *START[1:4]])


def test_who_does_not_answer_is_greeted_again_every_two_seconds_and_given_up() -> None:
    talk = talk_through(
        [
            (0.0, QUIET, [], RESET),
            (0.3, QUIET, [], UPDATES + VERSION),
            (2.3, QUIET, [], UPDATES + SERIAL),
            (4.3, QUIET, [], UPDATES + DUMP),
            (6.3, QUIET, [], UPDATES + VERSION),
            (8.3, QUIET, [Hopeless(8.3, "no_dgt_board", {"seconds": 8.0})], b""),
            (99.0, VERSION_SAID, [], b""),
        ]
    )
    assert talk.deadline == float("inf")


def test_a_board_that_still_sends_its_log_to_whoever_asked_before_has_time_for_it() -> None:
    talk = DgtTalk(0.0, NO_CLOCK)
    told: list[Told] = []
    for tenth in range(1, 90):
        told += [*talk.receive(b"\x40\x01" * 48, tenth / 10), *talk.tick(tenth / 10)]
    assert not told
    talk.data_to_send()
    assert not [*talk.receive(VERSION_SAID, 9.1), *talk.tick(9.1)]
    assert talk.data_to_send() == SERIAL


def test_other_devices_that_talk_on_and_on_are_given_up() -> None:
    talk = DgtTalk(0.0, NO_CLOCK)
    told: list[Told] = []
    for tenth in range(1, 160):
        told += [*talk.receive(b"$GPGGA,123519,4807.038,N,01131.0\r\n", tenth / 10), *talk.tick(tenth / 10)]
    assert [item.why for item in told if isinstance(item, Hopeless)] == ["no_dgt_board"]


def test_a_flood_of_nonsense_is_no_board() -> None:
    talk, random = DgtTalk(0.0, NO_CLOCK), Random(1)
    told: list[Told] = []
    for millisecond in range(1, 100):
        told += [*talk.receive(random.randbytes(4096), millisecond / 1000), *talk.tick(millisecond / 1000)]
    assert [type(item) for item in told] == [Hopeless]
    assert isinstance(told[0], Hopeless)
    assert told[0].why == "not_dgt"
    assert NONSENSE < int(told[0].facts["bytes"]) < NONSENSE + 5000


def test_a_serial_number_is_believed_when_it_was_heard_twice() -> None:
    talk_through(
        [
            *START[:3],
            (0.4, serial("01026"), [], SERIAL),
            (0.5, serial(), [], SERIAL),
            (0.6, serial(), [Greeted(0.6, "01025", {"version": "1.03"})], DUMP),
        ]
    )


def test_a_board_without_a_serial_number_is_shown_all_the_same_and_asked_for_it_seldom() -> None:
    talk = talk_through(
        [
            *START[:3],
            (1.4, QUIET, [], SERIAL),
            (2.4, QUIET, [Greeted(2.4, None, {"version": "1.03"})], DUMP),
            (2.6, dump(FULL), [], DUMP),
            (3.2, dump(FULL), [Shown(3.2, FULL)], LONG),
        ]
    )
    sent = b""
    for tenth in range(33, 700):
        heard_all(talk, tenth / 10, dump(FULL) if tenth % 10 == 0 else QUIET)
        sent += talk.data_to_send()
    assert sent.count(SERIAL) == 1


def test_another_board_behind_the_same_port_is_noticed_by_its_number() -> None:
    talk = talk_through(WITHOUT_BATTERY)
    told: list[Told] = []
    asked = []
    for tenth in range(28, 120):
        sent = talk.data_to_send()
        asked += [tenth / 10] if SERIAL in sent else []
        data = serial("77777") if SERIAL in sent else dump(FULL) if DUMP in sent else QUIET
        told += [*talk.receive(data, tenth / 10), *talk.tick(tenth / 10)]
    assert len(asked) == 2
    assert told == [Greeted(asked[1], "77777", {"version": "1.03", "long_serial_number": "0000001025"})]


def test_a_change_is_a_wake_up_and_the_dump_is_told_as_of_then() -> None:
    lifted = after(FULL, (61, "."))
    talk_through(
        [
            *WITHOUT_BATTERY,
            (3.0, changes((61, 0)), [], DUMP),
            (3.2, dump(lifted), [Shown(3.2, lifted, 3.0)], b""),
        ]
    )


def test_a_burst_of_changes_is_one_dump_and_told_in_order() -> None:
    """As 32x23 or the like: the new field first, the captured square last."""
    boards = [after(FULL, (52, "w")), after(FULL, (52, "w"), (61, ".")), after(FULL, (52, "w"), (61, "."), (34, "."))]
    talk_through(
        [
            *WITHOUT_BATTERY,
            (3.0, changes((52, 1), (61, 0)), [], DUMP),
            (3.05, changes((34, 0)), [], b""),
            (
                3.2,
                dump(boards[2]),
                [Shown(3.2, board, at) for board, at in zip(boards, (3.0, 3.0, 3.05), strict=True)],
                b"",
            ),
        ]
    )


def test_a_change_that_comes_behind_its_dump_was_asked_is_asked_for_again() -> None:
    lifted, moved = after(FULL, (61, ".")), after(FULL, (61, "."), (52, "w"))
    talk_through(
        [
            *WITHOUT_BATTERY,
            (3.0, changes((61, 0)), [], DUMP),
            (3.1, changes((52, 1)), [], b""),
            (3.2, dump(lifted), [], DUMP),
            (3.4, dump(moved), [Shown(3.4, lifted, 3.0), Shown(3.4, moved, 3.1)], b""),
        ]
    )


@pytest.mark.parametrize("garbled", ["a changed byte", "a lost byte", "one byte too many", "a byte with its top bit"])
def test_a_garbled_dump_is_asked_for_again_and_never_told(garbled: str) -> None:
    lifted = after(FULL, (61, "."))
    good = dump(lifted)
    bad = {
        "a changed byte": good[:40] + b"\x01" + good[41:],
        "a lost byte": good[:40] + good[41:],
        "one byte too many": good[:40] + b"\x00" + good[40:],
        "a byte with its top bit": good[:40] + b"\x84" + good[41:],
    }[garbled]
    rows: list[Row] = [*WITHOUT_BATTERY, (3.0, changes((61, 0)), [], DUMP)]
    if garbled in ("a changed byte", "one byte too many"):
        rows.append((3.2, bad, [], UPDATES + DUMP if garbled == "one byte too many" else DUMP))
    elif garbled == "a lost byte":
        rows += [(3.2, bad, [], b""), (4.2, QUIET, [], UPDATES + DUMP)]
    else:
        rows += [(3.2, bad, [], UPDATES), (4.2, QUIET, [], UPDATES + DUMP)]
    talk_through([*rows, (4.4, good, [Shown(4.4, lifted, 3.0)], b"")])


def test_a_dump_with_what_is_no_code_is_asked_for_again() -> None:
    lifted = after(FULL, (61, "."))
    bad = bytearray(dump(lifted))
    bad[40] = 0x44
    talk = talk_through([*WITHOUT_BATTERY, (3.0, changes((61, 0)), [], DUMP)])
    assert [type(item) for item in talk.receive(bytes(bad), 3.2)] == [Remark]
    talk.tick(3.2)
    assert talk.data_to_send() == UPDATES + DUMP


def test_what_was_not_told_has_to_last_and_changes_are_asked_for_again() -> None:
    lifted = after(FULL, (61, "."))
    talk_through(
        [
            *WITHOUT_BATTERY,
            (3.8, QUIET, [], DUMP),
            (3.9, dump(lifted), [], DUMP),
            (4.1, dump(lifted), [], DUMP),
            (4.4, dump(lifted), [Shown(4.4, lifted)], UPDATES),
            (4.6, QUIET, [], b""),
            (4.7, QUIET, [], DUMP),
        ]
    )


def test_what_nobody_told_for_long_is_a_hole() -> None:
    lifted = after(FULL, (61, "."), (52, "w"))
    talk = talk_through([*WITHOUT_BATTERY, (3.8, QUIET, [], DUMP)])
    told: list[Told] = []
    for tenth in range(39, 80):
        data = dump(after(lifted, (tenth, "?"))) if tenth < 65 else dump(lifted)
        told += [*talk.receive(data, tenth / 10), *talk.tick(tenth / 10)]
    assert [item for item in told if isinstance(item, Away | Shown)] == [Away(6.7, "events_lost"), Shown(6.7, lifted)]


@pytest.mark.parametrize("lost", [changes((61, 0))[:-1], changes((61, 0))[:2], b"\x05\x3d\x00"])
def test_a_message_that_did_not_come_whole_is_a_wake_up(lost: bytes) -> None:
    """What dumps say then is believed sooner, and a board that began anew is asked for changes again."""
    lifted = after(FULL, (61, "."))
    begun, found = lost[0] >= 0x80, Found()
    rows: list[Row] = [(3.0, lost, [], b"" if begun else UPDATES + DUMP)]
    if begun:
        rows.append((3.2, QUIET, [], UPDATES + DUMP))
    shown = [Shown(3.7, lifted)]
    talk_through(
        [*WITHOUT_BATTERY, *rows, (3.4, dump(lifted), [], DUMP), (3.7, dump(lifted), shown, UPDATES)], found=found
    )
    assert 3.0 <= found.noise_at < 3.5


def test_a_board_that_contradicts_itself_for_long_is_away_until_it_does_not() -> None:
    talk = talk_through(WITHOUT_BATTERY)
    told: list[Told] = []
    for tenth in range(28, 200):
        board = after(FULL, (tenth % 100, "?")) if tenth < 150 else FULL
        told += [*talk.receive(dump(board), tenth / 10), *talk.tick(tenth / 10)]
    assert [item for item in told if isinstance(item, Away | Shown)] == [Away(12.8, "contradictory"), Shown(15.0, FULL)]


def test_silence_ends_the_talk() -> None:
    talk_through(
        [
            *WITHOUT_BATTERY,
            (3.8, QUIET, [], DUMP),
            (4.8, QUIET, [], UPDATES + DUMP),
            (5.8, QUIET, [], UPDATES + SERIAL),
            (6.75, QUIET, [Hopeless(6.75, "silent", {"seconds": 4.0})], b""),
        ]
    )


def test_a_board_that_answers_and_never_says_the_same_is_given_up() -> None:
    talk = talk_through(START[:5])
    told: list[Told] = []
    for tenth in range(5, 110):
        told += [*talk.receive(dump(after(FULL, (tenth % 100, "?"))), tenth / 10), *talk.tick(tenth / 10)]
    assert told == [Hopeless(10.5, "no_snapshot", {"seconds": 10.0})]


def test_a_board_that_has_no_such_dump_is_asked_for_the_others_and_whether_it_is_there() -> None:
    talk_through(
        [
            *START[:5],
            (1.45, QUIET, [], UPDATES + DUMP),
            (2.45, QUIET, [], UPDATES + SERIAL),
            (2.5, serial(), [], BLACK),
            (3.5, QUIET, [], UPDATES + WHITE),
            (4.5, QUIET, [], UPDATES + BLACK),
            (5.5, QUIET, [], UPDATES + SERIAL),
            (5.6, serial(), [], WHITE),
        ]
    )
    noise = dump(FULL)[:50]
    talk_through(
        [*START[:5], (1.0, noise, [], b""), (2.0, QUIET, [], UPDATES + DUMP), (3.0, QUIET, [], UPDATES + DUMP)]
    )


@pytest.mark.parametrize(("size", "fields", "expected"), [(10, 64, 100), (8, 100, 64)])
def test_a_board_of_another_size_is_none_for_this_table(size: int, fields: int, expected: int) -> None:
    talk = talk_through(START[:5], Setting(size, clock=False))
    told = [
        *talk.receive(says(0x86, *[0] * fields), 0.6),
        *talk.tick(0.6),
        *talk.receive(says(0x86, *[0] * fields), 0.8),
    ]
    assert told == [Hopeless(0.8, "wrong_fields", {"found": fields, "expected": expected})]


def test_nonsense_counts_since_the_last_message_only() -> None:
    talk = talk_through(WITHOUT_BATTERY)
    for tenth in range(30, 60):
        told = [*talk.receive(b"\x01" * 1000 + VERSION_SAID, tenth / 10), *talk.tick(tenth / 10)]
        assert not [item for item in told if not isinstance(item, Condition)]


def test_a_change_does_not_wait_for_what_is_less_urgent() -> None:
    talk_through([*BEGUN, (1.7, changes((61, 0)), [], DUMP)])


def test_a_dump_that_does_not_come_is_asked_for_again_though_changes_do() -> None:
    talk_through(
        [
            *WITHOUT_BATTERY,
            (3.0, changes((61, 0)), [], DUMP),
            (3.6, changes((52, 1)), [], b""),
            (4.0, changes((63, 0)), [], UPDATES + DUMP),
        ]
    )


def test_a_message_of_a_change_that_is_garbled_is_a_wake_up_all_the_same() -> None:
    talk = talk_through(WITHOUT_BATTERY)
    assert [type(item) for item in talk.receive(says(0x8E, 101, 0), 3.0)] == [Remark]
    talk.tick(3.0)
    assert talk.data_to_send() == UPDATES + DUMP


def test_oddities_are_told_for_the_log_so_many_times_only() -> None:
    talk = talk_through(WITHOUT_BATTERY)
    told = [item for _ in range(REMARKS + 5) for item in talk.receive(says(0x8E, 101, 0), 3.0)]
    assert [type(item) for item in told] == [Remark] * REMARKS


def test_a_board_that_tells_changes_again_is_looked_at_less_often_again() -> None:
    lifted, moved = after(FULL, (61, ".")), after(FULL, (61, "."), (52, "w"))
    talk = talk_through(
        [
            *WITHOUT_BATTERY,
            (3.8, QUIET, [], DUMP),
            (3.9, dump(lifted), [], DUMP),
            (4.4, dump(lifted), [Shown(4.4, lifted)], UPDATES),
            (4.7, QUIET, [], DUMP),
            (4.8, changes((52, 1)), [], b""),
            (4.9, dump(moved), [Shown(4.9, moved, 4.8)], b""),
            (5.2, QUIET, [], b""),
        ]
    )
    assert talk.deadline == pytest.approx(5.9)


def test_a_board_that_says_other_things_and_no_dump_is_given_up() -> None:
    talk = talk_through([*WITHOUT_BATTERY, (3.8, QUIET, [], DUMP)])
    told: list[Told] = []
    for tenth in range(39, 130):
        told += [*talk.receive(clock_says(10, 20) if tenth % 10 == 0 else QUIET, tenth / 10), *talk.tick(tenth / 10)]
    assert told == [Hopeless(12.8, "no_snapshot", {"seconds": 10.0})]


def battery(talk: DgtTalk, *payload: int) -> list[Told]:
    return [item for item in talk.receive(says(0xA0, *payload), 2.0) if isinstance(item, Condition)]


def test_the_battery_is_told_and_asked_for_again() -> None:
    talk = talk_through(BEGUN)
    (told,) = battery(talk, 70, 5, 30, 1, 0, 0, 0, 0, 2)
    assert told == Condition(2.0, {"nonsense_bytes": 0, "battery_percent": 70, "battery_minutes": 330, "charging": 0})
    asked = talk.data_to_send()
    for second in range(3, 70):
        talk.receive(dump(FULL) + serial(), float(second))
        talk.tick(float(second))
        asked += talk.data_to_send()
    assert asked.count(BATTERY) == 1


# The clock


def clock_says(left: int, right: int, status: int = 1) -> bytes:
    """Minutes of each; by default it runs, the lever high on the left: the right one has pressed."""
    return says(0x8D, 0, right // 10 << 4 | right % 10, 0, 0, left // 10 << 4 | left % 10, 0, status)


def live(setting: Setting) -> DgtTalk:
    return talk_through([*BEGUN[:-2], (1.5, dump(FULL), [Shown(1.5, FULL)], LONG)], setting)


def heard(talk: DgtTalk, at: float, data: bytes) -> list[Told]:
    told = [*talk.receive(data, at), *talk.tick(at)]
    return [item for item in told if isinstance(item, ClockShown | LeverPressed)]


def test_the_clock_is_told_by_who_sits_at_its_sides_and_its_levers_only_where_that_is_set() -> None:
    for setting, left in ((Setting(clock_left="black"), "black"), (Setting(), "white"), (Setting(clock=False), None)):
        talk = live(setting)
        assert not heard(talk, 2.0, clock_says(10, 20))
        told = heard(talk, 3.0, clock_says(10, 20))
        white, black = (10, 20) if left == "white" else (20, 10)
        assert told == ([ClockShown(3.0, white * 60, black * 60, left)] if left else [])  # type: ignore[arg-type]
    pressed = {}
    for levers in (False, True):
        talk = live(Setting(levers=levers))
        heard(talk, 2.0, clock_says(10, 20))
        heard(talk, 2.5, clock_says(10, 20))
        assert not any(isinstance(item, LeverPressed) for item in heard(talk, 3.0, clock_says(10, 20, 3)))
        pressed[levers] = [item for item in talk.tick(4.5) if isinstance(item, LeverPressed)]
    assert pressed == {False: [], True: [LeverPressed(4.5, "white")]}


def test_a_clock_that_says_nothing_any_more_is_asked_and_one_that_is_unplugged_stops_nothing() -> None:
    clock = VirtualClock()
    board, sent = DgtBoard(10, clock), bytearray()
    cable = TalkCable(Recorded(board, sent), clock, lambda at, known: DgtTalk(at, Setting(), known))
    cable.run(100.0)
    assert 4 <= sent.count(CLOCK[0]) <= 12
    assert not [item for item in cable.told if isinstance(item, ClockShown | Away | Hopeless)]
    conditions = [item.facts for item in cable.told if isinstance(item, Condition)]
    assert conditions[-1]["clock"] == "none"


# The board's own log


KNOWN = Shown(-20.0, FULL)
MOVED = after(FULL, (61, "."), (52, "w"))
REMEMBERED: list[Row] = [
    *START[:5],
    (0.6, dump(MOVED), [], DUMP),
    (1.5, dump(MOVED), [Away(1.5, "log_asked")], LOG),
]


def log_says(*entries: int, length: int = 0x1F00) -> bytes:
    """What lies in the log's ring: nothing, then these."""
    return says(0x8F, *[0x7F] * (length - len(entries) - 1), *entries, 0x6B)


PLAYED = (0x40, 61, 0x41, 52)


def test_what_happened_meanwhile_is_told_from_the_board_s_own_log() -> None:
    talk = talk_through(REMEMBERED, known=KNOWN)
    whole = log_says(*PLAYED)
    for index in range(0, len(whole), 960):
        at = 2.0 + index / 960
        told = [*talk.receive(whole[index : index + 960], at), *talk.tick(at)]
        assert not [item for item in told if not isinstance(item, Condition)]
    assert talk.data_to_send() == DUMP
    (missed,) = [item for item in talk.receive(dump(MOVED), 11.0) if not isinstance(item, Condition)]
    assert isinstance(missed, Missed)
    assert [shown.rows for shown in missed.shown] == [after(FULL, (61, ".")), MOVED, MOVED]
    times = [shown.was for shown in missed.shown[:-1]]
    assert times == sorted(times)  # type: ignore[type-var]


def test_a_log_that_leads_elsewhere_tells_nothing() -> None:
    talk = talk_through(
        [*REMEMBERED, (9.0, log_says(0x40, 63, 0x41, 54), [], DUMP)],
        known=KNOWN,
    )
    told = [*talk.receive(dump(MOVED), 9.2), *talk.tick(9.2)]
    assert [item for item in told if not isinstance(item, Remark | Condition)] == [Shown(9.2, MOVED, 1.5)]


@pytest.mark.parametrize("trouble", ["nothing comes", "it stops", "a message in between", "it never ends"])
def test_a_log_that_does_not_come_is_given_up_and_the_board_shown(trouble: str) -> None:
    talk = talk_through(REMEMBERED, known=KNOWN)
    whole, told, sent = log_says(*PLAYED), [], b""
    for tenth in range(16, 500):
        at, data = tenth / 10, QUIET
        if trouble == "it stops" and tenth < 50:
            data = whole[(tenth - 16) * 96 : (tenth - 15) * 96]
        elif trouble == "a message in between":
            data = serial() if tenth == 40 else whole[(tenth - 16) * 96 : (tenth - 15) * 96]
        elif trouble == "it never ends":
            data = whole[tenth - 16 : tenth - 15]
        if DUMP in sent[-2:]:
            data = dump(MOVED)
        told += [*talk.receive(data, at), *talk.tick(at)]
        out = talk.data_to_send()
        sent += out
        if any(isinstance(item, Shown | Hopeless) for item in told):
            break
    assert [item for item in told if not isinstance(item, Condition | Remark)] == [Shown(told[-1].at, MOVED, 1.5)]
    assert told[-1].at < 35.0
    assert RESET in sent


def test_a_board_that_stands_as_it_did_a_moment_ago_is_back_at_once() -> None:
    rows = [*START[:5], (0.6, dump(FULL), [], DUMP)]
    told = [Missed(1.5, (Shown(1.5, FULL),))]
    talk_through([*rows, (1.5, dump(FULL), told, LONG)], known=Shown(-1.0, FULL))
    talk_through([*rows, (1.5, dump(FULL), [Away(1.5, "log_asked")], LOG)], known=Shown(-2.0, FULL))


def test_no_log_is_asked_for_where_it_has_nothing_to_tell_or_would_not_be_believed() -> None:
    """A board whose cable was pulled had no supply, but for a battery; a bad line changes a log without a sign."""
    rows: list[Row] = [*START[:5], (0.6, dump(MOVED), [], DUMP), (1.5, dump(MOVED), [Shown(1.5, MOVED)], LONG)]
    for known, found, expected in (
        (replace(KNOWN, lost="port_lost"), Found(), rows),
        (replace(KNOWN, lost="port_lost"), Found(battery=True), REMEMBERED),
        (replace(KNOWN, lost="silent"), Found(), REMEMBERED),
        (KNOWN, Found(noise_at=-298.0), rows),
        (KNOWN, Found(noise_at=-299.0), REMEMBERED),
    ):
        talk_through(expected, known=known, found=found)


def test_what_was_found_out_of_a_board_holds_when_its_port_is_opened_again() -> None:
    late = "........../.......b../" + "........../" * 6 + "...w....../W........."
    found = Found()
    talk_through(BEGUN, found=found)
    assert found.table == "current"
    codes = dump(late)
    told = [Shown(1.5, late)]
    talk_through([*START[:5], (0.6, codes, [], DUMP), (1.5, codes, told, LONG)], found=found)
    told = [Shown(1.5, late.replace("b", "o").replace("W", "o"))]
    talk_through([*START[:5], (0.6, codes, [], DUMP), (1.5, codes, told, LONG)])
    battery(talk_through(BEGUN, found=found), 70, 5, 30, 1, 0, 0, 0, 0, 2)
    assert found.battery


def test_a_log_that_is_not_wanted_is_not_asked_for() -> None:
    rows: list[Row] = [*START[:5], (0.6, dump(MOVED), [], DUMP), (1.5, dump(MOVED), [Shown(1.5, MOVED)], LONG)]
    talk_through(rows, Setting(clock=False, log=False), KNOWN)


def test_a_board_that_stands_otherwise_than_a_moment_ago_is_asked_for_its_log() -> None:
    talk_through(REMEMBERED, known=Shown(-1.0, FULL))


def test_a_change_that_is_still_on_its_way_behind_the_log_is_waited_for() -> None:
    on = after(MOVED, (65, "."))
    talk = talk_through(
        [*REMEMBERED, (9.0, log_says(*PLAYED, 0x40, 65), [], DUMP), (9.1, changes((65, 0)), [], b"")], known=KNOWN
    )
    assert not [item for item in heard_all(talk, 9.2, dump(MOVED)) if not isinstance(item, Condition)]
    assert talk.data_to_send() == DUMP
    (missed,) = heard_all(talk, 9.4, dump(on))
    assert isinstance(missed, Missed)
    assert missed.shown[-1] == Shown(9.4, on)


def test_a_contact_that_is_never_still_while_the_log_is_read_is_made_nothing_of() -> None:
    talk = talk_through(REMEMBERED, known=KNOWN)
    for _ in range(MOST_CHANGES // 2):
        talk.receive(changes((65, 0), (65, 1)), 2.0)
    heard_all(talk, 9.0, log_says(*PLAYED))
    told = [*heard_all(talk, 9.2, dump(MOVED)), *heard_all(talk, 9.4, dump(MOVED)), *heard_all(talk, 9.6, dump(MOVED))]
    assert [item for item in told if isinstance(item, Missed | Shown)] == [Shown(9.2, MOVED, 1.5)]


def test_where_the_log_is_of_no_use_what_was_told_while_it_was_read_is_shown_all_the_same() -> None:
    boards = [MOVED, after(MOVED, (12, ".")), after(MOVED, (12, "."), (43, "b"))]
    shown = [Shown(9.2, board, at) for board, at in zip(boards, (1.5, 3.0, 4.0), strict=True)]
    for log in (log_says(0x40, 63, 0x41, 54), serial() * 2):
        talk = talk_through(REMEMBERED, known=KNOWN)
        heard_all(talk, 3.0, changes((12, 0)))
        heard_all(talk, 4.0, changes((43, 4)))
        heard_all(talk, 8.0, log)
        heard_all(talk, 9.1, QUIET)
        told = heard_all(talk, 9.2, dump(boards[-1]))
        assert [item for item in told if isinstance(item, Shown | Missed)] == shown


def heard_all(talk: DgtTalk, at: float, data: bytes) -> list[Told]:
    return [*talk.receive(data, at), *talk.tick(at)]


# The board in software


class Recorded:
    """A board, what is sent to it, and what trouble makes of what it says."""

    def __init__(self, board: DgtBoard, sent: bytearray, trouble: Callable[[bytes], bytes] = lambda data: data) -> None:
        self._board = board
        self._sent = sent
        self._trouble = trouble

    @property
    def plugged(self) -> bool:
        return self._board.plugged

    @property
    def deadline(self) -> float:
        return self._board.deadline

    def attach(self, wake: Callable[[], None]) -> None:
        self._board.attach(wake)

    def advance(self) -> None:
        self._board.advance()

    def receive(self, data: bytes) -> None:
        self._sent += data
        self._board.receive(data)

    def data_to_send(self) -> bytes:
        return self._trouble(self._board.data_to_send())


def full(board: DgtBoard) -> None:
    rows = (
        FULL
        if board.square_map.size == 10
        else ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w."
    )
    board.show(rows)


@pytest.mark.parametrize("bluetooth", [False, True])
def test_a_board_that_restarts_in_mid_game_is_followed_and_never_shown_half_found(bluetooth: bool) -> None:
    clock = VirtualClock()
    board, sent = DgtBoard(10, clock, bluetooth=bluetooth), bytearray()
    full(board)
    cable = TalkCable(Recorded(board, sent), clock, lambda at, known: DgtTalk(at, NO_CLOCK, known))
    cable.run(20.0)
    boards = {FULL}
    for number, (lift, put) in enumerate([(62, 53), (64, 55), (66, 57)]):
        board.reset()
        updates = sent.count(UPDATES[0])
        cable.run(20.1 + 10 * number)
        board.lift(lift)
        boards.add(board.square_map.rows(board.pieces, 5))
        board.place(put)
        boards.add(board.square_map.rows(board.pieces, 5))
        cable.run(28.0 + 10 * number)
        assert sent.count(UPDATES[0]) > updates
        assert [item for item in cable.told if isinstance(item, Shown)][-1].rows == board.square_map.rows(
            board.pieces, 5
        )
    assert {item.rows for item in cable.told if isinstance(item, Shown)} <= boards


@pytest.mark.parametrize("seed", range(6))
def test_no_board_is_told_that_never_was_whatever_the_line_does(seed: int) -> None:
    """A byte in three hundred is lost, changed or doubled: every third dump."""
    clock, random = VirtualClock(), Random(seed)
    board = DgtBoard(10, clock, seed=seed, lingering=0.0)
    full(board)

    def trouble(data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            kind = random.random() * 300
            out += (
                bytes((random.randrange(256),))
                if kind < 0.6
                else b""
                if kind < 0.8
                else bytes((byte,) * (1 + (kind < 1)))
            )
        return bytes(out)

    cable = TalkCable(Recorded(board, bytearray(), trouble), clock, lambda at, known: DgtTalk(at, NO_CLOCK, known))
    seen: list[tuple[int, int]] = []
    at = 10.0
    cable.run(at)
    for _ in range(150):
        occupied = [place for place, level in enumerate(board.pieces, 1) if level]
        empty = [place for place, level in enumerate(board.pieces, 1) if not level]
        lift, put = random.choice(occupied), random.choice(empty)
        level = board.pieces[lift - 1]
        board.lift(lift)
        at += random.random()
        cable.run(at)
        board.place(put, level)
        seen.append((lift, put))
        at += random.random() * 2
        cable.run(at)
    cable.run(at + 20.0)
    shown = [item for item in cable.told if isinstance(item, Shown)]
    shown += [item for missed in cable.told if isinstance(missed, Missed) for item in missed.shown]
    counts = {sum(mark in "wb" for mark in item.rows) for item in shown}
    assert counts <= {38, 39, 40, 41, 42}  # a scan may come to a field before the one that it was taken from
    assert {mark for item in shown for mark in item.rows} <= set(".wb/")
    last = next(item for item in reversed(cable.told) if isinstance(item, Shown | Missed))
    assert (last.shown[-1] if isinstance(last, Missed) else last).rows == board.square_map.rows(board.pieces, 5)
    assert len(shown) > 100


def test_nothing_forbidden_is_ever_sent() -> None:
    forbidden = {*WRITES_MEMORY, *NEVER, Command.TRADEMARK, Command.BUS_MODE, Command.BOARD_UPDATES}
    for seed in range(4):
        clock, random, sent = VirtualClock(), Random(seed), bytearray()
        board = DgtBoard(10, clock, seed=seed, bluetooth=bool(seed % 2))
        full(board)

        def trouble(data: bytes, random: Random = random) -> bytes:
            return random.randbytes(len(data)) if random.random() < 0.1 else data

        cable = TalkCable(Recorded(board, sent, trouble), clock, lambda at, known: DgtTalk(at, Setting(), known))
        for until in range(1, 60):
            if random.random() < 0.1:
                board.reset()
            cable.run(float(until))
        assert sent
        assert not forbidden & set(sent)
        assert not board.memory_writes


@pytest.mark.parametrize(
    ("fields", "played_on"), [("auto", "black"), ("auto", "white"), ("black", "black"), ("white", "white")]
)
def test_fifty_fields_are_read_where_there_is_no_other_dump(fields: WhichFields, played_on: str) -> None:
    clock, sent = VirtualClock(), bytearray()
    board = DgtBoard(10, clock, played_on=played_on)  # type: ignore[arg-type]
    full(board)

    def trouble(data: bytes) -> bytes:
        return b"" if data[:1] == bytes((Message.DUMP,)) or len(data) > 60 else data

    class NoDump(Recorded):
        def receive(self, data: bytes) -> None:
            super().receive(data.replace(DUMP, b""))

    cable = TalkCable(NoDump(board, sent, trouble), clock, lambda at, known: DgtTalk(at, Setting(fields=fields), known))
    cable.run(20.0)
    for act in (lambda: board.lift(62), lambda: board.place(53)):
        act()
        cable.run(clock.now() + 5.0)
        shown = [item.rows for item in cable.told if isinstance(item, Shown)]
        assert shown[-1] == board.square_map.rows(board.pieces, 5)
    assert len(shown) == 3
    before = len(sent)
    cable.run(clock.now() + 20.0)
    assert len({BLACK[0], WHITE[0]} & set(sent[before:])) == 1


def test_waits_are_longer_where_the_clock_is_faster() -> None:
    timing = Timing().scaled(4.0)
    assert (timing.silent_after, timing.patience.few) == (16.0, 2.0)


def test_where_kings_are_named_the_pieces_are_of_chess_from_the_beginning() -> None:
    reading = BoardReading(Setting(8, kings=frozenset({"queen"})))
    assert [reading.mark(code) for code in (0x04, 0x07, 0x06, 0x0C)] == ["w", "b", "W", "B"]


def test_fifty_fields_whose_changes_come_while_they_are_asked_for_are_asked_for_again() -> None:
    half = "".join(FULL.replace("/", "")[field] for field in range(100) if (field // 10 + field) % 2)
    rows: list[Row] = [*START[:4], (0.45, serial(), [Greeted(0.45, "01025", {"version": "1.03"})], BLACK)]
    rows += [(0.6, dump(half, 0x94), [], BLACK), (1.5, dump(half, 0x94), [Shown(1.5, FULL)], LONG)]
    talk_through(
        [
            *rows,
            (2.0, changes((30, 0)), [], BLACK),
            (2.1, changes((31, 0)), [], b""),
            (2.2, dump(half, 0x94), [], BLACK),
        ],
        Setting(fields="black", clock=False),
    )


def test_where_the_table_is_not_known_a_king_s_code_that_may_be_a_bishop_s_is_only_a_piece() -> None:
    marks = {
        senses: BoardReading(Setting(8, senses=senses)).rows("all64", (0x0A, 0x01) + (0,) * 62)
        for senses in ("kind", "colour")
    }
    assert sorted(marks["kind"].replace("/", "").replace(".", "")) == ["o", "w"]
    assert sorted(marks["colour"].replace("/", "").replace(".", "")) == ["b", "w"]


def test_men_that_stand_there_correct_a_table_that_was_taken_for_another() -> None:
    found = Found("before_2011")
    rows = BoardReading(Setting(), found=found).rows("all100", tuple(CODES[mark] for mark in FULL if mark != "/"))
    assert (rows, found.table) == (FULL, "current")
    found = Found("before_2011")
    BoardReading(Setting(pieces="before_2011"), found=found).rows("all100", tuple(CODES[m] for m in FULL if m != "/"))
    assert found.table == "before_2011"


def test_a_board_that_starts_in_mid_game_is_a_hole_where_it_stands_otherwise_then() -> None:
    half = after(FULL, *((field, ".") for field in (1, 3, 5, 7, 9)))
    lifted = after(FULL, (61, "."))
    holes = {lifted: [Away(3.5, "events_lost"), Shown(3.5, lifted)], FULL: []}
    for board, told in holes.items():
        talk = talk_through([*WITHOUT_BATTERY, (2.9, dump(half), [], DUMP)])
        if board != FULL:
            heard_all(talk, 3.0, changes((61, 0)))
        assert [item for item in heard_all(talk, 3.5, dump(board)) if not isinstance(item, Condition)] == told


def test_a_chess_set_whose_kings_nobody_named_does_not_call_a_queen_a_man() -> None:
    marks = [BoardReading(Setting(8, senses=senses, pieces="chess")).mark(0x0C) for senses in ("kind", "colour")]
    assert marks == ["o", "b"]


@pytest.mark.parametrize("id_", [0x8F, 0x90])
def test_what_nobody_asked_for_was_to_be_something_else(id_: int) -> None:
    talk_through([*WITHOUT_BATTERY, (3.0, says(id_, 61, 0), [], UPDATES + DUMP)])


def test_a_log_that_is_too_short_is_none() -> None:
    talk = talk_through(REMEMBERED, known=KNOWN)
    heard_all(talk, 2.0, log_says(*PLAYED, length=100))
    told = [*heard_all(talk, 2.5, dump(MOVED)), *heard_all(talk, 3.5, dump(MOVED))]
    assert [item for item in told if isinstance(item, Shown | Missed)] == [Shown(2.5, MOVED, 1.5)]


def test_a_dump_that_another_message_breaks_off_is_asked_for_again_at_once() -> None:
    lifted = after(FULL, (61, "."))
    talk_through(
        [
            *WITHOUT_BATTERY,
            (3.0, changes((61, 0)), [], DUMP),
            (3.1, dump(lifted)[:60], [], b""),
            (3.15, dump(lifted)[62:] + serial(), [], UPDATES + DUMP),
            (3.3, dump(lifted), [Shown(3.3, lifted, 3.0)], b""),
        ]
    )
