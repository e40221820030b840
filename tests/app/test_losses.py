from __future__ import annotations

from damas_board.app.losses import AllBack, Back, Losses, Lost, ManyLost


def test_three_boards_lost_within_two_seconds_are_one_alarm_that_ends_when_all_are_back() -> None:
    losses = Losses(10)
    assert [losses.lost(board, "port_lost", at) for board, at in (("a", 0.0), ("b", 0.5), ("c", 1.9))] == [[], [], []]
    assert losses.due(1.99) == []
    assert losses.due(2.0) == [ManyLost(("a", "b", "c"))]
    assert [losses.back("a", 5.0), losses.back("b", 6.0)] == [[], []]
    assert losses.back("c", 7.0) == [AllBack(("a", "b", "c"))]
    assert losses.alarm is None


def test_fewer_are_told_one_by_one_unless_they_are_most_of_those_that_are_there() -> None:
    losses = Losses(10)
    losses.lost("a", "silent", 0.0)
    losses.lost("b", None, 1.0)
    assert losses.due(2.0) == [Lost("a", "silent"), Lost("b", None)]
    assert losses.back("a", 9.0) == [Back("a")]
    few = Losses(3)
    few.lost("a", None, 0.0)
    few.lost("b", None, 1.0)
    assert few.due(2.0) == [ManyLost(("a", "b"))]


def test_a_blink_is_told_as_lost_and_back_and_a_single_board_at_once() -> None:
    losses = Losses(2)
    losses.lost("a", "silent", 0.0)
    losses.back("a", 0.5)
    assert losses.due(2.0) == [Lost("a", "silent"), Back("a")]
    assert Losses(1).lost("a", "silent", 0.0) == [Lost("a", "silent")]
