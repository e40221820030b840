"""Lifts and placements, and what was only a bounce: square sets in, touches out."""

from __future__ import annotations

from damas_board.tracking.readings import Readings
from damas_board.tracking.sight import Sight
from damas_board.tracking.touches import Bounce, Handled, Touch, Touches


def board(occupied: int) -> Touches:
    touches = Touches(0.2)
    touches.start(occupied)
    return touches


def test_a_lift_counts_once_it_has_lasted_the_touch_time() -> None:
    touches = board(0b1)
    assert touches.see(0, 1.0, 1.0) == []
    assert touches.deadline == 1.2
    assert touches.due(1.19) == []
    assert touches.due(1.2) == [Touch(0, True, 1.0, 1.2)]
    assert touches.deadline is None
    assert touches.steady == 0


def test_what_is_back_within_the_touch_time_was_a_bounce_and_is_no_touch() -> None:
    touches = board(0b1)
    touches.see(0, 1.0, 1.0)
    assert touches.see(0b1, 1.15, 1.125) == [Bounce(0, 1.0, 0.125)]
    assert touches.due(9.0) == []
    assert touches.handled == [Handled(1.0, 0, True), Handled(1.125, 0, False)]


def test_a_piece_that_bounced_came_down_when_it_first_did() -> None:
    touches = board(0)
    touches.see(0b1, 1.0, 1.0)
    touches.due(1.2)
    touches.see(0, 2.0, 2.0)
    touches.see(0b1, 2.1, 2.1)
    assert touches.came_down == {0: 1.0}


def test_nothing_falls_due_once_nothing_is_seen_any_more() -> None:
    touches = board(0b1)
    touches.see(0, 1.0, 1.0)
    touches.drop()
    assert touches.deadline is None


def test_a_reading_is_given_again_without_the_bounce_that_disturbed_it() -> None:
    def sight(occupied: int) -> Sight:
        return Sight(0b11 & ~occupied, 0b11 & ~occupied, occupied, 0b11)

    readings = Readings(0.2)
    readings.add(0.5, sight(0b11))
    readings.add(1.0, sight(0b10))
    readings.add(1.1, sight(0b00))
    again = readings.without_bounce(0, 1.0, sight(0b01))
    assert [(reading.at, reading.sight) for reading in again] == [(1.0, sight(0b11)), (1.1, sight(0b01))]


def test_two_bounces_are_taken_out_alone_and_together_since_one_may_have_been_a_piece() -> None:
    def sight(occupied: int) -> Sight:
        return Sight(0b11 & ~occupied, 0b11 & ~occupied, occupied, 0b11)

    readings = Readings(0.2)
    readings.add(1.0, sight(0b00))
    readings.without_bounce(0, 1.0, sight(0b01))
    again = readings.without_bounce(1, 1.0, sight(0b10))
    assert {reading.sight for reading in again} == {sight(0b10), sight(0b11)}


def test_what_happened_on_a_hidden_square_may_have_happened_at_any_time_since() -> None:
    touches = Touches(0.2)
    touches.start(0b01)
    touches.see(0b11, 3.0, 3.0, {1: 2.0})
    touches.see(0b10, 3.5, 3.5, {0: 2.5})
    assert touches.handled == [Handled(3.0, 1, False, 2.0), Handled(3.5, 0, True, 2.5)]
    assert (touches.came_down[1], touches.went_up[0]) == (3.0, 2.5)
    assert touches.hidden == 0b11
    touches.forget()
    assert touches.hidden == 0
