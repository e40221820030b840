"""A game that was played: what a record of it is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from damas_board.rules.position import Move, Position


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """`moves` follow each other from `start`; `name` says which game it is."""

    start: Position
    moves: tuple[Move, ...]
    name: str = ""

    def positions(self) -> Iterator[Position]:
        """The start and the position after each move."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.after(move)
            yield position
