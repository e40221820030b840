"""From the board's physical places to the rows of a `see` text; draughts numbers belong here, the board knows none.

A board counts its sensed squares as one reads a page, with the connector's corner at the top left. Where that corner
lies when the game's White sits at the bottom is a setting of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from damas_board.decoding.wire import MAX_PLACES

Dark = Literal["left", "right", "all"]
"""Which corner at each player's hand is a playable square; `all` where every square is sensed."""
Corner = Literal["black-left", "black-right", "white-left", "white-right"]
"""A corner as seen from White."""

CORNERS: tuple[Corner, ...] = get_args(Corner)
SIZES = (8, 10, 12)
OCCUPANCY_MARKS = ".o"
KIND_MARKS = ".wbWB"
UNKNOWN = "?"
_ALL, _WITH_CORNER, _WITHOUT_CORNER = 0, 1, 2


def lines_along(connector: Corner) -> Literal["rows", "columns"]:
    """Which way the lines run along which a board counts its places, as seen from White."""
    return "rows" if connector in ("black-left", "white-right") else "columns"


@dataclass(frozen=True)
class SquareMap:
    """Places 1 to `places` of one board; `dark` as the players sit, `connector` the corner that place 1 is near."""

    size: int
    dark: Dark
    connector: Corner = "black-left"

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise ValueError(f"a board has {', '.join(map(str, SIZES))} squares a side, not {self.size}")
        if self.dark not in get_args(Dark):
            raise ValueError(f"dark is {self.dark!r}; allowed: {', '.join(get_args(Dark))}")
        if self.connector not in CORNERS:
            raise ValueError(f"connector is {self.connector!r}; allowed: {', '.join(CORNERS)}")
        if self.places > MAX_PLACES:
            raise ValueError(f"a board has at most {MAX_PLACES} sensed squares, not {self.places}")

    @classmethod
    def of_geometry(cls, geometry: int, connector: Corner = "black-left") -> SquareMap:
        """The map of a board whose HELLO says `geometry`. ValueError for a geometry that is not known here."""
        size, sensed = geometry & 0x0F, geometry >> 4
        if sensed == _ALL:
            return cls(size, "all", connector)
        if sensed not in (_WITH_CORNER, _WITHOUT_CORNER):
            raise ValueError(f"geometry {geometry:#04x} is not known here")
        # Black's left corner is dark exactly where White's right one is, and so on round the table.
        dark_here = connector in ("black-right", "white-left")
        return cls(size, "left" if dark_here == (sensed == _WITH_CORNER) else "right", connector)

    @property
    def geometry(self) -> int:
        """The code that HELLO carries for such a board."""
        if self.dark == "all":
            return _ALL << 4 | self.size
        return (_WITH_CORNER if self._cells[0] == self._corner else _WITHOUT_CORNER) << 4 | self.size

    @property
    def places(self) -> int:
        return len(self._cells)

    @cached_property
    def squares(self) -> tuple[int, ...]:
        """The squares over places 1, 2, ...: `row * size + column`, rows from White's side, columns from its left."""
        size = self.size
        return tuple((size - 1 - cell // size) * size + cell % size for cell in self._cells)

    @cached_property
    def _place_of(self) -> dict[int, int]:
        return {square: place for place, square in enumerate(self.squares, 1)}

    def place(self, square: int) -> int:
        """The place under `square` (`row * size + column`). KeyError where no sensor is."""
        return self._place_of[square]

    def square(self, place: int) -> int:
        """The square above `place`. IndexError where there is no such place."""
        if place < 1:
            raise IndexError(f"places begin with 1, not {place}")
        return self.squares[place - 1]

    def rows(self, levels: Sequence[int], kinds: int) -> str:
        """The `see` text of `levels` (places 1, 2, ...); `kinds` is the number of levels the board tells apart, 2 or 5.

        A level that the board cannot mean is `?`. Squares without a sensor are `.`.
        """
        if len(levels) != self.places:
            raise ValueError(f"{self.places} levels are expected, not {len(levels)}")
        marks = OCCUPANCY_MARKS if kinds == 2 else KIND_MARKS
        cells = ["."] * self.size**2
        for cell, level in zip(self._cells, levels, strict=True):
            cells[cell] = marks[level] if 0 <= level < len(marks) else UNKNOWN
        text = "".join(cells)
        return "/".join(text[start : start + self.size] for start in range(0, len(text), self.size))

    def levels(self, rows: str, kinds: int) -> tuple[int, ...]:
        """The levels that show a `see` text, places 1, 2, ...; `o` is level 1. ValueError for another mark or size."""
        cells = rows.replace("/", "")
        if len(cells) != self.size**2:
            raise ValueError(f"{self.size**2} squares are expected, not {len(cells)}")
        marks = {".": 0, "o": 1}
        marks |= {mark: level if kinds != 2 else min(level, 1) for level, mark in enumerate(KIND_MARKS)}
        for cell in self._cells:
            if cells[cell] not in marks:
                raise ValueError(f"{cells[cell]!r} is no mark that a sensor can show")
        return tuple(marks[cells[cell]] for cell in self._cells)

    @property
    def _corner(self) -> int:
        last = self.size - 1
        return {
            "black-left": 0,
            "black-right": last,
            "white-left": last * self.size,
            "white-right": last * self.size + last,
        }[self.connector]

    @cached_property
    def _cells(self) -> tuple[int, ...]:
        """For places 1, 2, ...: the index into a `see` text without its `/`."""
        size, last = self.size, self.size - 1
        corner_parity = {"left": last % 2, "right": (last + 1) % 2}.get(self.dark)
        cells = []
        for line in range(size):
            for along in range(size):
                row, column = {
                    "black-left": (line, along),
                    "black-right": (along, last - line),
                    "white-right": (last - line, last - along),
                    "white-left": (last - along, line),
                }[self.connector]
                if corner_parity is None or (row + column) % 2 == corner_parity:
                    cells.append(row * size + column)
        return tuple(cells)
