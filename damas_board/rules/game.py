"""A game: the positions from a start, with what needs history - repetition, taking back, the end by rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side


class IllegalMoveError(ValueError):
    """A move that the position does not allow was played."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An end by rule: `winner` wins since the side to move has no pieces, or none that can move."""

    winner: Side
    reason: Literal["no_pieces", "blocked"]


def verdict(position: Position) -> Verdict | None:
    """The end by rule that this position is, or None."""
    if legal_moves(position):
        return None
    winner = position.turn if position.variant.giveaway else position.turn.other
    return Verdict(winner, "blocked" if position.pieces(position.turn) else "no_pieces")


class Game:
    """`positions[n]` is the position after `n` plies; `moves[n]` led from it to the next."""

    def __init__(self, start: Position) -> None:
        self.positions = [start]
        self.moves: list[Move] = []

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def play(self, move: Move) -> Position:
        """The position after `move`; IllegalMoveError if it is not legal."""
        if move not in legal_moves(self.position) and not any(same_move(move, m) for m in legal_moves(self.position)):
            raise IllegalMoveError(f"{move} is not legal")
        return self.record(move, self.position.after(move))

    def record(self, move: Move, after: Position) -> Position:
        """Adds a move that is known to lead to `after`."""
        self.moves.append(move)
        self.positions.append(after)
        return after

    def rewind(self, plies: int) -> None:
        """Goes back until `plies` plies remain."""
        if not 0 <= plies <= len(self.moves):
            raise ValueError(f"there are {len(self.moves)} plies, {plies} cannot remain")
        del self.moves[plies:]
        del self.positions[plies + 1 :]

    def occurrences(self) -> int:
        """How often the present position has stood with the same side to move, this time included."""
        now = self.position
        return sum(p[1:5] == now[1:5] for p in self.positions)


def same_move(one: Move, other: Move) -> bool:
    """Whether two routes are one move: the same ends and the same captured pieces."""
    return one[:2] == other[:2] and set(one.captured) == set(other.captured) and one.promotes == other.promotes
