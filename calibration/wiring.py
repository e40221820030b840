"""Which squares of a board share a wire, and at which pin of the Arduino Nano that wire ends.

The boards of this project (firmware/PROTOCOL.md) count their places line by line from the connector's corner. A matrix
board has a wire for each line and one for each position in a line. On an analogue board sixteen places after each other
hang on one multiplexer, each at a channel of it; the channels are chosen by four wires that all multiplexers share.
Both are a grid of rows and columns here. Boards of other builders may differ: their pins are not known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from damas_board.decoding.square_map import SquareMap

WireKind = Literal["line", "column", "multiplexer", "channel"]

LINE_PINS = ("D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12")
COLUMN_PINS = ("A0", "A1", "A2", "A3", "A4", "A5", "D12", "D11")
MULTIPLEXER_PINS = ("A0", "A1", "A2", "A3")
CHANNELS = 16
_PINS_KNOWN = (32, 50, 64)
"""The places of the boards that have a firmware here."""

_PINS: dict[WireKind, tuple[str, ...]] = {
    "line": LINE_PINS,
    "column": COLUMN_PINS,
    "multiplexer": MULTIPLEXER_PINS,
    "channel": (),
}


@dataclass(frozen=True, slots=True)
class Wire:
    """One row or column of the grid: number `number` (from 1) of its kind; `pin` of the Nano, where it has one."""

    kind: WireKind
    number: int
    pin: str | None
    places: tuple[int, ...]


@dataclass(frozen=True)
class Wiring:
    """The grid of a board with the squares of `square_map`; `analogue` where its sensors hang on multiplexers."""

    square_map: SquareMap
    analogue: bool = False

    @property
    def places(self) -> int:
        return self.square_map.places

    @property
    def rows(self) -> int:
        return -(-self.places // self.columns)

    @property
    def columns(self) -> int:
        return CHANNELS if self.analogue else self.places // self.square_map.size

    def cell(self, place: int) -> tuple[int, int]:
        """Row and column of a place, both from 0."""
        return divmod(place - 1, self.columns)

    def place(self, row: int, column: int) -> int | None:
        """The place there; None where the last row is shorter."""
        place = row * self.columns + column + 1
        return place if place <= self.places else None

    def row(self, row: int) -> Wire:
        kind: WireKind = "multiplexer" if self.analogue else "line"
        return self._wire(kind, row, [(row, column) for column in range(self.columns)])

    def column(self, column: int) -> Wire:
        kind: WireKind = "channel" if self.analogue else "column"
        return self._wire(kind, column, [(row, column) for row in range(self.rows)])

    @cached_property
    def wires(self) -> tuple[Wire, ...]:
        """Every wire that only the places on it need."""
        rows = tuple(map(self.row, range(self.rows)))
        return rows if self.analogue else rows + tuple(map(self.column, range(self.columns)))

    def _wire(self, kind: WireKind, index: int, cells: list[tuple[int, int]]) -> Wire:
        pins = _PINS[kind] if self.places in _PINS_KNOWN else ()
        places = [self.place(row, column) for row, column in cells]
        return Wire(kind, index + 1, pins[index] if index < len(pins) else None, tuple(filter(None, places)))
