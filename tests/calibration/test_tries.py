"""When enough is known of a square, and what its neighbours on a wire say for it."""

from __future__ import annotations

import pytest
from self_tests import MAP_50, Person, Rig

from calibration.rectangles import Ghost, next_rectangle
from calibration.tries import Tries, Try
from calibration.wiring import Wiring

W50 = Wiring(MAP_50)


def good(place: int) -> Try:
    return Try(place, place, stood=1.0)


def weak(place: int) -> Try:
    return Try(place, place, stood=1.0, restless=True)


def slow(place: int) -> Try:
    return Try(place, place, stood=1.0, slow=True)


def unseen(place: int) -> Try:
    return Try(place, None)


@pytest.mark.parametrize(
    ("tries", "state"),
    [
        ([good(1)], "good"),
        ([weak(1)], "open"),
        ([weak(1), good(1)], "open"),
        ([weak(1), good(1), good(1)], "good"),
        ([weak(1), good(1), weak(1)], "open"),
        ([weak(1), good(1), weak(1), weak(1)], "weak"),
        ([unseen(1), unseen(1)], "open"),
        ([unseen(1)] * 3, "dead"),
        ([Try(1, 1, early=True), unseen(1), unseen(1), unseen(1)], "weak"),
        ([Try(1, 7), Try(1, 8), Try(1, 9)], "open"),
        ([Try(1, 7), Try(1, 8), Try(1, 7), Try(1, 7)], "elsewhere"),
        ([Try(1, place) for place in range(7, 16)], "undecided"),
        ([Try(1, 1, early=True)] * 2, "open"),
    ],
)
def test_a_square_is_settled_by_what_happened_three_times_or_twice_well(tries: list[Try], state: str) -> None:
    known = Tries(W50)
    for tried in tries:
        known.add(tried)
    assert known.verdict(1).state == state


def dead(*places: int) -> Tries:
    known = Tries(W50)
    for place in places:
        for _ in range(3):
            known.add(unseen(place))
    return known


def test_where_two_squares_of_a_line_are_dead_once_is_enough_for_the_third() -> None:
    known = dead(1, 2)
    known.add(unseen(3))
    known.add(unseen(8))
    assert (known.verdict(3).state, known.verdict(8).state) == ("dead", "open")


def test_but_not_where_a_square_of_that_line_is_read() -> None:
    known = dead(1, 2)
    known.add(good(4))
    known.add(unseen(3))
    assert known.verdict(3).state == "open"


def test_what_was_forgotten_speaks_for_no_other_square() -> None:
    known = dead(1, 2)
    known.forget(1)
    known.add(unseen(3))
    assert known.verdict(3).state == "open"


def test_what_was_said_of_a_square_is_void_once_it_can_be_empty() -> None:
    rig = Rig()
    rig.put(14)
    for _ in range(3):
        rig.wait(1.5)
        rig.says()
    assert rig.check.known.tries.verdict(14).state == "stuck"
    rig.lift(14)
    assert Person(rig).run() == []


def test_a_piece_that_stood_on_the_fourth_corner_before_is_no_ghost() -> None:
    rig = Rig(order=(1, 2, 6, 7), buttons=())
    Person(rig).run(until=lambda question: question.kind == "corners")
    question = rig.question
    rig.put(question.place)
    rig.wait(1.0)
    for place in question.places:
        rig.put(place)
        rig.wait(0.4)
    rig.wait(2.0)
    assert rig.question.kind == "corners"
    assert [ghost.times for ghost in rig.check.known.ghosts] == [0]


def test_a_turn_that_explains_only_some_squares_is_none() -> None:
    def sense(pieces: frozenset[int]) -> frozenset[int]:
        return frozenset(51 - place if place <= 6 else place + 17 for place in pieces)

    found = Person(Rig(sense, order=tuple(range(1, 11)), buttons=())).run()
    assert "turned" not in {one.kind for one in found}


def test_one_square_does_not_speak_for_its_line() -> None:
    def sense(pieces: frozenset[int]) -> frozenset[int]:
        return frozenset({1: 6, 6: 1}.get(place, place) for place in pieces)

    found = Person(Rig(sense, order=(1, 6), buttons=())).run()
    assert [(one.kind, one.places) for one in found] == [("crossed", (1, 6))]


def test_every_diode_is_opposite_the_fourth_corner_of_its_rectangle() -> None:
    state = dict.fromkeys(range(1, 51), "good")
    ghosts: list[Ghost] = []
    while (found := next_rectangle(W50, state, ghosts, every=True)) is not None:
        ghosts.append(found)
    assert sorted(ghost.diode for ghost in ghosts) == list(range(1, 51))
    for ghost in ghosts:
        row, column = W50.cell(ghost.diode)
        opposite = W50.cell(ghost.place)
        assert row != opposite[0]
        assert column != opposite[1]
        assert set(ghost.corners) == {
            ghost.diode,
            W50.place(row, opposite[1]),
            W50.place(opposite[0], column),
        }


@pytest.mark.parametrize(
    ("tries", "state"),
    [
        ([slow(1), slow(1), slow(1)], "weak"),
        ([slow(1), good(1), slow(1), slow(1)], "open"),
        ([slow(1), Try(1, 7), slow(1), slow(1)], "open"),
        ([slow(1), weak(1), slow(1), weak(1), weak(1)], "weak"),
        ([weak(1), slow(1), slow(1)], "weak"),
    ],
)
def test_pieces_that_were_long_in_coming_speak_against_a_square_only_in_a_row(tries: list[Try], state: str) -> None:
    known = Tries(W50)
    for tried in tries:
        known.add(tried)
    assert known.verdict(1).state == state
