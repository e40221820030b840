"""What a matrix reads, by hand: with diodes what is closed, without them the corners of rectangles as well."""

from __future__ import annotations

from random import Random

from simulator.matrix import read


def test_with_diodes_exactly_the_closed_contacts_are_read() -> None:
    random = Random(1)
    for _ in range(100):
        closed = [random.randrange(32) for _ in range(10)]
        assert read(closed, [0] * 10) == closed


def test_without_diodes_the_fourth_corner_of_a_rectangle_is_read() -> None:
    closed = [0b0011, 0b0001, 0b0100]
    assert read(closed, closed) == [0b0011, 0b0011, 0b0100]


def test_without_diodes_current_goes_round_any_number_of_corners() -> None:
    closed = [0b0011, 0b0110, 0b1100, 0b0000]
    assert read(closed, closed) == [0b1111, 0b1111, 0b1111, 0]


def test_a_contact_without_a_diode_makes_a_ghost_only_opposite_of_itself() -> None:
    assert read([0b11, 0b01], [0b01, 0]) == [0b11, 0b11]
    assert read([0b11, 0b01], [0b10, 0]) == [0b11, 0b01]
    assert read([0b11, 0b01], [0, 0b01]) == [0b11, 0b01]


def test_a_diode_the_wrong_way_round_is_not_read_and_makes_a_ghost() -> None:
    assert read([0b10, 0b01], [0b01, 0]) == [0b10, 0b11]
