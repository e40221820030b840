"""Cards beside a board's corners."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.markers import CORNER_IDS, Marker, marker_bits, markers_in, turn_of
from damas_board.decoding.vision.picture import Picture

GRID = Grid.of_corners([[120, 120], [360, 120], [360, 360], [120, 360]], 8)
PLACES = ((60, 380), (380, 380), (380, 60), (60, 60))
"""Where the cards lie for White below: left, right, far right, far left; the top left pixel of each."""


def laid(quarters: int = 0, chosen: tuple[int, ...] = CORNER_IDS) -> Picture:
    """A table with cards of 36 pixels on it, seen from so many quarters of a turn further on, clockwise."""
    picture = np.full((480, 480, 3), 230, dtype=np.uint8)
    for number in chosen:
        x, y = PLACES[number]
        picture[y : y + 36, x : x + 36] = np.where(marker_bits(number), 20, 230).repeat(6, 0).repeat(6, 1)[:, :, None]
    return np.ascontiguousarray(np.rot90(picture, quarters))


def test_the_printed_bits_are_read_as_their_number_and_have_a_black_edge() -> None:
    cards = markers_in(laid())
    assert [card.id for card in cards] == list(CORNER_IDS)
    assert cards[0].middle == pytest.approx([60 + 17.5, 380 + 17.5], abs=1)
    for number in CORNER_IDS:
        bits = marker_bits(number)
        assert bits.shape == (6, 6)
        assert bits[0].all()
        assert bits[:, -1].all()
        assert not bits.all()


@pytest.mark.parametrize(("quarters", "turn"), [(0, 0), (1, 90), (2, 180), (3, 270)])
def test_any_one_card_tells_how_the_board_is_turned(quarters: int, turn: int) -> None:
    for chosen in (*((number,) for number in CORNER_IDS), CORNER_IDS):
        assert turn_of(GRID, markers_in(laid(quarters, chosen))) == (turn, False), chosen


def test_turning_the_rows_by_the_turn_is_white_s_view() -> None:
    numbers = np.array([["far left", "far right"], ["near left", "near right"]])
    for quarters in range(4):
        turn, _ = turn_of(GRID, markers_in(laid(quarters)))
        assert turn is not None
        assert np.array_equal(np.rot90(np.rot90(numbers, quarters), -turn // 90), numbers)


def test_a_mirrored_picture_is_known_by_cards_that_read_from_behind() -> None:
    for quarters in range(4):
        picture = laid(quarters)
        cards = markers_in(np.ascontiguousarray(picture[:, ::-1]))
        assert [card.id for card in cards] == list(CORNER_IDS)
        assert turn_of(GRID, cards) == (turn_of(GRID, markers_in(picture))[0], True)


def test_cards_that_contradict_each_other_tell_nothing() -> None:
    cards = markers_in(laid())
    wrong = replace(cards[0], id=2)
    assert turn_of(GRID, (wrong, *cards[1:])) == (None, False)
    assert turn_of(GRID, ()) == (None, False)


def test_cards_of_other_numbers_are_not_ours() -> None:
    picture = laid(chosen=())
    picture[60:96, 60:96] = np.where(marker_bits(7), 20, 230).repeat(6, 0).repeat(6, 1)[:, :, None]
    assert markers_in(picture) == ()


def test_a_picture_twice_as_large_has_the_cards_in_the_same_places() -> None:
    card = Marker(0, np.array([[10.0, 10], [20, 10], [20, 20], [10, 20]]))
    assert card.scaled(2).corners[0] == pytest.approx([20.5, 20.5])
