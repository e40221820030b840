from __future__ import annotations

from math import exp

import pytest

from damas_board.tracking.likelihood import Doubts, doubted, likelihood_of, product, uncertain
from damas_board.tracking.sight import NOTHING, SightError


def shares(empty: float, white: float, black: float) -> dict[str, float]:
    return {".": empty, "w": white, "b": black}


@pytest.mark.parametrize(
    ("marks", "ratios"),
    [
        ({".": 0.2, "w": 0.8}, (0.25, 1.0, 0.001)),
        ({".": 2, "w": 8, "b": 2}, (0.25, 1.0, 0.25)),
        ({"w": 0.3, "W": 0.3, "b": 0.3}, (0.001, 1.0, 0.5)),
        ({".": 0.5, "o": 0.5}, (1.0, 1.0, 1.0)),
        ({"?": 1.0}, (1.0, 1.0, 1.0)),
        ({}, (1.0, 1.0, 1.0)),
    ],
)
def test_likelihoods_are_beside_the_likeliest(marks: dict[str, float], ratios: tuple[float, float, float]) -> None:
    assert tuple(map(exp, likelihood_of(marks))) == pytest.approx(ratios)


@pytest.mark.parametrize("marks", [{"x": 1.0}, {"wb": 1.0}, {"": 1.0}, {"w": -0.1}, {"w": float("nan")}])
def test_what_is_no_likelihood_is_refused(marks: dict[str, float]) -> None:
    with pytest.raises(SightError):
        likelihood_of(marks)


@pytest.mark.parametrize(
    ("marks", "read"),
    [
        (shares(0.9, 0.09, 0.01), "?"),
        (shares(0.9, 0.1, 0.0), "?"),
        (shares(0.998, 0.001, 0.001), "."),
        (shares(0.0, 0.6, 0.4), "o"),
        (shares(0.0, 1.0, 0.0), "w"),
        (shares(0.001, 0.001, 0.998), "b"),
    ],
)
def test_a_square_is_read_where_all_but_one_thing_is_out_of_the_question(marks: dict[str, float], read: str) -> None:
    sight = doubted(NOTHING, {3: likelihood_of(marks)})
    assert bool(sight.known >> 3 & 1) is (read != "?")
    assert {"?": uncertain({3: likelihood_of(marks)}), **{m: 0 for m in ".wbo"}}[read] == (8 if read == "?" else 0)
    if read in "wb":
        assert (sight.white if read == "w" else sight.black) == 8
    elif read == "o":
        assert (sight.occupied, sight.white, sight.black) == (8, 0, 0)
    elif read == ".":
        assert (sight.not_white, sight.not_black, sight.not_empty) == (8, 8, 0)


def test_many_frames_say_no_more_than_one() -> None:
    doubts = Doubts()
    for n in range(200):
        doubts.see({3: likelihood_of(shares(0.1, 0.9, 0.0))}, 0, n / 12)
    assert exp(doubts.now[3].empty) == pytest.approx(1 / 9)


def test_noise_is_averaged_within_the_window_since_the_board_changed() -> None:
    doubts = Doubts()
    for at, white in ((0.0, 0.1), (0.4, 0.9), (1.3, 0.5), (1.4, 0.9)):
        doubts.see({3: likelihood_of(shares(1 - white, white, 0.0))}, 0, at)
    assert exp(doubts.now[3].empty) == pytest.approx((1 / 9 * 1 * 1 / 9) ** (1 / 3))
    doubts.changed()
    assert exp(doubts.now[3].empty) == pytest.approx(1 / 9)


def test_what_is_covered_keeps_its_last_word_and_what_is_read_is_in_no_doubt() -> None:
    doubts = Doubts()
    doubts.see({3: likelihood_of({".": 0.5, "w": 0.5}), 4: likelihood_of({".": 0.5, "w": 0.5})}, 0, 0.0)
    doubts.see({}, 1 << 3, 0.1)
    assert set(doubts.now) == {3}


def test_two_sources_that_doubt_a_square_err_independently() -> None:
    one = likelihood_of(shares(0.2, 0.8, 0.0))
    assert exp(product(one, one).empty) == pytest.approx(1 / 16)
