"""The self-test of a board: each fault of a board, the findings that it gives, and none else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from self_tests import MAP_32, MAP_50, MAP_64, Person, Rig, Sense

from calibration.check import Check
from calibration.findings import Finding, findings
from calibration.wiring import Wiring
from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from simulator import matrix

W50, W64 = Wiring(MAP_50), Wiring(MAP_64)
A, B, ADJUST = wire.BUTTONS


def told(found: Iterable[Finding]) -> list[tuple[object, ...]]:
    """Findings in short: kind, places, others, wires as kind-number-pin."""
    return [(one.kind, one.places, one.others, *(f"{w.kind} {w.number} {w.pin}" for w in one.wires)) for one in found]


def moved(to: Callable[[int], int | None]) -> Sense:
    """Each piece is read where `to` brings it."""
    return lambda pieces: frozenset(place for place in map(to, pieces) if place is not None)


def rows(wiring: Wiring, **to: int) -> Sense:
    change = {int(key[1:]): value for key, value in to.items()}

    def one(place: int) -> int | None:
        row, column = wiring.cell(place)
        return wiring.place(change.get(row, row), column)

    return moved(one)


def columns(wiring: Wiring, **to: int) -> Sense:
    change = {int(key[1:]): value for key, value in to.items()}

    def one(place: int) -> int | None:
        row, column = wiring.cell(place)
        return wiring.place(row, change.get(column, column))

    return moved(one)


def squares(**to: int) -> Sense:
    change = {int(key[1:]): value for key, value in to.items()}
    return moved(lambda place: change.get(place, place))


def turned(here: SquareMap, connector: str) -> Sense:
    there = SquareMap(here.size, here.dark, connector)  # type: ignore[arg-type]
    return moved(lambda place: there.place(here.square(place)))


def contacts(wiring: Wiring, *, bare: Iterable[int] = (), backward: Iterable[int] = ()) -> Sense:
    """A matrix in which these contacts have no diode, or one that is the wrong way round."""
    without, wrong = frozenset(bare), frozenset(backward)

    def sense(pieces: frozenset[int]) -> frozenset[int]:
        down, up = [0] * wiring.rows, [0] * wiring.rows
        for place in pieces:
            row, column = wiring.cell(place)
            down[row] |= (place not in wrong) << column
            up[row] |= (place in without | wrong) << column
        return frozenset(
            wiring.place(row, column) or 0
            for row, found in enumerate(matrix.read(down, up))
            for column in range(wiring.columns)
            if found >> column & 1
        )

    return sense


def shorted_columns(wiring: Wiring, one: int, other: int) -> Sense:
    def sense(pieces: frozenset[int]) -> frozenset[int]:
        both = {
            wiring.place(wiring.cell(p)[0], c)
            for p in pieces
            if wiring.cell(p)[1] in (one, other)
            for c in (one, other)
        }
        return pieces | {place for place in both if place}

    return sense


ROW_3 = tuple(range(11, 16))
COLUMN_2 = tuple(range(2, 51, 5))


@pytest.mark.parametrize(
    ("square_map", "sense", "expected"),
    [
        (MAP_50, lambda pieces: pieces, []),
        (MAP_32, lambda pieces: pieces, []),
        (MAP_64, lambda pieces: pieces, []),
        (MAP_50, lambda pieces: pieces - {14}, [("dead", (14,), ())]),
        (MAP_50, lambda pieces: pieces - {11, 12}, [("dead", (11,), ()), ("dead", (12,), ())]),
        (MAP_50, lambda pieces: pieces - set(ROW_3), [("dead_wire", ROW_3, (), "line 3 D4")]),
        (MAP_50, lambda pieces: pieces - set(COLUMN_2), [("dead_wire", COLUMN_2, (), "column 2 A1")]),
        (
            *(MAP_64, lambda pieces: pieces - set(range(8, 65, 8))),
            [("dead_wire", tuple(range(8, 65, 8)), (), "column 8 D11")],
        ),
        (MAP_50, lambda pieces: pieces | {14}, [("stuck", (14,), ())]),
        (MAP_50, lambda pieces: pieces | set(ROW_3), [("stuck_wire", ROW_3, (), "line 3 D4")]),
        (MAP_50, lambda pieces: pieces | ({18} if 14 in pieces else set()), [("together", (14, 18), ())]),
        (MAP_50, shorted_columns(W50, 1, 2), [("joined", (), (), "column 2 A1", "column 3 A2")]),
        (MAP_50, rows(W50, _2=5, _5=2), [("swapped", ROW_3, tuple(range(26, 31)), "line 3 D4", "line 6 D7")]),
        (
            *(MAP_50, columns(W50, _1=3, _3=1)),
            [("swapped", COLUMN_2, tuple(range(4, 51, 5)), "column 2 A1", "column 4 A3")],
        ),
        (
            *(MAP_50, rows(W50, _0=1, _1=2, _2=0)),
            [
                ("moved", (1, 2, 3, 4, 5), (6, 7, 8, 9, 10), "line 1 D2", "line 2 D3"),
                ("moved", (6, 7, 8, 9, 10), ROW_3, "line 2 D3", "line 3 D4"),
                ("moved", ROW_3, (1, 2, 3, 4, 5), "line 3 D4", "line 1 D2"),
            ],
        ),
        (
            *(MAP_50, columns(W50, _0=4, _1=3, _3=1, _4=0)),
            [("reversed", (), (), *(f"column {n} A{n - 1}" for n in range(1, 6)))],
        ),
        (
            *(MAP_32, rows(Wiring(MAP_32), **{f"_{n}": 7 - n for n in range(8)})),
            [("reversed", (), (), *(f"line {n} D{n + 1}" for n in range(1, 9)))],
        ),
        (MAP_50, squares(_7=33, _33=7), [("crossed", (7, 33), ())]),
        (MAP_50, squares(_7=8), [("elsewhere", (7,), (8,))]),
        (MAP_50, contacts(W50), []),
        (MAP_50, contacts(W50, bare=range(1, 51)), [("no_diodes", (1, 2), (7, 8))]),
        (MAP_50, contacts(W50, bare=[1]), [("ghost", (1,), (7,))]),
        (MAP_50, contacts(W50, backward=[14]), [("reversed_diode", (14,), ())]),
    ],
)
def test_a_fault_gives_its_finding_and_no_other(
    square_map: SquareMap, sense: Sense, expected: list[tuple[object, ...]]
) -> None:
    assert told(Person(Rig(sense, square_map)).run()) == expected


@pytest.mark.parametrize("bare", [[], [33], [1, 14, 50], range(1, 51), range(2, 51, 5)])
def test_every_diode_can_be_tried_and_each_that_is_missing_is_named(bare: Iterable[int]) -> None:
    rig = Rig(contacts(W50, bare=bare), every_diode=True)
    found = Person(rig).run()
    if len(list(bare)) == 50:
        assert [one.kind for one in found] == ["no_diodes"]
        assert len(found[0].places) == 3
    else:
        assert sorted(place for one in found for place in one.places) == sorted(bare)
        assert {one.kind for one in found} <= {"ghost"}
        assert {ghost.diode for ghost in rig.check.known.ghosts} == set(range(1, 51))


def test_of_a_rectangle_one_piece_is_moved_for_the_next_diode() -> None:
    rig = Rig(contacts(W50), every_diode=True)
    Person(rig).run()
    corners = [set(ghost.corners) for ghost in rig.check.known.ghosts]
    moved = [len(after - before) for before, after in pairwise(corners)]
    assert moved.count(1) >= 30
    assert [question.kind for question in rig.asked].count("off") == 0


def test_corners_that_are_passed_over_are_told_as_not_tried() -> None:
    rig = Rig(square_map=MAP_32, buttons=())
    Person(rig).run(until=lambda question: question.kind == "corners")
    rig.check.skip(rig.now)
    assert [(one.kind, one.places) for one in rig.found()] == [("untried_diodes", (1,))]
    assert rig.check.done


@pytest.mark.parametrize(
    ("square_map", "connector"),
    [
        (MAP_50, "white-right"),
        (MAP_32, "white-right"),
        (MAP_64, "black-right"),
        (MAP_64, "white-right"),
        (MAP_64, "white-left"),
    ],
)
def test_a_turned_board_is_told_with_the_connector_that_is_right(square_map: SquareMap, connector: str) -> None:
    (finding,) = Person(Rig(turned(square_map, connector), square_map)).run()
    assert (finding.kind, dict(finding.facts)) == ("turned", {"connector": connector, "was": "black-left"})


def test_a_board_that_is_mirrored_in_a_diagonal_is_told_as_such() -> None:
    def mirror(place: int) -> int:
        row, column = divmod(place - 1, 8)
        return column * 8 + row + 1

    (finding,) = Person(Rig(moved(mirror), MAP_64)).run()
    assert finding.kind == "mirrored"


def test_what_else_is_wrong_is_found_at_a_turned_board_too() -> None:
    def sense(pieces: frozenset[int]) -> frozenset[int]:
        return frozenset({7: 20, 20: 7}.get(51 - place, 51 - place) for place in pieces) - {1, 2, 3, 4, 5}

    assert told(Person(Rig(sense)).run()) == [
        ("turned", (), ()),
        ("crossed", (31, 44), ()),
        ("dead_wire", (50, 49, 48, 47, 46), (), "line 1 D2"),
    ]


@pytest.mark.parametrize("square_map", [MAP_32, MAP_50, MAP_64])
@pytest.mark.parametrize("axis", ["rows", "columns"])
def test_a_turned_board_with_two_lines_exchanged_is_told_as_both(square_map: SquareMap, axis: str) -> None:
    wiring = Wiring(square_map)
    exchanged = (rows if axis == "rows" else columns)(wiring, _0=2, _2=0)
    turn = turned(square_map, "white-right")
    found = Person(Rig(lambda pieces: exchanged(turn(pieces)), square_map, buttons=())).run()
    assert [finding.kind for finding in found] == ["turned", "swapped"]


@pytest.mark.parametrize("analogue", [False, True])
def test_where_nothing_is_seen_anywhere_no_wire_is_blamed(analogue: bool) -> None:
    found = Person(Rig(lambda pieces: frozenset(), MAP_32, analogue=analogue, buttons=())).run()
    assert [(finding.kind, len(finding.places)) for finding in found] == [("nothing", 32)]


def test_a_piece_that_was_long_in_coming_after_another_square_was_touched_is_the_hand_s_doing() -> None:
    class Slow(Person):
        touches = False

        def put(self, place: int) -> None:
            if place == FLICKERS:
                for stands in sorted(self.rig.pieces):
                    self.rig.lift(stands)
                self.rig.wait(4.0)
                if self.touches:
                    self.rig.put(20)
                    self.rig.wait(0.2)
                    self.rig.lift(20)
                self.rig.wait(4.0)
            super().put(place)

    for touches, expected in ((False, ["weak"]), (True, [])):
        person = Slow(Rig(square_map=MAP_32, buttons=()))
        person.touches = touches
        assert [finding.kind for finding in person.run()] == expected


def test_on_a_miswired_board_few_squares_are_asked_for_thrice() -> None:
    rig = Rig(turned(MAP_50, "white-right"))
    Person(rig).run()
    tries = [len(rig.check.known.tries.of(place)) for place in range(1, 51)]
    assert sorted(tries)[-3:] == [1, 3, 3]


FLICKERS = 14


def flickering(now: float, pieces: frozenset[int]) -> frozenset[int]:
    return pieces - {FLICKERS} if now * 20 % 10 < 2 else pieces


def blinking(now: float, pieces: frozenset[int]) -> frozenset[int]:
    return pieces | {FLICKERS} if now * 20 % 23 < 2 else pieces


def test_a_square_that_flickers_is_weak_and_the_figures_say_how() -> None:
    (finding,) = Person(Rig(square_map=MAP_32, at_times=flickering)).run()
    assert (finding.kind, finding.places) == ("weak", (FLICKERS,))
    assert finding.facts["tries"] == 3
    assert finding.facts["gaps"] >= 3
    assert finding.facts["longest_gap"] == pytest.approx(0.1, abs=0.06)


def test_a_square_that_is_read_by_itself_is_told_once_nobody_touched_the_board() -> None:
    found = Person(Rig(square_map=MAP_32, at_times=blinking)).run()
    assert [(one.kind, one.places) for one in found if not one.harmless] == [("restless", (FLICKERS,))]


class Late(Person):
    """The piece is said to stand there; the board reads it two seconds later."""

    def put(self, place: int) -> None:
        if place != FLICKERS:
            super().put(place)
            return
        for stands in sorted(self.rig.pieces):
            self.rig.lift(stands)
        self.rig.wait(1.2)
        self.rig.says()
        self.rig.wait(2.0)
        self.rig.put(place)
        self.rig.wait(1.2)


def test_a_square_that_is_late_is_weak() -> None:
    (finding,) = Late(Rig(square_map=MAP_32)).run()
    assert (finding.kind, finding.places) == ("weak", (FLICKERS,))
    assert dict(finding.facts) == {"tries": 3, "late": 3, "latest": 2.0}


class Lost(Person):
    """The piece stands; the board reads it for a moment, and never again."""

    seen = False

    def put(self, place: int) -> None:
        if place != FLICKERS:
            super().put(place)
        elif not self.seen:
            self.seen = True
            self.rig.put(place)
            self.rig.wait(0.4)
            self.rig.lift(place)
            self.rig.wait(0.5)
        else:
            self.rig.wait(1.2)
            self.rig.says()
            self.rig.wait(3.5)


def test_a_piece_that_is_lost_while_it_stands_is_a_weakness_and_no_dead_square() -> None:
    (finding,) = Lost(Rig(square_map=MAP_32)).run()
    assert (finding.kind, dict(finding.facts)) == ("weak", {"tries": 3, "unseen": 3})


@pytest.mark.parametrize(
    ("presses", "expected"),
    [
        ({}, []),
        ({A: None}, [("dead_button", {"button": "clock_a"})]),
        (
            {A: B, B: A},
            [
                ("swapped_button", {"button": "clock_a", "came": "clock_b"}),
                ("swapped_button", {"button": "clock_b", "came": "clock_a"}),
            ],
        ),
    ],
)
def test_buttons_are_tried_too(presses: dict[wire.Key, wire.Key | None], expected: list[object]) -> None:
    rig = Rig(square_map=MAP_32, presses=lambda key: presses.get(key, key))
    assert [(one.kind, dict(one.facts)) for one in Person(rig).run()] == expected


def test_in_any_order_each_square_is_ticked_off_and_the_rest_is_asked_for() -> None:
    rig = Rig(lambda pieces: pieces - {14}, MAP_32, any_order=True)
    assert told(Person(rig).run()) == [("dead", (14,), ())]
    kinds = [question.kind for question in rig.asked]
    assert "free" in kinds
    assert {question.place for question in rig.asked if question.kind == "put"} == {14}


def test_what_was_not_tried_is_no_fault_and_not_well() -> None:
    rig = Rig(square_map=MAP_32)
    found = Person(rig).run(until=lambda question: question.place == 3)
    assert [one.kind for one in found] == ["untried", "untried_buttons"]
    assert found[0].places == tuple(range(3, 33))


def test_a_skipped_square_is_told_as_not_tried() -> None:
    rig = Rig(square_map=MAP_32)
    rig.check.skip(rig.now)
    assert [(one.kind, one.places) for one in Person(rig).run()] == [("untried", (1,))]


def test_the_square_before_is_asked_for_again_and_what_was_seen_of_it_is_forgotten() -> None:
    rig = Rig(lambda pieces: pieces - {1}, MAP_32)
    Person(rig).run(until=lambda question: question.place == 2)
    assert rig.check.known.tries.verdict(1).state == "dead"
    rig.sense = lambda pieces: pieces
    rig.check.back(rig.now)
    assert rig.question.place == 1
    assert Person(rig).run() == []


def test_a_board_that_restarts_meanwhile_is_told_and_what_was_tried_is_tried_anew() -> None:
    rig = Rig(square_map=MAP_32)
    rig.wait(0.5)
    rig.put(1)
    rig.check.broke_off(rig.now, restarted=True)
    assert [(one.kind, dict(one.facts)) for one in Person(rig).run()] == [("restarted", {"times": 1})]


class NeverStill(Person):
    """One sensor never comes to rest under a piece."""

    def put(self, place: int) -> None:
        super().put(place)
        if place == FLICKERS and self.rig.pieces:
            self.rig.restless(place)
            self.rig.wait(0.6)
            self.rig.restless()


def test_a_square_that_is_never_still_under_a_piece_is_weak() -> None:
    (finding,) = NeverStill(Rig(square_map=MAP_32)).run()
    assert (finding.kind, finding.places) == ("weak", (FLICKERS,))
    assert dict(finding.facts) == {"tries": 3, "restless": 3}


READINGS = st.lists(
    st.tuples(st.floats(0.01, 1.5), st.frozensets(st.integers(1, 6), max_size=2), st.sampled_from(["", "", "enter"])),
    max_size=30,
)


@settings(max_examples=100, deadline=None)
@given(READINGS, st.floats(0.05, 1.0))
def test_any_spacing_of_ticks_gives_the_same(readings: list[tuple[float, frozenset[int], str]], step: float) -> None:
    def run(ticks: bool) -> tuple[object, ...]:
        check = Check(W50, (1, 2, 3), 0.0, buttons=())
        at = 0.0
        for passed, pieces, key in readings:
            if ticks:
                for number in range(1, int(passed / step)):
                    check.tick(at + number * step)
            at += passed
            check.see(at, [int(place in pieces) for place in range(1, 51)])
            if key:
                check.stands(at)
        check.tick(at + 20.0)
        return (check.question, [check.known.tries.of(place) for place in (1, 2, 3)], told(findings(check.known)))

    assert run(ticks=True) == run(ticks=False)


ANALOGUE_32 = Wiring(MAP_32, analogue=True)


def test_on_an_analogue_board_a_dead_multiplexer_is_named_and_no_diode_is_asked_for() -> None:
    rig = Rig(lambda pieces: pieces - set(range(17, 33)), MAP_32, analogue=True)
    assert told(Person(rig).run()) == [("dead_wire", tuple(range(17, 33)), (), "multiplexer 2 A1")]
    assert not [question for question in rig.asked if question.kind == "corners"]


def test_on_an_analogue_board_exchanged_select_lines_are_channels_that_changed_places() -> None:
    def crossed(place: int) -> int:
        channel = (place - 1) % 16
        crossed = channel & ~3 | (channel & 1) << 1 | channel >> 1 & 1
        return (place - 1) // 16 * 16 + crossed + 1

    found = told(Person(Rig(moved(crossed), MAP_32, analogue=True)).run())
    assert [line[3:] for line in found] == [(f"channel {n} None", f"channel {n + 1} None") for n in (2, 6, 10, 14)]
