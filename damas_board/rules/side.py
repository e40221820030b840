"""The two sides of a game."""

from __future__ import annotations

from enum import IntEnum


class Side(IntEnum):
    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Side:
        return Side(1 - self)

    @property
    def label(self) -> str:
        """`white` or `black`, as events write it."""
        return "black" if self else "white"

    @property
    def letter(self) -> str:
        """`W` or `B`, as FEN writes it."""
        return "B" if self else "W"
