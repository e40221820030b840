"""Which game a sensor board is made for, and how it may lie: the first regulation and corner that fit what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from damas_board.decoding import wire
from damas_board.decoding.square_map import CORNERS, Corner, SquareMap
from damas_board.regulations import Regulation
from damas_board.rules.variant import Variant
from damas_board.sources.serial_board import OCCUPANCY_LEVELS


class Fit(NamedTuple):
    """One way in which a board may be used."""

    regulation: Regulation
    square_map: SquareMap


def first_fit(hello: wire.Hello, regulations: Iterable[Regulation], corners: Sequence[Corner] = CORNERS) -> Fit | None:
    """The first of `regulations`, and of `corners` for the connector, that fit the board; None where none does."""
    for rules in regulations:
        for square_map in _maps(rules.variant, corners):
            if (square_map.geometry, square_map.places) == (hello.geometry, hello.places):
                return Fit(rules, square_map)
    return None


def _maps(variant: Variant, corners: Sequence[Corner]) -> Iterator[SquareMap]:
    """How a board for this game may be made: a sensor under each square that is played on, or under every square."""
    for corner in corners:
        yield SquareMap(variant.size, variant.corner, corner)
        if variant.size**2 <= wire.MAX_PLACES:
            yield SquareMap(variant.size, "all", corner)


def sees_colours(hello: wire.Hello) -> bool:
    """Whether the board tells what stands on a square, not only that something does."""
    return hello.levels > OCCUPANCY_LEVELS
