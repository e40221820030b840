"""Squares that cannot be relied on: what tells a sensor that flickers from a hand, and when it is read again."""

from __future__ import annotations

from damas_board.tracking.sight import Sight
from damas_board.tracking.suspects import CONTACT_SECONDS, FLICKERS, TRUST_SECONDS, WINDOW_SECONDS, Suspects


def toggled(*times: float, lasted: float = 0.1, square: int = 3) -> list[bool]:
    suspects = Suspects()
    return [suspects.toggled(square, lasted, at) for at in times]


def test_a_square_flickers_with_so_many_toggles_in_the_window() -> None:
    times = [n * WINDOW_SECONDS / FLICKERS for n in range(FLICKERS)]
    assert toggled(*times) == [False] * (FLICKERS - 1) + [True]


def test_toggles_that_are_further_apart_are_hands() -> None:
    apart = 1.01 * WINDOW_SECONDS / (FLICKERS - 1)
    assert toggled(*(n * apart for n in range(3 * FLICKERS))) == [False] * 3 * FLICKERS


def test_contacts_that_bounce_do_not_flicker() -> None:
    assert not any(toggled(*(n * 0.1 for n in range(20)), lasted=CONTACT_SECONDS / 2))


def test_each_square_flickers_for_itself() -> None:
    suspects = Suspects()
    assert not any(suspects.toggled(square, 0.1, square * 0.1) for square in range(10))


def test_it_is_told_once_of_a_square() -> None:
    suspects = Suspects()
    assert [suspects.suspect(3), suspects.suspect(3), suspects.suspect(4)] == [True, False, True]


def test_a_suspect_square_is_read_again_when_it_has_agreed_for_a_while() -> None:
    suspects = Suspects()
    suspects.suspect(3)
    suspects.compare(0, 0, 10.0)
    assert suspects.deadline == 10.0 + TRUST_SECONDS
    assert suspects.trusted(10.0 + TRUST_SECONDS - 0.01) == []
    assert suspects.trusted(10.0 + TRUST_SECONDS) == [3]
    assert (suspects.unread, suspects.deadline) == (0, None)


def test_a_disagreement_begins_the_while_anew() -> None:
    suspects = Suspects()
    suspects.suspect(3)
    suspects.compare(0, 0, 10.0)
    suspects.compare(1 << 3, 0, 12.0)
    assert suspects.deadline is None
    suspects.compare(0, 0, 13.0)
    assert suspects.deadline == 13.0 + TRUST_SECONDS


def test_a_masked_square_is_not_trusted_by_itself() -> None:
    suspects = Suspects()
    suspects.masked = 1 << 3
    suspects.compare(0, 0, 10.0)
    assert suspects.trusted(100.0) == []
    assert suspects.unread == 1 << 3
    suspects.trust(3)
    assert suspects.unread == 0


def test_the_sight_has_no_suspect_square() -> None:
    suspects = Suspects()
    suspects.suspect(1)
    assert suspects.through(Sight(0b011, 0b010, 0b100, 0b111)) == Sight(0b001, 0b000, 0b100, 0b101)
