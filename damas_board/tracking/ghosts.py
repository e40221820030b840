"""Ghosts: pieces that a matrix of contacts shows where none stand, because a diode is missing or the wrong way round.

How a ghost comes about. The contacts of a matrix join lines with wires. Where three corners of a rectangle of lines and
wires are closed and the contact opposite the fourth has no sound diode, current goes round through the three, and the
fourth corner reads as occupied. It comes, and goes, in the very instant in which the last of the three closes or opens.

So two things tell a ghost from a piece and from a sensor that is stuck. Squares came together: pieces are put down one
at a time, and nobody puts three on as many corners within `TOGETHER_SECONDS`; of two it takes more than one such
instant. Or there are far more than the game has pieces. And no contact that is proven sound can have made it: a board
that stands still with three corners occupied and the fourth empty proves the diode of the contact opposite, and in play
each still board proves many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from damas_board.rules.geometry import Geometry, squares_of

Wiring = Literal["rows", "columns"]
"""Which way the lines of a board's matrix run, in the board's own picture; the wires cross them."""

TOGETHER_SECONDS = 0.05
"""What changes within this time changed in one instant, as the bytes of a whole line take some ten milliseconds."""
CROWD = 3
"""So many squares that came together are no pieces, nor are so many more than the game has."""
AGAIN = 2
"""In so many instants a ghost has to show where only two squares came, or went, together."""


class Ghosts:
    """What is known of one board's ghosts; of a board whose wiring is not known, nothing ever is."""

    def __init__(self, geometry: Geometry, wiring: Wiring | None, *, turned: bool = False, whole: bool = False) -> None:
        """`turned`: the board's own picture lies across White's view; `whole`: light squares are sensed as well."""
        self._grid: list[list[int]] = []
        """The square (as a set) of each line and wire; 0 where none is played on."""
        self._places: dict[int, tuple[int, int]] = {}
        if wiring is not None:
            across = (wiring == "columns") is not turned
            self._grid, self._places = _grid(geometry, across=across, whole=whole)
        self._occupied = 0
        self._came: dict[int, float] = {}
        """When the pieces that are there came."""
        self._gone: dict[int, tuple[float, int]] = {}
        """When the squares that were left last were left, and what was occupied just before."""
        self._sound = 0
        """Contacts whose diode is proven."""
        self._instants: set[float] = set()
        """When two squares, one of them without any business there, came or went together."""

    def start(self, occupied: int) -> None:
        """The board as it is read anew: nothing is known of how that came about."""
        self._occupied = occupied
        self._came.clear()
        self._gone.clear()

    def see(self, occupied: int, at: float, extra: int) -> None:
        """A reading; `extra` are the squares that had no business to be occupied in the one before."""
        if not self._grid:
            return
        before, self._occupied = self._occupied, occupied
        for square in squares_of(occupied & ~before):
            self._came[square] = at
        for square in squares_of(before & ~occupied):
            self._came.pop(square, None)
            self._left(square, before, at, extra)

    def stood(self, occupied: int, empty: int) -> None:
        """A board that stands still proves the contacts that would have made a ghost where it reads `empty`."""
        grid = self._grid
        if not grid:
            return
        for opposite in squares_of(occupied & ~self._sound):
            line, wire = self._places[opposite]
            for other in range(len(grid)):
                if other == line or not grid[other][wire] & occupied:
                    continue
                if any(grid[line][w] & occupied and grid[other][w] & empty for w in range(len(grid[line]))):
                    self._sound |= 1 << opposite
                    break

    def among(self, extra: int, expected: int, most: int, *, again: bool = False) -> int:
        """Those of the squares `extra`, which have no business to be occupied, that are ghosts.

        `expected`: the squares that are occupied by the record; a contact whose diode is the wrong way round is not
        read. `most`: how many pieces the game has, so that what is far more is none. `again`: they have stood there for
        so long that two which came together count as well, from the second time on.
        """
        found, occupied = self._occupied.bit_count() >= most + CROWD, self._occupied | expected
        for square in squares_of(extra):
            together = self._company(square, occupied)
            found = found or together.bit_count() >= CROWD
            if again and together:
                self._instants.add(max(self._came[s] for s in squares_of(together)))
        if not found and not (again and len(self._instants) >= AGAIN):
            return 0
        return sum(1 << square for square in squares_of(extra) if any(self._corners(square, occupied)))

    def _company(self, square: int, occupied: int) -> int:
        """The squares that came in one instant with `square`, itself among them, and make a rectangle with it."""
        came = self._came.get(square)
        if came is None:
            return 0
        near = sum(1 << s for s, at in self._came.items() if abs(at - came) <= TOGETHER_SECONDS and s != square)
        corners = 0
        for three in self._corners(square, occupied):
            corners |= three
        together = corners & near
        return together | 1 << square if together else 0

    def _left(self, square: int, before: int, at: float, extra: int) -> None:
        self._gone = {s: gone for s, gone in self._gone.items() if at - gone[0] <= TOGETHER_SECONDS}
        for other, (_, stood) in self._gone.items():
            pair = 1 << square | 1 << other
            if not pair & extra:
                continue
            ghost = square if extra >> square & 1 else other
            if any(three & pair for three in self._corners(ghost, stood | before)):
                self._instants.add(at)
        self._gone[square] = at, before

    def _corners(self, square: int, occupied: int) -> Iterator[int]:
        """The three other corners of each occupied rectangle that can have made a ghost of `square`."""
        grid = self._grid
        place = self._places.get(square)
        if place is None:
            return
        line, wire = place
        for other in range(len(grid)):
            if other == line or not grid[other][wire] & occupied:
                continue
            for across in range(len(grid[line])):
                beside, opposite = grid[line][across], grid[other][across]
                if across != wire and beside & occupied and opposite & occupied & ~self._sound:
                    yield beside | opposite | grid[other][wire]


def _grid(geometry: Geometry, *, across: bool, whole: bool) -> tuple[list[list[int]], dict[int, tuple[int, int]]]:
    """The squares by line and wire, and the line and the wire of each square.

    Boards count their places along each line (firmware/PROTOCOL.md); those that sense every other square count only
    those, so that their wires run zigzag. Counted from the other end it is the same wires.
    """
    size = geometry.size
    half = 1 if whole or geometry.corner == "all" else 2
    grid = [[0] * (size // half) for _ in range(size)]
    places = {}
    for square in geometry.playable:
        row, column = divmod(square, size)
        line, along = (column, row) if across else (row, column)
        places[square] = line, along // half
        grid[line][along // half] = 1 << square
    return grid, places
