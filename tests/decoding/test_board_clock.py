from __future__ import annotations

import pytest

from damas_board.decoding.board_clock import BoardClock


def test_the_quickest_frame_of_the_window_gives_the_offset() -> None:
    clock = BoardClock(10.0)
    for t, delay in [(0, 0.05), (1000, 0.01), (2000, 0.3), (3000, 0.02)]:
        clock.heard(t, 100 + t / 1000 + delay)
    assert clock.host_time(2500) == pytest.approx(102.51)


def test_a_delay_is_forgotten_after_the_window() -> None:
    clock = BoardClock(10.0)
    clock.heard(0, 100.0)
    for second in range(1, 30):
        clock.heard(1000 * second, 100.5 + second)
    assert clock.host_time(29000) == pytest.approx(129.5)


def test_a_board_that_runs_half_a_percent_slow_is_followed_within_the_window_s_error() -> None:
    clock = BoardClock(10.0)
    for second in range(600):
        clock.heard(round(995 * second), float(second))
    assert clock.host_time(995 * 599) == pytest.approx(599, abs=0.06)


def test_the_board_s_time_goes_on_over_its_wrap() -> None:
    clock = BoardClock(10.0)
    clock.heard(2**32 - 1000, 50.0)
    clock.heard(1000, 52.0)
    assert clock.host_time(500) == pytest.approx(51.5)
    assert clock.host_time(2**32 - 500) == pytest.approx(50.5)


def test_it_keeps_only_a_few_numbers() -> None:
    clock = BoardClock(10.0)
    for tick in range(100_000):
        clock.heard(tick * 10, tick / 100)
    assert len(clock._minima) <= 11
