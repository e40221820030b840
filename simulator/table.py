"""The board on the table: the pieces that stand on it, and what its sensors say of them."""

from __future__ import annotations

from typing import Literal

from damas_board.rules.geometry import Geometry, squares_of
from damas_board.rules.position import Position
from damas_board.rules.side import Side
from damas_board.session.header import Senses
from simulator.hand import Action, Crown, Lift, Place, Press, PutBack, TakeOff

Turn = Literal[0, 90, 180, 270]
EMPTY = "."


class Table:
    """The truth on the board: `pieces` by their squares, as the marks `w` `b` `W` `B`; and each player's hands."""

    def __init__(self, position: Position) -> None:
        self.size = position.variant.size
        self.pieces: dict[int, str] = {s: mark(position, s) for s in squares_of(position.occupied)}
        self.hands: dict[tuple[Side, bool], str] = {}
        """What is in the air, by the player and whether it is the left hand."""

    def do(self, action: Action) -> None:
        """Does `action`. ValueError for what nobody can do, as lifting from an empty square."""
        match action:
            case Lift(square, by, left):
                if (by, left) in self.hands:
                    raise ValueError(f"the hand of {by.label} is not free")
                self.hands[by, left] = self._take(square)
            case Place(square, by, left):
                if (by, left) not in self.hands:
                    raise ValueError(f"the hand of {by.label} is empty")
                self._put(square, self.hands[by, left])
                del self.hands[by, left]
            case TakeOff(square):
                self._take(square)
            case PutBack(square, piece):
                self._put(square, piece)
            case Crown(square):
                self.pieces[square] = self._take(square).upper()
            case Press():
                pass

    def shows(self, position: Position) -> bool:
        """Whether the pieces of `position`, men and kings, stand on the board and nothing is in a hand."""
        return not self.hands and self.pieces == {s: mark(position, s) for s in squares_of(position.occupied)}

    def _take(self, square: int) -> str:
        if square not in self.pieces:
            raise ValueError(f"square {square} is empty")
        return self.pieces.pop(square)

    def _put(self, square: int, piece: str) -> None:
        if square in self.pieces:
            raise ValueError(f"square {square} is occupied")
        self.pieces[square] = piece


def mark(position: Position, square: int) -> str:
    """The mark of the piece on `square`: `w` `b`, a king `W` `B`; ValueError if there is none."""
    side = position.side_at(square)
    if side is None:
        raise ValueError(f"no piece stands on {position.variant.geometry.name(square)}")
    return side.letter if position.kings >> square & 1 else side.letter.lower()


def sensed(piece: str | None, senses: Senses) -> str:
    """What a sensor of that sort says of a piece (`w` `b` `W` `B`), or of an empty square."""
    if piece is None:
        return EMPTY
    match senses:
        case "occupancy":
            return "o"
        case "colour":
            return piece.lower()
        case "kind":
            return piece


def rows(marks: dict[int, str], geometry: Geometry, turn: Turn = 0) -> str:
    """The `see` text of `marks` by square; what is not in it is empty.

    `turn`: turning the board's own picture clockwise by it gives White's view.
    """
    size = geometry.size
    lines = [[marks.get(row * size + column, EMPTY) for column in range(size)] for row in reversed(range(size))]
    for _ in range(-turn % 360 // 90):
        lines = [list(line) for line in zip(*reversed(lines), strict=True)]
    return "/".join("".join(line) for line in lines)
