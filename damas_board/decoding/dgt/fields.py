"""From the fields of a DGT board to the rows of a `see` text.

A board counts its fields as one reads a page with the connector at the left hand, field 0 at the top left; it never
turns that. So the first field's corner is where the connector is, as `SquareMap` has it: `black-left` where the
connector is at White's left hand, `white-right` where it is at the right one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from damas_board.decoding.dgt.codes import EMPTY, FEWEST
from damas_board.decoding.dgt.reports import Fields
from damas_board.decoding.square_map import Corner, Dark, SquareMap

Colour = Literal["black", "white"]
"""Of squares."""
_OTHER: Mapping[Dark, Dark] = {"left": "right", "right": "left", "all": "all"}


def square_map(fields: Fields, dark: Dark, corner: Corner, playing: Colour = "black") -> SquareMap:
    """The map of a dump. `dark`: as in `SquareMap`; `playing`: which colour the board says the playing squares have."""
    match fields:
        case "all100":
            return SquareMap(10, "all", corner)
        case "all64":
            return SquareMap(8, "all", corner)
        case "black50" | "white50":
            return SquareMap(10, dark if fields == f"{playing}50" else _OTHER[dark], corner)


def rows(squares: SquareMap, marks: str) -> str:
    """The `see` text of a mark for each field; squares that are not in the dump are `.`."""
    size = squares.size
    cells = ["."] * size**2
    for square, mark in zip(squares.squares, marks, strict=True):
        cells[(size - 1 - square // size) * size + square % size] = mark
    text = "".join(cells)
    return "/".join(text[start : start + size] for start in range(0, len(text), size))


def marks_at(squares: SquareMap, text: str) -> str:
    """The other way round: the mark of each field in a `see` text."""
    size = squares.size
    cells = text.replace("/", "")
    return "".join(cells[(size - 1 - square // size) * size + square % size] for square in squares.squares)


def playing_colour(black: Sequence[int], white: Sequence[int]) -> Colour | None:
    """Which of the two dumps of 50 fields is of the squares that are played on, None where that does not show.

    A few pieces may stand on the other colour, put down in passing before a game is set up.
    """
    on_black, on_white = (sum(code != EMPTY for code in codes) for codes in (black, white))
    if min(on_black, on_white) or max(on_black, on_white) < FEWEST:
        return None
    return "black" if on_black else "white"
