"""The talk of a calibration with numbers of our own: squares that are read otherwise than the rest."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from calibration.analogue import table
from calibration.placing import Placing

PLACES = 12
OPENING = {place: place > 9 for place in (1, 2, 3, 4, 10, 11, 12)}
GAIN, ZERO = 60, 127


def calibrated(alone: Mapping[int, int], together: Mapping[int, int] | None = None) -> tuple[Placing, list[int]]:
    """What came out, and the places that were asked for alone; counts of a white man where it is not GAIN, the first
    in the opening position, or always."""
    opening = None if together is None else OPENING
    placing = Placing(PLACES, range(1, PLACES + 1), 0.0, opening)
    asked: list[int] = []
    at = 0.0
    while not placing.done and at < 100.0:
        question = placing.question
        off: dict[int, int] = {}
        if question.kind == "empty":
            placing.stands(at)
        elif question.kind == "opening":
            gains = {place: (together or {}).get(place, GAIN) for place in OPENING}
            off = {place: gain if OPENING[place] else -gain for place, gain in gains.items()}
        elif question.kind == "man":
            off = {question.place: alone.get(question.place, GAIN)}
            asked += [] if asked[-1:] == [question.place] else [question.place]
        placing.measured(at, 1, bytes(ZERO + off.get(place, 0) for place in range(1, PLACES + 1)))
        at += 0.04
    assert placing.done
    return placing, asked


@pytest.mark.parametrize("gain", [12, 29, 121])
@pytest.mark.parametrize("place", [3, 7])
def test_a_square_that_is_far_off_the_others_is_asked_for_once_more_and_named(place: int, gain: int) -> None:
    placing, asked = calibrated({place: gain}, {place: gain})
    assert [(one.kind, one.place, one.value, one.limit) for one in placing.problems] == [("apart", place, gain, GAIN)]
    assert asked == [5, 6, 7, 8, 9, place]


@pytest.mark.parametrize("gain", [30, 120])
def test_one_that_is_less_far_off_is_not(gain: int) -> None:
    placing, asked = calibrated({7: gain}, {})
    assert (placing.problems, asked) == ([], [5, 6, 7, 8, 9])


def test_a_man_that_stood_off_the_middle_in_the_opening_position_is_measured_alone() -> None:
    placing, asked = calibrated({}, {3: 20})
    assert (placing.problems, asked) == ([], [5, 6, 7, 8, 9, 3])
    assert {square.man for square in table(placing.zeros, placing.men).squares} == {24}


def test_one_by_one_a_square_that_is_far_off_is_named_too() -> None:
    placing, asked = calibrated({5: 20})
    assert [(one.kind, one.place) for one in placing.problems] == [("apart", 5)]
    assert asked == [*range(1, PLACES + 1), 5]
