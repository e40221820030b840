"""Since when a board is not heard, and that nobody who sees the game late learns it early."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from damas_board.hub.silence import MOST, Silence
from damas_board.messages.envelope import rfc3339

T = datetime(2026, 1, 31, 18, 30, tzinfo=UTC)


def ts(at: float) -> str:
    return rfc3339(T + timedelta(seconds=at))


def playing() -> Silence:
    silence = Silence()
    silence.link("t-1", "gw", None, 0.0)
    silence.plays("g-1", "t-1", ts(1.0), 1.0)
    return silence


def test_a_board_that_is_lost_is_silent_for_who_may_know_it() -> None:
    silence = playing()
    silence.link("t-1", "gw", T, 10.0)
    silence.link("t-1", "gw", None, 14.0)
    assert [silence.as_of("g-1", at) for at in (9.9, 10.0, 13.9, 14.0)] == [None, T, T, None]


def test_a_gateway_that_is_gone_silences_all_its_boards() -> None:
    silence = playing()
    silence.plays("g-2", "t-2", ts(1.0), 1.0)
    silence.link("t-2", "other", None, 1.0)
    silence.gateway("gw", T, 10.0)
    assert (silence.as_of("g-1", 11.0), silence.as_of("g-2", 11.0)) == (T, None)
    silence.link("t-1", "gw", T + timedelta(seconds=5), 12.0)
    assert silence.as_of("g-1", 12.0) == T  # for as long as anything is missing
    silence.gateway("gw", None, 13.0)
    assert silence.as_of("g-1", 13.0) == T + timedelta(seconds=5)


def test_what_repeats_itself_keeps_its_time() -> None:
    silence = playing()
    silence.link("t-1", "gw", T, 10.0)
    silence.link("t-1", "gw", T + timedelta(seconds=9), 11.0)
    assert silence.as_of("g-1", 12.0) == T
    silence.plays("g-2", "t-2", ts(1.0), 1.0)
    silence.link("t-2", "gw", None, 1.0)
    silence.gateway("gw", T, 10.0)
    silence.gateway("gw", T + timedelta(seconds=9), 11.0)
    assert silence.as_of("g-2", 12.0) == T


def test_a_game_goes_on_at_another_board() -> None:
    silence = playing()
    silence.link("t-1", "gw", T, 10.0)
    silence.link("t-2", "gw", None, 10.0)
    silence.plays("g-1", "t-2", ts(11.0), 11.0)
    assert [silence.as_of("g-1", at) for at in (10.5, 11.0)] == [T, None]
    silence.plays("g-3", "t-1", ts(12.0), 12.0)  # the next game of a board that is away already
    assert silence.as_of("g-3", 12.0) == T
    silence.plays("g-4", "t-2", ts(13.0), 13.0)
    silence.link("t-2", "gw", T, 14.0)
    assert (silence.as_of("g-1", 15.0), silence.as_of("g-4", 15.0)) == (None, T)


def test_an_older_game_of_the_board_that_is_read_later_does_not_take_its_place() -> None:
    silence = playing()
    silence.plays("g-0", "t-1", ts(0.5), 2.0)
    silence.link("t-1", "gw", T, 10.0)
    assert (silence.as_of("g-1", 10.0), silence.as_of("g-0", 10.0)) == (T, None)


def test_nothing_is_known_of_a_game_that_is_on_no_board() -> None:
    assert Silence().as_of("g-1", math.inf) is None


def test_a_board_that_comes_and_goes_costs_no_more_and_more() -> None:
    silence = playing()
    for number in range(3 * MOST):
        silence.link("t-1", "gw", T + timedelta(seconds=number) if number % 2 else None, 10.0 + number)
    assert len(silence._learned["g-1"]) <= MOST
    assert silence.as_of("g-1", math.inf) == T + timedelta(seconds=3 * MOST - 1)
