"""What a board that only sees whether a square is occupied can know of the next position."""

from __future__ import annotations

from collections import defaultdict

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position


def by_occupancy(position: Position) -> dict[int, dict[Position, list[Move]]]:
    """For every set of occupied squares after a legal move: the positions it may be, with their moves."""
    found: dict[int, dict[Position, list[Move]]] = defaultdict(lambda: defaultdict(list))
    for move in legal_moves(position):
        after = position.after(move)
        found[after.occupied][after._replace(runs=(None, None))].append(move)
    return found


def ambiguous(position: Position) -> list[dict[Position, list[Move]]]:
    """The final occupancies of `position` that several different positions have."""
    return [positions for positions in by_occupancy(position).values() if len(positions) > 1]
