"""A DGT board's own log: bytes to entries, and what it tells of the time between two boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas_board.decoding.dgt.codes import marks_of
from damas_board.decoding.dgt.fields import rows
from damas_board.decoding.dgt.log import (
    Changed,
    Entry,
    LogReader,
    LookBack,
    Marked,
    Tag,
    Timed,
    entries_of,
    joined,
    replay,
)
from damas_board.decoding.dgt.reports import FieldChanged
from damas_board.decoding.square_map import SquareMap
from damas_board.decoding.talk import Shown
from simulator.dgt.clock import Reading
from simulator.dgt.memory import LogMemory

SQUARES = SquareMap(10, "all")
W, B, WK, BK = 0x01, 0x04, 0x07, 0x0A
POWER_UP, END = Marked(Tag.POWER_UP), Marked(Tag.END)


class Desk:
    """A board with its log, and what was told of it."""

    def __init__(self, pieces: dict[int, int], bits: int = 7) -> None:
        self.memory = LogMemory(100, bits)  # type: ignore[arg-type]
        self.codes = [0] * 100
        self.at = 0.0
        self.told: list[str] = []
        self.memory.powered_up(self.at)
        self.do(*((field, code, 0.01) for field, code in pieces.items()))
        self.tell()

    def do(self, *changes: tuple[int, int, float]) -> None:
        """Fields with their new codes, and how long after the one before."""
        for field, code, wait in changes:
            self.at += wait
            self.codes[field] = code
            self.memory.changed(field, code, tuple(self.codes), self.at)

    def tell(self) -> Shown:
        """The board is told now."""
        before = tuple(self.told)
        self.told.append(self.rows)
        return Shown(self.at, self.rows, before=before)

    def do_and_tell(self, *changes: tuple[int, int, float]) -> Shown:
        """The same, and each board is told."""
        for change in changes:
            self.do(change)
            shown = self.tell()
        return shown

    @property
    def rows(self) -> str:
        return rows(SQUARES, marks_of(self.codes, "current"))

    def missed(self, known: Shown, wait: float = 0.3, bits: int = 7) -> tuple[Shown, ...] | None:
        self.at += wait
        look = LookBack(known, SQUARES, mark, bits)  # type: ignore[arg-type]
        look.read(self.memory.read())
        return look.missed(Shown(self.at, self.rows))


def mark(code: int) -> str:
    return marks_of((code,), "current")


def boards(missed: Sequence[Shown] | None) -> list[str]:
    assert missed is not None
    return [shown.rows for shown in missed]


def move(start: int, end: int, code: int, wait: float = 2.0) -> tuple[tuple[int, int, float], ...]:
    return (start, 0, wait), (end, code, 0.5)


def shuffle(*, times: int = 1) -> Iterable[tuple[int, int, float]]:
    """A white king goes there and back, and a black one as well."""
    for _ in range(times):
        for start, end, code in ((1, 45, WK), (98, 54, BK), (45, 1, WK), (54, 98, BK)):
            yield from move(start, end, code)


# --- bytes to entries


def a_log() -> bytes:
    chance = Random(7)
    memory = LogMemory(100)
    for number in range(900):
        match chance.randrange(12):
            case 0:
                memory.pressed(Reading(chance.randrange(7200), 60, True, "left", chance.random() < 0.5), number)
            case 1:
                memory.powered_up(number)
            case _:
                memory.changed(
                    chance.randrange(100), chance.choice((0, W, B, WK, BK)), [0] * 100, number + chance.random()
                )
    return memory.read()


def test_entries_are_read_however_the_bytes_are_split() -> None:
    data, chance = a_log(), Random(1)
    whole = LogReader(100)
    whole.feed(data)
    assert whole.ended
    pieces = LogReader(100)
    place = 0
    while place < len(data):
        length = chance.randint(0, 7)
        pieces.feed(data[place : place + length])
        place += length
    assert pieces.entries == whole.entries


def test_a_log_that_begins_in_the_middle_of_an_entry_gives_no_wrong_one() -> None:
    data = a_log()
    entries = entries_of(data, 100)
    assert len(entries) > 800
    for begin in (*range(len(data) - 40, len(data)), *range(6000, 6040), *range(0, 4000, 400)):
        found = entries_of(data[begin:], 100)
        assert entries[len(entries) - len(found) :] == found


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        ("41 01", [Changed(1, W)]),
        ("54 63", [Changed(99, B, soon=True)]),
        ("40 7e 41 01", [Marked(0x7E), Changed(1, W)]),  # there is no such field
        ("62 59 07", [Timed(False, 2 * 3600 + 59 * 60 + 7)]),
        ("70 00 30", [Timed(True, 30)]),
        ("62 6a 7f", [POWER_UP]),  # no minutes
        ("7d 13 41 01", [Marked(0x7D), Marked(0x13), Changed(1, W)]),
        ("41 01 6b 41 02", [Changed(1, W), END]),
        ("7f 00 6e 7f", [Marked(Tag.READ_OUT)]),
    ],
)
def test_what_bytes_mean(data: str, entries: list[Entry]) -> None:
    assert list(entries_of(bytes.fromhex(data), 100, begins=True)) == entries


def test_with_six_bits_a_greater_field_is_none() -> None:
    assert entries_of(bytes.fromhex("41 3f 41 40 01"), 64, 6, begins=True) == (Changed(63, W), Changed(1, 0))


@given(st.binary(max_size=60))
def test_bytes_that_mean_nothing_are_no_error(data: bytes) -> None:
    entries_of(bytes(byte & 0x7F for byte in data), 100)


# --- what was played


def test_where_nothing_was_done_only_the_present_is_told() -> None:
    desk = Desk({1: W, 98: B})
    known = desk.tell()
    assert desk.missed(known, 5.0) == (Shown(5.02, desk.rows),)


def test_what_was_done_is_told_in_its_order() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.do_and_tell(*move(61, 52, W))
    steps = [*move(38, 47, B), *move(52, 43, W)]
    expected = []
    for step in steps:
        desk.do(step)
        expected.append(desk.rows)
    missed = desk.missed(known)
    assert boards(missed) == [*expected, desk.rows]
    assert missed is not None
    times = [known.at, *(shown.was for shown in missed[:-1] if shown.was is not None), desk.at]
    assert len(times) == len(steps) + 2
    assert times == sorted(times)
    assert missed[-1] == Shown(desk.at, desk.rows)


def test_a_log_that_leads_elsewhere_tells_nothing() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*move(61, 52, W))
    desk.codes[38] = 0
    assert desk.missed(known) is None


def test_a_board_that_never_stood_so_by_the_log_tells_nothing() -> None:
    desk = Desk({61: W, 38: B})
    other = Desk({61: W, 47: B}).tell()
    desk.do(*move(61, 52, W))
    assert desk.missed(other) is None
    assert desk.missed(Shown(0.0, "." * 64)) is None, "nor one of another size"


def test_what_the_log_no_longer_reaches_back_to_is_not_known() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*move(38, 49, B))
    desk.do(*(change for n in range(1200) for change in (*move(61, 52, W, 1 + n % 2), *move(52, 61, W))))
    assert desk.missed(known) is None


def test_a_square_that_was_not_readable_may_have_been_anything() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*move(61, 52, W))
    missed = desk.missed(Shown(known.at, known.rows.replace("b", "?")))
    assert boards(missed) == boards(desk.missed(known, 0.0))
    hidden = Shown(known.at, known.rows.replace("w", "?"))
    assert boards(desk.missed(hidden, 0.0)) == boards(missed)[1:], "it may have been in the air already"


def test_of_a_piece_that_was_put_back_again_and_again_only_what_came_last_is_told() -> None:
    desk = Desk({61: W, 38: B})
    desk.do(*move(61, 61, W), *move(61, 61, W))
    known = desk.tell()
    desk.do(*move(61, 52, W))
    assert len(boards(desk.missed(Shown(known.at, known.rows)))) == 3


@pytest.mark.parametrize("visit", [0, 1, 2])
def test_which_time_the_board_stood_so_is_told_by_what_was_told_before(visit: int) -> None:
    """Kings go to and fro; the gateway was killed at one of the times."""
    desk = Desk({1: WK, 98: BK, 41: W})
    known = desk.do_and_tell(*move(41, 32, W), *shuffle(times=visit), *move(32, 32, W)) if visit else desk.tell()
    if not visit:
        known = desk.do_and_tell(*move(41, 32, W))
    count = len(desk.told)
    desk.do(*shuffle(times=2), *move(1, 45, WK))
    missed = desk.missed(known)
    assert len(boards(missed)) == 8 * 2 + 2 + 1
    assert len(desk.told) == count


def test_without_it_a_repeated_position_is_no_place_to_go_on_from() -> None:
    desk = Desk({1: WK, 98: BK, 41: W})
    known = desk.tell()
    desk.do(*shuffle(), *move(1, 45, WK))
    assert desk.missed(Shown(known.at, known.rows)) is None
    late = Shown(desk.at - 0.5, known.rows)
    assert len(boards(desk.missed(late))) == 3, "in so short a time only the last move was made"


def test_a_place_that_is_hardly_likelier_than_another_is_none() -> None:
    """What was told before is older than the log: it may have been right before the first move, or before the last."""
    entries = [Changed(field, code) for field, code, _ in (*shuffle(), *move(1, 45, WK))]
    text = "".join({1: "W", 98: "B"}.get(field, ".") for field in range(100))
    other = text.replace("W", "w")
    known = Shown(0.0, rows(SQUARES, text), before=(rows(SQUARES, other),))
    now = Shown(90.0, rows(SQUARES, "".join({45: "W", 98: "B"}.get(field, ".") for field in range(100))))
    assert replay(entries, known, now, SQUARES, mark) is None


def test_a_log_that_begins_while_the_pieces_are_put_up_is_gone_on_from_as_any() -> None:
    """No place within that is one where the board stood as it did after some moves."""
    before = [Changed(field, code) for field, code in ((90, W), (61, W), (38, B), (9, B))]
    moves = [Changed(field, code) for step in (move(61, 52, W), move(38, 47, B)) for field, code, _ in step]
    last = [Changed(field, code) for field, code, _ in move(52, 43, W)]
    known = Shown(0.0, rows(SQUARES, "".join({90: "w", 52: "w", 47: "b", 9: "b"}.get(n, ".") for n in range(100))))
    now = Shown(60.0, rows(SQUARES, "".join({90: "w", 43: "w", 47: "b", 9: "b"}.get(n, ".") for n in range(100))))
    assert len(boards(replay([*before, *moves, *last], known, now, SQUARES, mark))) == 3


def test_a_man_that_was_captured_and_the_one_that_then_stands_there_are_told_apart() -> None:
    """24 was captured and taken off; White recaptures on 24: the board stands as it did before."""
    desk = Desk({38: B, 47: W, 69: W})
    known = desk.do_and_tell((38, 0, 2.0), (58, B, 0.3))
    before = len(desk.told)
    desk.do((47, 0, 0.5), (47, W, 3.0), (69, 0, 0.1), (58, 0, 0.5))
    assert len(boards(desk.missed(known))) == 5
    seen = desk.told[before:]
    assert not seen
    desk.told += [known.rows.replace("w", ".", 1), known.rows]
    late = Shown(known.at, known.rows, before=tuple(desk.told[:-1]))
    assert len(boards(desk.missed(late))) == 3


def test_a_board_that_was_switched_on_meanwhile_goes_on_if_all_stand_as_they_did() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*move(61, 52, W))
    desk.memory.powered_up(desk.at + 5.0)
    desk.do((38, B, 5.1), (52, W, 0.1))
    desk.do(*move(38, 47, B))
    assert len(boards(desk.missed(known))) == 5, "nothing of the pieces that were found again is told"


@pytest.mark.parametrize("found", [((38, B, 5.1), (52, W, 0.1)), ((38, B, 5.1),), ((61, W, 5.1), (38, W, 0.1))])
def test_what_was_moved_without_power_is_not_known(found: tuple[tuple[int, int, float], ...]) -> None:
    """A piece stands elsewhere, is gone, or is another."""
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.memory.powered_up(desk.at + 5.0)
    desk.codes = [0] * 100
    desk.do(*found)
    assert desk.missed(known) is None
    again = desk.tell()
    desk.do((found[0][0], 0, 2.0))
    assert len(boards(desk.missed(again))) == 2, "what was told since is gone on from"


@pytest.mark.parametrize(("written", "read"), [(6, 7), (6, 6)])
def test_an_encoding_that_the_log_is_not_in_is_not_trusted(written: int, read: int) -> None:
    desk = Desk({61: W, 68: B}, written)
    known = desk.tell()
    desk.do(*move(61, 52, W), *move(68, 77, B))
    assert desk.missed(known, bits=read) is None


@given(st.binary(min_size=2, max_size=80), st.integers(0, 3))
def test_whatever_the_log_is_it_ends_at_the_present_or_tells_nothing(data: bytes, which: int) -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*(*move(61, 52, W), *move(38, 47, B))[:which])
    look = LookBack(known, SQUARES, mark)
    look.read(bytes(byte & 0x7F for byte in data))
    missed = look.missed(Shown(desk.at + 1, desk.rows))
    assert missed is None or missed[-1].rows == desk.rows


# --- what was heard while the log came


@pytest.mark.parametrize("logged", [0, 1, 2, 3, 4])
def test_what_was_heard_while_the_log_came_follows_it_once(logged: int) -> None:
    steps = [(61, 0), (52, W), (38, 0), (47, B)]
    before = [POWER_UP, Changed(61, W), Changed(38, B)]
    entries = [*before, *(Changed(*step) for step in steps[:logged]), Marked(Tag.READ_OUT), END]
    changes = [
        entry for entry in joined(entries, [FieldChanged(*step) for step in steps]) if isinstance(entry, Changed)
    ]
    assert [(change.field, change.code) for change in changes] == [(61, W), (38, B), *steps]


def test_a_move_made_while_the_log_was_read_is_told_with_it() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*move(61, 52, W))
    look = LookBack(known, SQUARES, mark)
    look.read(desk.memory.read())
    for field, code, wait in move(38, 47, B):
        desk.do((field, code, wait))
        look.heard(FieldChanged(field, code))
    assert len(boards(look.missed(Shown(desk.at + 1, desk.rows)))) == 5


# --- when it was


def waits(missed: tuple[Shown, ...] | None, known: Shown) -> list[float]:
    assert missed is not None
    times = [known.at, *(shown.at if shown.was is None else shown.was for shown in missed)]
    return [round(after - before, 3) for before, after in pairwise(times)]


def test_time_passes_between_moves_and_not_while_a_piece_is_in_the_air() -> None:
    desk = Desk({61: W, 38: B, 81: W})
    known = desk.tell()
    desk.do(*move(61, 52, W), *move(38, 47, B), *move(81, 72, W))
    think, carry, *rest = waits(desk.missed(known, 600.0), known)
    assert carry == 0.5
    assert think > 150
    assert rest == [think, carry, think, carry, 0.3]


def test_pieces_that_were_captured_are_taken_off_at_once() -> None:
    """White takes two, stopping between; then Black, whose new square is told before the old one, on the way."""
    desk = Desk({72: W, 63: B, 45: B, 8: B})
    known = desk.tell()
    desk.do((72, 0, 30.0), (54, W, 0.5), (54, 0, 0.5), (36, W, 0.5), (63, 0, 1.0), (45, 0, 1.0))
    desk.do((17, B, 30.0), (8, 0, 0.1))
    think, *turn, second, late, end = waits(desk.missed(known, 30.0), known)
    assert turn == [0.5] * 5
    assert think == second
    assert think > 30
    assert late == 0.05
    assert end == 0.3


@pytest.mark.parametrize(
    ("told", "missed", "begins"),
    [
        # White has captured; Black straightens a man meanwhile; then Black recaptures on the man's square.
        (
            move(81, 63, W),
            ((8, 0, 0.5), (72, 0, 0.5), (8, B, 0.5), (54, 0, 2.0), (72, B, 0.5), (63, 0, 0.5)),
            {3},
        ),
        # The same, and the captured man is taken off last; White straightens a man as well.
        (
            move(81, 63, W),
            ((8, 0, 0.5), (72, 0, 0.5), (8, B, 0.5), (61, 0, 0.5), (61, W, 0.5), (54, 0, 2.0), (36, B, 0.5)),
            {5},
        ),
        # White takes the captured man off first.
        ((), ((54, 0, 2.0), (61, 0, 0.5), (43, W, 0.5), (8, 0, 2.0), (17, B, 0.5)), {3}),
        (((54, 0, 2.0),), ((61, 0, 0.5), (43, W, 0.5), (8, 0, 2.0), (17, B, 0.5)), {2}),
        # A piece is lifted and put back while another is in the hand.
        ((), ((61, 0, 2.0), (81, 0, 0.5), (61, W, 0.5), (90, W, 0.5), (8, 0, 2.0), (17, B, 0.5)), {4}),
        # The new square is told before the old one, by a slow board; the man that was lifted first was captured.
        (((81, 0, 2.0),), ((52, W, 2.0), (61, 0, 0.5), (8, 0, 2.0), (17, B, 0.5)), {0, 2}),
        (((52, W, 2.0),), ((61, 0, 0.5), (8, 0, 2.0), (17, B, 0.5)), {1}),
        # White goes on with the piece that has just come down.
        (move(61, 52, W), ((52, 0, 0.5), (43, W, 0.5), (8, 0, 2.0), (17, B, 0.5)), {2}),
        # Black's man is captured and taken off, and Black recaptures on its square.
        (
            move(81, 63, W),
            ((72, 0, 0.5), (8, 0, 2.0), (72, B, 0.5), (63, 0, 0.5), (61, 0, 2.0), (52, W, 0.5)),
            {1, 4},
        ),
        # The same, and the new square is told before the old one, by a slow board.
        (
            move(81, 63, W),
            (
                (72, 0, 0.5),
                (72, B, 2.0),
                (8, 0, 0.5),
                (63, 0, 0.5),
                (61, 0, 2.0),
                (52, W, 0.5),
                (72, 0, 2.0),
                (83, B, 0.5),
            ),
            {1, 4, 6},
        ),
        # White straightens a man behind its move, whose man was in the air already.
        (((61, 0, 2.0),), ((52, W, 0.5), (81, 0, 0.5), (81, W, 0.5), (8, 0, 2.0), (17, B, 0.5)), {3}),
        # White straightens a man behind its move, before the square that it left is told as empty.
        (
            (),
            (
                (8, 0, 2.0),
                (17, B, 0.5),
                (52, W, 2.0),
                (81, 0, 0.5),
                (81, W, 0.5),
                (61, 0, 0.5),
                (17, 0, 2.0),
                (26, B, 0.5),
            ),
            {0, 2, 6},
        ),
        # White straightens a man behind its move.
        (move(61, 52, W), ((81, 0, 0.5), (81, W, 0.5), (8, 0, 2.0), (17, B, 0.5)), {2}),
    ],
)
def test_a_player_thinks_before_a_move_and_not_within_one(
    told: Sequence[tuple[int, int, float]], missed: Sequence[tuple[int, int, float]], begins: set[int]
) -> None:
    desk = Desk({61: W, 81: W, 72: B, 54: B, 8: B})
    known = desk.do_and_tell(*told) if told else desk.tell()
    desk.do(*missed)
    found = waits(desk.missed(known, 100.0), known)
    assert {number for number, wait in enumerate(found) if wait > 5.0} == begins


@pytest.mark.parametrize("senses", ["occupancy", "colour"])
def test_whose_pieces_moved_is_known_from_the_log_where_the_table_tells_less(senses: str) -> None:
    """Black's man is captured and taken off, a white man recaptures; without colours all of it is one man's way."""
    said = str.maketrans("wbWB", "oooo" if senses == "occupancy" else "wbwb")
    desk = Desk({61: W, 81: WK, 72: B, 54: B, 8: B})
    desk.do(*move(8, 17, B), *move(81, 63, WK), (72, 0, 0.5))
    known = Shown(desk.at, desk.rows.translate(said))
    desk.do(*move(54, 72, B), (63, 0, 0.5), *move(61, 83, W), (72, 0, 0.5))
    look = LookBack(known, SQUARES, mark, senses=said)
    look.read(desk.memory.read())
    desk.at += 100.0
    missed = look.missed(Shown(desk.at, desk.rows.translate(said)))
    assert {number for number, wait in enumerate(waits(missed, known)) if wait > 5.0} == {0, 3}
    assert not set("".join(boards(missed))) & set("WB" if senses == "colour" else "wbWB")


def test_for_how_long_a_piece_was_lifted_that_came_back_is_taken_for_short() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*move(61, 61, W), *move(61, 52, W))
    lifted, back, think, *_ = waits(desk.missed(known, 60.0), known)
    assert (lifted, back) == (0.5, 0.2)
    assert think > 50


def test_a_piece_that_was_in_the_air_already_comes_down_soon() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.do_and_tell((61, 0, 2.0))
    desk.do((52, W, 0.5))
    first, last = waits(desk.missed(known, 60.0), known)
    assert first == 0.5
    assert last > 50


def test_a_piece_that_is_in_the_air_now_has_just_been_lifted() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do((61, 0, 60.0))
    assert waits(desk.missed(known, 3.0), known)[-1] == 0.3


def test_where_time_is_short_nothing_lies_before_what_was_known_or_behind_now() -> None:
    desk = Desk({61: W, 38: B})
    known = desk.tell()
    desk.do(*move(61, 52, W, 0.3), *move(38, 47, B, 0.3))
    found = waits(desk.missed(Shown(desk.at - 0.5, known.rows)), Shown(desk.at - 0.8, ""))
    assert min(found) > 0
    assert sum(found) == pytest.approx(0.8, abs=0.01)


def test_entries_and_boards_can_be_given_without_a_talk() -> None:
    known, present = (Shown(at, rows(SQUARES, text.ljust(100, "."))) for at, text in ((1.0, "w"), (9.0, ".w")))
    missed = replay([Changed(0, W), Changed(0, 0), Changed(1, W), END], known, present, SQUARES, mark)
    assert missed is not None
    assert missed[-1] == present
