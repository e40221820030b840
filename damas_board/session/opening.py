"""The opening that was drawn, and how a board lies by what is played first on it."""

from __future__ import annotations

from damas_board.notation.moves import read_move
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position, initial


def drawn(opening: str | None, start: Position) -> list[Move]:
    """The moves of an opening; NotationError if it is none from `start`."""
    position = start
    moves = []
    for text in (opening or "").split():
        moves.append(read_move(position, text))
        position = position.after(moves[-1])
    return moves


def turned(position: Position) -> Position:
    """The same pieces as seen from the other side of the board."""
    size = position.variant.size**2
    white, black, kings = (
        sum(1 << (size - 1 - square) for square in squares_of(pieces))
        for pieces in (position.white, position.black, position.kings)
    )
    return position._replace(white=black, black=white, kings=kings)


def starts_turned(start: Position, move: Move) -> bool:
    """Whether `move`, by the side that does not begin, would be a legal first move on a board turned about."""
    size = start.variant.size**2
    mirrored = (size - 1 - move.start, size - 1 - move.end)
    return turned(start)[2:5] == start[2:5] == initial(start.variant)[2:5] and any(
        legal[:2] == mirrored for legal in legal_moves(start)
    )
