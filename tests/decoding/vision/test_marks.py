"""When what is read of a square becomes what is told of it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from damas_board.decoding.vision.marks import Marks

_PLAYING = np.indices((8, 8)).sum(axis=0) % 2 == 1
_NOWHERE = np.zeros((8, 8), dtype=np.bool_)
_HERE = (3, 4)
_THERE = _NOWHERE.copy()
_THERE[_HERE] = True


def _likely(empty: float, white: float, black: float) -> NDArray[np.float64]:
    found = np.tile(np.array([0.99, 0.005, 0.005]), (8, 8, 1))
    found[_HERE] = (empty, white, black)
    return found


EMPTY, WHITE, UNSURE = _likely(0.99, 0.005, 0.005), _likely(0.005, 0.99, 0.005), _likely(0.3, 0.6, 0.1)


class _Square:
    """One square of a board of which `picture` is shown every twelfth of a second."""

    def __init__(self) -> None:
        self.marks = Marks(_PLAYING)
        self._at = 0.0
        self.shows(EMPTY, 3)

    def shows(
        self, likely: NDArray[np.float64], times: int, *, hidden: bool = False, moving: bool = False, near: bool = False
    ) -> str:
        for _ in range(times):
            self._at += 1 / 12
            masks = [_THERE if one else _NOWHERE for one in (hidden, moving, near)]
            self.marks.look(self._at, likely, *masks)
        return str(self.marks.marks[_HERE])


def test_a_mark_needs_two_pictures() -> None:
    square = _Square()
    assert square.shows(WHITE, 1) == "."
    assert square.shows(WHITE, 1) == "w"
    assert square.shows(EMPTY, 1) == "w"
    assert square.shows(WHITE, 1) == "w"


def test_beside_a_hand_a_man_that_is_gone_needs_three() -> None:
    square = _Square()
    square.shows(WHITE, 2)
    assert square.shows(EMPTY, 1, near=True) == "w"
    assert square.shows(EMPTY, 1, near=True) == "?"
    assert square.shows(EMPTY, 2, near=True) == "."


def test_beside_a_hand_a_man_that_was_not_there_waits_for_the_hand_to_go_away() -> None:
    square = _Square()
    assert square.shows(WHITE, 8, near=True) == "?"
    assert square.shows(WHITE, 1) == "w"
    square.shows(WHITE, 2, hidden=True)
    assert square.shows(WHITE, 4, near=True) == "w"


def test_a_doubt_that_stays_says_less_and_less_and_nothing_beside_a_hand() -> None:
    square = _Square()
    square.shows(UNSURE, 12)
    fresh = square.marks.doubt[_HERE]
    square.shows(UNSURE, 12 * 12)
    old = square.marks.doubt[_HERE]
    assert 1 / 3 < old["w"] < fresh["w"] - 0.1
    assert sum(old.values()) == pytest.approx(1, abs=0.01)
    square.shows(UNSURE, 1, near=True)
    assert square.marks.doubt == {}


def test_no_mark_is_told_while_something_moves_on_the_square() -> None:
    square = _Square()
    assert square.shows(EMPTY, 8, moving=True) == "."
    assert square.shows(WHITE, 1, moving=True) == "."
    assert square.shows(WHITE, 5, moving=True) == "?"
    assert square.shows(WHITE, 2) == "w"


def test_where_something_moves_all_the_time_nothing_is_known() -> None:
    assert _Square().shows(EMPTY, 15, moving=True) == "?"


def test_what_is_hidden_is_not_known_and_not_doubted() -> None:
    square = _Square()
    assert square.shows(WHITE, 2, hidden=True) == "?"
    assert square.marks.doubt == {}
    assert square.shows(EMPTY, 2) == "."


def test_doubt_comes_slowly_and_has_its_likelihoods() -> None:
    square = _Square()
    assert square.shows(UNSURE, 3) == "."
    assert square.shows(UNSURE, 6) == "?"
    assert square.marks.doubt == {_HERE: pytest.approx({".": 0.3, "w": 0.6, "b": 0.1}, abs=0.1)}


def test_a_mark_stays_while_it_is_a_little_less_than_certain() -> None:
    square = _Square()
    square.shows(WHITE, 2)
    assert square.shows(_likely(0.1, 0.87, 0.03), 20) == "w"
    assert square.shows(_likely(0.3, 0.6, 0.1), 20) == "?"
    assert square.shows(_likely(0.1, 0.87, 0.03), 20) == "?"


def test_nothing_is_complete_before_every_square_was_looked_at() -> None:
    marks = Marks(_PLAYING)
    marks.look(0.0, WHITE, _NOWHERE, _NOWHERE, _NOWHERE)
    assert not marks.complete
    marks.look(0.1, WHITE, _NOWHERE, _NOWHERE, _NOWHERE)
    assert marks.complete
    assert marks.known == 1.0


def test_squares_that_are_never_occupied_are_never_told() -> None:
    square = _Square()
    everywhere = np.ones((8, 8), dtype=np.bool_)
    for number in range(4):
        square.marks.look(10 + number, EMPTY, everywhere, _NOWHERE, _NOWHERE)
    assert (square.marks.marks == np.where(_PLAYING, "?", ".")).all()
