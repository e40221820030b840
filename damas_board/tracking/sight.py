"""What a board shows, as sets of squares that rule things out; the same for every kind of board.

A reading says of each square what cannot stand there: an empty reading rules out both colours, a piece of unknown
colour rules out 'empty', a white one rules out 'empty' and 'black', and an unreadable square rules out nothing. A
position agrees with a reading if nothing in it is ruled out, so no code asks whether a board senses colour.

A square that cannot be read keeps what was last read there: a hand over a square is neither agreement nor evidence.
"""

from __future__ import annotations

from typing import NamedTuple

from damas_board.rules.geometry import Geometry
from damas_board.rules.position import Position

MARKS = ".owbWB?"


class SightError(ValueError):
    """Rows that are no picture of this board."""


class Sight(NamedTuple):
    """Sets of squares; light squares are left out."""

    not_white: int
    not_black: int
    not_empty: int
    known: int
    """Squares that have been read at least once."""

    @property
    def occupied(self) -> int:
        return self.not_empty & self.known

    @property
    def white(self) -> int:
        """Squares where a white piece was seen as such."""
        return self.not_empty & self.not_black & ~self.not_white

    @property
    def black(self) -> int:
        return self.not_empty & self.not_white & ~self.not_black


NOTHING = Sight(0, 0, 0, 0)


class SightReader:
    """Reads `see` rows of one board. `turn`: turning the board's own picture clockwise by it gives White's view."""

    def __init__(self, geometry: Geometry, turn: int = 0) -> None:
        size = geometry.size
        self.size = size
        self.turn = turn
        self.playable = geometry.playable_mask
        self.men = 0
        """Squares where the last reading had a piece that was seen to be no king."""
        self.kings = 0
        """Squares where it had a piece that was seen to be a king; only on boards that sense kind."""
        self.unread = 0
        """Squares that could not be read with the last reading."""
        self._bits: list[int] = []
        self._marks = ""
        self._light: list[int] = []
        for index in range(size * size):
            bit = 1 << self.square_at(index)
            self._bits.append(bit & self.playable)
            if not bit & self.playable:
                self._light.append(index)
        self._separators = "/" * (size - 1)

    @property
    def light(self) -> int:
        """Squares that are not played on where the last reading had a piece."""
        marks = self._marks
        return sum(1 << self.square_at(index) for index in self._light if marks and marks[index] not in ".?")

    def square_at(self, index: int) -> int:
        """The square that a row text's mark at `index` is about, rows joined."""
        down, right = divmod(index, self.size)
        for _ in range(self.turn // 90):
            down, right = right, self.size - 1 - down
        return (self.size - 1 - down) * self.size + right

    def unreadable(self, rows: str) -> tuple[int, ...]:
        """The squares, light ones too, that cannot be read in `rows`."""
        return tuple(sorted(self.square_at(i) for i, mark in enumerate(rows.replace("/", "")) if mark == "?"))

    def check(self, rows: str) -> None:
        """SightError for another size or an unknown mark."""
        size = self.size
        if len(rows) != size * size + size - 1 or rows[size :: size + 1] != self._separators:
            raise SightError(f"a board of {size} x {size} has {size} rows of {size} marks joined by '/', not {rows!r}")
        unknown = set(rows) - set(MARKS) - {"/"}
        if unknown or rows.count("/") != size - 1:
            mark = min(unknown, default="/")
            raise SightError(f"unknown mark {mark!r} in {rows!r}; known: {' '.join(MARKS)}")

    def read(self, rows: str, before: Sight) -> Sight:
        """The sight after this reading, which `check` has let pass; unreadable squares stay as in `before`."""
        marks = rows.replace("/", "")
        empty = white = black = piece = kings = 0
        for mark, bit in zip(marks, self._bits, strict=True):
            if mark == ".":
                empty |= bit
            elif mark == "o":
                piece |= bit
            elif mark in "wW":
                white |= bit
                kings |= bit if mark == "W" else 0
            elif mark in "bB":
                black |= bit
                kings |= bit if mark == "B" else 0
        self._marks = marks
        self.men, self.kings = (white | black) & ~kings, kings
        unread = self.unread = self.playable & ~(empty | white | black | piece)
        return Sight(
            before.not_white & unread | empty | black,
            before.not_black & unread | empty | white,
            before.not_empty & unread | white | black | piece,
            before.known | empty | white | black | piece,
        )


def remembered(now: Sight, before: Sight) -> Sight:
    """What is read `now`; where nothing is, what was read `before`."""
    known = now.known
    return Sight(
        before.not_white & ~known | now.not_white & known,
        before.not_black & ~known | now.not_black & known,
        before.not_empty & ~known | now.not_empty & known,
        before.known | known,
    )


def without(sight: Sight, squares: int) -> Sight:
    """The sight with the set `squares` unread."""
    if not squares:
        return sight
    keep = ~squares
    return Sight(sight.not_white & keep, sight.not_black & keep, sight.not_empty & keep, sight.known & keep)


def put_back(sight: Sight, square: int) -> Sight:
    """The sight with a piece of unknown colour on `square`, as it was before that was lifted."""
    bit = 1 << square
    return sight._replace(
        not_white=sight.not_white & ~bit,
        not_black=sight.not_black & ~bit,
        not_empty=sight.not_empty | bit,
        known=sight.known | bit,
    )


def disagreement(position: Position, sight: Sight, playable: int) -> int:
    """The squares where the sight rules out what the position has."""
    white, black = position.white, position.black
    return white & sight.not_white | black & sight.not_black | playable & ~(white | black) & sight.not_empty


def difference(one: Position, other: Position) -> int:
    """The squares that stand differently in two positions, crowns aside."""
    return one.white ^ other.white | one.black ^ other.black
