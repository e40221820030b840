"""A variant is a row of data: what the pieces may do. One move generator reads it, nothing asks for its name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

from damas_board.rules.geometry import Corner, Geometry, Numbering
from damas_board.rules.side import Side

Step = tuple[int, int]
"""Rows forward and columns to the right, as White sees it; Black's rows run the other way."""

FORWARD: tuple[Step, ...] = ((1, -1), (1, 1))
DIAGONALS: tuple[Step, ...] = ((1, -1), (1, 1), (-1, -1), (-1, 1))
FORWARD_AND_SIDEWAYS: tuple[Step, ...] = ((1, 0), (0, -1), (0, 1))
LINES: tuple[Step, ...] = ((1, 0), (-1, 0), (0, -1), (0, 1))
LINES_OF_DARK_SQUARES: tuple[Step, ...] = ((2, 0), (-2, 0), (0, -2), (0, 2))
"""Straight lines of a board where every second square is played on: the next square of the line is two away."""
EIGHT: tuple[Step, ...] = DIAGONALS + LINES_OF_DARK_SQUARES

STEPS: dict[str, tuple[Step, ...]] = {
    "forward": FORWARD,
    "diagonals": DIAGONALS,
    "forward_and_sideways": FORWARD_AND_SIDEWAYS,
    "lines": LINES,
    "eight": EIGHT,
}
"""The names that a regulation file uses."""

Reach = Literal["one", "flying"]
Landing = Literal["any", "next"]
Removal = Literal["after", "at_once"]
Passing = Literal["stays_man", "goes_on_as_king", "stops"]
Criterion = Literal["most_pieces", "most_kings", "with_king", "kings_first", "value"]


@dataclass(frozen=True)
class Variant:
    """One row of data, as in rules/variants.py; every value can be replaced for house rules or to relax a law."""

    name: str
    size: int
    corner: Corner
    numbering: Numbering
    first: Side
    men_rows: tuple[int, int]
    """The first row with men, counted from the player's own side from 0, and how many rows."""
    pdn_type: int
    """PDN 3.0 GameType."""
    man_steps: tuple[Step, ...]
    man_jumps: tuple[Step, ...]
    king_steps: tuple[Step, ...]
    king_jumps: tuple[Step, ...]
    king_reach: Reach
    """How far a king goes in a quiet move."""
    king_approach: Reach
    """How far a king may stand from the piece it jumps."""
    king_landing: Landing
    """On which free squares behind the captured piece it may come down."""
    man_takes_king: bool
    removal: Removal
    """`after`: captured pieces still block and come off when the move is over; `at_once`: each when it is jumped."""
    passing: Passing
    """A man that reaches its last row in the course of a capture."""
    priority: tuple[Criterion, ...]
    """Which capture must be chosen, the strongest law first; empty: any."""
    capture_compulsory: bool = True
    capture_finished: bool = True
    """A capture that can go on must go on."""
    turn_back: bool = True
    """A capturing piece may turn by 180 degrees."""
    king_run_limit: int | None = None
    """Quiet moves in a row by the same king while its side has men (Frisian: three)."""
    giveaway: bool = False
    """Who has no piece or no move left, wins."""

    def __hash__(self) -> int:
        return self._hash  # a row of data is looked up at every move

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, f.name) for f in fields(self)))

    @cached_property
    def geometry(self) -> Geometry:
        return Geometry(self.size, self.corner, self.numbering)

    @cached_property
    def last_rows(self) -> tuple[int, int]:
        """The squares where a man of White, of Black, is crowned."""
        row = (1 << self.size) - 1
        return row << self.size * (self.size - 1), row

    def men_at_start(self, side: Side) -> int:
        first, rows = self.men_rows
        row = (1 << self.size) - 1
        mask = sum(row << self.size * r for r in range(first, first + rows))
        if side is Side.BLACK:
            mask = sum(row << self.size * (self.size - 1 - r) for r in range(first, first + rows))
        return mask & self.geometry.playable_mask
